// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/kalman/square_root_fit.hpp>
#include <trackplex/lhcb/fit/detail/long_track_layers.hpp>
#include <trackplex/lhcb/fit/kalman_state.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

/// Kernel: fits the long tracks of one event per team in a field, a track per lane.
template <class Real, class Input, class Output>
struct LongFieldFitter {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Track = kalman::ForwardTrack;
  using State = kalman::TrackState<Real, Track>;
  using Layers = LongTrackLayers<Real, Input>;

  Input input;
  Output fits;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const std::size_t slot = input.first_slot(event);
    team.for_each(int(input.tracks.count(event)), [&](Tile<Real> tile) { fit(tile, event, slot); });
  }

 private:
  static constexpr T start_sigma = T(3);  // of x and y of the search, cm: no measurement

  /// Index of parameter i of a fit among those of a ForwardTrack, which has z, too.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int parameter(int i) { return i < 2 ? i : i + 1; }
  /// Its unit there (cm, 1/GeV) over that in the fit (mm, 1/MeV).
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T unit(int i) {
    return i < 2 ? T(10) : i < 4 ? T(1) : T(1e-3);
  }

  KOKKOS_FUNCTION void fit(const Tile<Real>& tile, int event, std::size_t slot) const {
    const LongTrackHits<Real, Input> hits(input, tile, event, slot);
    const Layers layers{hits};
    auto state = start(tile, slot);
    kalman::BasicFitOptions<T> options;
    options.along = false;
    const auto result = kalman::square_root_fit(state, input.field, layers, options);
    pass_to_beam(layers, state);
    store(tile, slot, state, result);
  }

  /// The state of the search after the SciFi, with large errors.
  KOKKOS_FUNCTION State start(const Tile<Real>& tile, std::size_t slot) const {
    const auto& tracks = input.tracks;
    const Real cm(Layers::cm_per_mm);
    const Real qop = Real(T(1000)) * tile.load(tracks.qop.data() + slot);
    State state;
    state.charge = Real(T(1));
    state.parameters = {{cm * tile.load(tracks.x.data() + slot),
                         cm * tile.load(tracks.y.data() + slot), cm * Real(T(scifi_end_z)),
                         tile.load(tracks.tx.data() + slot), tile.load(tracks.ty.data() + slot),
                         qop}};
    for (auto& element : state.covariance.elements) element = Real(T(0));
    const auto& errors = input.errors;
    const Real variances[5] = {Real(start_sigma * start_sigma), Real(start_sigma * start_sigma),
                               Real(errors.initial_slope_variance),
                               Real(errors.initial_slope_variance),
                               Real(errors.field_qop_variance) * qop * qop};
    for (int i = 0; i < 5; ++i) state.covariance(parameter(i), parameter(i)) = variances[i];
    return state;
  }

  /// Adds the scattering between the last hit and the beam.
  KOKKOS_FUNCTION void pass_to_beam(const Layers& layers, State& state) const {
    const auto plane = geometry::Surface<Real>::disk(state.parameters(2));
    kalman::pass_layer<Track>(state.parameters, state.charge, layers.to_beam(), plane,
                              T(kalman::pion_mass), false)
        .apply(state);
  }

  KOKKOS_FUNCTION void store(const Tile<Real>& tile, std::size_t slot, const State& state,
                             const kalman::FitResult<Real>& result) const {
    const auto& p = state.parameters;
    const auto in_mm = [&](int i) { return Real(unit(i)) * p(parameter(i)); };
    KalmanCovariance<Real> covariance;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j <= i; ++j)
        covariance(i, j) = Real(unit(i) * unit(j)) * state.covariance(parameter(i), parameter(j));
    const Integer ndf = max(result.measurements - Integer(I(5)), Integer(I(0)));
    const auto good =
        result.reached && !(result.chi2 > Real(input.errors.max_chi2_per_ndf) * convert<Real>(ndf));
    fits.store(tile, slot, {in_mm(0), in_mm(1), Real(unit(0)) * p(2), in_mm(2), in_mm(3), in_mm(4)},
               covariance, result.chi2, ndf, good);
  }
};

}  // namespace trackplex::lhcb::detail
