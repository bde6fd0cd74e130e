// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/optics/detail/complex_numbers.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/normal_modes.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE PlaneTwiss PlaneMatrix::periodic(const char* plane, double& tune) const {
  const double square = -b * c - 0.25 * (a - d) * (a - d);  // of the sine
  if (!(std::abs(cosine()) < 1.) || !(square > 0.))
    throw UsageError("periodic optics", std::string("the motion in ") + plane + " is not stable",
                     "half of the trace is " + shortest(cosine()), "it must be between -1 and 1");
  const double sine = std::copysign(std::sqrt(square), b);
  const double turn = atan2(sine, cosine()) / (2. * std::numbers::pi);
  tune = turn < 0. ? turn + 1. : turn;
  return {b / sine, 0.5 * (a - d) / sine};
}

TRACKPLEX_INLINE ModeVector mode_vector(const PlaneTwiss& own, const CoupledPart& other,
                                        bool is_first) {
  const double root = std::sqrt(own.beta);
  const std::complex<double> slope(-own.alpha / root, (1. - other.area()) / root);
  if (is_first) return {root, slope, other.position, other.slope};
  return {other.position, other.slope, root, slope};
}

/// Takes a mode through a map; adds to its phase.
TRACKPLEX_INLINE void take_through(const TransferMap& map, bool is_first, PlaneTwiss& own,
                                   CoupledPart& other, double& phase) {
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

TRACKPLEX_INLINE bool couples_planes(const TransferMap& map) {
  double largest = 0.;
  for (const int i : {1, 2})
    for (const int j : {3, 4})
      largest = std::max({largest, std::abs(map.R(i, j)), std::abs(map.R(j, i))});
  return largest > 1e-9;
}

TRACKPLEX_INLINE std::array<double, 4> fixed_point(const TransferMap& turn,
                                                   std::array<double, 4> added) {
  std::array<std::array<double, 4>, 4> m;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m[i][j] = (i == j ? 1. : 0.) - turn.R(i + 1, j + 1);
  solve<4>(m, added);
  return added;
}

/// Finds x, xp, y and yp of particles of another momentum that come back to them, per delta.
TRACKPLEX_INLINE void find_dispersion(const TransferMap& turn, double* dispersion) {
  const auto v = fixed_point(turn, {turn.R(1, 6), turn.R(2, 6), turn.R(3, 6), turn.R(4, 6)});
  std::copy(v.begin(), v.end(), dispersion);
}

/// Normal modes of a turn whose planes are coupled. The area of particles that are accelerated
/// shrinks: it is scaled to that of the turn.
TRACKPLEX_INLINE void find_coupled_modes(const TransferMap& turn, PeriodicOptics& optics) {
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

TRACKPLEX_INLINE PeriodicOptics periodic_twiss(const TransferMap& turn) {
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

TRACKPLEX_INLINE Optics behind(const Optics& in, const TransferMap& map, double length) {
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

TRACKPLEX_INLINE std::vector<Optics> optics_along(const BeamLine& line, const Optics& start,
                                                  double p0, TransferMap::Vector orbit) {
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
