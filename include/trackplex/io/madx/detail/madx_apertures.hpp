// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/madx/detail/madx_part.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Apertures of MAD-X.

namespace trackplex::io::detail {

/// Apertures of an element as its APERTYPE says. Each limits the beam.
class MadxApertures {
 public:
  MadxApertures(const MadxPart& part, const MadxElementErrors& errors)
      : part_(part), sizes_(part.list("aperture")) {
    const std::vector<double> offset = part.list("aper_offset");
    const auto of = [&](std::size_t i) { return i < offset.size() ? offset[i] : 0.; };
    const double tilt = part("tilt") + errors.alignment.tilt;
    tilt_ = tilt;
    const double c = cos(tilt), s = sin(tilt);  // offsets are in the system of the element
    const double dx = of(0) + errors.aperture_x, dy = of(1) + errors.aperture_y;
    dx_ = errors.alignment.dx + c * dx - s * dy;
    dy_ = errors.alignment.dy + s * dx + c * dy;
  }

  std::vector<beam::Collimator> all() {
    const std::string type = part_.text("apertype");
    bool is_open = true;
    for (const double value : sizes_) is_open = is_open && value == 0.;
    if (!is_open) add(type);
    if (part_.list("aper_vx").size() > 1) add_polygon();
    return all_;
  }

 private:
  using Shape = beam::Aperture::Shape;

  double size(std::size_t i) const { return i < sizes_.size() ? sizes_[i] : 0.; }

  void add(const std::string& type) {
    if (type.empty() || type == "circle") return add(Shape::ellipse, size(0), size(0));
    if (type == "ellipse") return add(Shape::ellipse, size(0), size(1));
    if (type == "racetrack") return add_racetrack();
    const bool has_circle = type == "lhcscreen" || type == "rectcircle";
    if (type != "rectangle" && type != "rectellipse" && type != "octagon" && !has_circle)
      part_.refuse("apertype",
                   "circle, ellipse, rectangle, rectcircle, lhcscreen, rectellipse, racetrack and "
                   "octagon are implemented");
    add(Shape::rectangle, size(0), size(1));
    if (has_circle) add(Shape::ellipse, size(2), size(2));
    if (type == "rectellipse") add(Shape::ellipse, size(2), size(3));
    if (type == "octagon") add_corners();
  }

  void add(Shape shape, double x, double y, double turned = 0.) {
    beam::Aperture aperture{.shape = shape, .x_max = x, .y_max = y};
    aperture.dx = dx_;
    aperture.dy = dy_;
    const bool is_round = shape == Shape::ellipse && x == y;
    aperture.tilt = is_round ? 0. : tilt_ + turned;
    all_.push_back({.aperture = aperture});
  }

  /// A rectangle whose corners are quarters of ellipses.
  void add_racetrack() {
    add(Shape::rectangle, size(0), size(1));
    all_.back().aperture.x_corner = size(2);
    all_.back().aperture.y_corner = sizes_.size() > 3 ? size(3) : size(2);
  }

  /// The corners of an octagon are cut off by lines from (w, w tan a) to (h/tan b, h).
  void add_corners() {
    const double w = size(0), h = size(1);
    const double x1 = w, y1 = w * tan(size(2)), x2 = h / tan(size(3)), y2 = h;
    const double x = y2 - y1, y = x1 - x2, length = hypot(x, y);
    if (!(x > 0.) || !(y > 0.))
      part_.refuse("aperture", "the angles of an octagon are from its corners, in order");
    const double distance = (x1 * x + y1 * y) / length, angle = atan2(y, x);
    for (const double side : {1., -1.}) add(Shape::rectangle, distance, 0., side * angle);
  }

  /// A convex polygon is where the strips between its edges and the corners farthest from them
  /// meet. Particles in the other aperture of the element survive, too: it must be inside.
  void add_polygon() {
    const std::vector<double> px = part_.list("aper_vx"), py = part_.list("aper_vy");
    const std::size_t n = px.size();
    if (py.size() != n || n > max_corners)
      part_.refuse("aper_vx", "corners have an APER_VX and an APER_VY, and there are at most " +
                                  std::to_string(max_corners));
    const std::vector<beam::Collimator> others = std::exchange(all_, {});
    double area = 0.;  // twice
    for (std::size_t i = 0; i < n; ++i) area += px[i] * py[(i + 1) % n] - py[i] * px[(i + 1) % n];
    if (!(std::abs(area) > 0.)) part_.refuse("aper_vx", "the polygon has no area");
    for (std::size_t i = 0; i < n; ++i) {
      const double ex = px[(i + 1) % n] - px[i], ey = py[(i + 1) % n] - py[i];
      const double length = hypot(ex, ey), sign = area > 0. ? 1. : -1.;
      if (length == 0.) continue;
      const double nx = sign * ey / length, ny = -sign * ex / length;  // outwards
      double edge = px[i] * nx + py[i] * ny, low = edge, high = edge;
      for (std::size_t k = 0; k < n; ++k) {
        low = std::min(low, px[k] * nx + py[k] * ny);
        high = std::max(high, px[k] * nx + py[k] * ny);
      }
      if (high - edge > 1e-9 * (high - low))
        part_.refuse("aper_vx", "the polygon is not convex, which is not implemented",
                     "give it several elements, or another APERTYPE");
      check_inside(others, nx, ny, edge);
      add_strip(nx, ny, low, edge);
    }
  }

  void add_strip(double nx, double ny, double low, double high) {
    add(Shape::rectangle, 0.5 * (high - low), 0., atan2(ny, nx));
    const double c = cos(tilt_), s = sin(tilt_), middle = 0.5 * (low + high);
    all_.back().aperture.dx += middle * (c * nx - s * ny);
    all_.back().aperture.dy += middle * (s * nx + c * ny);
  }

  /// The extent of the aperture of a shape in a direction is at most the least one of its parts.
  void check_inside(const std::vector<beam::Collimator>& others, double nx, double ny,
                    double edge) const {
    double extent = others.empty() ? edge : std::numeric_limits<double>::infinity();
    for (const beam::Collimator& other : others) {
      const beam::Aperture& part = other.aperture;
      const double turned = part.tilt == 0. ? 0. : part.tilt - tilt_;
      const double c = cos(turned), s = sin(turned);
      const double x = (c * nx + s * ny) * part.x_max, y = (c * ny - s * nx) * part.y_max;
      if (part.y_max > 0.)  // others are the corners of octagons
        extent = std::min(extent,
                          part.shape == Shape::ellipse ? hypot(x, y) : std::abs(x) + std::abs(y));
    }
    if (extent > edge * (1. + 1e-9))
      part_.refuse("aper_vx", "particles survive outside of the polygon, too, where APERTURE is",
                   "leave out APERTURE");
  }

  static constexpr std::size_t max_corners = 100;

  const MadxPart& part_;
  std::vector<double> sizes_;
  double dx_ = 0., dy_ = 0., tilt_ = 0.;
  std::vector<beam::Collimator> all_;
};

inline std::vector<beam::Collimator> madx_apertures(const MadxPart& part,
                                                    const MadxElementErrors& errors) {
  return MadxApertures(part, errors).all();
}

}  // namespace trackplex::io::detail
