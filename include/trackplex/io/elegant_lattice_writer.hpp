// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lattices as elegant and io/elegant_lattice.hpp read them.

#include <trackplex/beam/lattice.hpp>
#include <trackplex/io/detail/elegant_elements.hpp>
#include <trackplex/io/detail/text_file.hpp>

#include <filesystem>
#include <set>

namespace trackplex::io {

namespace detail {

/// A keyword of elegant's and the values of its parameters.
struct WrittenElement {
  std::string_view keyword;
  std::vector<std::pair<std::string_view, double>> values;

  WrittenElement& with(const beam::Misalignment& m) {
    values.insert(values.end(), {{"TILT", m.tilt}, {"DX", m.dx}, {"DY", m.dy}});
    return *this;
  }
};

struct WriteElement {
  using Written = WrittenElement;

  Written operator()(const beam::Drift& e) const {
    return {"DRIF", {{"L", e.length}, {"ORDER", e.order}}};
  }
  Written operator()(const beam::ExactDrift& e) const { return {"EDRIFT", {{"L", e.length}}}; }
  Written operator()(const beam::Quadrupole& e) const {
    return Written{"QUAD", {{"L", e.length}, {"K1", e.k1}, {"ORDER", e.order}}}.with(
        e.misalignment);
  }
  Written operator()(const beam::Sextupole& e) const {
    return Written{"SEXT", {{"L", e.length}, {"K2", e.k2}, {"ORDER", e.order}}}.with(
        e.misalignment);
  }
  Written operator()(const beam::ThickQuadrupole& e) const { return thick("KQUAD", e, "K1", e.k1); }
  Written operator()(const beam::ThickSextupole& e) const { return thick("KSEXT", e, "K2", e.k2); }
  Written operator()(const beam::Bend& e) const {
    const beam::SectorBend& m = e.magnet;
    return Written{"SBEN",
                   {{"L", m.length},
                    {"ANGLE", m.angle},
                    {"K1", m.k1},
                    {"K2", m.k2},
                    {"E1", m.entrance},
                    {"E2", m.exit},
                    {"HGAP", m.half_gap},
                    {"FINT", m.fringe},
                    {"EDGE1_EFFECTS", m.entrance_edge},
                    {"EDGE2_EFFECTS", m.exit_edge},
                    {"ORDER", e.order}}}
        .with(e.misalignment);
  }
  Written operator()(const beam::Kicker& e) const {
    return {"KICKER",
            {{"L", e.length}, {"HKICK", e.horizontal}, {"VKICK", e.vertical}, {"TILT", e.tilt}}};
  }
  Written operator()(const beam::Marker&) const { return {"MARK", {}}; }
  Written operator()(const beam::Collimator& e) const {
    return {e.shape == beam::Collimator::Shape::rectangle ? "RCOL" : "ECOL",
            {{"L", e.length}, {"X_MAX", e.x_max}, {"Y_MAX", e.y_max}, {"DX", e.dx}, {"DY", e.dy}}};
  }
  Written operator()(const beam::Charge& e) const { return {"CHARGE", {{"TOTAL", e.total}}}; }
  Written operator()(const beam::SpaceChargeDrift& e) const {
    return {"LSCDRIFT",
            {{"L", e.length},
             {"LEFFECTIVE", e.effective_length},
             {"BINS", e.bins},
             {"SMOOTHING", e.smoothing},
             {"SG_HALFWIDTH", e.smoothing_half_width},
             {"SG_ORDER", e.smoothing_order},
             {"INTERPOLATE", e.interpolate},
             {"LSC", e.space_charge},
             {"LOW_FREQUENCY_CUTOFF0", e.low_frequency.begin},
             {"LOW_FREQUENCY_CUTOFF1", e.low_frequency.end},
             {"HIGH_FREQUENCY_CUTOFF0", e.high_frequency.begin},
             {"HIGH_FREQUENCY_CUTOFF1", e.high_frequency.end},
             {"RADIUS_FACTOR", e.radius_factor}}};
  }
  Written operator()(const beam::MapElement&) const {
    throw UsageError("lattice file", "it cannot have an element that is a map", {},
                     "elegant reads such maps from files of their own");
  }

 private:
  template <class Thick>
  static Written thick(std::string_view keyword, const Thick& e, std::string_view name,
                       double strength) {
    return Written{keyword,
                   {{"L", e.length},
                    {name, strength},
                    {"N_SLICES", e.slices},
                    {"INTEGRATION_ORDER", e.integration_order}}}
        .with(e.misalignment);
  }
};

/// Writes statements: each line behind those that it needs, parameters only where they are not
/// elegant's defaults.
class ElegantWriter {
 public:
  explicit ElegantWriter(const beam::Lattice& lattice) : lattice_(lattice) {}

  std::string text() {
    for (const beam::Element& element : lattice_.elements()) write(element);
    for (const beam::Lattice::Line& line : lattice_.lines()) write(line, 0);
    return std::move(text_);
  }

 private:
  static std::string name_of(const std::string& name) {
    if (name.find_first_of("\"\n\r") != name.npos)
      throw UsageError("lattice file", "'" + name + "' cannot be a name in it");
    const bool is_simple =
        is_lattice_letter(name[0]) && std::all_of(name.begin(), name.end(), continues_lattice_name);
    return is_simple ? name : "\"" + name + "\"";
  }

  /// Adds words to a statement, and goes on in the next line where it is long.
  void add(const std::string& words) {
    if (text_.size() - line_begin_ + words.size() > 96) {
      text_ += " &\n  ";
      line_begin_ = text_.size() - 2;
    }
    text_ += words;
  }
  void end_statement() {
    text_ += '\n';
    line_begin_ = text_.size();
  }

  void write(const beam::Element& element) {
    const WrittenElement written = std::visit(WriteElement{}, element.kind);
    add(name_of(element.name) + ": " + std::string(written.keyword));
    const auto& rules = element_rules();
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const auto& r) { return r.keyword == written.keyword; });
    for (const auto& [name, value] : written.values)
      for (const ParameterRule& parameter : rule->parameters)
        if (parameter.name == name && parameter.standard != value)
          add(", " + std::string(name) + "=" + ElementValues::text_of(value));
    end_statement();
  }

  void write(const beam::Lattice::Line& line, int depth) {
    if (done_.count(&line) > 0) return;
    if (depth > beam::Lattice::maximum_depth || !open_.insert(&line).second)
      throw UsageError("line '" + line.name + "'", "it is nested too deeply, or contains itself");
    write_needed(line.items, depth);
    add(name_of(line.name) + ": LINE=(");
    const std::vector<std::string> items = texts(line.items, false);
    if (items.empty())
      throw UsageError("line '" + line.name + "'", "elegant does not have empty lines");
    for (std::size_t i = 0; i < items.size(); ++i) add((i > 0 ? ", " : "") + items[i]);
    text_ += ")";
    end_statement();
    open_.erase(&line);
    done_.insert(&line);
  }

  void write_needed(const std::vector<beam::LineItem>& items, int depth) {
    if (depth > beam::Lattice::maximum_depth)
      throw UsageError("lattice file", "groups are nested too deeply");
    for (const beam::LineItem& item : items) {
      if (item.name.empty()) {
        write_needed(item.group, depth + 1);
      } else if (!lattice_.has_element(item.name)) {
        write(lattice_.line(item.name), depth + 1);
      }
    }
  }

  /// Items as text. What is backwards is written with each name, since elegant does not reverse
  /// groups; empty groups are left out.
  static std::vector<std::string> texts(const std::vector<beam::LineItem>& items, bool backwards) {
    std::vector<std::string> list;
    for (const beam::LineItem& item : items) {
      const bool is_back = backwards != item.is_reversed;
      const std::string text =
          item.name.empty() ? group_text(item, is_back) : named_text(item, is_back);
      if (!text.empty()) list.push_back(text);
    }
    if (backwards) std::reverse(list.begin(), list.end());
    return list;
  }
  static std::string times(int repetitions) {
    return repetitions == 1 ? "" : std::to_string(repetitions) + "*";
  }
  static std::string named_text(const beam::LineItem& item, bool backwards) {
    return (backwards ? "-" : "") + times(item.repetitions) + name_of(item.name);
  }
  static std::string group_text(const beam::LineItem& group, bool backwards) {
    if (group.group.size() == 1 && group.group[0].repetitions == 1 &&
        !group.group[0].name.empty()) {
      beam::LineItem item = group.group[0];
      item.repetitions = group.repetitions;
      return named_text(item, backwards != item.is_reversed);
    }
    std::string text;
    for (const std::string& item : texts(group.group, backwards))
      text += (text.empty() ? "" : ", ") + item;
    return text.empty() ? text : times(group.repetitions) + "(" + text + ")";
  }

  const beam::Lattice& lattice_;
  std::string text_;
  std::size_t line_begin_ = 0;
  std::set<const beam::Lattice::Line*> done_, open_;
};

}  // namespace detail

/// A lattice in elegant's language. Drifts and bends of third order are of second there.
/// @throws UsageError if elegant has no such element or name, or a line cannot be expanded
inline std::string elegant_lattice_text(const beam::Lattice& lattice) {
  return detail::ElegantWriter(lattice).text();
}

/// @throws UsageError as `elegant_lattice_text`
/// @throws Error where the file cannot be written
inline void write_elegant_lattice(const std::filesystem::path& path, const beam::Lattice& lattice) {
  detail::write_file(path, elegant_lattice_text(lattice));
}

}  // namespace trackplex::io
