// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/lattice.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/io/madx/detail/madx_expressions.hpp>

#include <list>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Definitions of MAD-X files, as they are written.

namespace trackplex::io::detail {

/// Value of an attribute: an expression, several in braces, or a text.
struct MadxAttribute {
  std::vector<MadxExpression> values{};
  std::string text{};
  MadxPlace at{};

  MadxExpression first() const { return values.empty() ? MadxExpression{} : values.front(); }
};

using MadxAttributes = std::map<std::string, MadxAttribute, std::less<>>;

/// Element, or class of elements: attributes that it does not have are those of its parent, which
/// is an element or a type of MAD-X.
struct MadxElement {
  std::string name, parent;
  MadxAttributes attributes{};
  MadxPlace at{};
};

/// Element or sequence at a place of a sequence.
struct MadxNode {
  std::string name;
  MadxExpression position;
  std::string from;  ///< node that it is relative to; empty: the start of the sequence
  MadxPlace at;
};

/// Sequence: positions of elements and of other sequences.
struct MadxSequence {
  std::string name;
  MadxExpression length{};
  double refer = 0.;     ///< from a node's reference to its centre, in units of its length
  std::string refpos{};  ///< node whose place is the reference of the sequence
  std::vector<MadxNode> nodes{};
  MadxPlace at{};
  std::string start{};  ///< node that a cyclic one starts at, by CYCLE
};

/// Line: a list of elements and of other lines.
struct MadxLine {
  std::string name;
  std::vector<beam::LineItem> items;
  MadxPlace at;
};

/// Choice of elements by SELECT.
struct MadxSelection {
  std::string pattern, of_class, begin, end;  ///< empty: any
};

/// Errors of alignment or field, by EALIGN or EFCOMP.
struct MadxErrors {
  std::string sequence;
  std::vector<MadxSelection> selections;
  MadxAttributes attributes;
  bool is_alignment = true;
};

/// All definitions.
struct MadxModel {
  /// Names of the files, which places refer to.
  std::shared_ptr<std::list<std::string>> files = std::make_shared<std::list<std::string>>();
  std::map<std::string, MadxExpression, std::less<>> variables;
  std::map<std::string, MadxElement, std::less<>> elements;
  std::map<std::string, MadxSequence, std::less<>> sequences;
  std::map<std::string, MadxLine, std::less<>> lines;
  std::map<std::string, MadxAttributes, std::less<>> beams;  ///< by sequence; "": of all
  std::vector<MadxErrors> errors;
  std::vector<std::string> order;  ///< names of sequences and lines as they were defined
  std::string used;                ///< sequence or line of USE; empty: none
  bool chord = true;               ///< whether the length of RBEND is that of the chord (RBARC)

  const MadxElement* element(std::string_view name) const {
    const auto found = elements.find(name);
    return found == elements.end() ? nullptr : &found->second;
  }
  const MadxSequence* sequence(std::string_view name) const {
    const auto found = sequences.find(name);
    return found == sequences.end() ? nullptr : &found->second;
  }
  const MadxLine* line(std::string_view name) const {
    const auto found = lines.find(name);
    return found == lines.end() ? nullptr : &found->second;
  }

  /// The type of MAD-X that an element is of.
  std::string type_of(std::string_view name) const {
    std::string type(name);
    while (const MadxElement* known = element(type)) type = known->parent;
    return type;
  }
  /// Tells whether an element is another one, or derived from it.
  bool is_derived(std::string_view name, std::string_view from) const {
    for (std::string type(name);;) {
      if (type == from) return true;
      const MadxElement* known = element(type);
      if (!known) return false;
      type = known->parent;
    }
  }
  /// An attribute of an element or of its parents; null if none has it.
  const MadxAttribute* attribute(std::string_view name, std::string_view attribute) const {
    for (const MadxElement* known = element(name); known; known = element(known->parent)) {
      const auto found = known->attributes.find(attribute);
      if (found != known->attributes.end()) return &found->second;
    }
    return nullptr;
  }
};

/// State that lasts from one file to the next.
struct MadxSession {
  MadxModel model;
  std::map<std::string, int> ignored;          ///< statements without effect, by their names
  std::vector<std::string> remarks;            ///< definitions that replace others
  std::map<std::string, MadxPlace> undefined;  ///< variables that counted as 0 while reading
  std::set<std::string, std::less<>> fixed;    ///< variables that the user has set
  std::string open_sequence;                   ///< sequence whose end is still to come
  std::string edited;                          ///< sequence of SEQEDIT
  std::vector<MadxSelection> selections;       ///< SELECT, FLAG=ERROR
  bool is_finished = false;                    ///< STOP
  int depth = 0;                               ///< files that call each other
};

/// Constants of MAD-X, with values of CODATA 2018; null for other names.
inline std::optional<double> madx_constant(std::string_view name) {
  namespace c = constants;
  static constexpr std::pair<std::string_view, double> known[] = {
      {"pi", std::numbers::pi},
      {"twopi", 2. * std::numbers::pi},
      {"degrad", 180. / std::numbers::pi},
      {"raddeg", std::numbers::pi / 180.},
      {"e", std::numbers::e},
      {"emass", c::electron_mass},
      {"pmass", c::proton_mass},
      {"nmass", c::neutron_mass},
      {"umass", c::atomic_mass},
      {"mumass", c::muon_mass},
      {"clight", c::speed_of_light},
      {"qelect", c::elementary_charge},
      {"hbar", c::reduced_planck},
      {"erad", c::classical_electron_radius},
      {"prad", c::classical_electron_radius * c::electron_mass / c::proton_mass},
      {"true", 1.},
      {"false", 0.},
  };
  for (const auto& [constant, value] : known)
    if (constant == name) return value;
  return std::nullopt;
}

}  // namespace trackplex::io::detail
