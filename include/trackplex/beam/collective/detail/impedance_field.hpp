// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/smoothing.hpp>
#include <trackplex/core/real_fft.hpp>

#include <cstddef>

namespace trackplex::beam::detail {

/// One team: from the counts of a bunch in bins to the voltage of an impedance there, in double
/// precision, and to its kicks in that of the particles.
template <class T, class Real, class MemorySpace>
struct ImpedanceField {
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;

  RealFft<MemorySpace> fft;
  Array<double> real, imaginary;  ///< impedance at each frequency, Ohm
  Array<double> smoothing;        ///< weights; none: no smoothing
  Array<int> counts;
  Array<double> voltage;  ///< V
  Array<T> kicks;         ///< changes of gamma/p0, and one more
  double current;         ///< of a particle in a bin over the number of bins, A
  double kicks_per_volt;

  struct Scratch {
    typename RealFft<MemorySpace>::Scratch fft;
    double* numbers;  ///< of particles in bins, then voltages
    ComplexArray spectrum;

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int bins)
        : fft(carver, bins),
          numbers(carver.take<double>(bins)),
          spectrum{carver.take<double>(bins / 2 + 1), carver.take<double>(bins / 2 + 1)} {}
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
    const int half_width = int(smoothing.extent(0)) / 2;
    team.for_each(bins(), [&](Tile<Real> tile) {
      tile.store(scratch.numbers, half_width > 0 ? smoothed(tile, counts.data(), bins(),
                                                            smoothing.data(), half_width)
                                                 : tile.load(counts.data()));
    });
    team.barrier();
    fft.forward(team, scratch.fft, scratch.numbers, scratch.spectrum);
    team.for_each(fft.n_frequencies(), [&](Tile<Real> tile) {
      const Real re = Real(current) * tile.load(scratch.spectrum.re);
      const Real im = Real(current) * tile.load(scratch.spectrum.im);
      const Real z_re = tile.load(real.data()), z_im = tile.load(imaginary.data());
      tile.store(scratch.spectrum.re, fma(re, z_re, -(im * z_im)));
      tile.store(scratch.spectrum.im, fma(re, z_im, im * z_re));
    });
    team.barrier();
    fft.inverse(team, scratch.fft, scratch.spectrum, scratch.numbers);
    team.for_each(bins(), [&](Tile<Real> tile) {
      const Real volts = tile.load(scratch.numbers);
      tile.store(voltage.data(), volts);
      tile.store(kicks.data(), convert<Rebind<Real, T>>(volts * Real(kicks_per_volt)));
    });
    team.single([&] { kicks(bins()) = T(0); });
  }
};

}  // namespace trackplex::beam::detail
