// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Traits of a kind of hits in track building: its detector, its parameters, and the
/// steps on a layer.

#include <trackplex/candidates/detector_search.hpp>
#include <trackplex/candidates/layer_search.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <string>
#include <type_traits>

namespace trackplex::candidates::detail {

template <class Binned>
struct StepsInHits;

/// Hits on cylinders.
template <class T, class MemorySpace, class Coordinate, class Axis>
struct StepsInHits<search::BinnedHits<T, MemorySpace, Coordinate, Axis>> {
  using Binned = search::BinnedHits<T, MemorySpace, Coordinate, Axis>;
  using Detector = tracks::CylinderLayers;
  using Params = BuildTracksParams;

  static int count(const Detector& detector, const Params&) { return detector.size; }

  template <class Seeds>
  static void check(const char* name, const Detector& detector, const Params& params,
                    const Seeds& seeds, const Binned& binned) {
    if (detector.size > tracks::max_layers)
      throw CapacityError(name, "layers", std::size_t(detector.size), tracks::max_layers);
    if (binned.layers != detector.size)
      throw UsageError(name, "hits and detector have different layers",
                       std::to_string(binned.layers) + " and " + std::to_string(detector.size));
    if (seeds.hits.layers > detector.size)
      throw UsageError(name, "seeds have more layers than the detector",
                       std::to_string(seeds.hits.layers) + " and " + std::to_string(detector.size));
    kalman::check_thickness(name, params.material.thickness);
    if (seeds.hits.layers < 1 && seeds.size() > 0 && params.material.thickness > 0.)
      throw UsageError(name, "seeds have no layer whose material they could leave");
  }

  template <class Model, class Field, class Seeds>
  static auto search(const Detector& detector, const Field& field, const Params& params,
                     const Seeds&, const Binned& binned) {
    static_assert(std::is_same_v<Model, kalman::CentralTrack>,
                  "Tracks on cylinders have the model CentralTrack.");
    return CylinderSearch<Binned, Field, T>{binned, detector, field, params};
  }
};

/// Hits on the modules of a detector.
template <class T, class MemorySpace>
struct StepsInHits<search::BinnedDetectorHits<T, MemorySpace>> {
  using Binned = search::BinnedDetectorHits<T, MemorySpace>;
  using Detector = geometry::Navigation<T, MemorySpace>;
  using Params = DetectorSearchParams;

  static int count(const Detector&, const Params& params) { return params.max_layers; }

  template <class Seeds>
  static void check(const char* name, const Detector& detector, const Params& params,
                    const Seeds& seeds, const Binned& binned) {
    if (binned.layers != detector.detector.n_layers)
      throw UsageError(
          name, "hits and detector have different layers",
          std::to_string(binned.layers) + " and " + std::to_string(detector.detector.n_layers));
    if (params.max_layers < 1 || params.max_layers > 63)
      throw UsageError(name, "tracks have no layers, or too many",
                       "max_layers = " + std::to_string(params.max_layers), "from 1 to 63");
    if (seeds.size() == 0) return;
    if (seeds.hits.layers > params.max_layers || seeds.hits.layers < 1)
      throw UsageError(
          name, "seeds have no or more than max_layers hits",
          std::to_string(seeds.hits.layers) + " of " + std::to_string(params.max_layers));
    if (seeds.layer.extent(0) < std::size_t(seeds.size()))
      throw UsageError(name, "the layers of the seeds are not known");
  }

  template <class Model, class Field, class Seeds>
  static auto search(const Detector& detector, const Field& field, const Params& params,
                     const Seeds& seeds, const Binned& binned) {
    return DetectorSearch<Model, T, MemorySpace, Field>{binned, detector,    field,
                                                        params, seeds.layer, params.max_layers};
  }
};

}  // namespace trackplex::candidates::detail
