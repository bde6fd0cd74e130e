// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Linear optics: alpha, beta and gamma of E. D. Courant and H. S. Snyder, Annals of Physics 3
/// (1958) 1, in coupled lines those of normal modes (G. Ripken, DESY R1-70/04, 1970), and the
/// dispersion. On the host.

#include <trackplex/beam/detail/complex_numbers.hpp>
#include <trackplex/beam/line_maps.hpp>
#include <trackplex/beam/normal_modes.hpp>
#include <trackplex/core/math.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
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
  Optics start;        ///< Optics at the start, the same behind the turn.
  double tune_x = 0.;  ///< Fractional tune of the first mode, mostly in x: 0 to 1.
  double tune_y = 0.;  ///< Fractional tune of the second mode, mostly in y: 0 to 1.
};

/// Optics of a ring about a closed orbit.
struct OrbitOptics {
  std::vector<TransferMap::Vector> orbit;  ///< At the start and behind each element.
  std::vector<Optics> optics;              ///< At the same places.
  double tune_x = 0.,                      ///< Fractional tune of the first mode, mostly in x.
      tune_y = 0.;                         ///< Fractional tune of the second mode.

  /// Returns what there is of the start.
  PeriodicOptics periodic() const { return {optics.front(), tune_x, tune_y}; }
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
    const double turn = atan2(sine, cosine()) / (2. * std::numbers::pi);
    tune = turn < 0. ? turn + 1. : turn;
    return {b / sine, 0.5 * (a - d) / sine};
  }
};

/// Coordinates x, xp, y and yp of a normal mode.
using ModeVector = std::array<std::complex<double>, 4>;

/// Returns a mode of optics in its own plane and the other one, x first.
inline ModeVector mode_vector(const PlaneTwiss& own, const CoupledPart& other, bool is_first) {
  const double root = std::sqrt(own.beta);
  const std::complex<double> slope(-own.alpha / root, (1. - other.area()) / root);
  if (is_first) return {root, slope, other.position, other.slope};
  return {other.position, other.slope, root, slope};
}

/// Takes a mode through a map; adds to its phase.
inline void take_through(const TransferMap& map, bool is_first, PlaneTwiss& own, CoupledPart& other,
                         double& phase) {
  const ModeVector in = mode_vector(own, other, is_first);
  ModeVector v{};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) v[i] += map.R(i + 1, j + 1) * in[j];
  const double area = area_in<4>(v, 0) + area_in<4>(v, 1);
  if (!(area > 0.)) throw UsageError("optics", "a map has no inverse, or turns a plane over");
  const auto position = v[is_first ? 0 : 2];
  phase += phase_of(position);
  const auto scale = std::conj(position) / (magnitude(position) * std::sqrt(area));
  for (auto& element : v) element *= scale;
  const auto at = is_first ? v.data() : v.data() + 2, beside = is_first ? v.data() + 2 : v.data();
  own = {squared_magnitude(at[0]), -std::real(std::conj(at[0]) * at[1])};
  other = {beside[0], beside[1]};
}

/// Whether the planes of a map are coupled, beyond rounding.
inline bool couples_planes(const TransferMap& map) {
  double largest = 0.;
  for (const int i : {1, 2})
    for (const int j : {3, 4})
      largest = std::max({largest, std::abs(map.R(i, j)), std::abs(map.R(j, i))});
  return largest > 1e-9;
}

/// Solves (1 - M) v = `added` in x, xp, y and yp: v comes back to itself where a turn adds this.
inline std::array<double, 4> fixed_point(const TransferMap& turn, std::array<double, 4> added) {
  std::array<std::array<double, 4>, 4> m;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m[i][j] = (i == j ? 1. : 0.) - turn.R(i + 1, j + 1);
  solve<4>(m, added);
  return added;
}

/// Finds x, xp, y and yp of particles of another momentum that come back to them, per delta.
inline void find_dispersion(const TransferMap& turn, double* dispersion) {
  const auto v = fixed_point(turn, {turn.R(1, 6), turn.R(2, 6), turn.R(3, 6), turn.R(4, 6)});
  std::copy(v.begin(), v.end(), dispersion);
}

/// Normal modes of a turn whose planes are coupled. The area of particles that are accelerated
/// shrinks: it is scaled to that of the turn.
inline void find_coupled_modes(const TransferMap& turn, PeriodicOptics& optics) {
  std::array<std::array<double, 4>, 4> m;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m[i][j] = turn.R(i + 1, j + 1);
  const auto modes = normal_modes<4>(m);
  optics.tune_x = modes[0].tune;
  optics.tune_y = modes[1].tune;
  const auto &first = modes[0].vector, &second = modes[1].vector;
  optics.start.x = {squared_magnitude(first[0]), -std::real(std::conj(first[0]) * first[1])};
  optics.start.y = {squared_magnitude(second[2]), -std::real(std::conj(second[2]) * second[3])};
  optics.start.first_in_y = {first[2], first[3]};
  optics.start.second_in_x = {second[0], second[1]};
}

}  // namespace detail

/// Computes the periodic optics and the tunes from the linear part of the map of one turn. Coupled
/// planes have normal modes: the first is that which is mostly in x.
/// @throws UsageError if the motion is not stable
inline PeriodicOptics periodic_twiss(const TransferMap& turn) {
  PeriodicOptics optics;
  if (detail::couples_planes(turn)) {
    detail::find_coupled_modes(turn, optics);
  } else {
    optics.start.x = detail::PlaneMatrix(turn, 1).periodic("x", optics.tune_x);
    optics.start.y = detail::PlaneMatrix(turn, 3).periodic("y", optics.tune_y);
  }
  detail::find_dispersion(turn, optics.start.dispersion);
  return optics;
}

/// Returns the optics behind an element of a map and a length, m. The phase advance in it must be
/// less than half an oscillation (pi).
/// @throws UsageError if the map has no inverse
inline Optics behind(const Optics& in, const TransferMap& map, double length) {
  Optics out = in;
  out.position = in.position + length;
  detail::take_through(map, true, out.x, out.first_in_y, out.phase_x);
  detail::take_through(map, false, out.y, out.second_in_x, out.phase_y);
  for (int i = 1; i <= 4; ++i) {
    out.dispersion[i - 1] = map.R(i, 6);
    for (int j = 1; j <= 4; ++j) out.dispersion[i - 1] += map.R(i, j) * in.dispersion[j - 1];
  }
  return out;
}

/// Computes the optics at the start and behind each element: one more than there are elements. They
/// are those of particles about the one that starts with the coordinates `orbit`, by default on the
/// axis, and takes the way of the Taylor maps. With a reference momentum p0 (beta gamma) at the
/// start, cavities focus and damp.
/// @throws UsageError if an element has no map
inline std::vector<Optics> optics_along(const BeamLine& line, const Optics& start, double p0 = 0.,
                                        TransferMap::Vector orbit = {}) {
  std::vector<Optics> optics = {start};
  optics.reserve(line.size() + 1);
  for (const Element& element : line) {
    const TransferMap map = linear_about(orbit, map_of(element, p0));
    p0 = element.kind.momentum_behind(p0);
    for (int i = 0; i < n_coordinates; ++i) orbit[i] = map.component[i].c;
    try {
      optics.push_back(behind(optics.back(), map, length_of(element)));
    } catch (const UsageError& error) {
      throw UsageError("element '" + element.name + "': " + error.what());
    }
  }
  return optics;
}

}  // namespace trackplex::beam
