// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lhcb/scifi/forward_events.hpp"

#include <optional>

/// The search for long tracks in plain double precision, hit by hit.

namespace trackplex::test {

class ForwardReference {
 public:
  ForwardReference(const lhcb::ForwardParams& params, double polarity)
      : p_(params), polarity_(polarity), magnet_(host_magnet()) {}

  std::vector<LongTrackOnHost> operator()(const ForwardEvent& event) const {
    std::vector<LongTrackOnHost> found;
    std::vector<bool> is_long(event.tracks.size());
    int ut_track = 0;
    for (std::size_t t = 0; t < event.tracks.size(); ++t) {
      if (!event.tracks[t].in_ut) continue;
      if (auto best = p_.with_ut ? best_of(event, {event.tracks[t], true}) : std::nullopt) {
        best->velo_track = int(t);
        best->ut_track = ut_track;
        found.push_back(*best);
        is_long[t] = true;
      }
      ++ut_track;
    }
    for (std::size_t t = 0; t < event.tracks.size() && p_.without_ut; ++t) {
      const auto& track = event.tracks[t];
      if (is_long[t] || std::abs(track.tx) > p_.velo_max_abs_tx ||
          std::abs(track.ty) > p_.velo_max_abs_ty)
        continue;
      if (auto best = best_of(event, {track, false})) {
        best->velo_track = int(t);
        found.push_back(*best);
      }
    }
    std::vector<LongTrackOnHost> kept;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!is_duplicate(found, i)) kept.push_back(found[i]);
    return kept;
  }

 private:
  /// A track with hits in the UT, or one of the VELO alone.
  struct Seed {
    ForwardTrack track;
    bool in_ut;

    double tx() const { return in_ut ? track.ut_slope() : track.tx; }
    double x(double z) const { return in_ut ? track.ut_x(z) : track.x + track.tx * z; }
  };
  struct Triplet {
    double distance2;
    int type;
    std::array<int, 3> hits;
  };
  struct Line {
    double y, slope, residuals2;
  };

  static int layer_of(int type, int station) { return 3 * type + 4 * station; }

  /// Index of the nearest hit of a zone, -1 if none is close enough.
  static int nearest(const ForwardEvent& event, int zone, double x, double& distance2) {
    int best = -1;
    for (std::size_t i = 0; i < event.hits.size(); ++i) {
      const double d = event.hits[i].x - x;
      if (event.hits[i].zone != zone || !(d * d < distance2)) continue;
      distance2 = d * d;
      best = int(i);
    }
    return best;
  }

  bool is_duplicate(const std::vector<LongTrackOnHost>& tracks, std::size_t i) const {
    for (std::size_t j = 0; j < tracks.size(); ++j) {
      const auto &a = tracks[i], &b = tracks[j];
      if (j == i || b.quality > a.quality || (b.quality == a.quality && j > i)) continue;
      int shared = 0;
      for (int l = 0; l < lhcb::scifi_layers; ++l)
        shared += a.hits[l] >= 0 && a.hits[l] == b.hits[l];
      if (shared >= p_.max_shared * std::min(a.length, b.length)) return true;
    }
    return false;
  }

  /// Hits of a window.
  std::vector<int> window(const ForwardEvent& event, const Seed& seed, int layer, int side) const {
    const double z = lhcb::scifi_z[layer], tx = seed.tx(), qop = seed.track.qop;
    const double to_layer = z - lhcb::forward_z_magnet;
    const double deflection = magnet_.deflection(layer / 4, tx, seed.track.ty);
    double x = seed.x(lhcb::forward_z_magnet) + tx * to_layer, low = 0., high = 0.;
    if (seed.in_ut) {
      x += deflection * qop * to_layer;
      const double half = p_.window + p_.window_per_qop * std::abs(qop);
      low = x - half - (qop < 0. ? p_.window_extension : 0.);
      high = x + half + (qop < 0. ? 0. : p_.window_extension);
    } else {
      const double t2 = tx * tx + seed.track.ty * seed.track.ty;
      const double p = std::max(p_.velo_min_p, p_.velo_min_pt / std::sqrt(t2 / (1. + t2)));
      const double half = p_.window + deflection / p * to_layer;
      low = x - half;
      high = x + half;
    }
    std::vector<int> left, right;
    for (std::size_t i = 0; i < event.hits.size(); ++i) {
      const auto& hit = event.hits[i];
      if (hit.zone != 2 * layer + side || hit.x < low || hit.x >= high) continue;
      (hit.x < x ? left : right).push_back(int(i));
    }
    const auto most = std::size_t(seed.in_ut ? p_.max_window_hits : p_.velo_window_hits);
    if (left.size() > most / 2) left.erase(left.begin(), left.end() - std::ptrdiff_t(most / 2));
    left.insert(left.end(), right.begin(), right.end());
    if (left.size() > most) left.resize(most);
    return left;
  }

  std::vector<Triplet> triplets(const ForwardEvent& event, const Seed& seed, int side) const {
    const auto& track = seed.track;
    const double x_magnet = track.x + track.tx * lhcb::forward_z_magnet;
    const double tolerance =
        seed.in_ut
            ? p_.magnet_tolerance + (p_.max_magnet_tolerance - p_.magnet_tolerance) *
                                        std::min(1., std::abs(track.qop) / p_.max_tolerance_qop)
            : p_.velo_magnet_tolerance;
    std::vector<Triplet> all;
    for (int type = 0; type < 2; ++type) {
      const double z0 = lhcb::scifi_z[layer_of(type, 0)], z1 = lhcb::scifi_z[layer_of(type, 1)],
                   z2 = lhcb::scifi_z[layer_of(type, 2)];
      for (const int first : window(event, seed, layer_of(type, 0), side))
        for (const int last : window(event, seed, layer_of(type, 2), side)) {
          const double x0 = event.hits[first].x, slope = (event.hits[last].x - x0) / (z2 - z0);
          const double expected =
              x_magnet - 0.819493 + slope * (19.3897 + slope * (16.6874 - slope * 375.478));
          if (!(std::abs(x0 + slope * (lhcb::forward_z_magnet - z0) - expected) < tolerance) ||
              std::abs(slope) >= 0.75)
            continue;
          if (seed.in_ut && std::abs(track.qop) > p_.same_side_qop &&
              (slope < track.tx) != (track.ut_slope() < track.tx))
            continue;
          const double x1 = slope * z1 + (x0 - slope * z0) * (type == 0 ? 1.00177513 : 1.00142634);
          double distance2 = p_.triplet_distance2;
          const int middle = nearest(event, 2 * layer_of(type, 1) + side, x1, distance2);
          if (middle >= 0) all.push_back({distance2, type, {first, middle, last}});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.distance2 < b.distance2; });
    if (all.size() > std::size_t(p_.candidates)) all.resize(std::size_t(p_.candidates));
    return all;
  }

  simulation::detail::ScifiCurve curve(const ForwardEvent& event, const ForwardTrack& track,
                                       const Triplet& triplet) const {
    double x[3], dz[3], eta[3];
    for (int s = 0; s < 3; ++s) {
      x[s] = event.hits[triplet.hits[s]].x;
      dz[s] = lhcb::scifi_z[layer_of(triplet.type, s)] - lhcb::forward_z_middle;
    }
    const double y = track.y + track.ty * (dz[1] + lhcb::forward_z_middle);
    const double r = std::sqrt(25e-8 * x[1] * x[1] + 1e-6 * y * y);
    const double d = -(0.000267957 - 8.651e-6 * r + 4.60324e-5 * r * r);
    for (int s = 0; s < 3; ++s) eta[s] = dz[s] * dz[s] * (1. + d * dz[s]);
    // Cramer's rule for c + b dz + a eta = x
    const auto det = [](const double* u, const double* v) {
      return u[1] * v[2] - u[2] * v[1] - u[0] * v[2] + u[2] * v[0] + u[0] * v[1] - u[1] * v[0];
    };
    const double all = det(dz, eta), b = det(x, eta) / all, a = det(dz, x) / all;
    return {x[0] - b * dz[0] - a * eta[0], b, a, d};
  }

  static Line line(const std::vector<std::array<double, 2>>& points, double at) {
    double z = 0., y = 0., yz = 0., zz = 0., residuals2 = 0.;
    for (const auto& point : points) {
      z += point[0] / double(points.size());
      y += point[1] / double(points.size());
    }
    for (const auto& point : points) {
      yz += (point[0] - z) * (point[1] - y);
      zz += (point[0] - z) * (point[0] - z);
    }
    const double slope = yz / zz;
    for (const auto& point : points)
      residuals2 += std::pow(point[1] - y - slope * (point[0] - z), 2);
    return {y + slope * (at - z), slope, residuals2};
  }

  std::optional<LongTrackOnHost> candidate(const ForwardEvent& event, const Seed& seed,
                                           const Triplet& triplet, int side) const {
    const auto& track = seed.track;
    const auto x = curve(event, track, triplet);
    const int first = layer_of(triplet.type, 0), last = layer_of(triplet.type, 2);
    const double chord = (event.hits[triplet.hits[2]].x - event.hits[triplet.hits[0]].x) /
                         (lhcb::scifi_z[last] - lhcb::scifi_z[first]);
    Seed upstream = seed;  // with the kick to the UT
    if (!seed.in_ut) {
      upstream.in_ut = true;
      upstream.track.qop = magnet_.qop(track.tx, track.ty, chord);
    }
    LongTrackOnHost found;
    found.hits.fill(-1);
    double misfit = 0.;
    for (int s = 0; s < 3; ++s) {
      const int other = layer_of(1 - triplet.type, s);
      double distance2 = p_.x_distance2;
      found.hits[layer_of(triplet.type, s)] = triplet.hits[s];
      found.hits[other] = nearest(event, 2 * other + side, x.at(lhcb::scifi_z[other]), distance2);
      if (found.hits[other] >= 0) misfit += 0.5 * distance2;
    }
    const double limit = p_.stereo_distance2 + p_.stereo_distance2_per_slope *
                                                   (std::abs(track.ty) + std::abs(upstream.tx()));
    std::vector<std::array<double, 2>> points;
    std::array<bool, 3> in_station{};
    for (const int layer : {1, 2, 5, 6, 9, 10}) {
      const double z = lhcb::scifi_z[layer], dxdy = lhcb::scifi_dxdy[layer];
      const double y = track.y + track.ty * z +
                       magnet_.y_shift(layer, upstream.tx(), track.ty, x.at(z) - upstream.x(z));
      double distance2 = limit;
      const int hit = nearest(event, 2 * layer + side, x.at(z) - y * dxdy, distance2);
      found.hits[layer] = hit;
      if (hit < 0) continue;
      misfit += distance2 / limit;
      in_station[layer / 4] = true;
      points.push_back({event.hits[hit].z, (x.at(event.hits[hit].z) - event.hits[hit].x) / dxdy});
    }
    for (const int hit : found.hits) found.length += hit >= 0;
    if (found.length < (seed.in_ut ? p_.min_hits : p_.velo_min_hits) || !in_station[0] ||
        !in_station[1] || !in_station[2])
      return {};
    const Line y = line(points, lhcb::scifi_end_z);
    if (found.length < 11 && !(std::abs(y.slope - track.ty) < p_.max_ty_difference)) return {};
    const double factor[] = {5., 1., 0.8, 0.5};
    found.quality = factor[found.length - 9] *
                    (misfit / (found.length - 3) + y.residuals2 / 800. / double(points.size() - 2));
    const double qop = magnet_.qop(track.tx, track.ty, chord);
    if (seed.in_ut &&
        !(std::abs(track.qop - qop) <= p_.max_qop_difference * std::abs(qop) + p_.qop_tolerance))
      return {};
    found.qop = -polarity_ * qop;
    found.x = x.at(lhcb::scifi_end_z);
    found.tx = x.slope_at(lhcb::scifi_end_z);
    found.y = y.y;
    found.ty = y.slope;
    return found;
  }

  std::optional<LongTrackOnHost> best_of(const ForwardEvent& event, const Seed& seed) const {
    const auto& track = seed.track;
    const int side = track.y + track.ty * lhcb::scifi_z[0] >= 0. ? 1 : 0;
    const double max_quality = seed.in_ut ? p_.max_quality : p_.velo_max_quality;
    std::optional<LongTrackOnHost> best;
    for (const auto& triplet : triplets(event, seed, side)) {
      const auto found = candidate(event, seed, triplet, side);
      if (found && found->quality < (best ? best->quality : max_quality)) best = found;
    }
    return best;
  }

  lhcb::ForwardParams p_;
  double polarity_;
  HostMagnet magnet_;
};

}  // namespace trackplex::test
