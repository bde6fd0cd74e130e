// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/aperture.hpp>
#include <trackplex/beam/element_maps.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
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
  void finite(const char* quantity, double value) const {
    if (!std::isfinite(value)) refuse(quantity, value, "it must be finite");
  }
  /// Checks that a quantity is finite, and 0 or above.
  /// @throws UsageError with the element and the quantity if it is not
  void not_negative(const char* quantity, double value) const {
    finite(quantity, value);
    if (value < 0.) refuse(quantity, value, "it must not be negative");
  }
  /// Checks that a displacement and a tilt are finite.
  /// @throws UsageError with the element and the quantity if one is not
  void placed(const Misalignment& by) const {
    finite("displacement in x", by.dx);
    finite("displacement in y", by.dy);
    finite("displacement in z", by.dz);
    finite("tilt", by.tilt);
  }
  /// Checks that the values of an aperture are finite, half widths 0 or above, exponents above 0.
  /// @throws UsageError with the element and the quantity if one is not
  void open(const Aperture& aperture) const {
    not_negative("half width in x", aperture.x_max);
    not_negative("half width in y", aperture.y_max);
    finite("displacement in x", aperture.dx);
    finite("displacement in y", aperture.dy);
    for (const int exponent : {aperture.x_exponent, aperture.y_exponent})
      if (exponent < 1) refuse("exponent", exponent, "it must be above 0");
  }
  /// Refuses the value of a quantity.
  /// @throws UsageError with the element, the quantity, its value and the reason
  [[noreturn]] void refuse(const std::string& quantity, double value,
                           const std::string& why) const {
    throw UsageError("element '" + name_ + "'", "its " + quantity + " cannot be " + shortest(value),
                     why);
  }

 private:
  std::string name_;
};

}  // namespace trackplex::beam
