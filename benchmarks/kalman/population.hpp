// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "filter.hpp"
#include "glibc_random.hpp"

#include <array>
#include <functional>
#include <vector>

namespace trackplex::benchmarks {

/// One track and its hits, in the order in which the layers are used. Single precision rounds the
/// numbers; the published programs in double precision take all digits of the input.
struct SampleTrack {
  std::array<double, track_components> track;
  std::vector<std::array<double, hit_components>> hits;
};

/// Many tracks, each with a hit on every layer: records one after the other.
template <class Real>
struct Population {
  int layers = 0;
  std::vector<Real> tracks;  ///< track_components each
  std::vector<Real> hits;    ///< layers x hit_components each

  int size() const { return int(tracks.size() / track_components); }
};

/// Copies of a sample, all numbers but the charge smeared by factors 1 + smear N(0, 1), the
/// covariance of the track scaled by 100. The random numbers are taken in the order of the
/// published programs: all tracks, then all hits layer by layer. `after_layer` is called once for
/// the tracks and after each layer.
template <class Real>
Population<Real> smeared_copies(
    const SampleTrack& sample, int copies, int layers, double smear,
    const std::function<void()>& after_layer = [] {}) {
  Population<Real> all;
  all.layers = layers;
  all.tracks.resize(std::size_t(copies) * track_components);
  const auto per_track = std::size_t(layers) * hit_components;
  all.hits.resize(std::size_t(copies) * per_track);

  PolarNormal<Real> normal;
  const auto s = Real(smear);
  const auto smeared = [&](double value) { return (Real(1) + s * normal()) * Real(value); };
  for (std::size_t i = 0; i < std::size_t(copies); ++i) {
    Real* const track = &all.tracks[i * track_components];
    for (int c = 0; c < covariance_begin; ++c) track[c] = smeared(sample.track[std::size_t(c)]);
    for (int c = covariance_begin; c < charge_component; ++c)
      track[c] = smeared(sample.track[std::size_t(c)]) * Real(100);
    track[charge_component] = Real(sample.track[charge_component]);
  }
  after_layer();
  for (int layer = 0; layer < layers; ++layer) {
    const auto& hit = sample.hits[std::size_t(layer)];
    for (std::size_t i = 0; i < std::size_t(copies); ++i)
      for (int c = 0; c < hit_components; ++c)
        all.hits[i * per_track + std::size_t(layer * hit_components + c)] =
            smeared(hit[std::size_t(c)]);
    after_layer();
  }
  return all;
}

}  // namespace trackplex::benchmarks
