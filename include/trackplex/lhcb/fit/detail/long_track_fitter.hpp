// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/fit/kalman_state.hpp>
#include <trackplex/lhcb/fit/kalman_transport.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>

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
  static constexpr T stereo_u = T(scifi_dxdy[1]), stereo_v = T(scifi_dxdy[2]);

  /// Hits of the tracks in the VELO.
  struct VeloPart {
    std::size_t first_hit, slot;  ///< of the event
    Integer track, length;
    Mask mask;
    int longest;  ///< number of hits of the longest track
  };
  struct Point {
    Real x, y, z;
  };

  KOKKOS_FUNCTION void fit(const Tile<Real>& tile, int event, std::size_t slot) const {
    const auto& tracks = input.tracks;
    VeloPart velo;
    velo.first_hit = input.velo_hits.event_offsets(event);
    velo.slot = slot;
    velo.mask = tile.mask();
    velo.track = tile.template load<Integer>(tracks.velo_track.data() + slot);
    velo.length = gather<Integer>(input.velo_tracks.length.data() + slot, velo.track, velo.mask);
    velo.longest = int(max_of(velo.length));
    const Real qop = tile.load(tracks.qop.data() + slot);
    Filter filter = start(velo, qop);
    filter_velo(velo, filter, false);
    const auto end_of_velo = filter.state;
    filter_ut(tile, event, slot, filter);
    move(filter, input.transport.to_scifi(at_grid(filter.state), qop));
    filter_scifi(tile, event, slot, filter);
    const Filter at_beam = back_to_beam(velo, end_of_velo, filter);
    store(tile, slot, filter, at_beam);
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

  /// Hit h of the tracks in the mask, from the most downstream one upstream.
  KOKKOS_FORCEINLINE_FUNCTION Point velo_hit(const VeloPart& velo, const Integer& h,
                                             const Mask& mask) const {
    const auto& tracks = input.velo_tracks;
    const auto& hits = input.velo_hits;
    const auto place = h * Integer(I(tracks.slots)) + velo.track;
    const auto index = gather<Integer>(tracks.hits.data() + velo.slot, place, mask);
    return {gather<Real>(hits.x.data() + velo.first_hit, index, mask),
            gather<Real>(hits.y.data() + velo.first_hit, index, mask),
            gather<Real>(hits.z.data() + velo.first_hit, index, mask)};
  }

  /// Diagonal covariance of a point on a VELO hit.
  KOKKOS_FUNCTION void set_errors(Filter& filter, const Real& qop_variance) const {
    for (auto& entry : filter.covariance.c) entry = Real(T(0));
    filter.covariance(0, 0) = filter.covariance(1, 1) = Real(input.errors.velo_variance);
    filter.covariance(2, 2) = filter.covariance(3, 3) = Real(input.errors.initial_slope_variance);
    filter.covariance(4, 4) = qop_variance;
  }

  /// The filter at the most upstream hit, with the slopes of the line to the most downstream one.
  KOKKOS_FUNCTION Filter start(const VeloPart& velo, const Real& qop) const {
    const auto first = velo_hit(velo, velo.length - Integer(I(1)), velo.mask);
    const auto last = velo_hit(velo, Integer(I(0)), velo.mask);
    const Real per_dz = Real(T(1)) / select(velo.mask, last.z - first.z, Real(T(1)));
    Filter filter;
    filter.state = {
        first.x, first.y, first.z, (last.x - first.x) * per_dz, (last.y - first.y) * per_dz, qop};
    set_errors(filter, Real(input.errors.initial_qop_variance) * qop * qop);
    filter.chi2 = Real(T(0));
    filter.n = select(velo.mask, Real(T(2)), Real(T(0)));
    return filter;
  }

  /// Adds the VELO hits after the one at which the filter is, upstream or downstream.
  KOKKOS_FUNCTION void filter_velo(const VeloPart& velo, Filter& filter, bool upstream) const {
    const Real zero(T(0)), one(T(1)), variance(input.errors.velo_variance);
    for (int i = 1; i < velo.longest; ++i) {
      const Mask mask = Integer(I(i)) < velo.length && velo.mask;
      const Integer h = upstream ? Integer(I(i)) : velo.length - Integer(I(i + 1));
      const auto hit = velo_hit(velo, h, mask);
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
  KOKKOS_FUNCTION void filter_ut(const Tile<Real>& tile, int event, std::size_t slot,
                                 Filter& filter) const {
    const auto& tracks = input.ut_tracks;
    const auto& hits = input.ut_hits;
    const std::size_t first_hit = hits.event_offsets(event);
    const auto track = tile.template load<Integer>(input.tracks.ut_track.data() + slot);
    const Mask in_ut = !(track == Integer(I(input.tracks.no_ut_track))) && tile.mask();
    for (int layer = 0; layer < ut_layers; ++layer) {
      const auto index =
          gather<Integer>(tracks.hits.data() + layer * tracks.slots + slot, track, in_ut);
      const Mask has_hit = in_ut && !(index == Integer(I(tracks.no_hit)));
      const auto of_hit = [&](const auto& array) {
        return gather<Real>(array.data() + first_hit, index, has_hit);
      };
      const Real z = select(has_hit, of_hit(hits.z), Real(input.transport.ut_z[layer]));
      move(filter, layer == 0 ? input.transport.to_ut(filter.state, z)
                              : input.transport.in_ut(filter.state, layer, z));
      const Real weight = select(has_hit, of_hit(hits.weight), Real(T(1)));
      update_strip(filter, ut_stereo<T>(layer), of_hit(hits.x), Real(T(1)) / weight, has_hit);
    }
  }

  /// The state as that at the beginning of the grid, where the last layer of the UT is, nearly.
  KOKKOS_FORCEINLINE_FUNCTION KalmanState<Real> at_grid(KalmanState<Real> state) const {
    state.z = Real(input.transport.cells.grid.z_begin);
    return state;
  }

  /// Through the layers of the SciFi.
  KOKKOS_FUNCTION void filter_scifi(const Tile<Real>& tile, int event, std::size_t slot,
                                    Filter& filter) const {
    const auto& transport = input.transport;
    const auto& tracks = input.tracks;
    const auto& hits = input.scifi_hits;
    const std::size_t first_hit = hits.event_offsets(event);
    for (int layer = 0; layer < scifi_layers; ++layer) {
      const auto index =
          tile.template load<Integer>(tracks.hits.data() + layer * tracks.slots + slot);
      const Mask has_hit = !(index == Integer(I(tracks.no_hit))) && tile.mask();
      const auto of_hit = [&](const auto& array) {
        return gather<Real>(array.data() + first_hit, index, has_hit);
      };
      const Real z0 = select(has_hit, of_hit(hits.z), Real(transport.scifi_z[layer]));
      const Real z = transport.plane_z(filter.state, z0, Real(transport.scifi_dzdy[layer]));
      move(filter, layer == 0 ? transport.to_plane(filter.state, z)
                              : transport.in_scifi(filter.state, layer, z));
      const auto size = gather<Integer>(hits.cluster_size.data() + first_hit, index, has_hit);
      const Real variance = gather<Real>(input.errors.scifi_variance, size, has_hit);
      update_strip(filter, scifi_stereo(layer), of_hit(hits.x), variance, has_hit);
    }
  }

  /// dx/dy along the fibres of a layer.
  KOKKOS_FORCEINLINE_FUNCTION static T scifi_stereo(int layer) {
    const int in_station = layer % 4;
    return in_station == 1 ? stereo_u : in_station == 2 ? stereo_v : T(0);
  }

  /// Updates with a strip or fibre, which is at x where y = 0; its error is across.
  KOKKOS_FUNCTION void update_strip(Filter& filter, T dxdy, const Real& x, const Real& variance,
                                    const Mask& mask) const {
    const T cosine = T(1) / sqrt(T(1) + dxdy * dxdy);
    filter.update(Real(cosine), Real(-(dxdy * cosine)), Real(cosine) * x, variance, mask);
  }

  /// The second filter: from the most downstream VELO hit to the most upstream one.
  KOKKOS_FUNCTION Filter back_to_beam(const VeloPart& velo, const KalmanState<Real>& end_of_velo,
                                      const Filter& downstream) const {
    const auto hit = velo_hit(velo, Integer(I(0)), velo.mask);
    Filter filter;
    filter.state = {hit.x, hit.y, hit.z, end_of_velo.tx, end_of_velo.ty, downstream.state.qop};
    set_errors(filter, downstream.covariance(4, 4));
    filter.chi2 = filter.n = Real(T(0));
    filter_velo(velo, filter, true);
    const Real slope = input.transport.velo_noise(Mask(false), filter.state.qop);
    const Real to_beam = Real(input.errors.beam_noise) * slope * slope;
    filter.covariance(2, 2) += to_beam;
    filter.covariance(3, 3) += to_beam;
    return filter;
  }

  KOKKOS_FUNCTION void store(const Tile<Real>& tile, std::size_t slot, const Filter& downstream,
                             const Filter& at_beam) const {
    const auto& s = at_beam.state;
    tile.store(fits.x.data() + slot, s.x);
    tile.store(fits.y.data() + slot, s.y);
    tile.store(fits.z.data() + slot, s.z);
    tile.store(fits.tx.data() + slot, s.tx);
    tile.store(fits.ty.data() + slot, s.ty);
    tile.store(fits.qop.data() + slot, s.qop);
    for (int k = 0; k < fits.entries; ++k)
      tile.store(fits.covariance.data() + std::size_t(k) * fits.slots + slot,
                 at_beam.covariance.c[k]);
    tile.store(fits.chi2.data() + slot, downstream.chi2);
    const Real ndf = downstream.n - Real(T(5));
    tile.store(fits.ndf.data() + slot, convert<Integer>(ndf));
    const Mask bad = downstream.chi2 > Real(input.errors.max_chi2_per_ndf) * ndf;
    tile.store(fits.good.data() + slot, select(bad, Integer(I(0)), Integer(I(1))));
  }
};

}  // namespace trackplex::lhcb::detail
