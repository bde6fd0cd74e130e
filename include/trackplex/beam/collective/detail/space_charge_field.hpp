// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/space_charge_particles.hpp>
#include <trackplex/beam/collective/smoothing.hpp>
#include <trackplex/core/bessel.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/real_fft.hpp>
#include <trackplex/histogram/deposit_params.hpp>

#include <cstddef>
#include <numbers>

namespace trackplex::beam::detail {

/// Inputs, other than the particles, of the field of one step.
struct SpaceChargeBeam {
  double p0;
  double mass_per_charge;  ///< relative to electrons
  double particle_charge;  ///< C
  double radius_factor;
  double length_left;  ///< m, the step's length at most
  bool whole_length;   ///< the step has the length `length_left`, regardless of plasma oscillations
  bool first;          ///< the sums are about the first particle, not the last step's mean
  double n;            ///< particles
};

/// One team: from the counts to the length of the step and the kick in each bin. All in double
/// precision; the kicks have the precision of the particles.
template <class T, class Real, class MemorySpace>
struct SpaceChargeField {
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;

  RealFft<MemorySpace> fft;
  Array<double> frequency_weights;  ///< 0 where nothing passes
  Array<double> smoothing;          ///< weights; none: no smoothing
  Array<int> counts;
  Array<histogram::OutsideCounts> outside;
  Array<double> spreads;
  Array<double> current;        ///< of each bin, A
  Array<double> voltage;        ///< in the centre of each bin and one more, V
  Array<T> kicks;               ///< the same as changes of gamma/p0
  Array<SpaceChargeStep> step;  ///< one
  const T* x;
  const T* y;
  SpaceChargeBeam beam;

  static constexpr int n_maxima = 64;

  struct Scratch {
    typename RealFft<MemorySpace>::Scratch fft;
    double* numbers;  ///< of particles in bins, then voltages
    ComplexArray spectrum;
    double* maxima;
    SpaceChargeStep* step;

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int bins)
        : fft(carver, bins),
          numbers(carver.take<double>(bins)),
          spectrum{carver.take<double>(bins / 2 + 1), carver.take<double>(bins / 2 + 1)},
          maxima(carver.take<double>(n_maxima)),
          step(carver.take<SpaceChargeStep>(1)) {}
  };

  KOKKOS_FUNCTION int bins() const { return fft.size(); }

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, bins());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch(carver, bins());
    fill_bins(team, scratch);
    team.single([&] {
      *scratch.step = step_of(scratch);
      step(0) = *scratch.step;
    });
    team.barrier();
    const bool has_field = scratch.step->status == SpaceChargeStatus::ok;
    if (has_field) {
      fft.forward(team, scratch.fft, scratch.numbers, scratch.spectrum);
      apply_impedance(team, scratch);
      fft.inverse(team, scratch.fft, scratch.spectrum, scratch.numbers);
    }
    write_field(team, scratch, has_field);
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void fill_bins(const Team& team, const Scratch& scratch) const {
    const int half_width = int(smoothing.extent(0)) / 2;
    team.for_each(bins(), [&](Tile<Real> tile) {
      tile.store(scratch.numbers, half_width > 0 ? smoothed(tile, counts.data(), bins(),
                                                            smoothing.data(), half_width)
                                                 : tile.load(counts.data()));
    });
    team.barrier();
    team.template for_each<int>(n_maxima, [&](Tile<int> i) {
      double most = 0.;
      for (int bin = i.first; bin < bins(); bin += n_maxima) most = max(most, scratch.numbers[bin]);
      scratch.maxima[i.first] = most;
    });
    team.barrier();
  }

  /// Called by one thread.
  KOKKOS_FUNCTION SpaceChargeStep step_of(const Scratch& scratch) const {
    double most = 0.;
    for (int i = 0; i < n_maxima; ++i) most = max(most, scratch.maxima[i]);
    const double first = spreads(0), range = spreads(1) - first;
    SpaceChargeStep now;
    now.first_delay = first;
    now.bins_per_metre = bins_per_metre(first, spreads(1), bins());
    now.bin_width = range / (bins() - 3);
    const SpaceChargeStep& before = step(0);
    const double mean_dx = spreads(2) / beam.n, mean_dy = spreads(4) / beam.n;
    now.mean_x = (beam.first ? double(x[0]) : before.mean_x) + mean_dx;
    now.mean_y = (beam.first ? double(y[0]) : before.mean_y) + mean_dy;
    now.radius = 0.5 * beam.radius_factor *
                 (rms(spreads(3) / beam.n, mean_dx) + rms(spreads(5) / beam.n, mean_dy));
    now.peak_current = most * beam.particle_charge * constants::speed_of_light / now.bin_width;
    now.wave_number =
        2. / now.radius *
        sqrt(now.peak_current / (beam.p0 * beam.p0 * beam.p0 * constants::elegant::alfven_current *
                                 beam.mass_per_charge));
    const double oscillation = 0.1 / now.wave_number;
    now.length =
        beam.whole_length || !(oscillation < beam.length_left) ? beam.length_left : oscillation;
    now.status = status_of(now, range);
    return now;
  }

  KOKKOS_FUNCTION static double rms(double mean_square, double mean) {
    return sqrt(max(mean_square - mean * mean, 0.));
  }

  KOKKOS_FUNCTION SpaceChargeStatus status_of(const SpaceChargeStep& now, double range) const {
    if (now.radius == 0.) return SpaceChargeStatus::no_radius;
    if (range == 0.) return SpaceChargeStatus::no_duration;
    constexpr double large = 1e300;
    const bool finite = range < large && now.radius < large && now.peak_current < large &&
                        now.wave_number < large && now.length > 0.;
    return finite && outside(0).total() == 0 ? SpaceChargeStatus::ok
                                             : SpaceChargeStatus::not_finite;
  }

  /// V_k = -i I_k Z_k, with the impedance of a round beam in free space: M. Venturini, Phys. Rev.
  /// ST Accel. Beams 11 (2008) 034401; Z. Huang et al., 7 (2004) 074401.
  template <class Team>
  KOKKOS_FUNCTION void apply_impedance(const Team& team, const Scratch& scratch) const {
    using Index = ScalarOf<IntegerOf<Real>>;
    const SpaceChargeStep& now = *scratch.step;
    constexpr double pi = std::numbers::pi;
    const double unit = 2. * pi / (bins() * now.bin_width);  // of wave numbers
    const double of_particle =                               // its current in a bin
        beam.particle_charge * constants::speed_of_light / (now.bin_width * bins());
    const double factor = of_particle * (constants::free_space_impedance * now.length /
                                         (pi * now.radius * now.radius * unit));
    const Real radius_of_unit(unit * now.radius / beam.p0);
    team.for_each(fft.n_frequencies(), [&](Tile<Real> tile) {
      // frequency 0 has no weight
      const Real k = convert<Real>(max(tile.index(), IntegerOf<Real>(Index(1))));
      const Real z = Real(factor) * one_minus_x_bessel_k1(k * radius_of_unit) / k;
      const Real weighted = z * tile.load(frequency_weights.data());
      const Real re = tile.load(scratch.spectrum.re), im = tile.load(scratch.spectrum.im);
      tile.store(scratch.spectrum.re, weighted * im);
      tile.store(scratch.spectrum.im, -(weighted * re));
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void write_field(const Team& team, const Scratch& scratch, bool has_field) const {
    const double per_volt =
        -1. / (constants::elegant::electron_mass * 1e6 * beam.mass_per_charge * beam.p0);
    const double current_of_one =
        has_field ? beam.particle_charge * constants::speed_of_light / scratch.step->bin_width : 0.;
    const int half_width = int(smoothing.extent(0)) / 2;
    team.for_each(bins(), [&](Tile<Real> tile) {
      const Real volts = has_field ? tile.load(scratch.numbers) : Real(0);
      const Real number = half_width > 0
                              ? smoothed(tile, counts.data(), bins(), smoothing.data(), half_width)
                              : tile.load(counts.data());
      tile.store(current.data(), number * Real(current_of_one));
      tile.store(voltage.data(), volts);
      tile.store(kicks.data(), convert<Rebind<Real, T>>(volts * Real(per_volt)));
    });
    team.single([&] {
      voltage(bins()) = 0.;
      kicks(bins()) = T(0);
    });
  }
};

}  // namespace trackplex::beam::detail
