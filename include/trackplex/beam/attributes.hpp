// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Strengths and lengths of elements by their names, to read and to change them.

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace trackplex::beam {

namespace detail {

struct AttributeAccess;

/// Returns the text with its letters of ASCII in lower case.
std::string in_lower_case(std::string_view text);

}  // namespace detail

/// Attribute of elements by its name, in upper or lower case:
///
///     l, length     length of a drift or a straight magnet, m
///     k1, kn1       quadrupole strength, 1/m^2; k2, ... accordingly, 1/m^(n+1)
///     k1s, ks1      skew strength, with the sign of MAD-X, PALS and Xsuite
///     k1l, knl[1], kn1l     strength integrated over the length, 1/m^n, also of thin magnets
///     k1sl, ksl[1], ks1l    its skew counterpart
///     ks, ksol      strength of a solenoid, 1/m
///     hkick, vkick  angles of kicks in x and y, rad
///
/// Strengths are those that act: with the field errors of the file.
class ElementAttribute {
 public:
  /// Takes a name.
  /// @throws UsageError if there is no attribute of this name
  explicit ElementAttribute(std::string_view name);
  /// Returns true if there is an attribute of this name.
  static bool is_name(std::string_view name);

  /// Returns the name as given.
  const std::string& name() const { return name_; }
  /// Returns true if a change of it steers particles on the axis.
  bool steers() const { return kind_ == Kind::kick || (kind_ == Kind::strength && n_ == 0); }
  /// Returns true if both are the same strength, integrated or not.
  bool is_same(const ElementAttribute& other) const {
    return kind_ == other.kind_ && n_ == other.n_ && is_skew_ == other.is_skew_;
  }
  /// Returns its value in an element; none if elements of that type have it not. Types are those of
  /// the library.
  std::optional<double> of(const Element& element) const;
  /// Returns the element with another value.
  /// @throws UsageError if it has no such attribute, or as `check_element`
  Element changed(const Element& element, double value) const;

 private:
  friend struct detail::AttributeAccess;
  enum class Kind { length, strength, solenoid, kick };

  ElementAttribute() = default;
  bool parse(std::string_view name);
  bool parse_strength(std::string_view name);

  std::string name_;
  Kind kind_ = Kind::length;
  int n_ = 0;  ///< order of the multipole, 0 for a dipole; of kicks 0 in x, 1 in y
  bool is_skew_ = false, is_integrated_ = false;
};

/// Returns the names of the attributes of an element, for messages: "l, k1"; empty if there are
/// none.
std::string attributes_of(const Element& element);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/detail/attributes.impl.hpp>
#endif
