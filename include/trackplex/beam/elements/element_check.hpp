// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/steps/aperture.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <string>
#include <utility>

namespace trackplex::beam {

/// Check of the values of an element, with its name for errors.
class ElementCheck {
 public:
  /// Makes a check for the element of this name.
  explicit ElementCheck(std::string name) : name_(std::move(name)) {}

  /// Checks that a quantity is finite.
  /// @throws UsageError with the element and the quantity if it is not
  void finite(const char* quantity, double value) const;
  /// Checks that a quantity is finite, and 0 or above.
  /// @throws UsageError with the element and the quantity if it is not
  void not_negative(const char* quantity, double value) const;
  /// Checks that a displacement and a tilt are finite.
  /// @throws UsageError with the element and the quantity if one is not
  void placed(const Misalignment& by) const;
  /// Checks that the values of an aperture are finite, half widths 0 or above, exponents above 0.
  /// @throws UsageError with the element and the quantity if one is not
  void open(const Aperture& aperture) const;
  /// Refuses the value of a quantity.
  /// @throws UsageError with the element, the quantity, its value and the reason
  [[noreturn]] void refuse(const std::string& quantity, double value, const std::string& why) const;

 private:
  std::string name_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/element_check.impl.hpp>
#endif
