// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/compass_params.hpp>
#include <trackplex/lhcb/ut/ut_sector_groups.hpp>
#include <trackplex/lhcb/ut/ut_track_list.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "ut_fit_reference.hpp"

/// Compass, plainly and in double precision: all hits of a group are looked at for a window, and
/// all pairs of hits for a tracklet.
namespace trackplex::test {

struct CompassState {
  double x, y, z, tx, ty;
  bool backward;

  double x_at(double there) const { return x + tx * (there - z); }
  double y_at(double there) const { return y + ty * (there - z); }
};

class CompassReference {
 public:
  CompassReference(const lhcb::Detector& detector, const lhcb::CompassParams& parameters)
      : ut_(detector.ut),
        magnet_(detector.magnet),
        polarity_(detector.polarity),
        groups_(lhcb::ut_sector_groups(detector.ut)),
        cuts_(parameters) {}

  struct Result {
    std::vector<lhcb::UtTrackWindows> windows;
    std::vector<lhcb::UtTrack> tracks;
  };

  Result operator()(const lhcb::UtHitList& hits, const std::vector<CompassState>& states) const {
    const Event event(*this, hits);
    Result result;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!is_followed(states[i])) continue;
      lhcb::UtTrackWindows windows{std::uint16_t(i), {}};
      for (int layer = 0; layer < lhcb::ut_layers; ++layer)
        windows.layers[layer] = windows_of(event, states[i], layer);
      if (!has_enough(windows)) continue;
      result.windows.push_back(windows);
      if (auto track = track_of(event, states[i], windows)) {
        track->velo_track = std::uint16_t(i);
        result.tracks.push_back(*track);
      }
    }
    return result;
  }

 private:
  struct Event {
    const lhcb::UtHitList& hits;
    std::vector<int> group;  ///< of all layers, by the hit's sector
    std::vector<double> weight;

    Event(const CompassReference& reference, const lhcb::UtHitList& list) : hits(list) {
      for (const std::uint32_t id : list.ids) {
        const int place = int(6 * ((id >> 21 & 3) - 1) + 3 * ((id >> 19 & 3) - 1) + (id >> 17 & 3));
        const int sector = lhcb::ut_region_offsets[place - 1] + int(id >> 10 & 127) - 1;
        group.push_back(reference.groups_.of_sector[sector]);
        const double pitch = reference.ut_.pitch[sector];
        weight.push_back(12. / (pitch * pitch));
      }
    }
  };

  bool is_followed(const CompassState& s) const {
    return !s.backward &&
           std::hypot(s.x_at(lhcb::ut_z_middle), s.y_at(lhcb::ut_z_middle)) >= cuts_.hole_radius &&
           std::abs(s.tx) <= cuts_.max_abs_tx && std::abs(s.ty) <= cuts_.max_abs_ty;
  }

  static double stereo(int layer) { return lhcb::ut_dxdy[layer]; }

  // Windows ---------------------------------------------------------------------------------------

  /// The window in the group of the layer's number `group`, if there is such a one.
  lhcb::UtWindow window(const Event& event, const CompassState& s, int layer, int group,
                        double x_tolerance, double y_slope) const {
    const int n = groups_.layer_offsets[layer + 1] - groups_.layer_offsets[layer];
    const int border = cuts_.outermost_groups ? 0 : 1;
    if (group < border || group >= n - border) return {};
    std::optional<std::size_t> first;
    std::size_t last = 0;
    const auto& hits = event.hits;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (event.group[i] != groups_.layer_offsets[layer] + group) continue;
      const double y = s.y_at(hits.z[i]);
      const double dx = std::abs(hits.x[i] + y * stereo(layer) - s.x_at(hits.z[i]));
      const double tolerance = cuts_.y_tolerance + y_slope * dx;
      if (dx > x_tolerance || y < hits.y_begin[i] - tolerance || y > hits.y_end[i] + tolerance)
        continue;
      if (!first) first = i;
      last = i;
    }
    if (!first) return {};
    return {std::uint32_t(*first), std::uint32_t(last - *first + 1)};
  }

  lhcb::UtWindowList windows_of(const Event& event, const CompassState& s, int layer) const {
    const auto& hits = event.hits;
    const std::uint32_t layer_first = hits.layer_offsets[layer];
    lhcb::UtWindowList windows;
    for (int g = 0; g < cuts_.sector_groups; ++g) windows.push_back({layer_first, 0});
    if (hits.layer_offsets[layer + 1] == layer_first) return windows;

    const int node = std::min(30, int(std::abs(s.ty) * 100. + 0.5));
    const double deflection = magnet_.deflection[4 * node + layer];
    const double per_theta = std::min(500., 1. / std::hypot(s.tx, s.ty));
    const double p = std::max(cuts_.min_window_pt * per_theta, cuts_.min_window_p);
    const double x_tolerance = 1. / (4.0212e-5 * p) / deflection;

    const double z = hits.z[layer_first];
    const double x = s.x_at(z) - (cuts_.stereo_shift ? stereo(layer) * s.y_at(z) : 0.);
    int own = -1;
    for (int g = groups_.layer_offsets[layer]; g < groups_.layer_offsets[layer + 1]; ++g)
      own += double(groups_.left_edge[g]) < x;
    constexpr int order[] = {0, -1, 1, -2, 2};
    for (int g = 0; g < cuts_.sector_groups; ++g) {
      const auto found = window(event, s, layer, own + order[g], x_tolerance,
                                cuts_.y_tolerance_slope / deflection);
      if (found.size > 0) windows[g] = found;
    }
    return windows;
  }

  static bool has_enough(const lhcb::UtTrackWindows& windows) {
    bool any[lhcb::ut_layers] = {};
    for (int layer = 0; layer < lhcb::ut_layers; ++layer)
      for (const auto& window : windows.layers[layer]) any[layer] |= window.size > 0;
    return (any[0] && any[2] && (any[1] || any[3])) || (any[3] && any[1] && (any[2] || any[0]));
  }

  // Tracklets -------------------------------------------------------------------------------------

  using Hits = std::array<std::int32_t, lhcb::ut_layers>;  ///< -1: none

  struct Tracklet {
    Hits hits;
    int n;
    ReferenceKick fit;
  };

  /// x of a hit where the track has its y.
  double x_of(const Event& event, const CompassState& s, int layer, int hit) const {
    return event.hits.x[hit] + s.y_at(event.hits.z[hit]) * stereo(layer);
  }

  static std::vector<int> hits_of(const lhcb::UtWindowList& windows) {
    std::vector<int> hits;
    for (const auto& window : windows)
      for (std::uint32_t i = 0; i < window.size; ++i) hits.push_back(int(window.first + i));
    return hits;
  }

  std::vector<FitHit> fit_hits(const Event& event, const CompassState& s, const Hits& hits) const {
    std::vector<FitHit> list;
    for (int layer = 0; layer < lhcb::ut_layers; ++layer)
      if (const int hit = hits[layer]; hit >= 0)
        list.push_back({layer, x_of(event, s, layer, hit), event.hits.z[hit], event.weight[hit]});
    return list;
  }

  /// The hit that is closest to a line.
  int closest(const Event& event, const CompassState& s, int layer, const std::vector<int>& hits,
              double x0, double z0, double slope) const {
    int best = -1;
    double smallest = cuts_.hit_tolerance;
    for (const int hit : hits) {
      const double expected = x0 + slope * (event.hits.z[hit] - z0);
      const double distance = std::abs(x_of(event, s, layer, hit) - expected);
      if (distance < smallest) {
        smallest = distance;
        best = hit;
      }
    }
    return best;
  }

  struct Pair {
    int first, second;
    double slope, miss;
  };

  std::vector<Pair> compatible_pairs(const Event& event, const CompassState& s, int first_layer,
                                     int second_layer, const std::vector<int>& firsts,
                                     const std::vector<int>& seconds) const {
    std::vector<Pair> pairs;
    for (const int a : firsts)
      for (const int b : seconds) {
        const double x = x_of(event, s, first_layer, a), z = event.hits.z[a];
        const double slope = (x_of(event, s, second_layer, b) - x) / (event.hits.z[b] - z);
        if (std::abs(slope - s.tx) > cuts_.max_slope_difference) continue;
        const double at_kink = x + slope * (lhcb::ut_z_kink - z);
        pairs.push_back({a, b, slope, std::abs(at_kink - s.x_at(lhcb::ut_z_kink))});
      }
    if (cuts_.order == lhcb::PairOrder::best_first) {
      std::stable_sort(pairs.begin(), pairs.end(),
                       [](const Pair& a, const Pair& b) { return a.miss < b.miss; });
      if (int(pairs.size()) > cuts_.candidates) pairs.resize(cuts_.candidates);
    }
    return pairs;
  }

  std::optional<Tracklet> best_tracklet(const Event& event, const CompassState& s,
                                        const lhcb::UtTrackWindows& windows) const {
    std::array<std::vector<int>, lhcb::ut_layers> hits;
    for (int layer = 0; layer < lhcb::ut_layers; ++layer)
      hits[layer] = hits_of(windows.layers[layer]);
    std::optional<Tracklet> best;
    int tried = 0;
    for (const bool forward : {true, false}) {
      const auto layer = [&](int i) { return forward ? i : 3 - i; };
      const auto pairs =
          compatible_pairs(event, s, layer(0), layer(2), hits[layer(0)], hits[layer(2)]);
      for (const auto& pair : pairs) {
        if (tried >= cuts_.candidates && (best || cuts_.stop_at_candidates)) return best;
        ++tried;
        const auto join = [&](int from_layer, int from, int to) {
          return closest(event, s, to, hits[to], x_of(event, s, from_layer, from),
                         event.hits.z[from], pair.slope);
        };
        Tracklet candidate{};
        candidate.hits[layer(0)] = pair.first;
        candidate.hits[layer(1)] = join(layer(0), pair.first, layer(1));
        candidate.hits[layer(2)] = pair.second;
        candidate.hits[layer(3)] = join(layer(2), pair.second, layer(3));
        candidate.n = int(std::ranges::count_if(candidate.hits, [](int hit) { return hit >= 0; }));
        candidate.fit = reference_p_kick({s.x, s.y, s.z, s.tx, s.ty},
                                         fit_hits(event, s, candidate.hits), cuts_.slope_sigma);
        if (candidate.n >= (best ? best->n : 3) &&
            candidate.fit.chi2 < (best ? best->fit.chi2 : Long(cuts_.max_chi2)))
          best = candidate;
      }
    }
    return best;
  }

  // Momentum --------------------------------------------------------------------------------------

  double bdl(const CompassState& s) const {
    using Tables = lhcb::UtMagnetTables;
    const double origin = std::abs(s.ty) > 0.001 ? s.z - s.y / s.ty : s.z - s.x / s.tx;
    const double at[3] = {s.ty, origin, s.z}, high[3] = {0.3, 250., 800.};
    int node[3];
    for (int i = 0; i < 3; ++i)
      node[i] = int(std::clamp((at[i] - Tables::bdl_low[i]) / Tables::bdl_step[i], 0.,
                               double(Tables::bdl_nodes[i] - 1)));
    const auto value = [&](std::array<int, 3> n) {
      for (int i = 0; i < 3; ++i) n[i] = std::min(n[i], Tables::bdl_nodes[i] - 1);
      return double(magnet_.bdl[std::size_t((n[2] * 11 + n[1]) * 31 + n[0])]);
    };
    const double below = value({node[0], node[1], node[2]});
    double sum = below;
    for (int i = 0; i < 3; ++i) {
      if (at[i] < Tables::bdl_low[i] || at[i] > high[i]) continue;
      std::array<int, 3> next = {node[0], node[1], node[2]};
      ++next[i];
      const double step = Tables::bdl_step[i];
      sum += (value(next) - below) * (at[i] - Tables::bdl_low[i] - step * node[i]) / step;
    }
    return sum;
  }

  std::optional<lhcb::UtTrack> track_of(const Event& event, const CompassState& s,
                                        const lhcb::UtTrackWindows& windows) const {
    const auto best = best_tracklet(event, s, windows);
    const double integral = bdl(s);
    if (!best || std::abs(integral) <= 1e-8) return {};
    const double per_kick = -3.3356 / 1000. / integral;
    lhcb::UtTrack track{
        0, best->hits, 0., double(best->fit.chi2), double(best->fit.x), double(best->fit.slope)};
    track.qop = double(best->fit.kick) * per_kick * std::sqrt(1. + s.ty * s.ty);
    std::optional<ReferenceKickWithY> second;
    if (cuts_.final_selection) {
      second = reference_p_kick_with_y({s.x, s.y, s.z, s.tx, s.ty}, fit_hits(event, s, best->hits),
                                       best->fit.kick, per_kick);
      if (!second) return {};
      track.qop = double(second->kick) * per_kick;
      track.x = double(second->x);
      track.slope = double(second->slope);
    }
    if (track.qop == 0.) return {};
    const double p = 1.3 * std::abs(1. / track.qop), pt = p * std::hypot(s.tx, s.ty);
    if (p < cuts_.min_p || pt < cuts_.min_pt) return {};
    if (second && !is_selected(*second, track.qop, p, pt, best->n)) return {};
    return track;
  }

  bool is_selected(const ReferenceKickWithY& fit, double qop, double p, double pt, int hits) const {
    const double m = polarity_ * qop;
    const bool in_hole = std::abs(double(fit.y)) < 33.;
    if (m < 0. && fit.x > -48 && fit.x < 0 && in_hole) return false;
    if (m > 0. && fit.x > 0 && fit.x < 48 && in_hole) return false;
    if (m < 0. && fit.slope > 0.09 + 0.0003 * pt) return false;
    if (m > 0. && fit.slope < -0.09 - 0.0003 * pt) return false;
    const double chi2 = double(fit.chi2);
    const double discriminant =
        hits == 3 ? 0.162880166064 - 0.107081172665 * std::log(p) + 0.134153123662 * std::log(pt) -
                        0.137764853657 * std::log(chi2)
                  : 0.235010729187 - 0.0938323617311 * std::log(p) + 0.110823681145 * std::log(pt) -
                        0.170467109599 * std::log(chi2);
    return discriminant >= -0.5;
  }

  const lhcb::UtGeometry& ut_;
  const lhcb::UtMagnetTables& magnet_;
  double polarity_;
  lhcb::UtSectorGroups groups_;
  lhcb::CompassParams cuts_;
};

}  // namespace trackplex::test
