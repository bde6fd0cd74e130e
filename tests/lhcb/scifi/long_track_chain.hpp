// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/lhcb/decode_ut.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include "lhcb/decoded_scifi_events.hpp"
#include "lhcb/loaded_banks.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace trackplex::test {

/// Tracks through VELO and UT, and what they are made of.
template <class T, class Memory>
struct UtTracked {
  lhcb::VeloHits<T, Memory> velo_hits;
  lhcb::VpClusters<Memory> clusters;
  lhcb::VeloTracks<Memory> velo_tracks;
  lhcb::LineStates<T, Memory> at_beam;
  lhcb::VeloStatesAtEnd<T, Memory> at_end;
  lhcb::UtHits<T, Memory> ut_hits;
  lhcb::UtTracks<T, Memory> ut_tracks;
};

/// From raw banks, by the algorithms of the chain one by one. States at the end of the VELO are
/// always made.
template <class T, class Space>
UtTracked<T, typename Space::memory_space> ut_tracked(const Space& exec,
                                                      const lhcb::Detector& detector,
                                                      std::span<const lhcb::RawEvent> events,
                                                      const lhcb::VeloUtParams& params) {
  using Memory = typename Space::memory_space;
  UtTracked<T, Memory> made;
  const auto banks = loaded_banks(exec, events);
  lhcb::SortedHits<T, Memory> sorted;
  lhcb::UtWindows<Memory> windows;
  run_algorithm(exec, lhcb::ClusterVp<T, Space>{lhcb::velo_pixel_tables<T>(exec, detector.velo)},
                banks, made.velo_hits, made.clusters);
  run_algorithm(exec, lhcb::SortByPhi<T, Space>{lhcb::velo_pairs, params.velo.merge_sides},
                made.velo_hits, sorted);
  run_algorithm(exec, lhcb::SearchByTriplet<T, Space>{params.velo, lhcb::velo_module_z_on<T>(exec)},
                made.velo_hits, sorted, made.velo_tracks);
  run_algorithm(exec, lhcb::FitLines<T, Space>{params.velo.inverse_variance}, made.velo_hits,
                made.velo_tracks, made.at_beam);
  run_algorithm(exec, lhcb::VeloEndStates<T, Space>{params.end_of_velo}, made.velo_hits,
                made.velo_tracks, made.at_beam, made.at_end);
  const auto groups = lhcb::ut_sector_groups(detector.ut);
  run_algorithm(exec,
                lhcb::DecodeUt<T, Space>{
                    lhcb::ut_decoding_table<T>(exec, detector.ut_boards, detector.ut, groups)},
                banks, made.ut_hits);
  const auto compass = lhcb::compass_setup<T>(exec, detector, params.ut);
  run_algorithm(exec, lhcb::FindUtWindows<T, Space>{compass}, made.velo_hits, made.velo_tracks,
                made.at_beam, made.at_end, made.ut_hits, windows);
  run_algorithm(exec, lhcb::FindUtTracks<T, Space>{compass}, made.velo_hits, made.velo_tracks,
                made.at_beam, made.at_end, made.ut_hits, windows, made.ut_tracks);
  exec.fence();
  return made;
}

/// Long tracks of events as LHCbIDs.
template <class T, class Space>
std::vector<std::vector<validation::IdTrack>> long_id_tracks(
    const Space& exec, const UtTracked<T, typename Space::memory_space>& made,
    const lhcb::ScifiHits<T, typename Space::memory_space>& scifi_hits,
    const lhcb::ForwardParams& params, double polarity) {
  lhcb::LongTracks<T, typename Space::memory_space> found;
  run_algorithm(exec,
                lhcb::FindLongTracks<T, Space>{lhcb::forward_setup<T>(exec, params, polarity)},
                made.velo_hits, made.velo_tracks, made.at_beam, made.at_end, made.ut_tracks,
                scifi_hits, found);
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<T, Kokkos::HostSpace>>(exec, made.velo_hits);
  const auto velo = enqueue_copy<lhcb::VeloTracks<Kokkos::HostSpace>>(exec, made.velo_tracks);
  const auto clusters = enqueue_copy<lhcb::VpClusters<Kokkos::HostSpace>>(exec, made.clusters);
  const auto lines = enqueue_copy<lhcb::LineStates<T, Kokkos::HostSpace>>(exec, made.at_beam);
  const auto ut_hits = enqueue_copy<lhcb::UtHits<T, Kokkos::HostSpace>>(exec, made.ut_hits);
  const auto ut = enqueue_copy<lhcb::UtTracks<T, Kokkos::HostSpace>>(exec, made.ut_tracks);
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
