// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The chain for the toy detector of the Kalman paper: concentric cylinders in a solenoid.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/chain/chain.hpp>
#include <trackplex/cylinder/algorithms.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <trackplex/seeding/truth_seeds.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace trackplex::cylinder {

/// Parameters of a `TrackingChain`.
struct TrackingParams {
  seeding::CylinderLayers detector;
  std::vector<double> half_length;  ///< cm, of the bins of each layer
  search::BinCounts bins{256, 64};
  double field = 3.8112;                   ///< T, for seeds and building
  kalman::SolenoidField solenoid;          ///< for the fit of all hits
  int seed_layers = 3;                     ///< of seeds from the truth
  candidates::BuildTracksParams building;  ///< its material is that of all fits
  candidates::TeamShape building_teams;    ///< no result depends on it
  seeding::FindTripletsParams triplets;
  candidates::RemoveSharedHitsParams shared_hits;
  bool all_states = false;  ///< results have the states of seeds and of building, too
};

/// Steps of a `TrackingChain` that a user chooses.
struct TrackingSteps {
  bool triplets = false;                  ///< seeds from triplets of hits; else from the truth
  std::string strategy = "clone_engine";  ///< or "standard", "best_hit"
  bool remove_shared_hits = false;        ///< fit no tracks that live on the hits of better ones
  bool smooth = false;                    ///< fit, and smooth the state on the first layer

  /// For `Chain::select`.
  std::vector<std::string> names() const {
    std::vector<std::string> names{"stage_hits"};
    const auto add = [&](std::initializer_list<const char*> more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    if (triplets)
      add({"upload_hits", "bin_hits", "find_triplets", "count_triplets", "fill_seeds"});
    else
      add({"truth_seeds", "upload_hits", "upload_seeds", "bin_hits"});
    add({"fit_seeds", strategy.c_str(), remove_shared_hits ? "remove_shared_hits" : "keep_tracks",
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
                          candidates::RemoveSharedHits<T, ExecutionSpace>,
                          SmoothTracks<T, ExecutionSpace, Width>>>;
};

}  // namespace detail

/// Finds and fits the tracks of batches of events, one event each. By default seeds are the
/// truth's, the clone engine builds tracks from them, and all are fitted; `select` names other
/// steps (see `TrackingSteps`). `Width` is the number of lanes of seeding and building.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
using TrackingChain = typename detail::TrackingAlgorithms<T, ExecutionSpace, Width>::Chain;

/// @throws UsageError unless there are bins for each layer of the detector
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
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
          /* remove_shared_hits */ {params.shared_hits},
          /* smooth_tracks */ {fit}};
}

}  // namespace trackplex::cylinder
