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

/// Stores the third coordinate of particles on the grid. In three dimensions the field acts at the
/// time at which the reference particle is at the element: each particle has gone along its slopes
/// for its delay, and is at z along the axis, positive in front. In the projection the field acts
/// where the element is, and the third coordinate is the delay.
template <class Real, bool FixedTime>
struct StorePlaces {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  T* along;
  ArrivalTimes<T> times;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_extents> operator()(
      const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    Particle<Real> v = columns.load(tile);
    Real third = times.delay(v[s], v[delta]);
    if constexpr (FixedTime) {
      const Real one(1), u = one + v[delta], g = times.energy(u);
      const Real way = sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
      third = -(third * u) / (g * way);
      v[x] = fma(v[xp], third, v[x]);
      v[y] = fma(v[yp], third, v[y]);
    }
    tile.store(along, third);
    return extents_of(convert<Double>(v[x]), convert<Double>(v[y]), convert<Double>(third));
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

  /// Part of a whole number of counts for the next node.
  KOKKOS_FORCEINLINE_FUNCTION Double share(const Double& counts) const {
    return rint(counts * fraction);
  }
};

/// Places of particles on the three axes.
template <class Double>
struct GridPlaces {
  GridPlace<Double> x, y, z;
};

/// Node below particles: without a middle axis the grid is that of x and y.
template <class Double>
KOKKOS_FORCEINLINE_FUNCTION auto node_below(const GridShape& shape, const GridPlaces<Double>& at) {
  const Double row(double(shape.z));
  if (!shape.has_middle()) return as_index(fma(at.x.node, row, at.y.node));
  const Double plane(double(shape.y) * shape.z);
  return as_index(fma(at.x.node, plane, fma(at.y.node, row, at.z.node)));
}

/// Particles of which the third coordinates are stored, and the axes of their grid.
template <class Real, bool FixedTime>
struct GridParticles {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  const T* along;
  GridAxis x_axis, y_axis, z_axis;

  KOKKOS_FORCEINLINE_FUNCTION GridPlaces<Double> operator()(const Tile<Real>& tile) const {
    const Real third = tile.load(along);
    return {{x_axis, across(tile, third, x, xp)},
            {y_axis, across(tile, third, y, yp)},
            {z_axis, convert<Double>(third)}};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Double across(const Tile<Real>& tile, const Real& z, int position,
                                            int slope) const {
    const Real at = tile.load(columns.v[position]);
    if constexpr (FixedTime) return convert<Double>(fma(tile.load(columns.v[slope]), z, at));
    return convert<Double>(at);
  }
};

// Deposit ---------------------------------------------------------------------------------------

/// Adds shares of each particle of a tile to nodes: share i to the node at the place `first` plus
/// `distance(i)`. Atomically if other threads add to the same nodes.
template <bool Atomic, int n_shares, class Real, class Double, class Index, class Distance>
KOKKOS_FORCEINLINE_FUNCTION void add_shares(const Tile<Real>& tile,
                                            const Double (&shares)[n_shares], std::int64_t* nodes,
                                            const Index& first, const Distance& distance) {
  std::int64_t counts[n_shares][width_of<Real>];
  for (int i = 0; i < n_shares; ++i) store(counts[i], as_index(shares[i]));
  for (int lane = 0; lane < tile.count; ++lane) {
    std::int64_t* const node = nodes + extract(first, lane);
    for (int i = 0; i < n_shares; ++i) {
      if constexpr (Atomic)
        Kokkos::atomic_fetch_add(node + distance(i), counts[i][lane]);
      else
        node[distance(i)] += counts[i][lane];
    }
  }
}

/// Shares the counts of particles between the eight nodes around each.
template <class Real>
struct DepositInSpace {
  using Double = Rebind<Real, double>;

  GridParticles<Real, true> particles;
  GridShape shape;
  double unit;  ///< counts of a particle

  KOKKOS_FUNCTION int size() const { return shape.nodes(); }

  template <bool Atomic>
  KOKKOS_FORCEINLINE_FUNCTION void deposit(const Tile<Real>& tile, std::int64_t* counts) const {
    const GridPlaces<Double> at = particles(tile);
    const Double all(unit), x1 = at.x.share(all), x0 = all - x1;
    const Double y01 = at.y.share(x0), y00 = x0 - y01, y11 = at.y.share(x1), y10 = x1 - y11;
    const Double z001 = at.z.share(y00), z011 = at.z.share(y01), z101 = at.z.share(y10),
                 z111 = at.z.share(y11);
    const Double shares[] = {y00 - z001, z001, y01 - z011, z011,
                             y10 - z101, z101, y11 - z111, z111};
    const int row = shape.z, plane = shape.y * shape.z;
    add_shares<Atomic>(tile, shares, counts, node_below(shape, at),
                       [=](int i) { return (i >> 2) * plane + (i >> 1 & 1) * row + (i & 1); });
  }
};

/// Shares the counts of particles between the four nodes around each in x and y, and between the
/// two nodes along the bunch; the nodes of the line come after those of the grid.
template <class Real>
struct DepositInProjection {
  using Double = Rebind<Real, double>;

  GridParticles<Real, false> particles;
  GridShape shape;  ///< x and y, without a middle axis
  int line_nodes;
  double unit;  ///< counts of a particle

  KOKKOS_FUNCTION int size() const { return shape.nodes() + line_nodes; }

  template <bool Atomic>
  KOKKOS_FORCEINLINE_FUNCTION void deposit(const Tile<Real>& tile, std::int64_t* counts) const {
    const GridPlaces<Double> at = particles(tile);
    const Double all(unit), x1 = at.x.share(all), x0 = all - x1;
    const Double y01 = at.y.share(x0), y11 = at.y.share(x1), z1 = at.z.share(all);
    const Double shares[] = {x0 - y01, y01, x1 - y11, y11}, along[] = {all - z1, z1};
    const int row = shape.z;
    add_shares<Atomic>(tile, shares, counts, node_below(shape, at),
                       [=](int i) { return (i >> 1) * row + (i & 1); });
    add_shares<Atomic>(tile, along, counts + shape.nodes(), as_index(at.z.node),
                       [](int i) { return i; });
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
