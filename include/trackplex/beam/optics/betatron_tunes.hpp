// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tunes of single particles, and their diffusion.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/workspace.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace trackplex::beam {

namespace detail {

/// Phases of the particles of a bunch in two normal modes, and weighted sums of their advance per
/// turn beyond the linear motion.
template <class T>
struct PhaseColumns {
  T* phase[2];  ///< In turns, by mode.
  T* sum[2];    ///< In turns, by mode.
};

/// One turn of `BetatronTunes`.
template <class Real>
struct SumPhases {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  PhaseColumns<T> phases;
  T orbit[4], orbit_delta, dispersion[4];
  T cosine[2][4], sine[2][4];  ///< Factors of the coordinates in the cosine and sine of a mode.
  T advance[2];                ///< Linear phase advance of a turn, in turns.
  T weight;                    ///< 0: the phase only.

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Particle<Real> v = columns.load(tile);
    const Real momentum = v[delta] - Real(orbit_delta);
    Real off[4];
    for (int i = 0; i < 4; ++i) off[i] = fma(-Real(dispersion[i]), momentum, v[i] - Real(orbit[i]));
    for (int k = 0; k < 2; ++k) {
      Real c(0), s(0);
      for (int i = 0; i < 4; ++i) {
        c = fma(Real(cosine[k][i]), off[i], c);
        s = fma(Real(sine[k][i]), off[i], s);
      }
      const Real phase = atan2(s, c) * Real(T(0.5 * std::numbers::inv_pi));
      const Real more = phase - tile.load(phases.phase[k]) - Real(advance[k]);
      const Real shift = more - floor(more + Real(T(0.5)));
      if (weight != T(0))
        tile.store(phases.sum[k], fma(Real(weight), shift, tile.load(phases.sum[k])));
      tile.store(phases.phase[k], phase);
    }
  }
};

/// Returns the factors of the coordinates in the cosine and in the sine of the phase of a mode w,
/// whose area is 1: the areas with the imaginary and with the real part of w.
inline std::array<std::array<double, 4>, 2> factors_of(const ModeVector& mode) {
  std::array<std::array<double, 4>, 2> factors;
  for (int i = 0; i < 4; ++i) {
    const auto partner = mode[i ^ 1] * (i % 2 == 0 ? 1. : -1.);
    factors[0][i] = std::imag(partner);
    factors[1][i] = std::real(partner);
  }
  return factors;
}

}  // namespace detail

/// Follows the phases of particles in the normal modes of a ring at one place, and computes
/// their tunes: weighted means of the phase advances, in which turn n of N has the weight
/// \f$ \exp(-1/(t(1-t))),\;t=n/(N+1) \f$. For quasiperiodic motion such means converge faster
/// than any power of N (S. Das et al., Europhys. Lett. 114 (2016) 40005); changes from one segment
/// of turns to the next show the diffusion of chaotic motion.
///
/// Lost particles must be removed only by its `remove_lost`: the ring has no element that moves
/// them.
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::beam_tracking>>
class BetatronTunes {
 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it follows.

  /// Allocates for at most n particles, from the orbit and the optics at its place and the tunes
  /// of the ring.
  BetatronTunes(const ExecutionSpace& exec, int n, const TransferMap::Vector& orbit,
                const PeriodicOptics& ring)
      : advance_{ring.tune_x, ring.tune_y},
        n_(std::size_t(n)),
        numbers_(new_zeros<decltype(numbers_)>(exec, "Trackplex::Beam::phases", 4 * n_)) {
    const Optics& at = ring.start;
    const auto first = detail::factors_of(detail::mode_vector(at.x, at.first_in_y, true)),
               second = detail::factors_of(detail::mode_vector(at.y, at.second_in_x, false));
    for (int i = 0; i < 4; ++i) {
      kernel_.orbit[i] = T(orbit[i]);
      kernel_.dispersion[i] = T(at.dispersion[i]);
      kernel_.cosine[0][i] = T(first[0][i]);
      kernel_.sine[0][i] = T(first[1][i]);
      kernel_.cosine[1][i] = T(second[0][i]);
      kernel_.sine[1][i] = T(second[1][i]);
    }
    kernel_.orbit_delta = T(orbit[delta]);
    for (int k = 0; k < 2; ++k) {
      kernel_.advance[k] = T(advance_[k]);
      kernel_.phases.phase[k] = numbers_.data() + k * n_;
      kernel_.phases.sum[k] = numbers_.data() + (2 + k) * n_;
    }
  }

  /// Begins a segment of turns: enqueues the computation of the present phases.
  void begin(const ExecutionSpace& exec, const BunchType& bunch, int turns) {
    turns_ = turns;
    turn_ = 0;
    weights_ = 0.;
    fill_with_zeros(exec, numbers_);
    enqueue(exec, bunch, 0.);
  }
  /// Enqueues the contribution of a turn, after the turn.
  void add_turn(const ExecutionSpace& exec, const BunchType& bunch) {
    const double t = ++turn_ / (turns_ + 1.), weight = exp(4. - 1. / (t * (1. - t)));
    weights_ += weight;
    enqueue(exec, bunch, weight);
  }
  /// Removes lost particles as `beam::remove_lost` does, here and in the bunch. Waits for the
  /// instance.
  void remove_lost(const ExecutionSpace& exec, BunchType& bunch,
                   Workspace<ExecutionSpace>& workspace) const {
    if (!bunch.may_have_lost) return;
    detail::LostParticles<ExecutionSpace> lost(exec, bunch.losses.data(), bunch.size(), workspace);
    const int n_lost = lost.count(exec);
    if (n_lost > 0) {
      lost.find_places(exec, n_lost);
      for (std::size_t column = 0; column < 4; ++column)
        lost.move(exec, numbers_.data() + column * n_);
    }
    beam::remove_lost(exec, bunch, workspace);
  }
  /// Returns the tunes of the segment, 0 to 1, by mode and place in the bunch. Tunes of lost
  /// particles are meaningless. Waits for the instance.
  std::array<std::vector<double>, 2> tunes(const ExecutionSpace& exec) const {
    const auto host = to_host(exec, numbers_);
    std::array<std::vector<double>, 2> result;
    for (int k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < n_; ++i) {
        const double tune = advance_[k] + double(host((2 + k) * n_ + i)) / weights_;
        result[k].push_back(tune - std::floor(tune));
      }
    return result;
  }

 private:
  using Real = LanesOf<T, Width>;

  void enqueue(const ExecutionSpace& exec, const BunchType& bunch, double weight) {
    kernel_.columns = bunch.columns();
    kernel_.weight = T(weight);
    for_each_tile<Real>(exec, "Trackplex::Beam::phases", bunch.size(), kernel_);
  }

  std::array<double, 2> advance_;
  std::size_t n_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> numbers_;
  detail::SumPhases<Real> kernel_{};
  int turns_ = 0, turn_ = 0;
  double weights_ = 0.;
};

}  // namespace trackplex::beam

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/beam/optics/detail/betatron_tunes.instances.hpp>
#endif
