// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_runs.hpp"

#include <trackplex/geometry/outlines.hpp>
#include <trackplex/io/detectors/detector_plot.hpp>

namespace detector_tracker {

using geometry::Projection;

program::ChainWork finder_work() {
  program::ChainWork work;
  work.groups = {{"load", {"stage_hits", "upload_hits", "free_all_hits"}},
                 {"binning", {"bin_free_hits"}},
                 {"seeding",
                  {"find_detector_triplets", "count_triplets", "fill_seeds", "fit_seeds",
                   "count_lines", "fill_lines"}},
                 {"building", {"clone_engine"}},
                 {"clean", {"resolve_ambiguities"}},
                 {"fit",
                  {"inflate_covariances", "add_overlap_hits", "add_inner_hits", "fit_tracks",
                   "select_tracks"}},
                 {"collect", {"fetch_tracks", "collect_tracks"}}};
  program::StepGroup total{"total", {}};
  for (const auto& group : work.groups)
    total.steps.insert(total.steps.end(), group.steps.begin(), group.steps.end());
  work.groups.push_back(total);
  return work;
}

std::vector<Vector3> points_of(const geometry::DetectorDescription& detector,
                               const EventOfBatch& event) {
  const auto& hits = event.batch->hits;
  std::vector<Vector3> points;
  for (auto i = event.first_hit(); i < event.first_hit() + event.hits(); ++i) {
    const auto& module = detector.modules[std::size_t(hits.module[i])];
    points.push_back(geometry::to_global(module.frame, {{hits.u[i], hits.v[i], 0.}}));
  }
  return points;
}

program::Json display_of_modules(const geometry::DetectorDescription& detector,
                                 const EventOfBatch& event, std::size_t number,
                                 const std::vector<std::vector<std::size_t>>& tracks) {
  constexpr int grey = 7, color_of_hits = 2;
  auto panels = io::detector_plot(detector)["panels"];
  const bool has_planes = panels[0]["y"]["label"] == "x [cm]";
  std::vector<View> views;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto projection =
        i == 1 ? Projection::xy : (has_planes ? Projection::zx : Projection::zr);
    for (auto& layer : panels[i]["series"]) {
      layer.erase("label");
      layer.update({{"color", grey}, {"background", true}});
    }
    panels[i]["equal"] = projection == Projection::xy;
    views.push_back({panels[i], [=](const Vector3& point, const Vector3&) {
                       return geometry::project(point, projection);
                     }});
  }
  return event_display(number, points_of(detector, event), tracks, views, color_of_hits);
}

}  // namespace detector_tracker
