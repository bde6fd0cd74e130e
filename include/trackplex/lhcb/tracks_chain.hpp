// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks_in_field.hpp>
#include <trackplex/lhcb/fit/magnet_map.hpp>
#include <trackplex/lhcb/pack_tracks.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/scifi/find_scifi_tracks.hpp>
#include <trackplex/lhcb/scifi/match_tracks.hpp>
#include <trackplex/lhcb/scifi_banks.hpp>
#include <trackplex/lhcb/velo/velo_beam_states.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/vertexing/find_vertices.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/// @file
/// VELO and UT tracks, long tracks and primary vertices from raw banks: the steps of
/// velo_ut_chain() and, in their midst, stage_scifi_banks, copy_scifi_banks, velo_beam_states,
/// find_vertices, decode_scifi, long_tracks, scifi_tracks, match_tracks, fit_long_tracks (or
/// fit_long_tracks_in_field), count_tracks, pack_tracks, collect_tracks.

namespace trackplex::lhcb {

/// Which search finds long tracks.
enum class LongTrackMethod {
  forward,   ///< from the VELO, with or without the UT, to the SciFi (FindLongTracks)
  matching,  ///< of tracks in the SciFi with VELO tracks (FindScifiTracks, MatchTracks)
  both       ///< the second one with the hits and VELO tracks that the first one leaves
};

/// Parameters of tracks_chain().
struct TracksParams {
  VeloUtParams velo_ut{};                          ///< of the tracks through VELO and UT
  VeloFilterParams at_beam = velo_beam_filter;     ///< uncertainties of VELO tracks at the beam
  vertexing::VertexParams vertices{};              ///< of the primary vertices, but for the beam
  ForwardParams long_tracks{};                     ///< of the forward search for long tracks
  SeedingParams scifi_tracks{};                    ///< of the search for tracks in the SciFi
  MatchParams matching{};                          ///< of their matching with VELO tracks
  LongTrackMethod method = LongTrackMethod::both;  ///< which search finds long tracks
  bool find_long_tracks = true;                    ///< false: long tracks are not searched for
  /// Parameters of the transport in the fit of long tracks; without them they are not fitted.
  std::shared_ptr<const KalmanTables> fit_tables{};
  /// Map of the magnet (cm, T) of the polarity of the detector, instead of `fit_tables`: long
  /// tracks are fitted in it (FitLongTracksInField).
  std::shared_ptr<const geometry::FieldGrid> field_map{};
  LongFitParams fit{};           ///< uncertainties of these fits, and the tracks that they drop
  LongTrackMaterial material{};  ///< of the fit in a field
};

/// Chain from raw banks to tracks through VELO, UT and SciFi and primary vertices, see
/// tracks_chain().
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
using TracksChain = chain::Chain<
    ExecutionSpace, chain::Inputs<chain::Events<RawEvent>>,
    chain::Steps<
        StageBanks, StageScifiBanks, CopyBanks<ExecutionSpace>, CopyScifiBanks<ExecutionSpace>,
        ClusterVp<T, ExecutionSpace, Width>, SortByPhi<T, ExecutionSpace, Width>,
        SearchByTriplet<T, ExecutionSpace, Width>, FitLines<T, ExecutionSpace, Width>,
        VeloBeamStates<T, ExecutionSpace, Width>, vertexing::FindVertices<T, ExecutionSpace, Width>,
        VeloEndStates<T, ExecutionSpace, Width>, DecodeUt<T, ExecutionSpace, Width>,
        FindUtWindows<T, ExecutionSpace, Width>, FindUtTracks<T, ExecutionSpace, Width>,
        DecodeScifi<T, ExecutionSpace, Width>, FindLongTracks<T, ExecutionSpace, Width>,
        FindScifiTracks<T, ExecutionSpace, Width>, MatchTracks<T, ExecutionSpace, Width>,
        FitLongTracks<T, ExecutionSpace, Width>, CountVeloUt<T, ExecutionSpace>,
        CountTracks<T, ExecutionSpace>, PackVeloUt<T, ExecutionSpace>,
        PackTracks<T, ExecutionSpace>, CollectTracks<typename ExecutionSpace::memory_space>>,
    chain::Alternatives<FitLongTracksInField<T, ExecutionSpace, Width>,
                        CollectVeloUt<typename ExecutionSpace::memory_space, TracksResult>>>;

/// Steps of velo_ut_chain(), for Chain::select: tracks through VELO and UT only.
inline const std::vector<std::string> velo_ut_steps = {
    "stage_banks",   "copy_banks",      "cluster_vp",     "sort_by_phi", "search_by_triplet",
    "fit_lines",     "velo_end_states", "decode_ut",      "ut_windows",  "ut_tracks",
    "count_velo_ut", "pack_velo_ut",    "collect_velo_ut"};

/// Makes the chain of velo_ut_chain() that also finds the primary vertices of the VELO tracks and,
/// if the detector has a SciFi, decodes its banks (else they are ignored) and finds long tracks,
/// which it fits if there are parameters for that, or a map of the field: the step
/// fit_long_tracks_in_field is then selected instead of fit_long_tracks.
/// The results of velo_ut_chain() are part of those of this chain, bit for bit. Waits for the
/// instance.
/// @tparam T      precision of hits and tracks
/// @tparam Width  number of lanes
/// @throws UsageError if a parameter or a table of the detector is out of range, or if there are
/// parameters of the fit and a map, InputError if the parameters of the fit or the map are
/// impossible
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
TracksChain<T, ExecutionSpace, Width> tracks_chain(const ExecutionSpace& exec,
                                                   const Detector& detector,
                                                   const TracksParams& params,
                                                   const chain::ArenaSize& arena = {},
                                                   int team_size = 0) {
  const auto& velo = params.velo_ut.velo;
  const auto compass = compass_setup<T>(exec, detector, params.velo_ut.ut);
  const auto groups = ut_sector_groups(detector.ut);
  const auto strips = ut_decoding_table<T>(exec, detector.ut_boards, detector.ut, groups);
  ScifiDecodingTable<T, typename ExecutionSpace::memory_space> fibres;
  if (detector.scifi) fibres = scifi_decoding_table<T>(exec, *detector.scifi);
  const bool find_long_tracks = detector.scifi.has_value() && params.find_long_tracks;
  const bool match_tracks = find_long_tracks && params.method != LongTrackMethod::forward;
  ForwardParams forward = params.long_tracks;
  if (params.method == LongTrackMethod::matching) forward.with_ut = forward.without_ut = false;
  const bool end_states = params.velo_ut.ut.end_of_velo_states || match_tracks ||
                          (find_long_tracks && forward.end_of_velo_states);
  vertexing::VertexParams vertices = params.vertices;
  vertices.beam_x = detector.beam_x;
  vertices.beam_y = detector.beam_y;
  vertices.check();
  if (params.fit_tables && params.field_map)
    throw UsageError("tracks_chain", "long tracks are fitted once",
                     "there are parameters of the transport and a field map", "leave one out");
  const bool fit_in_field = find_long_tracks && params.field_map != nullptr;
  LongFieldSetup<T> field_fit{};
  geometry::FieldMap<T, typename ExecutionSpace::memory_space> field;
  if (fit_in_field) {
    field_fit = long_field_setup<T>(params.fit, params.material);
    field = magnet_map<T>(exec, *params.field_map, detector.polarity);
  }
  const bool fit_long_tracks = find_long_tracks && params.fit_tables != nullptr;
  LongFitSetup<T, typename ExecutionSpace::memory_space> fit{};
  if (fit_long_tracks)
    fit = long_fit_setup<T>(exec, *params.fit_tables, detector.polarity, params.fit);
  using Chain = TracksChain<T, ExecutionSpace, Width>;
  Chain chain{exec,
              arena,
              /* stage_banks */ {},
              /* stage_scifi_banks */ {detector.scifi.has_value()},
              /* copy_banks */ {},
              /* copy_scifi_banks */ {},
              /* cluster_vp */ {velo_pixel_tables<T>(exec, detector.velo), team_size},
              /* sort_by_phi */ {velo_pairs, velo.merge_sides, team_size},
              /* search_by_triplet */ {velo, velo_module_z_on<T>(exec), team_size},
              /* fit_lines */ {velo.inverse_variance, team_size},
              /* velo_beam_states */
              {params.at_beam, vertices.beam_x, vertices.beam_y, team_size},
              /* find_vertices */ {vertices, team_size},
              /* velo_end_states */
              {params.velo_ut.end_of_velo, end_states, team_size},
              /* decode_ut */ {strips, team_size},
              /* ut_windows */ {compass, team_size},
              /* ut_tracks */ {compass, team_size},
              /* decode_scifi */ {fibres, team_size},
              /* long_tracks */
              {forward_setup<T>(exec, forward, detector.polarity), find_long_tracks, team_size},
              /* scifi_tracks */ {seeding_cuts<T>(params.scifi_tracks), match_tracks, team_size},
              /* match_tracks */
              {match_setup<T>(params.matching, detector.polarity), match_tracks, team_size},
              /* fit_long_tracks */ {fit, fit_long_tracks, team_size},
              /* count_velo_ut */ {},
              /* count_tracks */ {},
              /* pack_velo_ut */ {groups.layer_offsets, detector.polarity, team_size, {}},
              /* pack_tracks */ {team_size, {}},
              /* collect_tracks */ {},
              /* fit_long_tracks_in_field */ {field_fit, field, fit_in_field, team_size},
              /* collect_velo_ut */ {}};
  if (fit_in_field) {
    auto steps = Chain::default_steps();
    std::ranges::replace(steps, std::string("fit_long_tracks"),
                         std::string("fit_long_tracks_in_field"));
    chain.select(steps);
  }
  return chain;
}

}  // namespace trackplex::lhcb
