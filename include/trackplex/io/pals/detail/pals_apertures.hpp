// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/collimator.hpp>
#include <trackplex/io/pals/detail/pals_elements.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

/// @file
/// Apertures of PALS as collimators without a length.

namespace trackplex::io::detail {

/// Limits of one coordinate.
struct PalsLimits {
  std::optional<double> low, high;

  PalsLimits(const PalsValues& v, const std::string& axis) {
    const std::string path = "ApertureP." + axis;
    low = limit(v, path + "_min");
    high = limit(v, path + "_max");
    if (v.has(path + "_width")) {
      if (low || high) v.refuse(path + "_width", "there are limits, too", "leave one of them out");
      const double centre = v.number(path + "_center"), width = v.number(path + "_width");
      low = centre - 0.5 * width;
      high = centre + 0.5 * width;
    } else if (v.has(path + "_center")) {
      v.refuse(path + "_center", "there is no " + axis + "_width");
    }
    if (low && high && !(*low < *high)) v.refuse(path + "_max", "it is not above " + axis + "_min");
  }
  bool is_closed() const { return low && high; }
  bool is_open() const { return !low && !high; }
  /// Half of the width; 0: no limit. One side only: large enough for the other limit.
  double half() const {
    if (is_closed()) return 0.5 * (*high - *low);
    return is_open() ? 0. : std::max(1., 2. * std::abs(low ? *low : *high));
  }
  double centre() const {
    if (is_closed()) return 0.5 * (*high + *low);
    return is_open() ? 0. : low ? *low + half() : *high - half();
  }

 private:
  static std::optional<double> limit(const PalsValues& v, const std::string& path) {
    const YamlNode* const value = v.find(path);
    if (!value) return std::nullopt;
    const double number = v.limit(*value);
    if (std::isinf(number)) return std::nullopt;
    return number;
  }
};

/// The aperture of an element, if it limits particles.
inline std::optional<beam::Aperture> pals_aperture(const PalsValues& v,
                                                   const PalsSurroundings& at) {
  using Open = beam::Aperture::Open;
  if (!v.has("ApertureP") || !at.options.apertures || !v.flag("ApertureP.aperture_active", true))
    return std::nullopt;
  const auto shape =
      v.choice("ApertureP.shape", {"ELLIPTICAL", "RECTANGULAR", "VERTICES", "CUSTOM_SHAPE"});
  if (shape > 1) v.refuse("ApertureP.shape", "it is not implemented", "ELLIPTICAL or RECTANGULAR");
  const PalsLimits x(v, "x"), y(v, "y");
  if (x.is_open() && y.is_open()) return std::nullopt;
  beam::Aperture aperture{.x_max = x.half(), .y_max = y.half(), .dx = x.centre(), .dy = y.centre()};
  if (shape == 0) {
    aperture.shape = beam::Aperture::Shape::ellipse;
    if (!x.is_closed() || !y.is_closed()) {
      at.remark(v, "its aperture does nothing: an elliptical one has four limits");
      return std::nullopt;
    }
  }
  const bool is_half_x = !x.is_closed() && !x.is_open(), is_half_y = !y.is_closed() && !y.is_open();
  if (is_half_x && is_half_y)
    v.refuse("ApertureP", "apertures that are open in x and in y are not implemented");
  if (is_half_x) aperture.open = x.low ? Open::plus_x : Open::minus_x;
  if (is_half_y) aperture.open = y.low ? Open::plus_y : Open::minus_y;
  if (!v.flag("ApertureP.aperture_shifts_with_body", false)) return aperture;
  const beam::Misalignment by = pals_placement(v);
  const double c = cos(by.tilt), s = sin(by.tilt), cx = aperture.dx, cy = aperture.dy;
  aperture.dx = by.dx + c * cx - s * cy;
  aperture.dy = by.dy + s * cx + c * cy;
  aperture.tilt = by.tilt;
  return aperture;
}

/// An element with its aperture, in the order of passage.
inline PalsKinds make_pals_element(const PalsValues& v, const PalsSurroundings& at) {
  PalsKinds body = make_pals_body(v, at);
  const auto aperture = pals_aperture(v, at);
  if (!aperture) return body;
  const PalsTracking tracking(v);
  if (tracking.is("Collimator")) {
    beam::Aperture exact = *aperture;
    exact.x_max = tracking.exact("x_max", exact.x_max);
    exact.y_max = tracking.exact("y_max", exact.y_max);
    exact.dx = tracking.exact("dx", exact.dx, exact.x_max);
    exact.dy = tracking.exact("dy", exact.dy, exact.y_max);
    return {beam::Collimator{v.number("length"), exact}};
  }
  enum { entrance, centre, exit, both, nowhere, everywhere };
  const auto where = v.choice("ApertureP.location", {"ENTRANCE_END", "CENTER", "EXIT_END",
                                                     "BOTH_ENDS", "NOWHERE", "EVERYWHERE"});
  const bool has_length = body.front().length() != 0.;
  if (where == nowhere) return body;
  const beam::ElementKind limit = beam::Collimator{.aperture = *aperture};
  if (where == centre && has_length) {
    if (body.size() > 1 || body.front().is_whole())
      v.refuse("ApertureP.location", "this element cannot be split", "BOTH_ENDS");
    return {body.front().part(0, 2), limit, body.front().part(1, 2)};
  }
  if (!has_length && body.size() == 1 && body.front().as<beam::Marker>()) return {limit};
  if (where == everywhere) at.remark(v, "its aperture limits particles at both ends, not inside");
  const bool is_at_exit = where == exit || (has_length && (where == both || where == everywhere));
  if (where != exit) body.insert(body.begin(), limit);
  if (is_at_exit) body.push_back(limit);
  return body;
}

}  // namespace trackplex::io::detail
