// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Linear optics of lines without coupling of the planes: alpha, beta and gamma of E. D. Courant
/// and H. S. Snyder, Annals of Physics 3 (1958) 1, and the dispersion. On the host.

#include <trackplex/beam/line_maps.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace trackplex::beam {

/// Twiss parameters of one plane: the ellipse gamma v^2 + 2 alpha v v' + beta v'^2 = constant.
struct PlaneTwiss {
  double beta = 1.;   ///< Beta function, m.
  double alpha = 0.;  ///< Alpha, -beta'/2.

  double gamma() const { return (1. + alpha * alpha) / beta; }  ///< Gamma, 1/m.
};

/// Linear optics at one place of a line.
struct Optics {
  double position = 0.;       ///< Path length of the reference particle from the start, m.
  PlaneTwiss x{},             ///< Twiss parameters of the horizontal plane.
      y{};                    ///< Twiss parameters of the vertical plane.
  double phase_x = 0.;        ///< Horizontal betatron phase from the start, rad.
  double phase_y = 0.;        ///< Vertical betatron phase from the start, rad.
  double dispersion[4] = {};  ///< Derivatives of x, xp, y, yp by delta, m and rad.
};

/// Periodic optics of a ring or of a cell: those at its start, and the tunes.
struct PeriodicOptics {
  Optics start;        ///< Optics at the start, the same behind the turn.
  double tune_x = 0.;  ///< Fractional horizontal tune of one turn, 0 to 1.
  double tune_y = 0.;  ///< Fractional vertical tune of one turn, 0 to 1.
};

namespace detail {

/// Linear coefficients of one plane; first is 1 or 3.
struct PlaneMatrix {
  double a, b, c, d;

  PlaneMatrix(const TransferMap& map, int first)
      : a(map.R(first, first)),
        b(map.R(first, first + 1)),
        c(map.R(first + 1, first)),
        d(map.R(first + 1, first + 1)) {}

  /// Cosine of the phase advance where the map is one of a period.
  double cosine() const { return 0.5 * (a + d); }
  /// The ellipse that the map takes to itself.
  PlaneTwiss periodic(const char* plane, double& tune) const {
    const double square = -b * c - 0.25 * (a - d) * (a - d);  // of the sine
    if (!(std::abs(cosine()) < 1.) || !(square > 0.))
      throw UsageError("periodic optics", std::string("the motion in ") + plane + " is not stable",
                       "half of the trace is " + std::to_string(cosine()),
                       "it must be between -1 and 1");
    const double sine = std::copysign(std::sqrt(square), b);
    const double turn = std::atan2(sine, cosine()) / (2. * std::acos(-1.));
    tune = turn < 0. ? turn + 1. : turn;
    return {b / sine, 0.5 * (a - d) / sine};
  }
  /// Takes an ellipse through, and adds to the phase.
  PlaneTwiss behind(const PlaneTwiss& in, double& phase) const {
    const double u = a * in.beta - b * in.alpha, v = c * in.beta - d * in.alpha;
    phase += std::atan2(b, u);
    const double determinant = a * d - b * c;
    return {(u * u + b * b) / (in.beta * determinant), -(u * v + b * d) / (in.beta * determinant)};
  }
  /// Solves (1 - M) z = (e, f); the determinant of 1 - M is 2 - trace where that of M is 1.
  void fixed_point(double e, double f, double* z) const {
    const double determinant = (1. - a) * (1. - d) - b * c;
    z[0] = ((1. - d) * e + b * f) / determinant;
    z[1] = (c * e + (1. - a) * f) / determinant;
  }
};

/// @throws UsageError if one plane's motion depends on the other's
inline void check_uncoupled(const TransferMap& map, const std::string& where) {
  double largest = 0.;
  for (const int i : {1, 2})
    for (const int j : {3, 4})
      largest = std::max({largest, std::abs(map.R(i, j)), std::abs(map.R(j, i))});
  if (largest > 1e-9)
    throw UsageError(where, "the planes are coupled", "a coefficient is " + std::to_string(largest),
                     "Twiss parameters of single planes are for lines without tilted magnets");
}

}  // namespace detail

/// Computes the periodic Twiss parameters and dispersion, and the tunes, from the linear part of
/// the map of one turn.
/// @throws UsageError if the motion of a plane is not stable, or the planes are coupled
inline PeriodicOptics periodic_twiss(const TransferMap& turn) {
  detail::check_uncoupled(turn, "periodic optics");
  PeriodicOptics optics;
  const detail::PlaneMatrix x(turn, 1), y(turn, 3);
  optics.start.x = x.periodic("x", optics.tune_x);
  optics.start.y = y.periodic("y", optics.tune_y);
  // (1 - M) D = what the turn adds
  x.fixed_point(turn.R(1, 6), turn.R(2, 6), optics.start.dispersion);
  y.fixed_point(turn.R(3, 6), turn.R(4, 6), optics.start.dispersion + 2);
  return optics;
}

/// Returns the optics behind an element of a map and a length, m. The phase advance in it must be
/// less than half an oscillation (pi).
/// @throws UsageError if the planes are coupled
inline Optics behind(const Optics& in, const TransferMap& map, double length) {
  detail::check_uncoupled(map, "optics");
  Optics out;
  out.position = in.position + length;
  out.phase_x = in.phase_x;
  out.phase_y = in.phase_y;
  out.x = detail::PlaneMatrix(map, 1).behind(in.x, out.phase_x);
  out.y = detail::PlaneMatrix(map, 3).behind(in.y, out.phase_y);
  for (int i = 1; i <= 4; ++i) {
    out.dispersion[i - 1] = map.R(i, 6);
    for (int j = 1; j <= 4; ++j) out.dispersion[i - 1] += map.R(i, j) * in.dispersion[j - 1];
  }
  return out;
}

/// Computes the optics at the start and behind each element: one more than there are elements. They
/// are those of the linear parts of the maps on the axis: where kickers or displaced magnets bend
/// the orbit, its effect by terms of second order is neglected.
/// With a reference momentum p0 (beta gamma) at the start, cavities focus and damp.
/// @throws UsageError if an element has no map, or couples the planes
inline std::vector<Optics> optics_along(const BeamLine& line, const Optics& start, double p0 = 0.) {
  std::vector<Optics> optics = {start};
  optics.reserve(line.size() + 1);
  for (const Element& element : line) {
    const TransferMap map = map_of(element, p0);
    p0 = element.kind.momentum_behind(p0);
    try {
      optics.push_back(behind(optics.back(), map, length_of(element)));
    } catch (const UsageError& error) {
      throw UsageError("element '" + element.name + "': " + error.what());
    }
  }
  return optics;
}

}  // namespace trackplex::beam
