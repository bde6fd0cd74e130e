// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

namespace trackplex::io {

/// A change of one parameter of elements, as by elegant's command alter_elements. Patterns are the
/// same in upper and lower case, unless names of the lattice differ only in that; `*` stands for
/// any letters, `?` for one, `[a-z]` for one of these, and `^` at the begin for all other names.
struct ElegantChange {
  /// How the value changes the parameter.
  enum class Kind {
    set,     ///< its new value
    add,     ///< what is added to it
    enlarge  ///< the part of it that is added to it
  };
  std::string name{};                   ///< Pattern of the names of the elements.
  std::string parameter{};              ///< Name of the parameter.
  double value = 0.;                    ///< Value of a parameter that is a number.
  std::string text{};                   ///< Value of a parameter that is a text.
  Kind kind = Kind::set;                ///< What the value is.
  std::string type = "*";               ///< Pattern of their types.
  std::string except{};                 ///< Pattern of names of elements that are not changed.
  bool may_match_nothing = false;       ///< Whether there may be no such elements.
  bool may_lack_the_parameter = false;  ///< Whether such elements may have no such parameter.
  std::string place{};                  ///< Where it is asked for; for messages.
  /// How many such elements there must be on the line that is tracked; 0: any number.
  int occurrences = 0;
  /// Whether the name is meant in upper case, as by vary_element. It matters where a lattice has
  /// names that differ only in case.
  bool in_upper_case = false;
};

/// Elements that become elements of another type, as by elegant's command transmute_elements. What
/// that type has no parameter for is dropped.
struct ElegantNewType {
  std::string name = "*";  ///< Pattern of the names of the elements.
  std::string type = "*";  ///< Pattern of their types.
  std::string except{};    ///< Pattern of names of elements that are kept.
  std::string new_type{};  ///< The type that they become.
};

/// How a lattice file is read.
struct ElegantLatticeOptions {
  /// Whether elements that cannot be tracked become drifts of their length.
  bool skip_unknown = false;
  /// Whether values may be infix arithmetic, such as (1 - lq)/2, which elegant does not have.
  bool infix = false;
  /// Order of Taylor maps whose element does not say it, 1 to 3.
  int default_order = 2;
  /// Reference momentum, beta gamma, of magnets whose field is given at the poles (B and BORE) and
  /// of WIGGLER by K or B; 0: they are refused.
  double p0 = 0.;
  /// Whether edges of CSBEND and CSRCSBEND are exact (`beam::EdgeEffects::exact`), as MAD-X' and
  /// PALS' are with their option `exact`, where EDGE1_EFFECTS and EDGE2_EFFECTS are not 0.
  bool exact_edges = false;
  /// Numbers with names that expressions of the file know.
  std::map<std::string, double> numbers{};
  /// Elements that become others, in this order, before `changes`.
  std::vector<ElegantNewType> new_types{};
  /// Changes of elements, in this order.
  std::vector<ElegantChange> changes{};
};

}  // namespace trackplex::io
