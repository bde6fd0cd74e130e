// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/madx/detail/madx_part.hpp>

#include <cstddef>
#include <numbers>
#include <string>
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
    tilt_ = tilt + part("aper_tilt");
    const double c = cos(tilt), s = sin(tilt);  // offsets are in the system of the element
    const double dx = of(0) + errors.aperture_x, dy = of(1) + errors.aperture_y;
    dx_ = errors.alignment.dx + c * dx - s * dy;
    dy_ = errors.alignment.dy + s * dx + c * dy;
  }

  std::vector<beam::Collimator> all() {
    const std::string type = part_.text("apertype");
    if (sizes_.empty() && part_.is_given("xsize")) {
      sizes_ = {part_("xsize"), part_("ysize")};
      add(part_.type() == "ecollimator" ? Shape::ellipse : Shape::rectangle, size(0), size(1));
      return all_;
    }
    bool is_open = true;
    for (const double value : sizes_) is_open = is_open && value == 0.;
    const auto polygon = part_.list("aper_vx");
    if (polygon.size() > 1)
      part_.refuse("aper_vx", "outlines by their corners are not implemented");
    if (!is_open) add(type);
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
