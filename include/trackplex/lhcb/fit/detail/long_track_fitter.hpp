// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/fit/detail/long_track_hits.hpp>
#include <trackplex/lhcb/fit/kalman_state.hpp>
#include <trackplex/lhcb/fit/kalman_transport.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Kernel: fits the long tracks of one event per team, a track per lane.
template <class Real, class Input, class Output>
struct LongTrackFitter {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Filter = KalmanFilter<Real>;
  using Hits = LongTrackHits<Real, Input>;

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
  KOKKOS_FUNCTION void fit(const Tile<Real>& tile, int event, std::size_t slot) const {
    const Hits hits(input, tile, event, slot);
    const Real qop = tile.load(input.tracks.qop.data() + slot);
    Filter filter = start(hits, qop);
    filter_velo(hits, filter, false);
    const auto end_of_velo = filter.state;
    filter_ut(hits, filter);
    move(filter, input.transport.to_scifi(at_grid(filter.state), qop));
    filter_scifi(hits, filter);
    const Filter at_beam = back_to_beam(hits, end_of_velo, filter);
    const Real ndf = filter.n - Real(T(5));
    const Mask good = !(filter.chi2 > Real(input.errors.max_chi2_per_ndf) * ndf);
    fits.store(tile, slot, at_beam.state, at_beam.covariance, filter.chi2, convert<Integer>(ndf),
               good);
  }

  /// Moves downstream of the VELO.
  KOKKOS_FUNCTION void move(Filter& filter, KalmanStep<Real> step) const {
    scale_noise(step, input.errors.noise);
    filter.move(step);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void scale_noise(KalmanStep<Real>& step, T factor) {
    const Real f(factor);
    step.noise_xx = step.noise_xx * f;
    step.noise_xtx = step.noise_xtx * f;
    step.noise_txtx = step.noise_txtx * f;
    step.noise_yy = step.noise_yy * f;
    step.noise_yty = step.noise_yty * f;
    step.noise_tyty = step.noise_tyty * f;
  }

  /// Diagonal covariance of a point on a VELO hit.
  KOKKOS_FUNCTION void set_errors(Filter& filter, const Real& qop_variance) const {
    for (auto& entry : filter.covariance.c) entry = Real(T(0));
    filter.covariance(0, 0) = filter.covariance(1, 1) = Real(input.errors.velo_variance);
    filter.covariance(2, 2) = filter.covariance(3, 3) = Real(input.errors.initial_slope_variance);
    filter.covariance(4, 4) = qop_variance;
  }

  /// The filter at the most upstream hit, with the slopes of the line to the most downstream one.
  KOKKOS_FUNCTION Filter start(const Hits& hits, const Real& qop) const {
    const auto first = hits.velo(hits.length - Integer(I(1)), hits.mask);
    const auto last = hits.velo(Integer(I(0)), hits.mask);
    const Real per_dz = Real(T(1)) / select(hits.mask, last.z - first.z, Real(T(1)));
    Filter filter;
    filter.state = {
        first.x, first.y, first.z, (last.x - first.x) * per_dz, (last.y - first.y) * per_dz, qop};
    set_errors(filter, Real(input.errors.initial_qop_variance) * qop * qop);
    filter.chi2 = Real(T(0));
    filter.n = select(hits.mask, Real(T(2)), Real(T(0)));
    return filter;
  }

  /// Adds the VELO hits after the one at which the filter is, upstream or downstream.
  KOKKOS_FUNCTION void filter_velo(const Hits& hits, Filter& filter, bool upstream) const {
    const Real zero(T(0)), one(T(1)), variance(input.errors.velo_variance);
    for (int i = 1; i < hits.longest; ++i) {
      const Mask mask = Integer(I(i)) < hits.length && hits.mask;
      const Integer h = upstream ? Integer(I(i)) : hits.length - Integer(I(i + 1));
      const auto hit = hits.velo(h, mask);
      auto step = input.transport.in_velo(filter.state, select(mask, hit.z, filter.state.z));
      scale_noise(step, input.errors.velo_noise);
      Filter next = filter;
      next.move(step);
      next.update(one, zero, hit.x, variance, mask);
      next.update(zero, one, hit.y, variance, mask);
      filter = select_filter(mask, next, filter);
    }
  }

  /// From the end of the VELO through the layers of the UT.
  KOKKOS_FUNCTION void filter_ut(const Hits& hits, Filter& filter) const {
    for (int layer = 0; layer < ut_layers; ++layer) {
      const auto strip = hits.ut(layer, input.transport.ut_z[layer]);
      move(filter, layer == 0 ? input.transport.to_ut(filter.state, strip.z)
                              : input.transport.in_ut(filter.state, layer, strip.z));
      update_strip(filter, strip);
    }
  }

  /// The state as that at the beginning of the grid, where the last layer of the UT is, nearly.
  KOKKOS_FORCEINLINE_FUNCTION KalmanState<Real> at_grid(KalmanState<Real> state) const {
    state.z = Real(input.transport.cells.grid.z_begin);
    return state;
  }

  /// Through the layers of the SciFi.
  KOKKOS_FUNCTION void filter_scifi(const Hits& hits, Filter& filter) const {
    const auto& transport = input.transport;
    for (int layer = 0; layer < scifi_layers; ++layer) {
      const auto strip = hits.scifi(layer, transport.scifi_z[layer]);
      const Real z = transport.plane_z(filter.state, strip.z, Real(transport.scifi_dzdy[layer]));
      move(filter, layer == 0 ? transport.to_plane(filter.state, z)
                              : transport.in_scifi(filter.state, layer, z));
      update_strip(filter, strip);
    }
  }

  /// Updates with a strip or fibre, which is at x where y = 0; its error is across.
  KOKKOS_FUNCTION void update_strip(Filter& filter, const LongTrackStrip<Real>& strip) const {
    const T cosine = T(1) / sqrt(T(1) + strip.dxdy * strip.dxdy);
    filter.update(Real(cosine), Real(-(strip.dxdy * cosine)), Real(cosine) * strip.x,
                  strip.variance, strip.has_hit);
  }

  /// The second filter: from the most downstream VELO hit to the most upstream one.
  KOKKOS_FUNCTION Filter back_to_beam(const Hits& hits, const KalmanState<Real>& end_of_velo,
                                      const Filter& downstream) const {
    const auto hit = hits.velo(Integer(I(0)), hits.mask);
    Filter filter;
    filter.state = {hit.x, hit.y, hit.z, end_of_velo.tx, end_of_velo.ty, downstream.state.qop};
    set_errors(filter, downstream.covariance(4, 4));
    filter.chi2 = filter.n = Real(T(0));
    filter_velo(hits, filter, true);
    const Real slope = input.transport.velo_noise(Mask(false), filter.state.qop);
    const Real to_beam = Real(input.errors.beam_noise) * slope * slope;
    filter.covariance(2, 2) += to_beam;
    filter.covariance(3, 3) += to_beam;
    return filter;
  }
};

}  // namespace trackplex::lhcb::detail
