// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>
#include <trackplex/geometry/detector.hpp>
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/seeding/line_seeds_params.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace trackplex::seeding::detail {

inline constexpr int max_line_layers = 6;

/// Straight line x = x0 + sx (z - z0), y = y0 + sy (z - z0) with the covariance of (x0, y0, sx,
/// sy), and its update with one measured number at a time.
template <class T>
struct LineState {
  T parameters[4];
  T covariance[10];  ///< lower triangle, row by row

  static KOKKOS_FORCEINLINE_FUNCTION int element(int i, int j) {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }
  /// Updates with m = wx x + wy y at a distance z from z0; returns whether it is compatible.
  KOKKOS_FORCEINLINE_FUNCTION bool update(T wx, T wy, T z, T m, T variance, T n_sigma2) {
    const T h[4] = {wx, wy, wx * z, wy * z};
    T ph[4], residual = m, s = variance;
    for (int i = 0; i < 4; ++i) {
      ph[i] = T(0);
      for (int j = 0; j < 4; ++j) ph[i] = fma(covariance[element(i, j)], h[j], ph[i]);
      residual = fma(-h[i], parameters[i], residual);
    }
    for (int i = 0; i < 4; ++i) s = fma(h[i], ph[i], s);
    if (!(residual * residual <= n_sigma2 * s)) return false;
    const T per_s = T(1) / s;
    for (int i = 0; i < 4; ++i) {
      const T gain = ph[i] * per_s;
      parameters[i] = fma(gain, residual, parameters[i]);
      for (int j = 0; j <= i; ++j)
        covariance[element(i, j)] = fma(-gain, ph[j], covariance[element(i, j)]);
    }
    return true;
  }
  /// Adds the variance of the slopes after a layer at a distance z from z0.
  KOKKOS_FORCEINLINE_FUNCTION void scatter(T z, T variance) {
    const T shift = -z * variance;
    for (int i = 0; i < 2; ++i) {
      covariance[element(i + 2, i + 2)] += variance;
      covariance[element(i + 2, i)] += shift;
      covariance[element(i, i)] = fma(-z, shift, covariance[element(i, i)]);
    }
  }
};

/// Hits of a line so far, and the line.
template <class T>
struct LineOfLayers {
  std::int32_t hits[max_line_layers];  ///< index, or -1
  LineState<T> line;
};

/// Search for lines, each from one first hit: slot = number of the hit among the hits of the layers
/// on which lines may begin, layer by layer and event by event.
template <class T, class MemorySpace>
struct LinesOfHits {
  using Line = LineOfLayers<T>;

  hits::DetectorHits<T, MemorySpace> hits;
  geometry::Detector<T, MemorySpace> detector;
  const std::uint8_t* taken;  ///< of each hit whether a track has it already; or null
  Kokkos::Array<int, max_line_layers> layers{};
  int n_layers, max_missed;
  T z, variance_x, variance_y, variance_x_slope, variance_y_slope, n_sigma2, variance_scattering,
      variance_q_over_p;

  LinesOfHits(const hits::DetectorHits<T, MemorySpace>& of_hits,
              const geometry::Detector<T, MemorySpace>& of_detector, const LineSeedsParams& p,
              const std::uint8_t* of_tracks)
      : hits(of_hits),
        detector(of_detector),
        taken(of_tracks),
        n_layers(int(p.layers.size())),
        max_missed(p.max_missed),
        z(T(p.z)),
        variance_x(T(p.sigma_x * p.sigma_x)),
        variance_y(T(p.sigma_y * p.sigma_y)),
        variance_x_slope(T(p.sigma_x_slope * p.sigma_x_slope)),
        variance_y_slope(T(p.sigma_y_slope * p.sigma_y_slope)),
        n_sigma2(T(p.n_sigma * p.n_sigma)),
        variance_scattering(T(p.scattering * p.scattering)),
        variance_q_over_p(T(1. / (p.min_momentum * p.min_momentum))) {
    for (int i = 0; i < n_layers; ++i) layers[i] = p.layers[std::size_t(i)];
  }

  /// Number of slots: some have no hit.
  int slots() const { return hits.events * (max_missed + 1) * hits.max_layer_hits; }

  /// Calls `found(event, line)` for the lines that begin at the hit of a slot.
  template <class Found>
  KOKKOS_FUNCTION void operator()(int slot, const Found& found) const {
    const int number = slot % hits.max_layer_hits, group = slot / hits.max_layer_hits;
    const int first = group % (max_missed + 1), event = group / (max_missed + 1);
    const int index = hits.first(event, layers[first]) + number;
    if (index >= hits.first(event, layers[first] + 1)) return;
    Line steps[max_line_layers];
    for (auto& hit : steps[first].hits) hit = -1;
    steps[first].line = region();
    if (add(steps[first], first, index)) follow(event, first, steps, found);
  }

  /// Adds a hit to a line if no track has it and it is compatible.
  KOKKOS_FUNCTION bool add(Line& to, int slot, int index) const {
    if (taken && taken[index]) return false;
    to.hits[slot] = index;
    const IntegerOf<T> module = hits.module(index);
    const auto frame = detector.template frame<T>(module);
    const T u = hits.u(index), v = hits.v(index), variance_v = hits.variance_v(index);
    auto& line = to.line;
    if (!along(line, frame, frame.u, frame.v, u, hits.variance_u(index))) return false;
    if (variance_v > T(0) && !along(line, frame, frame.v, frame.u, v, variance_v)) return false;
    scatter(line, frame);
    return true;
  }
  /// z of the crossing of a line and the plane of a module.
  KOKKOS_FUNCTION T crossing(const LineState<T>& line, const geometry::Frame<T>& frame) const {
    const auto n = frame.normal();
    const T* const p = line.parameters;
    const T ahead =
        geometry::dot(n, geometry::Vector3<T>{{frame.centre(0) - p[0], frame.centre(1) - p[1],
                                               frame.centre(2) - z}});
    return z + ahead / fma(n(0), p[2], fma(n(1), p[3], n(2)));
  }

 private:
  KOKKOS_FUNCTION LineState<T> region() const {
    LineState<T> line;
    for (auto& parameter : line.parameters) parameter = T(0);
    for (auto& element : line.covariance) element = T(0);
    line.covariance[0] = variance_x;
    line.covariance[2] = variance_y;
    line.covariance[5] = variance_x_slope;
    line.covariance[9] = variance_y_slope;
    return line;
  }
  /// Updates with the coordinate along `axis`: all points at the same one are on a line along
  /// `strip`, to whose projection on x-y (-wy, wx) is parallel. The line is met at the z of its
  /// point nearest to the crossing of the plane.
  KOKKOS_FUNCTION bool along(LineState<T>& line, const geometry::Frame<T>& frame,
                             const geometry::Vector3<T>& axis, const geometry::Vector3<T>& strip,
                             T value, T variance) const {
    const T per = T(1) / sqrt(fma(strip(0), strip(0), strip(1) * strip(1)));
    const T wx = strip(1) * per, wy = -strip(0) * per;
    const T slope = fma(wx, axis(0), wy * axis(1));  // of w with the coordinate
    const T m = fma(slope, value, fma(wx, frame.centre(0), wy * frame.centre(1)));
    const T* const p = line.parameters;
    const T d = crossing(line, frame) - z;
    const geometry::Vector3<T> there{{fma(d, p[2], p[0]), fma(d, p[3], p[1]), z + d}};
    const T other = geometry::dot(strip, there - frame.centre);
    const T at = fma(value, axis(2), fma(other, strip(2), frame.centre(2)));
    return line.update(wx, wy, at - z, m, slope * slope * variance, n_sigma2);
  }
  KOKKOS_FUNCTION void scatter(LineState<T>& line, const geometry::Frame<T>& frame) const {
    line.scatter(crossing(line, frame) - z, variance_scattering);
  }
  /// All lines from the first hit on: a depth-first search, `steps[slot]` up to layer `slot`.
  template <class Found>
  KOKKOS_FUNCTION void follow(int event, int first, Line* steps, const Found& found) const {
    int next[max_line_layers];    // hit to try on each layer
    int missed[max_line_layers];  // up to each layer
    missed[first] = first;
    int slot = first + 1;
    next[slot] = hits.first(event, layers[slot]);
    while (slot > first) {
      if (slot == n_layers) {
        found(event, steps[n_layers - 1]);
        --slot;
        continue;
      }
      const int end = hits.first(event, layers[slot] + 1);
      bool deeper = false;
      while (next[slot] < end && !deeper) {
        steps[slot] = steps[slot - 1];
        deeper = add(steps[slot], slot, next[slot]++);
      }
      missed[slot] = missed[slot - 1];
      if (!deeper && next[slot] == end && missed[slot - 1] < max_missed) {
        ++next[slot];  // once
        steps[slot] = steps[slot - 1];
        scatter(steps[slot].line, detector.template frame<T>(detector.first_module(layers[slot])));
        ++missed[slot];
        deeper = true;
      }
      if (!deeper) {
        --slot;
        continue;
      }
      if (++slot < n_layers) next[slot] = hits.first(event, layers[slot]);
    }
  }
};

/// Number of lines of a slot.
template <class Lines>
struct CountLines {
  Lines lines;
  std::int32_t* counts;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    std::int32_t n = 0;
    lines(tile.first, [&](int, const auto&) { ++n; });
    counts[tile.first] = n;
  }
};

/// The lines of a slot as seeds.
template <class Lines, class Tracks, class States>
struct FillLines {
  Lines lines;
  const std::int32_t* offsets;
  Tracks seeds;
  States states;
  std::int32_t* layer;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    int seed = offsets[tile.first];
    lines(tile.first, [&](int event, const auto& line) { store(seed++, event, line); });
  }

 private:
  template <class Line>
  KOKKOS_FUNCTION void store(int seed, int event, const Line& of) const {
    int last = 0;
    for (int slot = 0; slot < lines.n_layers; ++slot) {
      seeds(seed, slot) = of.hits[slot];
      if (of.hits[slot] >= 0) last = slot;
    }
    seeds.event(seed) = event;
    layer[seed] = lines.layers[last];
    const auto frame = lines.detector.template frame<std::decay_t<decltype(lines.z)>>(
        lines.hits.module(of.hits[last]));
    write_state(seed, of.line, lines.crossing(of.line, frame) - lines.z);
  }
  /// The state at a distance d along z; x and y become x + d sx, y + d sy.
  template <class T>
  KOKKOS_FUNCTION void write_state(int seed, const LineState<T>& line, T d) const {
    const auto c = [&](int i, int j) { return line.covariance[LineState<T>::element(i, j)]; };
    constexpr int of[6] = {0, 1, -1, 2, 3, -1};  // parameters of the line
    const auto of_state = [&](int i, int j) {
      const int a = of[i], b = of[j];
      if (a < 0 || b < 0) return i == 5 && j == 5 ? lines.variance_q_over_p : T(0);
      T sum = c(a, b);
      if (a < 2) sum = fma(d, c(a + 2, b), sum);
      if (b < 2) sum = fma(d, c(a, b + 2), sum);
      return a < 2 && b < 2 ? fma(d * d, c(a + 2, b + 2), sum) : sum;
    };
    const T* const p = line.parameters;
    // Not 0: material needs a momentum
    const T q_over_p = T(1e-3) * sqrt(lines.variance_q_over_p);
    const T at[6] = {fma(d, p[2], p[0]), fma(d, p[3], p[1]), lines.z + d, p[2], p[3], q_over_p};
    for (int i = 0; i < 6; ++i) {
      states.parameters.element(seed, i) = at[i];
      for (int j = 0; j <= i; ++j)
        states.covariance.element(seed, i * (i + 1) / 2 + j) = of_state(i, j);
    }
    states.charge(std::size_t(seed)) = T(1);
  }
};

}  // namespace trackplex::seeding::detail
