// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detectors.hpp"
#include "finder.hpp"
#include "track_states.hpp"

#include <pybind11/stl.h>
#include <trackplex/core/constants.hpp>
#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/validation/detector_tracking.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using Field = kalman::HelicesInField<AxialField::Map<float>>;
using Chain = detector::TrackFinder<float, HostExecutor, Field>;
using Tracks = Kept<detector::TrackList<>>;
using TracksPointer = std::shared_ptr<Tracks>;
using EventPointer = std::shared_ptr<DetectorEvent>;

/// The finder of tracks around a region of collisions.
class TrackFinder {
 public:
  TrackFinder(DescriptionPointer detector, const AxialField& field,
              const detector::ColliderFinderParams& params, int passes)
      : detector_(std::move(detector)),
        find_(
            [&](const HostExecutor& exec) {
              const auto graph = geometry::find_layer_graph(*detector_, rays_of(field, params));
              auto settings = detector::collider_finder_params(*detector_, graph, params);
              if (passes > 0 && std::size_t(passes) < settings.passes.size())
                settings.passes.resize(std::size_t(passes));
              return detector::track_finder<float>(exec, *detector_, graph,
                                                   Field{field.make_map<float>(exec)}, settings);
            },
            detector_) {}

  std::vector<TracksPointer> operator()(const std::vector<EventPointer>& events) {
    std::vector<std::shared_ptr<hits::HostDetectorHits>> lists;
    for (const auto& event : events) {
      if (!event) throw py::type_error("events contain None");
      if (event->detector != detector_)
        throw UsageError("TrackFinder", "an event belongs to another detector", {},
                         "make the finder for `event.detector`");
      lists.emplace_back(event, &event->list.hits);
    }
    return find_(lists);
  }

 private:
  /// As curved as the slowest particles.
  static geometry::LayerGraphParams rays_of(const AxialField& field,
                                            const detector::ColliderFinderParams& params) {
    geometry::LayerGraphParams rays;
    rays.x = params.x;
    rays.y = params.y;
    rays.z = params.z;
    const double tesla = field.map()(params.x, params.y, params.z)(2);
    rays.max_curvature =
        constants::momentum_per_tesla_metre / 100. * std::abs(tesla) / params.min_pt;
    return rays;
  }

  DescriptionPointer detector_;
  Finder<Chain, DetectorDescription> find_;
};

void add_finder(py::module_& module) {
  const detector::ColliderFinderParams defaults;
  py::class_<TrackFinder>(module, "TrackFinder")
      .def(py::init([](const DescriptionPointer& of, const AxialField& field, double min_pt,
                       double sigma_z, const std::array<double, 3>& beam, double max_d0,
                       double mass, int passes) {
             if (!(min_pt > 0.)) throw UsageError("TrackFinder", "min_pt is not positive");
             if (passes < 0) throw UsageError("TrackFinder", "passes is below zero");
             detector::ColliderFinderParams params;
             params.min_pt = min_pt;
             params.sigma_z0 = sigma_z;
             params.x = beam[0];
             params.y = beam[1];
             params.z = beam[2];
             params.max_d0 = max_d0;
             params.mass = mass;
             return std::make_unique<TrackFinder>(of, field, params, passes);
           }),
           py::arg("detector"), py::arg("field"), py::arg("min_pt") = defaults.min_pt,
           py::arg("sigma_z") = defaults.sigma_z0, py::arg("beam") = std::array<double, 3>{},
           py::arg("max_d0") = defaults.max_d0, py::arg("mass") = defaults.mass,
           py::arg("passes") = 0)
      .def("__call__", &TrackFinder::operator(), py::arg("events"));
}

void add_tracks(py::module_& module) {
  using List = detector::TrackList<>;
  py::class_<Tracks, TracksPointer> type(module, "Tracks");
  type.def("__len__", [](const Tracks& tracks) { return tracks.result.size(); })
      .def(
          "track",
          [](py::object self, std::size_t i) {
            const auto& list = self.cast<const Tracks&>().result;
            if (i >= list.size()) throw py::index_error("there is no track " + std::to_string(i));
            return view_of_span(list.hits_of(i), self);
          },
          py::arg("i"))
      .def_property_readonly("lost_seeds",
                             [](const Tracks& tracks) { return tracks.result.lost_seeds; });
  add_states(
      type, [](const Tracks& tracks) -> const States& { return tracks.result.states; },
      [](const Tracks& tracks) { return Extents{py::ssize_t(tracks.result.size())}; });
  const auto column = [&](const char* name, auto member) {
    type.def_property_readonly(name, [member](py::object self) {
      const auto& list = self.cast<const Tracks&>().result.*member;
      return view_of_span(std::span(list), self);
    });
  };
  column("track_offsets", &List::first);
  column("track_hits", &List::hits);
  column("chi2", &List::chi2);
  column("measurements", &List::measurements);
  column("passes", &List::pass);
}

/// All events in one list, and their tracks.
std::pair<tracks::DetectorEvents, validation::TrackCandidates> joined(
    const std::vector<EventPointer>& events, const std::vector<TracksPointer>& of_events) {
  if (events.empty() || events.size() != of_events.size())
    throw py::value_error("there are " + std::to_string(events.size()) + " events, and tracks of " +
                          std::to_string(of_events.size()));
  tracks::DetectorEvents all(*events.front()->detector);
  validation::TrackCandidates candidates;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto first = std::int32_t(all.hits.n_hits());
    all.append(events[e]->list);
    const auto& tracks = of_events[e]->result;
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      std::vector<std::int32_t> hits;
      for (const auto hit : tracks.hits_of(t)) hits.push_back(first + hit);
      candidates.add(hits);
    }
  }
  return {std::move(all), std::move(candidates)};
}

py::dict compare(const std::vector<EventPointer>& events, const std::vector<TracksPointer>& tracks,
                 int min_track_hits, int min_particle_hits, double min_pt,
                 double max_vertex_radius) {
  validation::DetectorTrackingParams params;
  params.min_track_hits = min_track_hits;
  params.min_particle_hits = min_particle_hits;
  params.min_pt = min_pt;
  params.max_vertex_radius = max_vertex_radius;
  const auto [all, candidates] = joined(events, tracks);
  const auto result = validation::compare_with_truth(all, candidates, params);
  py::list particles;
  auto next = result.particle_of_track.begin();
  for (const auto& of_event : tracks) {
    const auto end = next + std::ptrdiff_t(of_event->result.size());
    particles.append(py::array_t<std::int32_t>(end - next, std::to_address(next)));
    next = end;
  }
  py::dict values;
  values["score"] = result.score;
  values["efficiency"] = result.efficiency.value();
  values["efficiency_error"] = result.efficiency.error();
  values["fake_rate"] = result.fake_rate.value();
  values["duplicate_rate"] = result.duplicates.value();
  values["hit_efficiency"] = result.completeness.value();
  values["purity"] = result.purity.value();
  values["particle_of_track"] = particles;
  return values;
}

}  // namespace

void add_track_finder(py::module_& module) {
  add_tracks(module);
  add_finder(module);
  module.def("compare", &compare);
}

}  // namespace trackplex::python
