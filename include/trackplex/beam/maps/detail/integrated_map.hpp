// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/derived_math.hpp>

#include <array>
#include <cmath>

/// @file
/// Taylor maps of magnets by integration of the exact equations of motion with polynomials
/// instead of numbers.

namespace trackplex::beam::detail {

/// A magnet with a constant field along its axis, which has the curvature h. Normalised to the
/// momentum of the reference particle, the field in the plane y = 0 is
/// h + k1 x + k2 x^2/2 + k3 x^3/6, the last on straight axes only.
struct MagnetBody {
  double length = 0.;  ///< m, along the axis
  double h = 0.;       ///< 1/m
  double k1 = 0.;      ///< 1/m^2
  double k2 = 0.;      ///< 1/m^3
  double k3 = 0.;      ///< 1/m^4
};

/// Canonical variables as polynomials in the initial coordinates: x, px, y, py, path difference,
/// delta; momenta in units of the reference momentum.
using MapState = std::array<Polynomial, n_coordinates>;

/// d/ds of x, px, y, py and the way; delta stays. With g = 1 + h x:
///   x' = g px/pz, y' = g py/pz, px' = h pz - g b_y, py' = g b_x, s' = g (1 + delta)/pz - 1
class MagnetEquations {
 public:
  MagnetEquations(const MagnetBody& body, int order) : body_(body), order_(order) {}

  MapState operator()(const MapState& v, double = 0.) const {
    const Polynomial g = along(v);
    const Polynomial per_pz = power(pz_squared(v), -0.5, order_), pz = root(pz_squared(v));
    const Polynomial g_per_pz = times(g, per_pz);
    MapState d{};
    d[x] = times(g_per_pz, v[xp]);
    d[y] = times(g_per_pz, v[yp]);
    d[xp].add(body_.h, pz).add(-1., times(g, field_y(v)));
    d[yp] = times(g, field_x(v));
    d[s] = times(g_per_pz, one_plus_delta(v));
    d[s].c -= 1.;
    return d;
  }

  /// From slopes to momenta and back, where the axis is straight: upstream and downstream of
  /// the magnet.
  void to_momenta(MapState& v) const {
    Polynomial square = times(v[xp], v[xp]);
    square += times(v[yp], v[yp]);
    square.c += 1.;
    const Polynomial factor = times(one_plus_delta(v), power(square, -0.5, order_));
    v[xp] = times(v[xp], factor);
    v[yp] = times(v[yp], factor);
  }
  void to_slopes(MapState& v) const {
    const Polynomial factor = power(pz_squared(v), -0.5, order_);
    v[xp] = times(v[xp], factor);
    v[yp] = times(v[yp], factor);
  }

 private:
  Polynomial times(const Polynomial& a, const Polynomial& b) const { return product(a, b, order_); }
  Polynomial root(const Polynomial& a) const { return power(a, 0.5, order_); }

  Polynomial along(const MapState& v) const {
    Polynomial g;
    g.add(body_.h, v[x]).c += 1.;
    return g;
  }
  static Polynomial one_plus_delta(const MapState& v) {
    Polynomial p = v[delta];
    p.c += 1.;
    return p;
  }
  Polynomial pz_squared(const MapState& v) const {
    Polynomial square = times(one_plus_delta(v), one_plus_delta(v));
    square.add(-1., times(v[xp], v[xp])).add(-1., times(v[yp], v[yp]));
    return square;
  }
  /// Fields that satisfy Maxwell's equations on the curved axis to second order.
  Polynomial field_y(const MapState& v) const {
    Polynomial b;
    b.c = body_.h;
    b.add(body_.k1, v[x]).add(0.5 * body_.k2, times(v[x], v[x]));
    b.add(-0.5 * (body_.k2 + body_.h * body_.k1), times(v[y], v[y]));
    if (body_.k3 != 0.) add_octupole(b, v[x], v[y]);
    return b;
  }
  Polynomial field_x(const MapState& v) const {
    Polynomial b;
    b.add(body_.k1, v[y]).add(body_.k2, times(v[x], v[y]));
    if (body_.k3 != 0.) {
      Polynomial other;
      add_octupole(other, v[y], v[x]);
      b.add(-1., other);
    }
    return b;
  }
  /// Adds k3 (u^3 - 3 u w^2)/6.
  void add_octupole(Polynomial& b, const Polynomial& u, const Polynomial& w) const {
    b.add(body_.k3 / 6., times(times(u, u), u)).add(-0.5 * body_.k3, times(times(w, w), u));
  }

  MagnetBody body_;
  int order_;
};

/// a + factor * b.
inline MapState sum(const MapState& a, double factor, const MapState& b) {
  MapState result = a;
  for (int i = 0; i < n_coordinates; ++i) result[i].add(factor, b[i]);
  return result;
}

/// One step by the modified midpoint rule in n parts, from a position along the axis.
template <class Equations>
MapState midpoint_step(const Equations& equations, const MapState& from, double position,
                       double length, int n) {
  const double part = length / n;
  MapState before = from, now = sum(from, part, equations(from, position));
  for (int i = 1; i < n; ++i) {
    const MapState after = sum(before, 2. * part, equations(now, position + i * part));
    before = now;
    now = after;
  }
  // Mean of the last point and of a step beyond the previous point
  const MapState beyond = sum(before, part, equations(now, position + length));
  return sum(sum(MapState{}, 0.5, now), 0.5, beyond);
}

/// One step of order 12: midpoint steps in 2, 4, ... 12 parts, extrapolated to infinitely many
/// (W. B. Gragg; R. Bulirsch, J. Stoer).
template <class Equations>
MapState extrapolated_step(const Equations& equations, const MapState& from, double position,
                           double length) {
  constexpr int rows = 6;
  std::array<MapState, rows> last, row;
  for (int i = 0; i < rows; ++i) {
    row[0] = midpoint_step(equations, from, position, length, 2 * (i + 1));
    for (int k = 1; k <= i; ++k) {
      const double ratio = double(i + 1) / double(i + 1 - k);
      const MapState difference = sum(row[k - 1], -1., last[k - 1]);
      row[k] = sum(row[k - 1], 1. / (ratio * ratio - 1.), difference);
    }
    last = row;
  }
  return last[rows - 1];
}

/// The state after a length, for d/ds = equations(state, position), in steps set by a phase
/// advance or a similar measure of the forces, rad.
template <class Equations>
MapState integrated(const Equations& equations, MapState state, double length, double phase) {
  const int steps = 1 + int(4. * std::abs(phase));
  const double part = length / steps;
  for (int i = 0; i < steps; ++i) state = extrapolated_step(equations, state, i * part, part);
  return state;
}

/// The map of a magnet's body, without its ends, to order 1 to 3; on a curved axis to order 2,
/// since the field is known to second order.
inline TransferMap integrated_map(const MagnetBody& body, int order) {
  TransferMap map = TransferMap::identity(order);
  const MagnetEquations equations(body, order);
  MapState state = map.component;
  equations.to_momenta(state);
  const double phase =
      body.length * (std::abs(body.h) + std::sqrt(std::abs(body.k1)) + cbrt(std::abs(body.k2)));
  state = integrated(equations, state, body.length, phase);
  equations.to_slopes(state);
  map.component = state;
  return map;
}

}  // namespace trackplex::beam::detail
