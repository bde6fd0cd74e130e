// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks in a detector of cylinders as a sequence, for the event pipeline.

#include <trackplex/pipeline/cylinder_output.hpp>
#include <trackplex/pipeline/cylinder_seeding.hpp>
#include <trackplex/pipeline/cylinder_tracking.hpp>
#include <trackplex/pipeline/sequence.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::pipeline {

/// What the algorithms of a `CylinderSequence` need to know.
struct CylinderSettings {
  seeding::CylinderLayers detector;
  std::vector<double> half_length;  ///< cm, of the bins of each layer
  search::BinCounts bins{256, 64};
  double field = 3.8112;                 ///< T, for seeds and building
  kalman::SolenoidField solenoid;        ///< for the fit of all hits
  int seed_layers = 3;                   ///< of seeds from the truth
  candidates::BuildingParams building;   ///< its material is that of all fits
  candidates::TeamShape building_teams;  ///< no result depends on it
  seeding::CylinderTripletParameters triplets;
  candidates::SharedHitsParams shared_hits;
  bool all_states = false;  ///< results have the states of seeds and of building, too
};

/// The steps of a `CylinderSequence` that a user chooses.
struct CylinderChoice {
  bool triplets = false;                  ///< seeds from triplets of hits; else from the truth
  std::string strategy = "clone_engine";  ///< or "standard", "best_hit"
  bool remove_shared_hits = false;        ///< fit no tracks that live on the hits of better ones
  bool smooth = false;                    ///< fit, and smooth the state on the first layer

  /// For `CylinderSequence::select`.
  std::vector<std::string> steps() const {
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

/// Finds and fits the tracks of batches of events, in memory that is allocated once: a processor of
/// a `Pipeline`. By default seeds are the truth's, the clone engine builds tracks from them, and
/// all are fitted; `select` names other steps. Width is the number of lanes of seeding and
/// building.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class CylinderSequence {
  template <template <class, class> class Algorithm>
  using With = Algorithm<Real, ExecutionSpace>;
  template <template <class, class, int> class Algorithm>
  using WithLanes = Algorithm<Real, ExecutionSpace, Width>;

 public:
  using Event = std::shared_ptr<const seeding::TrackingEvents>;  ///< one event each
  using Result = CylinderResult;
  using Chain = Sequence<
      ExecutionSpace, Given<cylinder::Batch>,
      Steps<cylinder::StageHits<Real>, With<cylinder::TruthSeeds>, With<cylinder::UploadHits>,
            With<cylinder::UploadSeeds>, WithLanes<cylinder::BinHits>, With<cylinder::FitSeeds>,
            WithLanes<cylinder::CloneEngine>, With<cylinder::KeepTracks>,
            WithLanes<cylinder::FitTracks>, With<cylinder::CopyOut>, With<cylinder::Collect>>,
      Alternatives<WithLanes<cylinder::FindTriplets>, cylinder::CountTriplets<ExecutionSpace>,
                   WithLanes<cylinder::FillSeeds>, WithLanes<cylinder::Standard>,
                   WithLanes<cylinder::BestHit>, With<cylinder::RemoveSharedHits>,
                   WithLanes<cylinder::SmoothTracks>>>;

  /// `bytes` of memory where kernels work; on devices also `pinned_bytes` on the host, half as many
  /// where it is 0.
  /// @throws UsageError unless there are bins for each layer of the detector
  CylinderSequence(const ExecutionSpace& exec, std::size_t bytes, const CylinderSettings& settings,
                   std::size_t pinned_bytes = 0)
      : layers_(settings.detector.size),
        chain_(make_chain(exec, bytes, pinned_bytes > 0 ? pinned_bytes : bytes / 2, settings)) {}

  /// Which steps run from the next batch on; see `CylinderChoice::steps`.
  /// @throws UsageError where one does not exist, or reads what none before it makes
  void select(const std::vector<std::string>& steps) { chain_.select(steps); }

  /// Takes over the events of a batch.
  /// @throws UsageError for anything but single events of the detector
  void stage(std::span<const Event> events) {
    auto& batch = chain_.template product<cylinder::Batch>();
    batch = {};
    for (const auto& event : events) {
      if (event->events() != 1 || event->hits.layers() != layers_)
        throw UsageError("CylinderSequence",
                         std::to_string(event->events()) + " events with " +
                             std::to_string(event->hits.layers()) + " layers",
                         "one event with " + std::to_string(layers_) + " layers is wanted",
                         "take TrackingEvents::part(event, 1)");
      batch.events.push_back(event.get());
      batch.hits.push_back(&event->hits);
    }
    chain_.stage();
  }
  /// Runs all kernels and waits for them.
  void run() { chain_.run(); }
  /// Appends what was found, a result for each event.
  void collect(std::vector<Result>& results) {
    chain_.collect();
    auto& events = chain_.template product<cylinder::Results>().events;
    std::move(events.begin(), events.end(), std::back_inserter(results));
  }

  /// Times of the selected steps, and memory.
  SlotReport report() const { return chain_.report(); }

  Chain& sequence() { return chain_; }
  const Chain& sequence() const { return chain_; }

 private:
  static search::BinnedHits<Real, MemoryOf<ExecutionSpace>> bins(const ExecutionSpace& exec,
                                                                 const CylinderSettings& settings) {
    if (settings.half_length.size() != std::size_t(settings.detector.size))
      throw UsageError("CylinderSequence",
                       "bins for " + std::to_string(settings.half_length.size()) + " layers",
                       "the detector has " + std::to_string(settings.detector.size));
    std::vector<histogram::RegularAxis<Real>> axes;
    for (const double half : settings.half_length)
      axes.emplace_back(-half, half, settings.bins.second);
    return {exec, settings.bins.azimuth, axes};
  }

  static Chain make_chain(const ExecutionSpace& exec, std::size_t bytes, std::size_t pinned_bytes,
                          const CylinderSettings& settings) {
    const auto& detector = settings.detector;
    const kalman::UniformField field{settings.field};
    const auto& material = settings.building.material;
    const auto& building = settings.building;
    const auto& teams = settings.building_teams;
    return Chain(exec, bytes, pinned_bytes,
                 /* stage_hits */ {detector.size}, /* truth_seeds */ {settings.seed_layers},
                 /* upload_hits */ {}, /* upload_seeds */ {},
                 /* bin_hits */ {bins(exec, settings)},
                 /* fit_seeds */ {detector, field, material},
                 /* clone_engine */ {{detector, field, building, teams}}, /* keep_tracks */ {},
                 /* fit_tracks */ {{detector, field, settings.solenoid, material}},
                 /* copy_out */ {settings.all_states}, /* collect */ {},
                 /* find_triplets */ {detector, field, settings.triplets}, /* count_triplets */ {},
                 /* fill_seeds */ {field},
                 /* standard */ {{detector, field, building, teams}},
                 /* best_hit */ {{detector, field, building, teams}},
                 /* remove_shared_hits */ {settings.shared_hits},
                 /* smooth_tracks */ {{detector, field, settings.solenoid, material}});
  }

  int layers_;
  Chain chain_;
};

}  // namespace trackplex::pipeline
