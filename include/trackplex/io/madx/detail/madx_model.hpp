// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/io/madx/detail/madx_beams.hpp>
#include <trackplex/io/madx/detail/madx_expressions.hpp>

#include <algorithm>
#include <filesystem>
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

/// How MAKETHIN cuts an element.
struct MadxSlicing {
  int slices = 1;  ///< 0: it stays as it is
  bool is_thick = false;
};

/// Element, or class of elements. It has a copy of the attributes that its parent, an element or a
/// type of MAD-X, had where it was defined.
struct MadxElement {
  std::string name, parent, type;
  MadxAttributes attributes{};
  MadxPlace at{};
  std::vector<std::string> classes{};    ///< of a slice, instead of its parents
  std::optional<MadxSlicing> slicing{};  ///< of an element that was sliced elsewhere
};

/// Element or sequence at a place of a sequence.
struct MadxNode {
  std::string name;
  MadxExpression position;
  std::string from;  ///< node that it is relative to; empty: the start of the sequence
  MadxPlace at;
  MadxAttributes alignment{};  ///< its permanent displacement
  /// The element, where its name means another one since MAKETHIN; else null.
  std::shared_ptr<const MadxElement> element{};
  double centre = 0.;  ///< m, while SEQEDIT edits the sequence
};

/// Sequence: positions of elements and of other sequences.
struct MadxSequence {
  std::string name;
  MadxExpression length{};
  double refer = 0.;     ///< from a node's reference to its centre, in units of its length
  std::string refpos{};  ///< node whose place is the reference of the sequence
  std::vector<MadxNode> nodes{};
  MadxPlace at{};
  bool is_cycled = false;  ///< whether it is from one node to another, not from 0 to its length
};

/// Item of a line.
struct MadxLineItem {
  std::string name;                      ///< of an element or a line; empty: a group
  std::vector<std::string> arguments{};  ///< names of elements or lines for those of the line
  std::vector<MadxLineItem> group{};     ///< items in parentheses
  int repetitions = 1;
  bool is_reversed = false;
};

/// Line: a list of elements and of other lines, which may depend on arguments.
struct MadxLine {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<MadxLineItem> items;
  MadxPlace at;
};

/// Statements with arguments.
struct MadxMacro {
  std::vector<std::string> arguments;
  std::string text;
};

/// Choice of elements by SELECT; empty: any.
struct MadxSelection {
  std::string pattern{}, of_class{}, range{};
  MadxPlace at{};
  std::optional<int> slices{};  ///< SLICE of MAKETHIN
  bool is_thick = false;        ///< THICK of MAKETHIN
};

/// Errors of one element: its alignment, what is added to its aperture, integrated multipoles.
struct MadxElementErrors {
  beam::Misalignment alignment{};
  double aperture_x = 0., aperture_y = 0.;  ///< m
  std::vector<double> normal{}, skew{};
};

/// Element at its place in the whole sequence.
struct MadxPlaced {
  std::string name;
  int occurrence = 1;  ///< how often the element has been there, up to here, in its own sequence
  MadxPlace at{};
  double entry = 0., length = 0.;                ///< m
  const MadxAttributes* alignment = nullptr;     ///< permanent displacement; null: none
  std::shared_ptr<const MadxElement> element{};  ///< where the name means another one; else null
};

/// Element as USE has placed it.
struct MadxPlacedAtUse {
  std::string name;
  double entry, length;  ///< m
};

/// Errors of the elements of a sequence since its USE, by their number along it.
struct MadxErrors {
  std::vector<MadxPlaced> elements{};  ///< those of the sequence, if errors are set
  std::map<std::size_t, MadxElementErrors> errors{};
};

/// Tables that a TWISS makes.
class MadxTables {
 public:
  virtual ~MadxTables() = default;
  /// The value of table(...).
  /// @throws InputError if there is none
  virtual double value(const MadxStep& step) const = 0;
  /// Computes the tables, if they are not yet; errors are those of `value`.
  virtual void prepare() const = 0;
};

/// All definitions.
struct MadxModel {
  /// Names of the files, which places refer to.
  std::shared_ptr<std::list<std::string>> files = std::make_shared<std::list<std::string>>();
  std::map<std::string, MadxExpression, std::less<>> variables;
  std::map<std::string, MadxElement, std::less<>> elements;
  std::map<std::string, MadxAttributes, std::less<>> defaults;  ///< of types, where files set them
  std::map<std::string, MadxSequence, std::less<>> sequences;
  std::map<std::string, MadxLine, std::less<>> lines;
  std::map<std::string, MadxMacro, std::less<>> macros;
  std::map<std::string, MadxBeamState, std::less<>> beams;  ///< by sequence; "": of all
  /// Attributes of labelled commands: of BETA0.
  std::map<std::string, MadxAttributes, std::less<>> commands;
  std::map<std::string, MadxErrors, std::less<>> errors;  ///< by sequence
  std::vector<std::string> order;        ///< names of sequences and lines as they were defined
  std::string used;                      ///< sequence or line of USE; empty: none
  std::optional<MadxSequence> in_use{};  ///< it as it was at USE, if MAKETHIN has sliced it since
  /// Elements with the places and lengths that they had at USE; empty: those of now.
  std::vector<MadxPlacedAtUse> places{};
  std::string range{};  ///< part of it by USE, RANGE; empty: all
  MadxPlace range_at{};
  std::map<std::string, std::shared_ptr<const MadxTables>, std::less<>> tables;  ///< by their names
  bool has_deferred_tables = false;  ///< whether expressions have values of tables
  bool chord = true;                 ///< whether the length of RBEND is that of the chord (RBARC)

  const MadxElement* element(std::string_view name) const { return find(elements, name); }
  const MadxSequence* sequence(std::string_view name) const { return find(sequences, name); }
  const MadxLine* line(std::string_view name) const { return find(lines, name); }
  /// A sequence as it is tracked: that in use is as it was at USE.
  const MadxSequence* sequence_to_track(std::string_view name) const {
    return in_use && name == used ? &*in_use : sequence(name);
  }

  /// The type of MAD-X that an element is of.
  std::string type_of(std::string_view name) const {
    const MadxElement* known = element(name);
    return known ? known->type : std::string(name);
  }
  /// Tells whether an element is another one, or derived from it.
  bool is_derived(std::string_view name, std::string_view from) const {
    const MadxElement* known = element(name);
    return known ? is_derived(*known, from) : name == from;
  }
  bool is_derived(const MadxElement& of, std::string_view from) const {
    if (of.name == from || of.type == from) return true;
    if (!of.classes.empty()) return std::ranges::find(of.classes, from) != of.classes.end();
    for (std::string type = of.parent;;) {
      if (type == from) return true;
      const MadxElement* known = element(type);
      if (!known) return false;
      type = known->parent;
    }
  }
  bool is_derived(const MadxPlaced& placed, std::string_view from) const {
    return placed.element ? is_derived(*placed.element, from) : is_derived(placed.name, from);
  }
  /// The attributes of an element or a type; null if there are none.
  const MadxAttributes* attributes(std::string_view name) const {
    if (const MadxElement* known = element(name)) return &known->attributes;
    return find(defaults, name);
  }
  /// An attribute of an element or a type; null if it has none.
  const MadxAttribute* attribute(std::string_view name, std::string_view attribute) const {
    const MadxAttributes* all = attributes(name);
    return all ? find(*all, attribute) : nullptr;
  }

 private:
  template <class Value>
  static const Value* find(const std::map<std::string, Value, std::less<>>& in,
                           std::string_view name) {
    const auto found = in.find(name);
    return found == in.end() ? nullptr : &found->second;
  }
};

/// SAVEBETA: the values at a place that the next TWISS of a sequence gives to a BETA0.
struct MadxSavedBeta {
  std::string label, place, sequence;
  MadxPlace at;
};

/// State that lasts from one file to the next.
struct MadxSession {
  MadxModel model;
  MadxOptions options{};
  std::map<std::string, int> ignored;            ///< statements without effect, by their names
  std::vector<std::string> remarks;              ///< what is not as it may seem
  std::set<std::string> known_remarks;           ///< the same: loops repeat them
  std::map<std::string, MadxPlace> undefined;    ///< variables that counted as 0 while reading
  std::set<std::string, std::less<>> fixed;      ///< variables that the user has set
  std::set<std::string, std::less<>> constants;  ///< those of CONST
  std::string open_sequence;                     ///< sequence whose end is still to come
  std::string edited;                            ///< sequence of SEQEDIT
  std::vector<MadxSavedBeta> saved_betas;        ///< of SAVEBETA, until their TWISS
  /// SELECT, by FLAG: error, seqedit, makethin.
  std::map<std::string, std::vector<MadxSelection>, std::less<>> selections;
  std::map<std::string, MadxSlicing, std::less<>> slicings;  ///< of elements, by SELECT
  bool are_slices_selected = false;  ///< whether elements without a slicing have one slice
  bool is_active = false;            ///< whether a sequence is in use, and none is defined since
  bool adds_errors = false;          ///< EOPTION, ADD
  bool updates_children = false;     ///< OPTION, UPDATE_FROM_PARENT
  bool is_finished = false;          ///< STOP
  std::filesystem::path folder{};    ///< of the first file
  std::filesystem::path changed{};   ///< from the working folder, by CHDIR
  int depth = 0;                     ///< files and macros that call each other
  long statements = 0;               ///< that were executed
};

/// Constants of MAD-X 5.09.03, with values of CODATA 2018; null for other names.
inline std::optional<double> madx_constant(std::string_view name) {
  namespace c = constants;
  static constexpr std::pair<std::string_view, double> known[] = {
      {"pi", std::numbers::pi},
      {"twopi", 2. * std::numbers::pi},
      {"degrad", 180. / std::numbers::pi},
      {"raddeg", std::numbers::pi / 180.},
      {"e", std::numbers::e},
      {"amu0", 4e-7 * std::numbers::pi},
      {"version", 50903.},
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
  };
  for (const auto& [constant, value] : known)
    if (constant == name) return value;
  return std::nullopt;
}

}  // namespace trackplex::io::detail
