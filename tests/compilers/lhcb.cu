// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The chains of VELO, of VELO with UT, and with vertices and SciFi; and the decoding of the SciFi,
/// the searches for long tracks, their fits and the vertex finding by themselves, for
/// TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks_in_field.hpp>
#include <trackplex/lhcb/fit/magnet_map.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/scifi/find_scifi_tracks.hpp>
#include <trackplex/lhcb/scifi/match_tracks.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_beam_states.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/vertexing/find_vertices.hpp>

namespace trackplex::lhcb {

using Space = TRACKPLEX_SPACE;

template <class Chain>
void run(Chain chain, std::span<const std::shared_ptr<const typename Chain::Event>> events,
         std::span<const typename Chain::Event> more_events,
         std::vector<typename Chain::Result>& results) {
  chain.stage(events);
  chain.run();
  chain.collect(results);
  results = chain(more_events);
}

template <class T>
void decode_scifi(const Space& exec, const ScifiGeometry& geometry,
                  const ScifiInput<Space::memory_space>& input) {
  ScifiHits<T, Space::memory_space> hits;
  run_algorithm(exec, DecodeScifi<T, Space>{scifi_decoding_table<T>(exec, geometry)}, input, hits);
}

void run(const Space& exec, const ScifiGeometry& geometry,
         const chain::Events<RawEvent>& events) {
  StagedScifiBanks staged;
  ScifiInput<Space::memory_space> input;
  run_algorithm(exec, StageScifiBanks(), events, staged);
  run_algorithm(exec, CopyScifiBanks<Space>(), staged, input);
  decode_scifi<float>(exec, geometry, input);
  decode_scifi<double>(exec, geometry, input);
}

template <class T>
void find_long_tracks(const Space& exec, const VeloHits<T, Space::memory_space>& hits,
                      const VeloTracks<Space::memory_space>& tracks,
                      const VeloStatesAtEnd<T, Space::memory_space>& states,
                      const UtTracks<T, Space::memory_space>& ut_tracks,
                      const ScifiHits<T, Space::memory_space>& scifi_hits) {
  ForwardTracks<T, Space::memory_space> found;
  const LineStates<T, Space::memory_space>& at_beam = states;
  run_algorithm(exec, FindLongTracks<T, Space>{forward_setup<T>(exec, {}, -1.)}, hits, tracks,
                at_beam, states, ut_tracks, scifi_hits, found);
  ScifiTracks<T, Space::memory_space> scifi_tracks;
  run_algorithm(exec, FindScifiTracks<T, Space>{seeding_cuts<T>({})}, hits, tracks, scifi_hits,
                found, scifi_tracks);
  LongTracks<T, Space::memory_space> matched;
  run_algorithm(exec, MatchTracks<T, Space>{match_setup<T>({}, -1.)}, hits, tracks, states,
                ut_tracks, scifi_hits, scifi_tracks, found, matched);
}
template void find_long_tracks<float>(const Space&, const VeloHits<float, Space::memory_space>&,
                                      const VeloTracks<Space::memory_space>&,
                                      const VeloStatesAtEnd<float, Space::memory_space>&,
                                      const UtTracks<float, Space::memory_space>&,
                                      const ScifiHits<float, Space::memory_space>&);
template void find_long_tracks<double>(const Space&, const VeloHits<double, Space::memory_space>&,
                                       const VeloTracks<Space::memory_space>&,
                                       const VeloStatesAtEnd<double, Space::memory_space>&,
                                       const UtTracks<double, Space::memory_space>&,
                                       const ScifiHits<double, Space::memory_space>&);

template <class T>
void fit_long_tracks(const Space& exec, const KalmanTables& tables, const geometry::FieldGrid& map,
                     const LongFitTracks<T, Space::memory_space>& input) {
  LongFits<T, Space::memory_space> fits;
  run_algorithm(exec, FitLongTracks<T, Space>{long_fit_setup<T>(exec, tables, -1.)},
                input.velo_hits, input.velo_tracks, input.ut_hits, input.ut_tracks,
                input.scifi_hits, input.tracks, fits);
  run_algorithm(
      exec,
      FitLongTracksInField<T, Space>{long_field_setup<T>(), magnet_map<T>(exec, map, -1.)},
      input.velo_hits, input.velo_tracks, input.ut_hits, input.ut_tracks, input.scifi_hits,
      input.tracks, fits);
}
template void fit_long_tracks<float>(const Space&, const KalmanTables&, const geometry::FieldGrid&,
                                     const LongFitTracks<float, Space::memory_space>&);
template void fit_long_tracks<double>(const Space&, const KalmanTables&, const geometry::FieldGrid&,
                                      const LongFitTracks<double, Space::memory_space>&);

template <class T>
void find_vertices(const Space& exec, const VeloHits<T, Space::memory_space>& hits,
                   const VeloTracks<Space::memory_space>& tracks,
                   const LineStates<T, Space::memory_space>& lines) {
  vertexing::TracksAtBeam<T, Space::memory_space> at_beam;
  vertexing::Vertices<T, Space::memory_space> vertices;
  run_algorithm(exec, VeloBeamStates<T, Space>(), hits, tracks, lines, at_beam);
  run_algorithm(exec, vertexing::FindVertices<T, Space>(), at_beam, vertices);
}
template void find_vertices<float>(const Space&, const VeloHits<float, Space::memory_space>&,
                                   const VeloTracks<Space::memory_space>&,
                                   const LineStates<float, Space::memory_space>&);
template void find_vertices<double>(const Space&, const VeloHits<double, Space::memory_space>&,
                                    const VeloTracks<Space::memory_space>&,
                                    const LineStates<double, Space::memory_space>&);

void run(const Space& exec, const Detector& detector, std::vector<VeloResult>& velo,
         std::vector<VeloUtResult>& velo_ut, std::vector<TracksResult>& tracks) {
  run(velo_chain<float>(exec, {}), {}, {}, velo);
  run(velo_chain<double>(exec, {}, {1 << 20, 1 << 20}), {}, {}, velo);
  run(velo_ut_chain<float>(exec, detector, {}), {}, {}, velo_ut);
  run(velo_ut_chain<double>(exec, detector, {}), {}, {}, velo_ut);
  run(tracks_chain<float>(exec, detector, {}), {}, {}, tracks);
  run(tracks_chain<double>(exec, detector, {}), {}, {}, tracks);
}

}  // namespace trackplex::lhcb
