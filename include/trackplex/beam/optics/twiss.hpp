// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Linear optics: alpha, beta and gamma of E. D. Courant and H. S. Snyder, Annals of Physics 3
/// (1958) 1, in coupled lines those of normal modes (G. Ripken, DESY R1-70/04, 1970), and the
/// dispersion. On the host.

#include <trackplex/beam/optics/detail/complex_numbers.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/normal_modes.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <array>
#include <complex>
#include <vector>

namespace trackplex::beam {

/// Twiss parameters of one plane: the ellipse gamma v^2 + 2 alpha v v' + beta v'^2 = constant.
struct PlaneTwiss {
  double beta = 1.;   ///< Beta function, m.
  double alpha = 0.;  ///< Alpha, -beta'/2.

  double gamma() const { return (1. + alpha * alpha) / beta; }  ///< Gamma, 1/m.
};

/// Part of a normal mode in the plane that is not its own: coordinate and slope, relative to a
/// coordinate in its own plane that is real and positive. Both are 0 without coupling.
struct CoupledPart {
  std::complex<double> position{},  ///< Coordinate, m^(1/2).
      slope{};                      ///< Slope, m^(-1/2).

  double beta() const {
    return detail::squared_magnitude(position);
  }  ///< Beta function of the mode here, m.
  /// Alpha of the mode in this plane.
  double alpha() const { return -std::real(std::conj(position) * slope); }
  /// Part of the area of the mode in this plane, 0 to 1.
  double area() const { return std::imag(std::conj(position) * slope); }
};

/// Linear optics at one place of a line. Of two normal modes the first oscillates in x and the
/// second in y, and with coupling also in the other plane.
struct Optics {
  double position = 0.;       ///< Path length of the reference particle from the start, m.
  PlaneTwiss x{},             ///< Twiss parameters of the first mode in the horizontal plane.
      y{};                    ///< Twiss parameters of the second mode in the vertical plane.
  double phase_x = 0.;        ///< Betatron phase of the first mode in x from the start, rad.
  double phase_y = 0.;        ///< Betatron phase of the second mode in y from the start, rad.
  double dispersion[4] = {};  ///< Derivatives of x, xp, y, yp by delta, m and rad.
  CoupledPart first_in_y{},   ///< The first mode in the vertical plane.
      second_in_x{};          ///< The second mode in the horizontal plane.
};

/// Periodic optics of a ring or of a cell: those at its start, and the tunes.
struct PeriodicOptics {
  Optics start;        ///< Optics at the start, the same after the turn.
  double tune_x = 0.;  ///< Fractional tune of the first mode, mostly in x: 0 to 1.
  double tune_y = 0.;  ///< Fractional tune of the second mode, mostly in y: 0 to 1.
};

/// Optics of a ring about a closed orbit.
struct OrbitOptics {
  std::vector<TransferMap::Vector> orbit;  ///< At the start and after each element.
  std::vector<Optics> optics;              ///< At the same places.
  double tune_x = 0.,                      ///< Fractional tune of the first mode, mostly in x.
      tune_y = 0.;                         ///< Fractional tune of the second mode.

  /// Returns what there is of the start.
  PeriodicOptics periodic() const { return {optics.front(), tune_x, tune_y}; }
};

namespace detail {

/// Returns whether the planes of a map are coupled, beyond rounding.
bool couples_planes(const TransferMap& map);

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
  PlaneTwiss periodic(const char* plane, double& tune) const;
};

/// Coordinates x, xp, y and yp of a normal mode.
using ModeVector = std::array<std::complex<double>, 4>;

/// Returns a mode of optics in its own plane and the other one, x first.
ModeVector mode_vector(const PlaneTwiss& own, const CoupledPart& other, bool is_first);

/// Solves (1 - M) v = `added` in x, xp, y and yp: v comes back to itself where a turn adds this.
std::array<double, 4> fixed_point(const TransferMap& turn, std::array<double, 4> added);

}  // namespace detail

/// Computes the periodic optics and the tunes from the linear part of the map of one turn. Coupled
/// planes have normal modes: the first is that which is mostly in x.
/// @throws UsageError if the motion is not stable
PeriodicOptics periodic_twiss(const TransferMap& turn);

/// Returns the optics after an element of a map and a length, m. The phase advance in it must be
/// less than half an oscillation (pi).
/// @throws UsageError if the map has no inverse
Optics behind(const Optics& in, const TransferMap& map, double length);

/// Computes the optics at the start and after each element: one more than there are elements. The
/// optics are about the particle that starts with the coordinates `orbit`, by default on the axis,
/// and follows the Taylor maps. With a reference momentum p0 (beta gamma) at the start, cavities
/// focus and damp.
/// @throws UsageError if an element has no map
std::vector<Optics> optics_along(const BeamLine& line, const Optics& start, double p0 = 0.,
                                 TransferMap::Vector orbit = {});

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/twiss.impl.hpp>
#endif
