// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_reader.hpp>
#include <trackplex/io/madx/detail/madx_thin.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// MAKETHIN of MAD-X, which slices a sequence.

namespace trackplex::io::detail {

/// Slices a sequence. The one in use stays thick until its next USE, and other sequences keep the
/// thick elements, although their names mean the thin ones.
inline void MadxReader::makethin(const LatticeToken& at, const MadxAttributes& given) {
  const std::string name = text_of(given, "sequence");
  if (!model_.sequence(name) && !model_.line(name))
    refuse_madx(at, "there is no sequence '" + name + "' to make thin", {},
                closest_name(name, model_.order));
  const MadxThinOptions options = thin_options(given);
  if (const MadxSequence* sequence = model_.sequence(name)) {
    if (sequence->refer != 0.)
      return remark("MAKETHIN leaves '" + name + "' thick: its REFER is not centre, as in MAD-X",
                    at);
    refuse_nested(*sequence, at);
  }
  MadxSequence thick = as_sequence(name);
  select_slices(at);
  static constexpr std::size_t max_slices = 1'000'000;  ///< and other elements
  MadxFlattener flat = flattener();
  MadxThinSequence thin(
      model_, flat, options, [this](const MadxElement& of) { return slicing_of(of); },
      max_slices - std::min(max_slices, model_.elements.size()));
  MadxSequence sliced = thin.slice(thick);
  if (name == model_.used)
    remark("'" + name + "' stays thick after MAKETHIN until its next USE, as in MAD-X", at);
  keep_thick(std::move(thick), thin.elements());
  for (const auto& [made, element] : thin.elements())
    model_.elements.insert_or_assign(made, element);
  model_.lines.erase(name);
  model_.sequences.insert_or_assign(name, std::move(sliced));
  values_.forget();
}

inline MadxThinOptions MadxReader::thin_options(const MadxAttributes& given) {
  MadxThinOptions options;
  for (const auto& [name, value] : given) {
    if (name == "style") {
      options.style = lower_case(value.text);
      if (!MadxType::is_in(madx_thin_styles, options.style))
        refuse_madx(value.at, "STYLE of MAKETHIN cannot be '" + value.text + "'", {},
                    "it is teapot, simple, collim or hybrid");
    } else if (name == "makedipedge") {
      options.has_edges = is_on(given, name);
    } else if (name == "makeendmarkers") {
      options.has_end_markers = is_on(given, name);
    } else if (name == "makeconsistent" && is_on(given, name)) {
      refuse_madx(value.at, "MAKECONSISTENT of MAKETHIN is not supported", {},
                  "SELECT the numbers of slices");
    } else if (!MadxType::is_in(" sequence makeconsistent moreexpressions ", name)) {
      refuse_madx(value.at, "'" + name + "' is no attribute of MAKETHIN");
    }
  }
  return options;
}

/// Of a sequence that is in another one twice, MAD-X slices the first.
inline void MadxReader::refuse_nested(const MadxSequence& sequence, const LatticeToken& at) {
  const auto refuse = [&](const std::string& inner, const std::string& outer) {
    refuse_madx(at, "MAKETHIN does not slice sequences that are inside of others",
                "'" + inner + "' is in '" + outer + "'",
                "write before: seqedit, sequence=" + outer + "; flatten; endedit;");
  };
  for (const MadxNode& node : sequence.nodes)
    if (model_.sequence(node.name)) refuse(node.name, sequence.name);
  for (const auto& [name, other] : model_.sequences)
    for (const MadxNode& node : other.nodes)
      if (node.name == sequence.name) refuse(sequence.name, name);
}

/// A sequence as it is, or one of the elements of a line.
inline MadxSequence MadxReader::as_sequence(const std::string& name) {
  if (const MadxSequence* sequence = model_.sequence(name)) return *sequence;
  MadxFlattener flat = flattener();
  MadxSequence result{.name = name, .at = model_.line(name)->at};
  result.nodes = nodes_of(flat.flatten(name));
  result.length = MadxExpression::constant(flat.length());
  return result;
}

inline int MadxReader::number_of_slices(const MadxAttribute& value) {
  constexpr double most = 10'000.;
  const double number = values_(value.first());
  if (!(number >= 0. && number <= most) || number != std::floor(number))
    refuse_madx(value.at, "SLICE cannot be " + shortest(number), {},
                "it is a whole number from 0 to 10000");
  return int(number);
}

/// Numbers of slices by SELECT, FLAG=MAKETHIN. A number holds until another one is given.
inline void MadxReader::select_slices(const LatticeToken& at) {
  const auto& selections = session_.selections["makethin"];
  if (selections.empty()) return;
  if (!session_.is_active)
    return remark("SELECT, FLAG=MAKETHIN is ignored without a USE after all sequences, as in MAD-X",
                  at);
  session_.slicings.clear();
  session_.are_slices_selected = true;
  int slices = 1;
  for (const MadxSelection& selection : selections) {
    slices = selection.slices.value_or(slices);
    for (const std::string& name : elements_of(selection))
      session_.slicings.insert_or_assign(name, MadxSlicing{slices, selection.is_thick});
  }
}

/// Names of the elements that a selection chooses: of all, or of a range of the sequence in use.
inline std::vector<std::string> MadxReader::elements_of(const MadxSelection& selection) {
  std::vector<std::string> names;
  const MadxPattern pattern(selection.pattern);
  const auto choose = [&](const std::string& name) {
    if ((selection.of_class.empty() || model_.is_derived(name, selection.of_class)) &&
        (selection.pattern.empty() || pattern.matches(name)))
      names.push_back(name);
  };
  if (selection.range.empty()) {
    for (const auto& [name, element] : model_.elements) choose(name);
    return names;
  }
  const std::vector<MadxPlaced> all = flattener().flatten(model_.used);
  const auto [begin, end] = madx_range(all, selection.range, selection.at);
  for (std::size_t i = begin; i < end; ++i) choose(all[i].name);
  return names;
}

/// How an element is sliced: as elsewhere before, by SELECT, or as its own attributes say.
inline MadxSlicing MadxReader::slicing_of(const MadxElement& element) {
  static constexpr std::string_view sliced =
      " drift sbend rbend quadrupole sextupole octupole solenoid elseparator hkicker vkicker "
      "kicker tkicker collimator ecollimator rcollimator wire beambeam crabcavity hacdipole "
      "vacdipole rfmultipole ";
  if (element.slicing) return *element.slicing;
  if (!MadxType::is_in(sliced, element.type)) return {};
  MadxSlicing slicing;
  if (const auto known = session_.slicings.find(element.name); known != session_.slicings.end()) {
    slicing = known->second;
  } else if (!session_.are_slices_selected) {
    if (const auto own = element.attributes.find("slice"); own != element.attributes.end())
      slicing.slices = number_of_slices(own->second);
    slicing.is_thick = is_on(element.attributes, "thick");
  }
  slicing.is_thick =
      slicing.is_thick && MadxType::is_in(" sbend rbend quadrupole solenoid ", element.type);
  return slicing;
}

/// Keeps thick elements, whose names mean slices or markers from now on, for all other sequences
/// and for the one in use.
inline void MadxReader::keep_thick(MadxSequence thick, const MadxThinSequence::Elements& made) {
  std::map<std::string, std::shared_ptr<const MadxElement>> kept;
  const auto keep = [&](MadxSequence& in) {
    for (MadxNode& node : in.nodes) {
      const MadxElement* element = model_.element(node.name);
      if (node.element || !element || !made.contains(node.name)) continue;
      auto& copy = kept[node.name];
      if (!copy) {
        MadxElement as_it_was = *element;
        as_it_was.slicing = slicing_of(*element);
        copy = std::make_shared<const MadxElement>(std::move(as_it_was));
      }
      node.element = copy;
    }
  };
  const std::string name = thick.name;
  for (auto& [other, sequence] : model_.sequences)
    if (other != name) keep(sequence);
  if (!model_.in_use && name == model_.used)
    model_.in_use = std::move(thick);
  else if (!model_.in_use && model_.line(model_.used))
    model_.in_use = as_sequence(model_.used);
  if (model_.in_use) keep(*model_.in_use);
}

}  // namespace trackplex::io::detail
