// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <string>
#include <variant>

namespace trackplex::beam {

namespace detail {

/// Throws for values that an element of this name cannot have.
class ElementCheck {
 public:
  explicit ElementCheck(const std::string& name) : name_(name) {}

  void operator()(const Drift& e) const { finite("length", e.length); }
  void operator()(const ExactDrift& e) const { finite("length", e.length); }
  void operator()(const Quadrupole& e) const { magnet(e, "strength k1", e.k1); }
  void operator()(const ThickQuadrupole& e) const { magnet(e, "strength k1", e.k1); }
  void operator()(const Sextupole& e) const { magnet(e, "strength k2", e.k2); }
  void operator()(const ThickSextupole& e) const { magnet(e, "strength k2", e.k2); }
  void operator()(const Bend& e) const {
    not_negative("length", e.magnet.length);
    finite("angle", e.magnet.angle);
    finite("strength k1", e.magnet.k1);
    finite("strength k2", e.magnet.k2);
    finite("angle of the entrance edge", e.magnet.entrance);
    finite("angle of the exit edge", e.magnet.exit);
    not_negative("half gap", e.magnet.half_gap);
    finite("integral of the fringe field", e.magnet.fringe);
    placed(e.misalignment);
  }
  void operator()(const Kicker& e) const {
    not_negative("length", e.length);
    finite("horizontal kick", e.horizontal);
    finite("vertical kick", e.vertical);
    finite("tilt", e.tilt);
  }
  void operator()(const Marker&) const {}
  void operator()(const Collimator& e) const {
    not_negative("length", e.length);
    not_negative("half width in x", e.x_max);
    not_negative("half width in y", e.y_max);
    finite("displacement in x", e.dx);
    finite("displacement in y", e.dy);
  }
  void operator()(const Charge& e) const { finite("charge", e.total); }
  void operator()(const SpaceChargeDrift& e) const {
    not_negative("length", e.length);
    not_negative("effective length", e.effective_length);
    finite("radius factor", e.radius_factor);
    for (const double value : {e.low_frequency.begin, e.low_frequency.end})
      finite("low frequency cutoff", value);
    for (const double value : {e.high_frequency.begin, e.high_frequency.end})
      finite("high frequency cutoff", value);
  }
  void operator()(const MapElement& e) const {
    finite("length", e.length);
    for (const Polynomial& p : e.map().component) {
      finite("map", p.c);
      for (const double value : p.r) finite("map", value);
      for (const double value : p.t) finite("map", value);
      for (const double value : p.q) finite("map", value);
    }
  }

 private:
  template <class Magnet>
  void magnet(const Magnet& e, const char* strength, double value) const {
    not_negative("length", e.length);
    finite(strength, value);
    placed(e.misalignment);
  }
  void placed(const Misalignment& by) const {
    finite("displacement in x", by.dx);
    finite("displacement in y", by.dy);
    finite("tilt", by.tilt);
  }

  void finite(const char* quantity, double value) const {
    if (!std::isfinite(value)) refuse(quantity, value, "it must be finite");
  }
  void not_negative(const char* quantity, double value) const {
    finite(quantity, value);
    if (value < 0.) refuse(quantity, value, "it must not be negative");
  }
  [[noreturn]] void refuse(const std::string& quantity, double value, const char* why) const {
    throw UsageError("element '" + name_ + "'", "its " + quantity + " cannot be " + shortest(value),
                     why);
  }

  const std::string& name_;
};

}  // namespace detail

/// Checks the values of an element: all are finite, and lengths and apertures are not negative,
/// except for those of `Drift`, `ExactDrift` and `MapElement`. Lattices, trackers and maps call it
/// for their elements.
/// @throws UsageError with the element and the quantity if a value is refused
inline void check_element(const Element& element) {
  std::visit(detail::ElementCheck(element.name), element.kind);
}

}  // namespace trackplex::beam
