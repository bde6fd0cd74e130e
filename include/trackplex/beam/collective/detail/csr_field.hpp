// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// From the numbers of particles in bins to the changes of energy by coherent radiation.

#include <trackplex/beam/collective/smoothing.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/histogram/deposit_params.hpp>

#include <cstddef>

namespace trackplex::beam::detail {

/// Bins of delays: the range of a bunch, wider by a factor about its middle.
struct CsrGrid {
  double lower = 0.;      ///< edge of the first bin, m
  double width = 0.;      ///< of a bin, m
  double per_width = 0.;  ///< 0: there is no field
};

KOKKOS_INLINE_FUNCTION CsrGrid csr_grid(double first, double last, double factor, int bins) {
  const double half = 0.5 * (last - first) * factor;
  return {0.5 * (first + last) - half, 2. * half / bins, bins / (2. * half)};
}

/// Positions of delays in units of bins; NaN where the delay is.
template <class Real>
struct CsrPositions {
  using T = ScalarOf<Real>;
  const T* delays;
  const double* range;
  double factor;
  int bins;

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Tile<Real>& tile) const {
    const CsrGrid grid = csr_grid(range[0], range[1], factor, bins);
    return (tile.load(delays) - Real(T(grid.lower))) * Real(T(grid.per_width));
  }
};

/// Density of particles along a bunch: 1/m, and its derivative with respect to the number of the
/// bin. After the last bin there are zeros.
struct CsrDensity {
  static constexpr int margin = 16;  ///< lanes, at most
  const double* density;
  const double* derivative;
  double width;  ///< of a bin, m
  int bins;
};

/// Returns x^(-1/3).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real inverse_cube_root(const Real& x) {
  return exp(log(x) * Real(-1. / 3.));
}

/// Returns the density at the distance of some bins, 0 beyond the last one.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real density_ahead(const CsrDensity& of, const Tile<Real>& tile,
                                               int distance) {
  const int first = tile.first + distance;
  return first < of.bins ? load<Real>(of.density + first) : Real(0);
}

/// Sum of the derivative at the distances k = 1 to `most` bins, with weights, as far as there are
/// bins; where it has several terms (`least` or more), less shares of the first and last ones.
struct SumAhead {
  const double* weights;  ///< [k]
  int most;
  double first_share, last_share;
  int least;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const CsrDensity& of, const Tile<Real>& tile) const {
    using Index = IntegerOf<Real>;
    using I = ScalarOf<Index>;
    const int end = min(most, of.bins - 1 - tile.first);
    Real sum(0);
    if (end < 1) return sum;
    for (int k = 1; k <= end; ++k)
      sum = fma(Real(weights[k]), load<Real>(of.derivative + (tile.first + k)), sum);
    const Index left = Index(I(of.bins - 1)) - tile.index();
    const Index terms = min(Index(I(most)), left);
    const Real first = Real(weights[1]) * load<Real>(of.derivative + (tile.first + 1));
    const Real last =
        gather<Real>(weights, terms) * gather<Real>(of.derivative, tile.index() + terms);
    const Real less = fma(Real(last_share), last, Real(first_share) * first);
    return select(terms >= Index(I(least)), sum - less, sum);
  }
};

/// Coherent radiation inside a bend, after a slice of it.
struct RadiationInBend {
  const double* inverse_cube_roots;  ///< k^(-1/3) at k
  double factor;                     ///< of gamma/p0: K times the length of the slice
  double slippage;                   ///< rho phi^3/24, m
  double per_slippage;               ///< slippage^(-1/3)
  bool is_steady;

  KOKKOS_FUNCTION static int scratch_weights(int) { return 0; }

  template <class Real, class Team>
  KOKKOS_FUNCTION void prepare(const Team&, const CsrGrid&, int, double*) const {}

  template <class Real>
  KOKKOS_FUNCTION Real kick(const Tile<Real>& tile, const CsrDensity& of, const double*) const {
    const double bins = of.bins;
    const int near = int(min(slippage / of.width, bins));
    const int far = int(min(4. * slippage / of.width, bins));
    const Real root(inverse_cube_root(of.width));
    const SumAhead sum{inverse_cube_roots, is_steady ? of.bins : near, is_steady ? 0.5 : 0.25, 0.5,
                       is_steady ? 1 : 2};
    Real s = sum(of, tile) * root;
    if (is_steady || near > 0) {
      // The end of the integral at the particle itself, w^(2/3)/w = w^(-1/3), where there is a
      // further bin
      const Real here = tile.load(of.derivative);
      const Real next = load<Real>(of.derivative + (tile.first + 1));
      const Real at = convert<Real>(tile.index());
      const Real end = Real(0.3) * root * fma(Real(2.), next, Real(3.) * here);
      s = select(at < Real(bins - 1.), s + end, s);
    }
    if (is_steady) return Real(factor) * s;
    const Real u = density_ahead(of, tile, near) - density_ahead(of, tile, far);
    return Real(factor) * fma(-u, Real(per_slippage), s);
  }
};

/// Coherent radiation after a bend: G. Stupakov and P. Emma, Proc. EPAC 2002, 1479.
struct RadiationBehindBend {
  double factor;  ///< of gamma/p0: -4 G dz/rho
  double radius;  ///< m
  double angle;   ///< of the bend
  double x;       ///< distance after the bend over the radius

  KOKKOS_FUNCTION static int scratch_weights(int bins) { return bins; }

  KOKKOS_FUNCTION double max_slippage() const {
    return radius * angle * angle * angle * (angle + 4. * x) / (24. * (angle + x));
  }
  KOKKOS_FUNCTION int terms(double width, int bins) const {
    return int(min(max_slippage() / width, bins - 1.));
  }

  /// Weights 1/(phi + 2 x), where a slippage of k bins is that of the angle phi. Newton's method
  /// for the positive root of phi^4 + 4 x phi^3 - 24 y (phi + x), y = k w/rho, converges from
  /// above, and (24 y)^(1/3) is above it, by 1.6 at most.
  template <class Real, class Team>
  KOKKOS_FUNCTION void prepare(const Team& team, const CsrGrid& grid, int bins,
                               double* weights) const {
    team.for_each(terms(grid.width, bins) + 1, [&](Tile<Real> tile) {
      const Real k = max(convert<Real>(tile.index()), Real(1));
      const Real y24 = k * Real(24. * grid.width / radius), x4(4. * x);
      Real phi = Real(1) / inverse_cube_root(y24);
      for (int i = 0; i < 8; ++i) {
        const Real phi2 = phi * phi;
        const Real f = fma(phi2 * phi, phi + x4, -(y24 * (phi + Real(x))));
        const Real slope = fma(phi2, fma(Real(4), phi, Real(3) * x4), -y24);
        phi -= f / slope;
      }
      tile.store(weights, Real(1) / (phi + Real(2. * x)));
    });
  }

  template <class Real>
  KOKKOS_FUNCTION Real kick(const Tile<Real>& tile, const CsrDensity& of,
                            const double* weights) const {
    const double bins = of.bins, far = radius * angle * angle * (angle + 3. * x) / (6. * of.width);
    const Real ends = density_ahead(of, tile, int(min(max_slippage() / of.width, bins))) -
                      density_ahead(of, tile, int(min(far, bins)));
    const SumAhead sum{weights, terms(of.width, of.bins), 0.5, 0.5, 1};
    return Real(factor) * (ends / Real(angle + 2. * x) - sum(of, tile));
  }
};

/// Arrays of the field of a bunch.
template <class MemorySpace>
struct CsrArrays {
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;
  Array<int> counts;
  Array<histogram::OutsideCounts> outside;
  Array<double> range;       ///< first and last delay, m
  Array<double> smoothing;   ///< weights; none: no smoothing
  Array<double> derivative;  ///< weights
};

/// One team: from the counts to the changes of gamma/p0 in bins.
template <class T, class Real, class MemorySpace, class Radiation>
struct CsrField {
  CsrArrays<MemorySpace> of;
  Radiation radiation;
  double range_factor;
  int bins;
  CsrGrid* grid;  ///< result
  T* kicks;       ///< result

  static constexpr int n_sums = 64;

  struct Scratch {
    double* density;
    double* derivative;
    double* weights;
    double* sums;
    double* scale;

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int bins)
        : density(carver.take<double>(bins + CsrDensity::margin)),
          derivative(carver.take<double>(bins + CsrDensity::margin)),
          weights(carver.take<double>(Radiation::scratch_weights(bins))),
          sums(carver.take<double>(n_sums)),
          scale(carver.take<double>(1)) {}
  };

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, bins);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch(carver, bins);
    CsrGrid now = csr_grid(of.range(0), of.range(1), range_factor, bins);
    const bool has_field = now.width > 0. && now.width < 1e300;
    if (!has_field) now.per_width = 0.;
    team.single([&] { *grid = now; });
    if (!has_field) {
      team.for_each(bins,
                    [&](Tile<Real> tile) { tile.store(kicks, convert<Rebind<Real, T>>(Real(0))); });
      return;
    }
    fill(team, scratch, now.width);
    radiation.template prepare<Real>(team, now, bins, scratch.weights);
    team.barrier();
    const CsrDensity density{scratch.density, scratch.derivative, now.width, bins};
    team.for_each(bins, [&](Tile<Real> tile) {
      tile.store(kicks, convert<Rebind<Real, T>>(radiation.kick(tile, density, scratch.weights)));
    });
  }

 private:
  /// Density and derivative; smoothed, the sum over the bins stays what it was.
  template <class Team>
  KOKKOS_FUNCTION void fill(const Team& team, const Scratch& scratch, double width) const {
    const int half_width = int(of.smoothing.extent(0)) / 2;
    const auto filtered = [&](const Tile<Real>& tile, const auto* values, const auto& weights) {
      return smoothed(tile, values, bins, weights.data(), int(weights.extent(0)) / 2);
    };
    team.for_each(bins, [&](Tile<Real> tile) {
      tile.store(scratch.density, half_width > 0 ? filtered(tile, of.counts.data(), of.smoothing)
                                                 : tile.load(of.counts.data()));
    });
    team.barrier();
    double scale = 1. / width;
    if (half_width > 0) {
      const double before = sum_of_bins(team, scratch, of.counts.data());
      scale *= before / sum_of_bins(team, scratch, scratch.density);
    }
    team.for_each(bins, [&](Tile<Real> tile) {
      tile.store(scratch.density, tile.load(scratch.density) * Real(scale));
    });
    team.barrier();
    team.for_each(bins, [&](Tile<Real> tile) {
      tile.store(scratch.derivative, filtered(tile, scratch.density, of.derivative));
    });
    team.template for_each<int>(CsrDensity::margin, [&](Tile<int> i) {
      scratch.density[bins + i.first] = scratch.derivative[bins + i.first] = 0.;
    });
    team.barrier();
  }

  template <class Team, class Value>
  KOKKOS_FUNCTION double sum_of_bins(const Team& team, const Scratch& scratch,
                                     const Value* values) const {
    team.template for_each<int>(n_sums, [&](Tile<int> i) {
      double sum = 0.;
      for (int bin = i.first; bin < bins; bin += n_sums) sum += values[bin];
      scratch.sums[i.first] = sum;
    });
    team.barrier();
    team.single([&] {
      double sum = 0.;
      for (int i = 0; i < n_sums; ++i) sum += scratch.sums[i];
      *scratch.scale = sum;
    });
    team.barrier();
    const double sum = *scratch.scale;
    team.barrier();
    return sum;
  }
};

}  // namespace trackplex::beam::detail
