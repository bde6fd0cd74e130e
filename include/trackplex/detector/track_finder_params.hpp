// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parameters of track finding in any detector of modules.

#include <trackplex/candidates/detector_search_params.hpp>
#include <trackplex/candidates/resolve_ambiguities_params.hpp>
#include <trackplex/detector/select_tracks_params.hpp>
#include <trackplex/geometry/layer_graph.hpp>
#include <trackplex/geometry/navigation.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/search/layer_axes.hpp>
#include <trackplex/seeding/detector_triplet_cuts.hpp>
#include <trackplex/seeding/line_seeds_params.hpp>

#include <type_traits>
#include <vector>

namespace trackplex::candidates {
template <int Candidates>
struct CloneEngine;
}  // namespace trackplex::candidates

namespace trackplex::detector {

/// Parameters of the seeds of a track model: triplets of central tracks, lines of forward ones.
template <kalman::TrackModel Model>
using SeedsParams = std::conditional_t<std::is_same_v<Model, kalman::ForwardTrack>,
                                       seeding::LineSeedsParams, seeding::DetectorTripletsParams>;

/// Pass of track finding, over the hits that earlier passes left.
template <kalman::TrackModel Model = kalman::CentralTrack>
struct PassParams {
  SeedsParams<Model> seeds{};                                 ///< seeds: layers and cuts
  candidates::DetectorSearchParams building{};                ///< track building
  candidates::ResolveAmbiguitiesParams shared_hits{4, 0.75};  ///< choice between tracks
  SelectTracksParams selection{};                             ///< of fitted tracks
};

/// Parameters of a `TrackFinder`.
/// @tparam TheModel track model
/// @tparam TheStrategy strategy of track building
template <kalman::TrackModel TheModel = kalman::CentralTrack,
          class TheStrategy = candidates::CloneEngine<4>>
struct TrackFinderParams {
  using Model = TheModel;        ///< track model
  using Strategy = TheStrategy;  ///< strategy of track building

  std::vector<PassParams<Model>> passes;    ///< one after the other
  geometry::LayerGraphParams graph{};       ///< how layers are connected
  geometry::NavigationParams navigation{};  ///< from layer to layer
  search::LayerAxesParams bins{};           ///< of hits
  double added_chi2 = 20.;                  ///< max chi2 of hits that are added to tracks, see
                                            ///< `candidates::AddOverlapHits`, `AddInnerHits`
  int inner_layers = 4;                     ///< max number of hits that are added before the
                                            ///< first one of a central track
  double inner_min_cosine = 0.03;           ///< of the angle between a track and the normals of
                                            ///< these layers
  double start_spread = 10.;                ///< errors of the start states of final fits, over
                                            ///< the errors of the built tracks
  kalman::FitOptions fit{};                 ///< of the final fits
};

}  // namespace trackplex::detector
