// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/plots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace cylinder_tracker {

namespace program = trackplex::program;
using program::Json;
using trackplex::cylinder::TrackList;
using trackplex::seeding::CylinderLayers;

namespace {

constexpr std::size_t max_tracks = 400, max_hits = 8000;

enum View { along_beam, from_side };

/// Of n things in their order: every k-th, at most so many.
std::vector<std::size_t> sample(std::size_t n, std::size_t at_most) {
  std::vector<std::size_t> chosen;
  const std::size_t step = std::max<std::size_t>(1, (n + at_most - 1) / at_most);
  for (std::size_t i = 0; i < n; i += step) chosen.push_back(i);
  return chosen;
}

/// The hits of each track, as indices of all of the event's, in the order of the first hit's
/// azimuth: a sample has all directions.
std::vector<std::vector<std::size_t>> hits_of_tracks(const TrackingEvents& event,
                                                     const TrackList& tracks) {
  std::vector<std::vector<std::size_t>> list(tracks.size());
  for (std::size_t t = 0; t < tracks.size(); ++t)
    for (std::size_t layer = 0; layer < tracks.hits_of(t).size(); ++layer)
      if (const auto hit = tracks.hits_of(t)[layer]; hit >= 0)
        list[t].push_back(std::size_t(event.hits.offsets[layer] + hit));
  std::erase_if(list, [](const auto& hits) { return hits.empty(); });
  std::ranges::sort(list, {}, [&](const auto& hits) {
    return std::atan2(event.hits.y[hits.front()], event.hits.x[hits.front()]);
  });
  return list;
}

/// x and y of a hit or, from the side, z and r with the sign of `side`.
std::array<double, 2> project(View view, const TrackingEvents& event, std::size_t hit,
                              double side) {
  const double x = event.hits.x[hit], y = event.hits.y[hit];
  if (view == along_beam) return {x, y};
  return {event.hits.z[hit], std::copysign(std::hypot(x, y), side)};
}

Json layers(View view, const CylinderLayers& detector, const TrackingEvents& event) {
  double half_length = detector.radius[std::size_t(detector.size - 1)];
  for (const double z : event.hits.z) half_length = std::max(half_length, std::abs(z));
  Json radii;
  program::Coordinates lines;
  for (int layer = 0; layer < detector.size; ++layer) {
    const double r = detector.radius[std::size_t(layer)];
    radii.push_back(r);
    for (const double y : {r, -r}) lines.add_segment(-half_length, y, half_length, y);
  }
  Json series = lines.series("layers", "segments");
  if (view == along_beam) series = {{"label", "layers"}, {"style", "circles"}, {"r", radii}};
  series["background"] = true;
  return series;
}

}  // namespace

Json event_display(const TrackingEvents& event, std::size_t number, const CylinderLayers& detector,
                   const TrackList& tracks) {
  const auto n_hits = event.hits.x.size();
  const auto hits_of = hits_of_tracks(event, tracks);
  const auto shown_hits = sample(n_hits, max_hits), shown = sample(hits_of.size(), max_tracks);
  Json panels;
  for (const auto view : {along_beam, from_side}) {
    const auto add = [&](program::Coordinates& to, std::size_t hit, double side) {
      to.add(project(view, event, hit, side));
    };
    program::Coordinates hits, lines;
    for (const auto hit : shown_hits) add(hits, hit, event.hits.y[hit]);
    for (const auto track : shown) {
      program::Coordinates line;
      for (const auto hit : hits_of[track])  // a track stays on the side where it begins
        add(line, hit, event.hits.y[hits_of[track].front()]);
      lines.add_line(line);
    }
    const auto dots =
        hits.series(fmt::format("{} of {} hits", shown_hits.size(), n_hits), "dots", 7);
    panels.push_back(program::panel(
        view == along_beam ? "x [cm]" : "z [cm]",
        view == along_beam ? "y [cm]" : "r, up or down as y [cm]",
        {layers(view, detector, event), dots,
         lines.series(fmt::format("{} of {} tracks", shown.size(), tracks.size()), "polylines")}));
    panels.back()["equal"] = view == along_beam;
  }
  return program::plot("event",
                       fmt::format("Event {}: {} hits, {} tracks", number, n_hits, tracks.size()),
                       2, panels);
}

}  // namespace cylinder_tracker
