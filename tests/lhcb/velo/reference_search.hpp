// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <trackplex/lhcb/velo/phi.hpp>
#include <trackplex/lhcb/velo/triplet_params.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <vector>

namespace trackplex::test {

/// Search by triplet for one event as the rules are written down: no tables, no lists of unused
/// hits, every window by looking at every hit. Slow, and an independent check of the kernels.
template <class Real>
class ReferenceSearch {
 public:
  using Track = std::vector<int>;

  ReferenceSearch(const lhcb::VeloEvent& event, const lhcb::TripletParams& parameters)
      : p_(parameters), used_(event.size(), false) {
    for (int m = 0; m < lhcb::velo_modules; ++m)
      for (auto h = event.module_offsets[m]; h < event.module_offsets[m + 1]; ++h)
        hits_.push_back({Real(event.x[h]), Real(event.y[h]), Real(event.z[h]), m, int(h)});
  }

  std::vector<Track> run() {
    seed(25, p_.nearest_first);
    for (int layer = 24; layer >= 2; --layer) {
      forward(layer - 2);
      seed(layer, p_.nearest_next);
    }
    std::vector<Track> tracks;
    for (const auto& track : candidates_)
      if (track.size() > 3 || good_weak(track)) tracks.push_back(track);
    std::sort(tracks.begin(), tracks.end());
    return tracks;
  }

 private:
  struct Hit {
    Real x, y, z;
    int module, index;
  };
  struct Followed {
    int candidate, misses;
  };

  static int phi16(Real x, Real y) { return int(lhcb::Phi16<Real>::of(x, y)); }
  static int wrap(int d) { return ((d + 32768) & 65535) - 32768; }
  Real radians(Real x, Real y, int side) const {
    return lhcb::PhiRadians<Real>::of(x, y, IntegerOf<Real>(side));
  }

  /// Hits of a layer (both sides) or of one side of it, in the order of phi and index.
  std::vector<int> group(int layer, int side) const {
    std::vector<int> hits;
    for (const auto& h : hits_)
      if (h.module / 2 == layer && (p_.merge_sides || h.module % 2 == side))
        hits.push_back(h.index);
    const auto key = [&](int h) {
      return p_.merge_sides ? Real(phi16(hits_[h].x, hits_[h].y))
                            : radians(hits_[h].x, hits_[h].y, side);
    };
    std::sort(hits.begin(), hits.end(),
              [&](int a, int b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    return hits;
  }

  /// Hits of `list` in the window around the point, in the order in which they are looked at.
  std::vector<int> window(const std::vector<int>& list, Real x, Real y, int side,
                          Real width) const {
    if (p_.merge_sides) return circular(list, phi16(x, y), width);
    return linear(list, radians(x, y, side), side, width);
  }
  std::vector<int> circular(const std::vector<int>& list, int phi, Real width) const {
    const int counts = int(width * lhcb::Phi16<Real>::counts_per_radian);
    std::vector<std::pair<int, int>> inside;  // distance from the window's start, place
    for (std::size_t i = 0; i < list.size(); ++i) {
      const int d = wrap(phi16(hits_[list[i]].x, hits_[list[i]].y) - phi);
      if (std::abs(d) <= counts) inside.push_back({d, int(i)});
    }
    std::sort(inside.begin(), inside.end());
    std::vector<int> hits;
    for (const auto& [d, i] : inside) hits.push_back(list[i]);
    return hits;
  }
  std::vector<int> linear(const std::vector<int>& list, Real phi, int side, Real width) const {
    std::vector<int> hits;
    for (const int h : list) {
      const Real other = radians(hits_[h].x, hits_[h].y, side);
      if (other >= phi - width && other < phi + width) hits.push_back(h);
    }
    return hits;
  }

  /// Squared distance of hit c to the line through a and b (perhaps scaled), infinite where a cut
  /// is missed.
  Real scatter(int a, int b, int c) const {
    const Hit &h0 = hits_[a], &h1 = hits_[b], &h2 = hits_[c];
    const Real per_dz = Real(1) / (h1.z - h0.z), dz = h2.z - h0.z;
    const Real dx = h0.x + (h1.x - h0.x) * per_dz * dz - h2.x;
    const Real dy = h0.y + (h1.y - h0.y) * per_dz * dz - h2.y;
    if (!(std::abs(dx) < p_.tolerance && std::abs(dy) < p_.tolerance))
      return std::numeric_limits<Real>::infinity();
    const Real s = dx * dx + dy * dy;
    return p_.scatter_per_dz2 ? s / ((h2.z - h1.z) * (h2.z - h1.z)) : s;
  }

  /// The n unused hits nearest in places to the first one with phi >= phi(h1): 0, +1, -1, +2, ...
  std::vector<int> nearest(const std::vector<int>& list, int h1, int n) const {
    const int phi = phi16(hits_[h1].x, hits_[h1].y), size = int(list.size());
    const auto start = std::count_if(list.begin(), list.end(),
                                     [&](int h) { return phi16(hits_[h].x, hits_[h].y) < phi; });
    std::vector<int> found;
    for (int i = 0; i < size && int(found.size()) < n; ++i) {
      const int step = i % 2 ? (i + 1) / 2 : -i / 2;
      const int h = list[(int(start) + step + size) % size];
      if (!used_[h]) found.push_back(h);
    }
    return found;
  }

  std::vector<int> first_partners(const std::vector<int>& list, int h1, int side, int n) const {
    if (p_.merge_sides) return nearest(list, h1, n);
    std::vector<int> partners;
    const Hit& hit = hits_[h1];
    for (const int h0 : window(list, hit.x, hit.y, side, seed_width(hit))) {
      const Real reach = Real(p_.seed_max_slope) * (hits_[h0].z - hit.z);
      if (!used_[h0] && std::abs(hit.x - hits_[h0].x) < reach &&
          std::abs(hit.y - hits_[h0].y) < reach)
        partners.push_back(h0);
    }
    return partners;
  }
  Real seed_width(const Hit& h1) const {
    return std::fma(Real(p_.seed_phi_window_per_z), std::abs(h1.z), Real(p_.seed_phi_window));
  }

  std::vector<int> last_partners(const std::vector<int>& list, int h0, int h1, int layer,
                                 int side) const {
    if (!p_.merge_sides) return window(list, hits_[h1].x, hits_[h1].y, side, seed_width(hits_[h1]));
    const Real dz =
        Real(lhcb::velo_module_z[2 * (layer - 2)]) - Real(lhcb::velo_module_z[2 * layer]);
    const auto [x, y] = extrapolate(h0, h1, dz);
    return window(list, x, y, side, Real(p_.phi_window));
  }
  std::pair<Real, Real> extrapolate(int h0, int h1, Real dz) const {
    const Hit &a = hits_[h0], &b = hits_[h1];
    const Real per_dz = Real(1) / (b.z - a.z);
    return {a.x + (b.x - a.x) * per_dz * dz, a.y + (b.y - a.y) * per_dz * dz};
  }

  void seed(int layer, int n_nearest) {
    for (int side = p_.merge_sides ? 0 : 1; side >= 0; --side) {
      const auto list0 = group(layer, side), list1 = group(layer - 1, side),
                 list2 = group(layer - 2, side);
      for (const int h1 : list1) {
        if (used_[h1]) continue;
        Real best = Real(p_.max_scatter);
        Track track;
        for (const int h0 : first_partners(list0, h1, side, n_nearest))
          for (const int h2 : last_partners(list2, h0, h1, layer, side)) {
            const Real s = scatter(h0, h1, h2);
            if (used_[h2] || !(s < best)) continue;
            best = s;
            track = {h0, h1, h2};
          }
        if (track.empty()) continue;
        followed_.push_back({int(candidates_.size()), 0});
        candidates_.push_back(track);
      }
    }
  }

  void forward(int layer) {
    std::vector<Followed> next;
    std::vector<int> new_used;
    for (const auto& [c, misses] : followed_) {
      Track& track = candidates_[c];
      const int found = best_hit(track, layer);
      if (found >= 0) {
        track.push_back(found);
        new_used.push_back(found);
        if (track.size() == 4) new_used.insert(new_used.end(), track.begin(), track.end());
        if (track.size() < 26) next.push_back({c, 0});
      } else if (misses < p_.max_skipped) {
        next.push_back({c, misses + 1});
      }
    }
    for (const int h : new_used) used_[h] = true;
    followed_ = next;
  }

  int best_hit(const Track& track, int layer) const {
    const int h0 = track[track.size() - 2], h1 = track.back();
    Real best = Real(p_.max_scatter);
    int found = -1;
    for (int side = p_.merge_sides ? 0 : 1; side >= 0; --side) {
      const int module_side = p_.merge_sides ? hits_[h0].module % 2 : side;
      const Real dz = Real(lhcb::velo_module_z[2 * layer + module_side]) - hits_[h0].z;
      const auto [x, y] = extrapolate(h0, h1, dz);
      for (const int h2 : window(group(layer, side), x, y, side, Real(p_.phi_window))) {
        const Real s = scatter(h0, h1, h2);
        if (!(s < best)) continue;
        best = s;
        found = h2;
      }
    }
    return found;
  }

  bool good_weak(const Track& track) const {
    double n = 0., z = 0., zz = 0.;
    for (const int h : track) {
      if (used_[h]) return false;
      n += 1.;
      z += hits_[h].z;
      zz += double(hits_[h].z) * hits_[h].z;
    }
    double sum2 = 0.;
    for (const auto coordinate : {&Hit::x, &Hit::y}) {
      double c = 0., cz = 0.;
      for (const int h : track) {
        c += hits_[h].*coordinate;
        cz += double(hits_[h].*coordinate) * hits_[h].z;
      }
      const double d = n * zz - z * z, slope = (n * cz - c * z) / d, offset = (c * zz - cz * z) / d;
      for (const int h : track)
        sum2 += std::pow(offset + slope * hits_[h].z - hits_[h].*coordinate, 2);
    }
    return p_.inverse_variance * sum2 / 2. < p_.max_chi2_per_ndf;
  }

  lhcb::TripletParams p_;
  std::vector<Hit> hits_;
  std::vector<bool> used_;
  std::vector<Track> candidates_;
  std::vector<Followed> followed_;
};

}  // namespace trackplex::test
