// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/pals/detail/pals_describe.hpp>
#include <trackplex/io/pals/detail/pals_species.hpp>
#include <trackplex/io/pals/pals_writer.hpp>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {
namespace detail {

/// A line as a text.
class PalsWriter {
 public:
  PalsWriter(const PalsLine& line, bool skip_unknown)
      : line_(line), skip_unknown_(skip_unknown), describer_(line.particle) {}

  PalsText write() {
    const std::string ring = unique_name(line_.name.empty() ? "line" : line_.name);
    const std::string lattice = unique_name(ring + "_lattice");
    std::vector<std::string> names;
    const bool has_begin = line_.particle.has_value();
    std::size_t first = 0;  // that of a file of PALS is the begin
    if (has_begin && !line_.line.empty() && line_.line[0].kind.as<beam::Marker>()) first = 1;
    if (has_begin) write_begin(first == 1 ? line_.line[0].name : "beginning", names);
    for (std::size_t i = first; i < line_.line.size(); ++i) names.push_back(name_of(line_.line[i]));
    result_.text =
        "# Lattice of PALS, the Particle Accelerator Lattice Standard, by Trackplex\nPALS:\n"
        "  version: null\n" +
        std::string(has_maps_ ? "  phase_space_coordinates: ANGLE_AND_MOMENTUM\n" : "") +
        "  extension_labels:\n    names:\n"
        "      Trackplex: how elements are tracked\n  facility:\n" +
        definitions_;
    std::string& text = result_.text;
    text += "    - " + ring + ":\n        kind: BeamLine\n";
    if (line_.is_periodic) text += "        periodic: true\n";
    text += names.empty() ? "        line: []\n" : "        line:\n";
    for (const std::string& name : names) text += "          - " + name + "\n";
    text += "    - " + lattice + ":\n        kind: Lattice\n        branches:\n          - " +
            ring + "\n    - use: " + lattice + "\n";
    if (renamed_ > 0)
      result_.remarks.push_back(std::to_string(renamed_) +
                                " names have other letters in PALS; MetaP.alias has the old ones");
    for (const auto& [what, n] : skipped_)
      result_.remarks.push_back("elements without a counterpart in PALS became drifts: " + what +
                                " (" + std::to_string(n) + ")");
    return std::move(result_);
  }

 private:
  void write_begin(const std::string& name, std::vector<std::string>& names) {
    const PalsParticle& particle = *line_.particle;
    PalsDescription begin("BeginningEle");
    begin.word("ReferenceP.species_ref", particle.species, true);
    begin.number("ReferenceP.pc_ref", particle.p0c);
    names.push_back(add(name, begin));
  }

  /// The name of a definition that describes the element.
  std::string name_of(const beam::Element& element) {
    auto description = describer_.describe(element.kind);
    has_maps_ = has_maps_ || (description && element.kind.as<beam::MapElement>());
    if (description) return add(element.name, *description);
    const bool bends = element.kind.axis_bend().angle != 0.;
    if (!skip_unknown_ || bends)
      throw UsageError("write_pals", "\"" + element.name + "\" has no counterpart in PALS",
                       std::string("it is of the family ") + element.kind.family(),
                       bends ? "a drift would change the line's axis"
                             : "with skip_unknown (programs: --skip-unknown) it becomes a drift");
    ++skipped_[element.kind.family()];
    const double length = element.kind.length();
    PalsDescription drift(length == 0. ? "Marker" : "Drift");
    if (length != 0.) drift.number("length", length).model("ExactDrift");
    return add(element.name, drift);
  }
  std::string add(const std::string& name, const PalsDescription& description) {
    std::string body;
    append_yaml(body, description.node(), 8);
    const auto [known, is_new] = names_.emplace(std::pair(name, body), std::string());
    if (!is_new) return known->second;
    known->second = unique_name(name);
    definitions_ += "    - " + known->second + ":\n" + body;
    if (known->second != name) {
      ++renamed_;
      YamlNode meta{.kind = YamlNode::Kind::mapping};
      YamlNode value{.text = name};
      value.is_quoted = true;
      set_pals_path(meta, "MetaP.alias", std::move(value));
      append_yaml(definitions_, meta, 8);
    }
    return known->second;
  }
  /// A name of letters, digits and _ that is no other's.
  std::string unique_name(const std::string& name) {
    std::string plain;
    for (const char c : name) {
      const bool is_digit = c >= '0' && c <= '9';
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (is_digit && plain.empty()) plain += '_';
      plain += is_digit || is_letter ? c : '_';
    }
    if (plain.empty()) plain = "_";
    for (const char* const word : {"null",        "Null",
                                   "NULL",        "true",
                                   "True",        "TRUE",
                                   "false",       "False",
                                   "FALSE",       "yes",
                                   "no",          "on",
                                   "off",         "y",
                                   "n",           "Yes",
                                   "No",          "On",
                                   "Off",         "YES",
                                   "NO",          "ON",
                                   "OFF",         "Y",
                                   "N",           "use",
                                   "set",         "sets",
                                   "constants",   "variables",
                                   "superimpose", "include",
                                   "SELF",        "expand_lattice",
                                   "Trackplex",   "inherit",
                                   "kind"})
      if (plain == word) plain += '_';
    std::string unique = plain;
    for (int i = 2; !taken_.insert(unique).second; ++i) unique = plain + "_" + std::to_string(i);
    return unique;
  }

  const PalsLine& line_;
  bool skip_unknown_;
  PalsDescriber describer_;
  PalsText result_;
  std::string definitions_;
  std::map<std::pair<std::string, std::string>, std::string> names_;  ///< by name and description
  std::set<std::string> taken_;
  int renamed_ = 0;
  bool has_maps_ = false;
  std::map<std::string, int> skipped_;  ///< numbers of elements by family
};

}  // namespace detail

TRACKPLEX_INLINE PalsText pals_text(const PalsLine& line, bool skip_unknown) {
  return detail::PalsWriter(line, skip_unknown).write();
}

TRACKPLEX_INLINE std::vector<std::string> write_pals(const std::filesystem::path& path,
                                                     const PalsLine& line, bool skip_unknown) {
  PalsText written = pals_text(line, skip_unknown);
  write_file(path, written.text);
  return std::move(written.remarks);
}

TRACKPLEX_INLINE PalsParticle pals_particle_of(double mass, double charge, double p0c) {
  if (const beam::Species* const known = beam::find_species(mass, charge))
    return {std::string(known->name), known->mass, known->charge, p0c};
  throw UsageError(
      "write_pals", "the particle has no name in PALS",
      "its rest energy is " + shortest(mass) + " eV and its charge " + shortest(charge));
}

}  // namespace trackplex::io
