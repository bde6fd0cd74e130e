// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_reader.hpp>

#include <string>
#include <utility>

/// @file
/// Sequences of MAD-X, and places in them.

namespace trackplex::io::detail {

inline void MadxReader::begin_sequence(const std::string& name, const LatticeToken& at) {
  if (!session_.open_sequence.empty())
    refuse_madx(at, "the sequence '" + session_.open_sequence + "' has no end", {},
                "add ENDSEQUENCE;");
  if (madx_type(name) || model_.element(name))
    refuse_madx(at, "'" + name + "' cannot be a sequence", "it is an element or a type");
  MadxSequence sequence{.name = name, .at = at};
  for (const auto& [attribute, value] : attributes()) {
    if (attribute == "l") {
      sequence.length = value.first();
    } else if (attribute == "refer") {
      sequence.refer = refer(value);
    } else if (attribute == "refpos") {
      sequence.refpos = lower_case(value.text);
    } else if (!MadxType::is_in(" at from add_pass next_sequ ", attribute)) {
      refuse_madx(value.at, "'" + attribute + "' is no attribute of SEQUENCE");
    }
  }
  if (!model_.sequence(name) && !model_.line(name))
    model_.order.push_back(name);
  else
    remark("the sequence '" + name + "' is defined again", at);
  model_.lines.erase(name);
  model_.errors.erase(name);
  if (name == model_.used) {
    model_.in_use.reset();
    model_.places.clear();
  }
  model_.sequences.insert_or_assign(name, std::move(sequence));
  session_.open_sequence = name;
  session_.is_active = false;
  values_.forget();
}

inline double MadxReader::refer(const MadxAttribute& value) {
  const std::string refer = lower_case(value.text);
  if (refer == "entry") return 0.5;
  if (refer == "exit") return -0.5;
  if (refer == "centre" || refer == "center") return 0.;
  refuse_madx(value.at, "REFER cannot be '" + value.text + "'", {}, "it is entry, centre or exit");
}

inline void MadxReader::place(const std::string& name, const LatticeToken& at,
                              const MadxAttributes& given, bool is_new) {
  const auto position = given.find("at");
  if (position == given.end())
    refuse_madx(at, "'" + name + "' has no place in the sequence", {}, "give it AT=");
  const auto from = given.find("from");
  MadxNode node{name,
                position->second.first(),
                from == given.end() ? std::string() : lower_case(from->second.text),
                at,
                {}};
  if (!model_.sequence(name)) {
    if (const MadxAttributes* own = model_.attributes(name)) set_alignment(node, *own);
    set_alignment(node, given);
  }
  model_.sequences[session_.open_sequence].nodes.push_back(std::move(node));
  for (const auto& [attribute, value] : given)
    if (!is_new && !MadxType::is_in(MadxType::alignment, attribute) &&
        !MadxType::is_in(MadxType::passive, attribute))
      remark("'" + attribute + "' of '" + name + "' at a place of the sequence '" +
                 session_.open_sequence + "' is ignored, as in MAD-X",
             at);
}

/// Displacements are those that the element has where it is placed; a TRANSLATION is none.
inline void MadxReader::set_alignment(MadxNode& node, const MadxAttributes& from) const {
  if (model_.type_of(node.name) == "translation") return;
  for (const auto& [name, value] : from)
    if (MadxType::is_in(MadxType::alignment, name)) node.alignment.insert_or_assign(name, value);
}

}  // namespace trackplex::io::detail
