// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Chain for the toy detector of mkFit, concentric cylinders in a solenoid: seeds, track building
/// and fits.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/chain/chain.hpp>
#include <trackplex/cylinder/algorithms.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <trackplex/seeding/truth_seeds.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace trackplex::cylinder {

/// Parameters of a `TrackingChain`.
struct TrackingParams {
  tracks::CylinderLayers detector;         ///< radii of the layers, cm
  std::vector<double> half_length;         ///< of each layer: bins cover |z| up to it, cm
  search::BinCounts bins{256, 64};         ///< numbers of bins in azimuth and in z, of each layer
  double field = 3.8112;                   ///< uniform field for seeds and building, T
  kalman::SolenoidField solenoid;          ///< field for the fit of all hits, T
  int seed_layers = 3;                     ///< number of layers of seeds from the truth
  candidates::BuildTracksParams building;  ///< track building; its material is used in all fits
  candidates::TeamShape building_teams;    ///< shape of the teams; no result depends on it
  seeding::FindTripletsParams triplets;    ///< seeds from triplets
  candidates::ResolveAmbiguitiesParams shared_hits;  ///< removal of tracks that share hits
  bool all_states = false;  ///< results contain the states of seeds and of building too
};

/// Choice of the steps of a `TrackingChain`.
struct CylinderSteps {
  bool triplets = false;                  ///< seeds from triplets of hits; false: from the truth
  std::string strategy = "clone_engine";  ///< or "standard", "best_hit"
  bool resolve_ambiguities = false;       ///< drop tracks that share too many hits with better ones
  bool smooth = false;                    ///< smooth the state on the first layer after the fit

  /// Returns the names of the steps in order, for `Chain::select`.
  std::vector<std::string> names() const {
    std::vector<std::string> names{"stage_hits"};
    const auto add = [&](std::initializer_list<const char*> more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    if (triplets)
      add({"upload_hits", "bin_hits", "find_triplets", "count_triplets", "fill_seeds"});
    else
      add({"truth_seeds", "upload_hits", "upload_seeds", "bin_hits"});
    add({"fit_seeds", strategy.c_str(), resolve_ambiguities ? "resolve_ambiguities" : "keep_tracks",
         smooth ? "smooth_tracks" : "fit_tracks", "copy_out", "collect"});
    return names;
  }
};

namespace detail {

template <class T, class ExecutionSpace, int Width>
struct TrackingAlgorithms {
  using Field = kalman::UniformField;
  using Binned = search::BinnedHits<T, MemoryOf<ExecutionSpace>>;
  template <class Strategy>
  using Build = candidates::BuildTracks<Strategy, T, ExecutionSpace, Field, Binned, Width>;
  using Chain = chain::Chain<
      ExecutionSpace, chain::Inputs<Events>,
      chain::Steps<StageHits<T>, seeding::TruthSeeds<T, ExecutionSpace>,
                   UploadHits<T, ExecutionSpace>, UploadSeeds<T, ExecutionSpace>,
                   search::BinHits<T, ExecutionSpace, Binned, Width>,
                   seeding::FitSeeds<T, ExecutionSpace>, Build<candidates::CloneEngine<>>,
                   KeepTracks<T, ExecutionSpace>, FitTracks<T, ExecutionSpace, Width>,
                   CopyOut<T, ExecutionSpace>, Collect<T, ExecutionSpace>>,
      chain::Alternatives<seeding::FindTriplets<T, ExecutionSpace, Field, Binned, Width>,
                          seeding::CountTriplets<ExecutionSpace>,
                          seeding::FillSeeds<T, ExecutionSpace, Field, Binned, Width>,
                          Build<candidates::Standard<>>, Build<candidates::BestHit>,
                          candidates::ResolveAmbiguities<T, ExecutionSpace>,
                          SmoothTracks<T, ExecutionSpace, Width>>>;
};

}  // namespace detail

/// Chain from `Events` (lists of one event each) to a `CylinderResult` per event. By default seeds
/// come from the truth, the clone engine builds tracks from them, and all tracks are fitted;
/// `select` chooses other steps (see `CylinderSteps`).
/// @tparam T scalar of hits and states
/// @tparam Width number of lanes of seeding and building
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
using TrackingChain = typename detail::TrackingAlgorithms<T, ExecutionSpace, Width>::Chain;

/// Makes a chain. Without an arena its arrays grow as needed; with one it allocates nothing later.
/// @throws UsageError if the number of entries of `half_length` is not the number of layers
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
TrackingChain<T, ExecutionSpace, Width> tracking_chain(const ExecutionSpace& exec,
                                                       const TrackingParams& params,
                                                       const chain::ArenaSize& arena = {}) {
  const auto& detector = params.detector;
  const auto& building = params.building;
  const auto& teams = params.building_teams;
  const kalman::UniformField field{params.field};
  if (params.half_length.size() != std::size_t(detector.size))
    throw UsageError("tracking_chain",
                     "bins for " + std::to_string(params.half_length.size()) + " layers",
                     "the detector has " + std::to_string(detector.size));
  std::vector<histogram::RegularAxis<T>> z;
  for (const double half : params.half_length) z.emplace_back(-half, half, params.bins.second);
  const FitTracks<T, ExecutionSpace, Width> fit{detector, field, params.solenoid,
                                                building.material};
  return {exec,
          arena,
          /* stage_hits */ {detector.size},
          /* truth_seeds */ {params.seed_layers},
          /* upload_hits */ {},
          /* upload_seeds */ {},
          /* bin_hits */ {{exec, params.bins.azimuth, z}},
          /* fit_seeds */ {detector, field, building.material},
          /* clone_engine */ {detector, field, building, teams},
          /* keep_tracks */ {},
          /* fit_tracks */ fit,
          /* copy_out */ {params.all_states},
          /* collect */ {},
          /* find_triplets */ {detector, field, params.triplets},
          /* count_triplets */ {},
          /* fill_seeds */ {field},
          /* standard */ {detector, field, building, teams},
          /* best_hit */ {detector, field, building, teams},
          /* resolve_ambiguities */ {params.shared_hits},
          /* smooth_tracks */ {fit}};
}

}  // namespace trackplex::cylinder
