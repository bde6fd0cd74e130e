// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track building by its rules and in no hurry: one seed at a time, candidates with copies of all
/// they have, every hit of a layer looked at. Of Trackplex it uses the Kalman functions on scalars.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <trackplex/candidates/build_tracks_params.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>
#include <vector>

namespace trackplex::test {

template <class T>
struct ReferenceHit {
  T x, y, z;
  T covariance[6];
  int index;  ///< in its layer and event
};

/// The layers of one event. Hits that fit equally well are taken in the order of the list.
template <class T>
using ReferenceLayers = std::vector<std::vector<ReferenceHit<T>>>;

template <class T>
struct ReferenceTrack {
  kalman::TrackState<T> state;
  std::vector<int> hits;  ///< of the layers that were searched; -1 for none
  T chi2 = 0;
  int found = 0;
  int holes = 0;
  bool stopped = false;

  bool better_than(const ReferenceTrack& other) const {
    return found > other.found || (found == other.found && chi2 < other.chi2);
  }
};

template <class T, class Field>
class ReferenceBuilder {
 public:
  using Track = ReferenceTrack<T>;
  using State = kalman::TrackState<T>;

  ReferenceBuilder(std::vector<double> radii, int seed_layers, const Field& field,
                   const candidates::BuildTracksParams& params)
      : radii_(std::move(radii)), seed_layers_(seed_layers), field_(field), params_(params) {}

  /// What happened, so that a test can see that it tests something.
  struct Counts {
    int children = 0, compatible_with_several = 0, holes = 0, stopped = 0, not_reached = 0,
        dropped = 0, copied_back = 0, ties = 0, in_material = 0, stopped_is_best = 0;
  };
  const Counts& counts() const { return counts_; }

  Track best_hit(const State& seed, const ReferenceLayers<T>& event) {
    Track track{seed, {}};
    bool lost = false;
    for (int layer = seed_layers_; layer < int(radii_.size()); ++layer) {
      lost = lost || !reach(track.state, layer);
      const auto hits = lost ? std::vector<Compatible>{} : compatible(track.state, event, layer);
      if (hits.empty())
        track.hits.push_back(-1);
      else
        take(track, hits[0]);
    }
    return track;
  }

  Track combinatorial(const State& seed, const ReferenceLayers<T>& event, int max_candidates) {
    std::vector<Track> candidates{{seed, {}}};
    for (int layer = seed_layers_; layer < int(radii_.size()); ++layer) {
      std::vector<Track> children, stopped_before;
      for (auto& candidate : candidates) {
        if (candidate.stopped)
          stopped_before.push_back(candidate);
        else
          extend(candidate, event, layer, children);
      }
      counts_.children += int(children.size());
      const auto better = [](const Track& a, const Track& b) { return a.better_than(b); };
      std::stable_sort(children.begin(), children.end(), better);
      std::stable_sort(stopped_before.begin(), stopped_before.end(), better);
      for (std::size_t i = 1; i < children.size(); ++i)
        if (!better(children[i - 1], children[i])) ++counts_.ties;
      candidates = std::move(children);
      for (const auto& candidate : stopped_before)
        if (int(candidates.size()) < max_candidates) {
          candidates.push_back(candidate);
          ++counts_.copied_back;
        }
      if (int(candidates.size()) > max_candidates) {
        candidates.resize(std::size_t(max_candidates));
        ++counts_.dropped;
      }
    }
    Track best = candidates[0];
    for (const auto& candidate : candidates)
      if (candidate.better_than(best)) best = candidate;
    if (best.better_than(candidates[0])) ++counts_.stopped_is_best;
    best.hits.resize(radii_.size() - std::size_t(seed_layers_), -1);
    return best;
  }

 private:
  struct Compatible {
    T chi2;
    const ReferenceHit<T>* hit;
  };

  static auto measure(const State& state, const ReferenceHit<T>& hit) {
    kalman::SpacePoint<T> point;
    point.position = {{hit.x, hit.y, hit.z}};
    for (int e = 0; e < 6; ++e) point.covariance.elements[e] = hit.covariance[e];
    return kalman::measure_on_cylinder(point, state.parameters);
  }

  bool reach(State& state, int layer) {
    if (params_.material.thickness > 0. && !leave(state, radii_[std::size_t(layer - 1)])) {
      ++counts_.in_material;
      return false;
    }
    const bool reached =
        kalman::propagate(state, field_, kalman::Cylinder<T>{T(radii_[std::size_t(layer)])});
    if (!reached) ++counts_.not_reached;
    return reached;
  }

  /// Through the material of the layer that a state is on.
  bool leave(State& state, double radius) const {
    const auto passage = kalman::pass_layer(state.parameters, state.charge, params_.material,
                                            kalman::Cylinder<T>{T(radius)}, T(params_.mass));
    if (passage.passed) passage.apply(state);
    return passage.passed;
  }

  /// Where a predicted state looks for hits.
  struct Window {
    double phi, half_phi, z, half_z;

    bool holds(const ReferenceHit<T>& hit) const {
      if (!(std::abs(double(hit.z) - z) <= half_z)) return false;
      const double off = std::atan2(double(hit.y), double(hit.x)) - phi;
      return std::abs(std::remainder(off, 2. * std::numbers::pi)) <= half_phi;
    }
  };

  Window window(const State& state) const {
    const double x = double(state.parameters(0)), y = double(state.parameters(1));
    const double r2 = x * x + y * y;
    const auto& c = state.covariance;
    const double sigma_phi = std::sqrt(std::max(
        0., (y * y * double(c(0, 0)) + x * x * double(c(1, 1)) - 2. * x * y * double(c(1, 0))) /
                    (r2 * r2) +
                params_.hit_sigma_r_phi * params_.hit_sigma_r_phi / r2));
    const double sigma_z =
        std::sqrt(std::max(0., double(c(2, 2)) + params_.hit_sigma_z * params_.hit_sigma_z));
    return {std::atan2(y, x), std::min(params_.window_sigmas * sigma_phi, params_.max_half_phi),
            double(state.parameters(2)),
            std::min(params_.window_sigmas * sigma_z, params_.max_half_z)};
  }

  /// The hits that a predicted state could take, the best one first.
  std::vector<Compatible> compatible(const State& state, const ReferenceLayers<T>& event,
                                     int layer) {
    std::vector<Compatible> hits;
    const Window searched = window(state);
    for (const auto& hit : event[std::size_t(layer)]) {
      if (!searched.holds(hit)) continue;
      const T chi2 = kalman::chi2(state, measure(state, hit));
      if (chi2 >= T(0) && chi2 < T(params_.max_chi2)) hits.push_back({chi2, &hit});
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Compatible& a, const Compatible& b) { return a.chi2 < b.chi2; });
    if (hits.size() > 1) ++counts_.compatible_with_several;
    return hits;
  }

  static void take(Track& track, const Compatible& compatible) {
    kalman::update(track.state, measure(track.state, *compatible.hit));
    track.hits.push_back(compatible.hit->index);
    track.chi2 += compatible.chi2;
    ++track.found;
  }

  void extend(Track& candidate, const ReferenceLayers<T>& event, int layer,
              std::vector<Track>& children) {
    const bool reached = reach(candidate.state, layer);
    if (reached) {
      for (const auto& hit : compatible(candidate.state, event, layer)) {
        children.push_back(candidate);
        take(children.back(), hit);
      }
    }
    auto& without = children.emplace_back(candidate);
    without.hits.push_back(-1);
    if (reached && without.holes < params_.max_holes) {
      ++without.holes;
      ++counts_.holes;
    } else {
      without.stopped = true;
      ++counts_.stopped;
    }
  }

  std::vector<double> radii_;
  int seed_layers_;
  Field field_;
  candidates::BuildTracksParams params_;
  Counts counts_;
};

}  // namespace trackplex::test
