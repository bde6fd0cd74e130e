// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/detector/track_finder_params.hpp>
#include <trackplex/geometry/detector.hpp>
#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/seeding/detector_triplets.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/line_seeds.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::detector::detail {

/// Finds the seeds of a pass: triplets on helices, and their fits.
template <class T, class ExecutionSpace, class Field, int Width, kalman::TrackModel Model>
class FindSeeds {
 public:
  using Memory = MemoryOf<ExecutionSpace>;
  using Hits = search::DetectorHits<T, Memory>;
  using Binned = search::BinnedDetectorHits<T, Memory>;
  using Flags = Kokkos::View<std::uint8_t*, Memory>;

  FindSeeds(const ExecutionSpace& exec, const geometry::DetectorDescription& detector,
            const Field& field, const std::vector<PassParams<Model>>& passes)
      : exec_(exec), field_(field) {
    for (const auto& pass : passes) triplets_.emplace_back(exec, detector, field, pass.seeds);
  }

  void operator()(std::size_t number, const PassParams<Model>& pass,
                  const geometry::Detector<T, Memory>& detector, const Hits& hits,
                  const Binned& binned, const Flags& /*taken: not in bins*/,
                  seeding::Seeds<T, Memory, Model>& seeds) {
    run_algorithm(exec_, triplets_[number], hits, binned, found_);
    run_algorithm(exec_, seeding::CountTriplets<ExecutionSpace>(), found_, counts_);
    exec_.fence();
    const seeding::FillSeeds<T, ExecutionSpace, Field, Binned, Width> fill{
        field_, {.from_z = pass.seeds.beam_z}};
    run_algorithm(exec_, fill, hits, binned, found_, counts_, start_, origins_);
    const seeding::FitSeeds<T, ExecutionSpace, Field, Width, geometry::Detector<T, Memory>> fit{
        detector, field_, true, {.mass = pass.building.mass}};
    run_algorithm(exec_, fit, hits, start_, seeds);
  }

 private:
  ExecutionSpace exec_;
  Field field_;
  std::vector<seeding::FindDetectorTriplets<T, ExecutionSpace, Field, Width>> triplets_;
  seeding::Triplets<Memory> found_;
  seeding::HostTripletCounts counts_;
  seeding::StartSeeds<T, Memory, Model> start_;
  seeding::SeedOrigins origins_;
};

/// The same of forward tracks: straight lines.
template <class T, class ExecutionSpace, class Field, int Width>
class FindSeeds<T, ExecutionSpace, Field, Width, kalman::ForwardTrack> {
 public:
  using Model = kalman::ForwardTrack;
  using Memory = MemoryOf<ExecutionSpace>;

  FindSeeds(const ExecutionSpace& exec, const geometry::DetectorDescription&, const Field&,
            const std::vector<PassParams<Model>>&)
      : exec_(exec) {}

  void operator()(std::size_t, const PassParams<Model>& pass,
                  const geometry::Detector<T, Memory>& detector,
                  const search::DetectorHits<T, Memory>& hits,
                  const search::BinnedDetectorHits<T, Memory>&,
                  const Kokkos::View<std::uint8_t*, Memory>& taken,
                  seeding::Seeds<T, Memory, Model>& seeds) const {
    seeding::find_line_seeds(exec_, hits, detector, pass.seeds, seeds, taken);
  }

 private:
  ExecutionSpace exec_;
};

}  // namespace trackplex::detector::detail
