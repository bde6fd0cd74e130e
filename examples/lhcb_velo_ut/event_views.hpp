// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reconstruct.hpp"

#include <trackplex/lhcb/compass_params.hpp>
#include <trackplex/lhcb/detector.hpp>
#include <trackplex/program/axes.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lhcb_velo_ut {

/// What is drawn in a colour of its own. Later ones are drawn over earlier ones.
enum class TrackKind { none, backward, forward, with_ut_hits };
inline constexpr std::array track_kinds = {TrackKind::none, TrackKind::backward, TrackKind::forward,
                                           TrackKind::with_ut_hits};

std::string_view color_of(TrackKind kind);

inline constexpr std::string_view module_color = "#d3ddd3";
inline constexpr std::string_view layer_color = "#ece5d2";
inline constexpr std::string_view mark_color = "#555555";

/// Closer to the beam, the UT has no sensors; mm.
inline constexpr double hole_radius = trackplex::lhcb::CompassParams().hole_radius;

/// An event, and which of its hits and tracks belong together.
class EventPicture {
 public:
  EventPicture(const trackplex::lhcb::Detector& detector, const EventResult& event);

  const trackplex::lhcb::Detector& detector() const { return detector_; }
  const EventResult& event() const { return event_; }

  TrackKind kind(std::size_t velo_track) const { return kinds_[velo_track]; }
  /// The kind of the last of the tracks that have the hit, in the order of kinds.
  TrackKind velo_hit_kind(std::size_t hit) const { return velo_hit_kinds_[hit]; }
  TrackKind ut_hit_kind(std::size_t hit) const {
    return ut_hit_y_[hit].has_value() ? TrackKind::with_ut_hits : TrackKind::none;
  }
  std::size_t velo_tracks(TrackKind kind) const;
  std::size_t velo_hits(TrackKind kind) const;
  std::size_t ut_hits(TrackKind kind) const;

  /// y of a UT hit: that of its first track there, or the middle of the strip; mm.
  double ut_hit_y(std::size_t hit) const;
  /// x of its strip at this y.
  double ut_hit_x(std::size_t hit, double y) const;

 private:
  const trackplex::lhcb::Detector& detector_;
  const EventResult& event_;
  std::vector<TrackKind> kinds_, velo_hit_kinds_;
  std::vector<std::optional<double>> ut_hit_y_;  ///< of hits on tracks
};

/// x of everything in the VELO is below this, mm.
double velo_half_width(const EventPicture& picture);

/// The VELO from the side, z-x.
void draw_velo(trackplex::program::SvgCanvas& canvas, const trackplex::program::Axes& axes,
               const EventPicture& picture);

/// From the magnet's field, which is drawn as one kink, to the UT from the side.
void draw_flight_to_ut(trackplex::program::SvgCanvas& canvas, const trackplex::program::Axes& axes,
                       const EventPicture& picture);

/// The mark of a track at the middle of the UT.
void draw_crossing(trackplex::program::SvgCanvas& canvas, trackplex::program::SvgPoint at);

/// The UT along the beam, x-y, all layers over each other.
void draw_ut(trackplex::program::SvgCanvas& canvas, const trackplex::program::Axes& axes,
             const EventPicture& picture);

}  // namespace lhcb_velo_ut
