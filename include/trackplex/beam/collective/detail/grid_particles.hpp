// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels of space charge on a grid over particles: their places, and deposits of their charge in
/// nodes. A particle of weight 1 has 2^w counts, which are shared between the nodes
/// around it in whole numbers whose sum is 2^w: sums of counts do not depend on their order.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/collective/detail/open_grid_kernels.hpp>
#include <trackplex/core/as_index.hpp>
#include <trackplex/core/reduce.hpp>

#include <cstdint>

namespace trackplex::beam::detail {

/// Ranges of the three coordinates of particles, and the number of those that are not finite.
inline constexpr int n_extents = 7;
using ExtentOperations = Each<Min, Max, Min, Max, Min, Max, Sum>;

template <class Double>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_extents> extents_of(const Double& x,
                                                                        const Double& y,
                                                                        const Double& z) {
  const Double most(1e300);
  const auto finite = abs(x) < most && abs(y) < most && abs(z) < most;
  return {{x, x, y, y, z, z, select(finite, Double(0), Double(1))}};
}

/// Where particles are at the time at which the reference particle is at the element: each has gone
/// along its slopes for its delay, and is at z along the axis, positive in front. Stores z.
template <class Real>
struct PlacesAtFixedTime {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  T* along;
  ArrivalTimes<T> times;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_extents> operator()(
      const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    const Particle<Real> v = columns.load(tile);
    const Real one(1), u = one + v[delta], g = times.energy(u);
    const Real way = sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
    const Real z = -(times.delay(v[s], v[delta]) * u) / (g * way);
    tile.store(along, z);
    return extents_of(convert<Double>(fma(v[xp], z, v[x])), convert<Double>(fma(v[yp], z, v[y])),
                      convert<Double>(z));
  }
};

/// The delays of particles, which are stored, and their x and y.
template <class Real>
struct PlacesAndDelays {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  T* along;
  ArrivalTimes<T> times;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_extents> operator()(
      const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    const Real d = times.delay(tile.load(columns.v[s]), tile.load(columns.v[delta]));
    tile.store(along, d);
    return extents_of(convert<Double>(tile.load(columns.v[x])),
                      convert<Double>(tile.load(columns.v[y])), convert<Double>(d));
  }
};

/// Nodes of one axis of a grid.
struct GridAxis {
  double first;     ///< place of node 0, m
  double per_cell;  ///< inverse length of a cell, 1/m
};

/// Place of particles on an axis: node below, and fraction of the way to the next one.
template <class Double>
struct GridPlace {
  Double node, fraction;

  KOKKOS_FORCEINLINE_FUNCTION GridPlace(const GridAxis& axis, const Double& at) {
    const Double position = (at - Double(axis.first)) * Double(axis.per_cell);
    node = floor(position);
    fraction = position - node;
  }
};

/// Particles at a fixed time, of whom the kernels need the coordinates `x + x' z` and z; or those
/// at a fixed place, with z for the delay.
template <class Real, bool FixedTime>
struct GridParticles {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  const T* along;

  KOKKOS_FORCEINLINE_FUNCTION Real z(const Tile<Real>& tile) const { return tile.load(along); }
  /// x, or y with the coordinates y and y'.
  KOKKOS_FORCEINLINE_FUNCTION Double across(const Tile<Real>& tile, const Real& z, int position,
                                            int slope) const {
    const Real at = tile.load(columns.v[position]);
    if constexpr (FixedTime) return convert<Double>(fma(tile.load(columns.v[slope]), z, at));
    return convert<Double>(at);
  }
};

// Deposit ---------------------------------------------------------------------------------------

/// Adds counts to a node: of one thread, or of many.
template <bool Atomic>
struct AddCounts {
  KOKKOS_FORCEINLINE_FUNCTION static void add(std::int64_t* node, std::int64_t count) {
    if constexpr (Atomic)
      Kokkos::atomic_fetch_add(node, count);
    else
      *node += count;
  }
};

/// Shares the counts of particles between the eight nodes around each.
template <class Real>
struct DepositInSpace {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  static constexpr int n_parts = 8;

  GridParticles<Real, true> particles;
  GridShape shape;
  GridAxis x_axis, y_axis, z_axis;
  double unit;  ///< counts of a particle

  KOKKOS_FUNCTION int size() const { return shape.nodes(); }

  template <bool Atomic>
  KOKKOS_FORCEINLINE_FUNCTION void deposit(const Tile<Real>& tile, std::int64_t* counts) const {
    const Real along = particles.z(tile);
    const GridPlace<Double> px(x_axis, particles.across(tile, along, x, xp));
    const GridPlace<Double> py(y_axis, particles.across(tile, along, y, yp));
    const GridPlace<Double> pz(z_axis, convert<Double>(along));
    const double row = shape.z, plane = double(shape.y) * shape.z;
    const auto first = as_index(fma(px.node, Double(plane), fma(py.node, Double(row), pz.node)));
    const auto next = [](const Double& whole, const GridPlace<Double>& p) {
      return rint(whole * p.fraction);
    };
    const Double all(unit), x1 = next(all, px), x0 = all - x1;
    const Double y01 = next(x0, py), y00 = x0 - y01, y11 = next(x1, py), y10 = x1 - y11;
    const Double z001 = next(y00, pz), z011 = next(y01, pz), z101 = next(y10, pz),
                 z111 = next(y11, pz);
    const Double parts[n_parts] = {y00 - z001, z001, y01 - z011, z011,
                                   y10 - z101, z101, y11 - z111, z111};
    std::int64_t own[n_parts][width_of<Real>];
    for (int part = 0; part < n_parts; ++part) store(own[part], as_index(parts[part]));
    for (int lane = 0; lane < tile.count; ++lane) {
      std::int64_t* const node = counts + extract(first, lane);
      for (int part = 0; part < n_parts; ++part)
        AddCounts<Atomic>::add(
            node + (part >> 2) * shape.y * shape.z + (part >> 1 & 1) * shape.z + (part & 1),
            own[part][lane]);
    }
  }
};

/// Shares the counts of particles between the four nodes around each in x and y, and between the
/// two nodes along the bunch; the nodes of the line come after those of the grid.
template <class Real>
struct DepositInProjection {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  static constexpr int n_parts = 6;

  GridParticles<Real, false> particles;
  GridShape shape;  ///< x and y, without a middle axis
  GridAxis x_axis, y_axis, z_axis;
  int line_nodes;
  double unit;  ///< counts of a particle

  KOKKOS_FUNCTION int size() const { return shape.nodes() + line_nodes; }

  template <bool Atomic>
  KOKKOS_FORCEINLINE_FUNCTION void deposit(const Tile<Real>& tile, std::int64_t* counts) const {
    const Real along = particles.z(tile);
    const GridPlace<Double> px(x_axis, particles.across(tile, along, x, xp));
    const GridPlace<Double> py(y_axis, particles.across(tile, along, y, yp));
    const GridPlace<Double> pz(z_axis, convert<Double>(along));
    const double row = shape.z;
    const auto first = as_index(fma(px.node, Double(row), py.node));
    const auto of_line = as_index(pz.node);
    const Double all(unit), x1 = rint(all * px.fraction), x0 = all - x1;
    const Double y01 = rint(x0 * py.fraction), y11 = rint(x1 * py.fraction);
    const Double z1 = rint(all * pz.fraction);
    const Double parts[n_parts] = {x0 - y01, y01, x1 - y11, y11, all - z1, z1};
    std::int64_t own[n_parts][width_of<Real>];
    for (int part = 0; part < n_parts; ++part) store(own[part], as_index(parts[part]));
    for (int lane = 0; lane < tile.count; ++lane) {
      std::int64_t* const node = counts + extract(first, lane);
      std::int64_t* const line = counts + shape.nodes() + extract(of_line, lane);
      for (int part = 0; part < 4; ++part)
        AddCounts<Atomic>::add(node + (part >> 1) * shape.z + (part & 1), own[part][lane]);
      AddCounts<Atomic>::add(line, own[4][lane]);
      AddCounts<Atomic>::add(line + 1, own[5][lane]);
    }
  }
};

/// Deposits of one thread each, on hosts: a part of the particles in a row of counts.
template <class Real, class Deposit>
struct DepositRows {
  Deposit deposit;
  std::int64_t* rows;
  int n, per_row;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver) const {
    const TeamLanes<Real, Member> team(member);
    const int begin = member.league_rank() * per_row;
    const int items = n - begin < per_row ? n - begin : per_row;
    std::int64_t* const row = rows + std::int64_t(member.league_rank()) * deposit.size();
    team.template for_each<int>(deposit.size(), [&](Tile<int> i) { row[i.first] = 0; });
    team.barrier();
    team.for_each(items, [&](const Tile<Real>& tile) {
      deposit.template deposit<false>(Tile<Real>{begin + tile.first, tile.count}, row);
    });
  }
};

/// Sums of the rows.
struct AddDepositRows {
  const std::int64_t* rows;
  std::int64_t* counts;
  int n_rows, size;

  KOKKOS_FUNCTION void operator()(int i) const {
    std::int64_t sum = 0;
    for (int row = 0; row < n_rows; ++row) sum += rows[std::int64_t(row) * size + i];
    counts[i] = sum;
  }
};

/// Deposits of all threads of a device in the same counts.
template <class Real, class Deposit>
struct DepositAtomically {
  Deposit deposit;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    deposit.template deposit<true>(tile, counts);
  }
};

}  // namespace trackplex::beam::detail
