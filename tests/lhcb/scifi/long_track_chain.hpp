// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace trackplex::test {

/// Long tracks of events as LHCbIDs, from the products of a chain for VELO and UT.
template <class T, class Space>
std::vector<std::vector<validation::IdTrack>> long_id_tracks(
    const Space& exec, lhcb::VeloUtChain<T, Space>& chain,
    const lhcb::ScifiHits<T, typename Space::memory_space>& scifi_hits,
    const lhcb::ForwardParams& params, double polarity) {
  using Memory = typename Space::memory_space;
  const auto& made_velo_hits = chain.template product<lhcb::VeloHits<T, Memory>>();
  const auto& made_velo_tracks = chain.template product<lhcb::VeloTracks<Memory>>();
  const auto& at_beam = chain.template product<lhcb::LineStates<T, Memory>>();
  const auto& made_ut_tracks = chain.template product<lhcb::UtTracks<T, Memory>>();
  lhcb::LongTracks<T, typename Space::memory_space> found;
  run_algorithm(exec,
                lhcb::FindLongTracks<T, Space>{lhcb::forward_setup<T>(exec, params, polarity)},
                made_velo_hits, made_velo_tracks, at_beam,
                chain.template product<lhcb::VeloStatesAtEnd<T, Memory>>(), made_ut_tracks,
                scifi_hits, found);
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<T, Kokkos::HostSpace>>(exec, made_velo_hits);
  const auto velo = enqueue_copy<lhcb::VeloTracks<Kokkos::HostSpace>>(exec, made_velo_tracks);
  const auto clusters = enqueue_copy<lhcb::VpClusters<Kokkos::HostSpace>>(
      exec, chain.template product<lhcb::VpClusters<Memory>>());
  const auto lines = enqueue_copy<lhcb::LineStates<T, Kokkos::HostSpace>>(exec, at_beam);
  const auto ut_hits = enqueue_copy<lhcb::UtHits<T, Kokkos::HostSpace>>(
      exec, chain.template product<lhcb::UtHits<T, Memory>>());
  const auto ut = enqueue_copy<lhcb::UtTracks<T, Kokkos::HostSpace>>(exec, made_ut_tracks);
  const auto scifi = enqueue_copy<lhcb::ScifiHits<T, Kokkos::HostSpace>>(exec, scifi_hits);
  const auto tracks = enqueue_copy<lhcb::LongTracks<T, Kokkos::HostSpace>>(exec, found);
  exec.fence();
  std::vector<std::vector<validation::IdTrack>> events(std::size_t(tracks.n_events));
  for (int e = 0; e < tracks.n_events; ++e) {
    const auto slot = lhcb::first_slot(velo_hits.event_offsets(e), e, velo.hits_per_slot);
    for (auto s = slot; s < slot + tracks.count(e); ++s) {
      const auto in_ut = slot + tracks.ut_track(s), in_velo = slot + tracks.velo_track(s);
      validation::IdTrack track;
      for (int h = 0; h < int(velo.length(in_velo)); ++h)
        track.velo_ids.push_back(clusters.ids(velo_hits.event_offsets(e) +
                                              velo.hits(std::size_t(h) * velo.slots + in_velo)));
      for (int layer = 0; layer < lhcb::ut_layers && tracks.ut_track(s) != tracks.no_ut_track;
           ++layer)
        if (const auto hit = ut.hits(layer * ut.slots + in_ut); hit != ut.no_hit)
          track.ut_ids.push_back(ut_hits.id(ut_hits.event_offsets(e) + hit));
      for (int layer = 0; layer < lhcb::scifi_layers; ++layer)
        if (const auto hit = tracks.hits(layer * tracks.slots + s); hit != tracks.no_hit)
          track.scifi_ids.push_back(scifi.id(scifi.event_offsets(e) + hit));
      const double tx = lines.tx(in_velo), ty = lines.ty(in_velo);
      track.eta = std::asinh(1. / std::sqrt(tx * tx + ty * ty));
      track.p = 1. / std::abs(double(tracks.qop(s)));
      track.charge = tracks.qop(s) > 0 ? 1 : -1;
      events[std::size_t(e)].push_back(track);
    }
  }
  return events;
}

}  // namespace trackplex::test
