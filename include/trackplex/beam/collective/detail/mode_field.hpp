// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Phasors of modes of cavities, and the voltages that they have along a binned bunch.

#include <trackplex/beam/collective/resonator.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

namespace trackplex::beam::detail {

/// Columns of modes: their decay and rotation over c times the time, what a charge adds to their
/// phasors, and the phasors at the centre of the last bin.
struct ModeColumns {
  const double* cycles;          ///< per metre
  const double* decay;           ///< 1/m
  const double* real_loss;       ///< V/C; of deflecting modes V/C/m
  const double* imaginary_loss;  ///< the same
  double* real;                  ///< V
  double* imaginary;             ///< V
};

/// A complex number of each mode.
template <class Real>
struct Phasor {
  Real re, im;

  /// Returns exp(i omega t - t/tau) of a time t, m; whole cycles are subtracted exactly.
  KOKKOS_FORCEINLINE_FUNCTION static Phasor over(const Real& t, const Real& cycles,
                                                 const Real& decay) {
    const Real fraction = fma(cycles, t, -rint(cycles * t));
    const auto turned = sincos(fraction * Real(2. * std::numbers::pi));
    const Real left = exp(-(decay * t));
    return {left * turned.cos, left * turned.sin};
  }
  KOKKOS_FORCEINLINE_FUNCTION Phasor operator*(const Phasor& by) const {
    return {fma(re, by.re, -(im * by.im)), fma(re, by.im, im * by.re)};
  }
};

/// Passes a bunch: modes are advanced from bin to bin, and their phasors seen by each bin stored.
/// Half of what a bin adds acts on itself (fundamental theorem of beam loading).
template <class Real, class Integer>
struct RingModes {
  ModeColumns modes;
  const Integer* numbers;  ///< of charges in bins, `stride` apart
  int stride;
  double charge;      ///< of a number of 1, C; of deflecting modes C m
  double gap, width;  ///< from the last phasors to the first bin, and of bins, m
  int bins, n_modes;
  bool forget, earlier_only;
  double* seen_real;       ///< of bin and mode
  double* seen_imaginary;  ///< the same; null: not stored

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real zero(0), half(0.5), cycles = tile.load(modes.cycles), decay = tile.load(modes.decay);
    const Real real_loss = tile.load(modes.real_loss);
    const Real imaginary_loss = tile.load(modes.imaginary_loss);
    const auto step = Phasor<Real>::over(Real(width), cycles, decay);
    Phasor<Real> v{zero, zero}, own{zero, zero};
    if (!forget)
      v = Phasor<Real>{tile.load(modes.real), tile.load(modes.imaginary)} *
          Phasor<Real>::over(Real(gap), cycles, decay);
    for (int bin = 0; bin < bins; ++bin) {
      const Real q(double(numbers[std::ptrdiff_t(bin) * stride]) * charge);
      const Real re = q * real_loss, im = q * imaginary_loss;
      const Real self = earlier_only ? zero : half;
      const std::ptrdiff_t at = std::ptrdiff_t(bin) * n_modes;
      tile.store(seen_real + at, fma(-self, re, v.re));
      if (seen_imaginary) tile.store(seen_imaginary + at, fma(-self, im, v.im));
      Phasor<Real>& to = earlier_only ? own : v;
      to = {to.re - re, to.im - im};
      if (bin + 1 == bins) break;
      v = v * step;
      own = own * step;
    }
    tile.store(modes.real, v.re + own.re);
    tile.store(modes.imaginary, v.im + own.im);
  }
};

/// Sums of modes in bins, in the order of the modes, each times a weight if there are weights.
template <class Real>
struct SumModes {
  const double* seen;  ///< of bin and mode
  const double* weights;
  int n_modes;

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Tile<Real>& tile) const {
    using Index = IntegerOf<Real>;
    using I = ScalarOf<Index>;
    const Index first = tile.index() * Index(I(n_modes));
    Real sum(0);
    for (int mode = 0; mode < n_modes; ++mode) {
      const Real v = gather<Real>(seen, first + Index(I(mode)));
      sum = weights ? fma(v, Real(weights[mode]), sum) : sum + v;
    }
    return sum;
  }
};

/// Voltage of a bin, and the kick that it is.
template <class Real, class T>
struct StoreModes {
  SumModes<Real> sum;
  double kicks_per_volt;
  double* voltage;
  T* kicks;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real v = sum(tile);
    tile.store(voltage, v);
    tile.store(kicks, convert<Rebind<Real, T>>(v * Real(kicks_per_volt)));
  }
};

/// Rates of a resonator over c times the time.
struct ModeRates {
  double cycles, decay;  ///< 1/m
  double ringing;        ///< quality factor of the ringing, sqrt(Q_L^2 - 1/4)
  double loss;           ///< 2 k = omega R_s/Q, V/C or V/C/m

  explicit ModeRates(const Resonator& of) {
    const double loaded = of.loaded_quality(), omega = 2. * std::numbers::pi * of.frequency;
    ringing = std::sqrt(loaded * loaded - 0.25);
    cycles = of.frequency * (ringing / loaded) / constants::speed_of_light;
    decay = omega / (2. * loaded) / constants::speed_of_light;
    loss = omega * of.shunt / of.quality;
  }
};

/// Modes of one plane in memory, with what they do to the bins of the last bunch.
template <class T, class MemorySpace>
class ModeField {
 public:
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;

  Array<double> voltage;  ///< V
  Array<T> kicks;         ///< one more than bins

  ModeField() = default;
  /// @param losses  what a charge of 1 C takes from the phasors, V/C or V/C/m
  template <class ExecutionSpace>
  ModeField(const ExecutionSpace& exec, const std::vector<ModeRates>& rates,
            const std::vector<std::complex<double>>& losses, int bins, bool with_imaginary)
      : n_modes_(int(rates.size())) {
    std::vector<double> columns[4];
    for (std::size_t i = 0; i < rates.size(); ++i) {
      columns[0].push_back(rates[i].cycles);
      columns[1].push_back(rates[i].decay);
      columns[2].push_back(losses[i].real());
      columns[3].push_back(losses[i].imag());
    }
    const auto copied = [&](const std::vector<double>& column) {
      return to_device<double>(exec, "Trackplex::Beam::modes", column);
    };
    cycles_ = copied(columns[0]);
    decay_ = copied(columns[1]);
    real_loss_ = copied(columns[2]);
    imaginary_loss_ = copied(columns[3]);
    const auto zeros = [&](auto& array, const std::string& label, std::size_t n) {
      array = new_zeros<std::decay_t<decltype(array)>>(exec, "Trackplex::Beam::" + label, n);
    };
    const std::size_t of_bins = std::size_t(bins) * rates.size();
    zeros(real_, "mode_phasors", rates.size());
    zeros(imaginary_, "mode_phasors", rates.size());
    zeros(seen_real_, "mode_voltages", of_bins);
    if (with_imaginary) zeros(seen_imaginary_, "mode_voltages", of_bins);
    zeros(voltage, "mode_voltage", std::size_t(bins));
    zeros(kicks, "mode_kicks", std::size_t(bins) + 1);
  }

  /// Sets the phasors. Waits for the instance.
  template <class ExecutionSpace>
  void set(const ExecutionSpace& exec, const std::vector<std::complex<double>>& phasors) const {
    std::vector<double> real, imaginary;
    for (const std::complex<double>& v : phasors) {
      real.push_back(v.real());
      imaginary.push_back(v.imag());
    }
    copy_to_device(exec, real_, real);
    copy_to_device(exec, imaginary_, imaginary);
  }
  /// Returns the phasors. Waits for the instance.
  template <class ExecutionSpace>
  std::vector<std::complex<double>> phasors(const ExecutionSpace& exec) const {
    const auto real = to_host(exec, real_), imaginary = to_host(exec, imaginary_);
    std::vector<std::complex<double>> all;
    for (int i = 0; i < n_modes_; ++i) all.emplace_back(real(i), imaginary(i));
    return all;
  }

  /// Enqueues the pass of the bins.
  template <class Real, class ExecutionSpace, class Integer>
  void ring(const ExecutionSpace& exec, RingModes<Real, Integer> bunch) const {
    bunch.modes = {cycles_.data(),         decay_.data(), real_loss_.data(),
                   imaginary_loss_.data(), real_.data(),  imaginary_.data()};
    bunch.n_modes = n_modes_;
    bunch.seen_real = seen_real_.data();
    bunch.seen_imaginary = seen_imaginary_.data();
    for_each_tile<Real>(exec, "Trackplex::Beam::ring_modes", n_modes_, bunch);
  }
  /// Enqueues the sums of the real parts in bins, and the kicks.
  template <class Real, class ExecutionSpace>
  void sum(const ExecutionSpace& exec, int bins, double kicks_per_volt) const {
    for_each_tile<Real>(
        exec, "Trackplex::Beam::sum_modes", bins,
        StoreModes<Real, T>{
            {seen_real_.data(), nullptr, n_modes_}, kicks_per_volt, voltage.data(), kicks.data()});
  }
  /// Returns the functor of the imaginary parts, each times a weight of its mode.
  template <class Real>
  SumModes<Real> imaginary_sums(const double* weights) const {
    return {seen_imaginary_.data(), weights, n_modes_};
  }

 private:
  int n_modes_ = 0;
  Array<double> cycles_, decay_, real_loss_, imaginary_loss_;
  Array<double> real_, imaginary_;
  Array<double> seen_real_, seen_imaginary_;
};

}  // namespace trackplex::beam::detail
