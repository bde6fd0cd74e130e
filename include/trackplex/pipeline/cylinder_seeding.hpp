// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms of a detector of cylinders: from events on the host to seeds.

#include <trackplex/core/host_copy.hpp>
#include <trackplex/pipeline/cylinder_products.hpp>
#include <trackplex/pipeline/handlers.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>

namespace trackplex::pipeline::cylinder {

template <class Real>
struct StageHits {
  static constexpr const char* name = "stage_hits";
  int layers;

  template <class Memory>
  void make_room(const Memory& memory, const Batch& batch, StagedHits<Real>& staged) const {
    search::reserve_hits(memory.of(staged), std::span(batch.hits), layers, staged);
  }
  void operator()(const Batch& batch, StagedHits<Real>& staged) const {
    search::stage_hits(std::span(batch.hits), staged);
  }
};

template <class Real, class ExecutionSpace>
struct UploadHits : CopyArrays<ExecutionSpace, StagedHits<Real>, Hits<Real, ExecutionSpace>> {
  static constexpr const char* name = "upload_hits";
};

/// Seeds of the truth; see `seeding::truth_seeds`.
template <class Real, class ExecutionSpace>
struct TruthSeeds {
  static constexpr const char* name = "truth_seeds";
  int layers = 3;

  template <class Memory>
  void make_room(const Memory& memory, const Batch& batch,
                 StagedSeeds<Real, ExecutionSpace>& seeds) const {
    seeding::reserve_truth_seeds(memory.of(seeds), std::span(batch.events), layers, seeds);
  }
  void operator()(const Batch& batch, StagedSeeds<Real, ExecutionSpace>& seeds) const {
    seeding::stage_truth_seeds(std::span(batch.events), layers, seeds);
  }
};

template <class Real, class ExecutionSpace>
struct UploadSeeds {
  static constexpr const char* name = "upload_seeds";
  static constexpr bool shares_inputs = true;  // particles stay where they are, on every backend

  template <class Memory>
  void make_room(const Memory& memory, const StagedSeeds<Real, ExecutionSpace>& staged,
                 StartSeeds<Real, ExecutionSpace>& seeds, SeedOrigins& origins) const {
    reserve_copies(memory.of(seeds), staged, seeds);
    origins.particle = staged.particle;
  }
  void operator()(const ExecutionSpace& exec, const StagedSeeds<Real, ExecutionSpace>& staged,
                  StartSeeds<Real, ExecutionSpace>& seeds, SeedOrigins&) const {
    copy_arrays(exec, staged, seeds);
  }
};

template <class Real, class ExecutionSpace, int Width>
struct BinHits {
  static constexpr const char* name = "bin_hits";
  search::BinnedHits<Real, MemoryOf<ExecutionSpace>> bins;  ///< without hits
  struct Scratch {
    Workspace<ExecutionSpace> workspace;
  };

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>& hits,
                 BinnedHits<Real, ExecutionSpace>& binned, Scratch& scratch) const {
    binned = {bins};
    search::reserve_bins(memory.of(binned), hits, binned);
    scratch.workspace = Workspace<ExecutionSpace>(memory.scratch());
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  BinnedHits<Real, ExecutionSpace>& binned, Scratch& scratch) const {
    search::bin_hits<Width>(exec, hits, binned, scratch.workspace);
  }
};

/// See `seeding::find_triplets`.
template <class Real, class ExecutionSpace, int Width>
struct FindTriplets {
  static constexpr const char* name = "find_triplets";
  seeding::CylinderLayers detector;
  kalman::UniformField field;
  seeding::CylinderTripletParameters parameters;

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>& hits,
                 const BinnedHits<Real, ExecutionSpace>& /*binned*/,
                 Triplets<ExecutionSpace>& triplets) const {
    seeding::reserve_triplets(memory.of(triplets), hits, parameters, triplets);
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  const BinnedHits<Real, ExecutionSpace>& binned,
                  Triplets<ExecutionSpace>& triplets) const {
    seeding::find_triplets<Width>(exec, hits, binned, detector, field, parameters, triplets);
  }
};

/// Copies the counts, of which the host makes room for seeds. A few numbers for each event: they
/// are copied on hosts, too, so that the triplets need not stay with them.
template <class ExecutionSpace>
struct CountTriplets {
  static constexpr const char* name = "count_triplets";

  template <class Memory>
  void make_room(const Memory& memory, const Triplets<ExecutionSpace>& triplets,
                 TripletCounts& counts) const {
    for_each_array(triplets, counts,
                   [&](const auto&, auto& array, const char* label, std::size_t n) {
                     reserve(memory.of(counts), array, label, n);
                   });
  }
  void operator()(const ExecutionSpace& exec, const Triplets<ExecutionSpace>& triplets,
                  TripletCounts& counts) const {
    copy_arrays(exec, triplets, counts);
  }
};

/// Triplets as seeds, with states to fit them from.
template <class Real, class ExecutionSpace, int Width>
struct FillSeeds {
  static constexpr const char* name = "fill_seeds";
  kalman::UniformField field;

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>&,
                 const BinnedHits<Real, ExecutionSpace>&, const Triplets<ExecutionSpace>& triplets,
                 const TripletCounts& counts, StartSeeds<Real, ExecutionSpace>& seeds,
                 SeedOrigins& origins) const {
    seeds.reserve(memory.of(seeds), counts.total().seeds, triplets.layers[2] + 1);
    reserve(memory.of(origins), origins.lost, "Trackplex::Pipeline::lost_seeds",
            std::size_t(counts.events));
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  const BinnedHits<Real, ExecutionSpace>& binned,
                  const Triplets<ExecutionSpace>& triplets, const TripletCounts& counts,
                  StartSeeds<Real, ExecutionSpace>& seeds, SeedOrigins& origins) const {
    seeding::fill_seeds(exec, hits, binned, triplets, counts.total().seeds, seeds);
    seeding::start_states<Width>(exec, hits, seeds.hits, field, {}, seeds.states);
    for (int event = 0; event < counts.events; ++event) {
      const auto of_event = counts.of_event(event);
      origins.lost(event) = of_event.overflow + of_event.dropped;
    }
  }
};

/// Fits the hits of seeds, whose states become those of the fit.
template <class Real, class ExecutionSpace>
struct FitSeeds {
  static constexpr const char* name = "fit_seeds";
  static constexpr bool shares_inputs = true;
  seeding::CylinderLayers detector;
  kalman::UniformField field;
  kalman::ThinLayer material;

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>&,
                 const StartSeeds<Real, ExecutionSpace>& start,
                 Seeds<Real, ExecutionSpace>& seeds) const {
    static_cast<seeding::Seeds<Real, MemoryOf<ExecutionSpace>>&>(seeds) = start;
    seeds.reserve(memory.of(seeds), start.size(), start.hits.layers);
    seeds.results.reserve(memory.of(seeds), start.size());
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  const StartSeeds<Real, ExecutionSpace>&,
                  Seeds<Real, ExecutionSpace>& seeds) const {
    constexpr int width = default_lane_width<ExecutionSpace, Real>;
    seeding::fit_seeds<width>(exec, hits, detector, field, {}, seeds.results, seeds, material);
  }
};

}  // namespace trackplex::pipeline::cylinder
