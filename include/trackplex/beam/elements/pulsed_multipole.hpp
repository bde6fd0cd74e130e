// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/pulsed_kicker.hpp>

#include <cstddef>
#include <memory>

/// @file
/// Multipoles with a pulsed field.

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class PulsedMultipoleAction;

/// Multipole whose strength follows a waveform in time, as the element MBUMPER of the accelerator
/// code elegant (M. Borland): a `CanonicalMultipole` of fourth order, whose kicks are multiplied by
/// the waveform at the time of the arrival of each particle, as for a `PulsedKicker`.
struct PulsedMultipole {
  double length = 0.;                          ///< Length, m; without one it does not act.
  double strength = 0.;                        ///< Strength K_n, 1/m^(n+1).
  int order = 1;                               ///< n: 1 for a quadrupole, 2 for a sextupole.
  std::shared_ptr<const Waveform> waveform{};  ///< Waveform; required.
  double time_offset = 0.;                     ///< Time of the waveform's 0, s.
  bool is_periodic = false;                    ///< Whether the waveform repeats.
  int phase_reference = 0;      ///< Number of pulsed magnets that share their time; 0: none.
  int first_turn = 0;           ///< First turn in which it acts; earlier it is a drift.
  int slices = 1;               ///< Slices of the integration.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp; the map is that of a drift.
  static constexpr const char* family = "multipole";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int map_order) const { return drift_map(length, map_order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = PulsedMultipoleAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Strength of a magnet times a factor of each particle.
template <class Real>
struct ScaledStrength {
  Real factor;

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& weight) const { return weight * factor; }
};

/// Pass of particles through a pulsed multipole.
template <class Real>
struct TrackPulsedMultipole {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  Loss* losses;
  Loss here;
  PulseTimes<Real> pulse;
  PlacedFrame<T> frame;
  const T* coefficients;  ///< of `pass_multipoles`
  bool acts;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    frame.enter(v);
    const ScaledStrength<Real> strength{acts ? pulse(v) : Real(T(0))};
    const auto forward = pass_multipoles<false>(coefficients, NoRadiation{}, v, strength);
    frame.leave(v);
    columns.store(tile, v, (1u << delta) - 1);
    for_each_lane(!forward && tile.mask(), [&](int lane) { losses[tile.first + lane] = here; });
  }
};

}  // namespace detail

/// Action of a `PulsedMultipole`. Waits for the instance on the first pass of particles, for their
/// mean time.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class PulsedMultipoleAction {
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Takes the magnet, and its time from the state of a line.
  /// @throws UsageError as `PulsedMultipole::check` and `Waveform::check`, or without a waveform
  PulsedMultipoleAction(const ExecutionSpace& exec, const PulsedMultipole& magnet, LineState& state)
      : magnet_(magnet), pulse_(exec, magnet, "pulsed multipole", state) {
    Multipoles field;
    field.normal.resize(std::size_t(magnet.order) + 1);
    field.normal.back() = magnet.strength * magnet.length;
    coefficients_ =
        to_device<T>(exec, "Trackplex::Beam::multipole",
                     detail::multipole_coefficients(magnet.length, field, magnet.slices, 4));
  }

  /// Enqueues the pass of a bunch on the instance, and adds the length to the path length of the
  /// reference particle. Particles that would turn back are lost.
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Loss& here) {
    const bool acts = here.turn >= magnet_.first_turn;
    if (bunch.share().all > 0 && acts) pulse_.find_time(exec, bunch, workspace);
    for_each_tile<Real>(
        exec, "Trackplex::Beam::pulsed_multipole", bunch.size(),
        detail::TrackPulsedMultipole<Real>{
            bunch.columns(), bunch.losses.data(), here, pulse_.at(bunch.reference),
            detail::PlacedFrame<T>(magnet_.misalignment), coefficients_.data(), acts});
    bunch.may_have_lost = true;
    bunch.reference.path_length += magnet_.length;
  }

 private:
  PulsedMultipole magnet_;
  detail::Pulse<T, ExecutionSpace, Width> pulse_;
  Kokkos::View<T*, MemoryOf<ExecutionSpace>> coefficients_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/pulsed_multipole.impl.hpp>
#endif
