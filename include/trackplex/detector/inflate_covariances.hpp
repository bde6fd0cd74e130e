// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/detector/finder_products.hpp>

#include <type_traits>

namespace trackplex::detector {

namespace detail {

/// States with inflated covariances.
template <class From, class To, class T>
struct InflateCovariances {
  From from;
  To to;
  T factor;

  template <class Real>
  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = from.load(tile);
    for (auto& element : state.covariance.elements) element *= Real(factor);
    to.store(tile, state);
  }
};

}  // namespace detail

/// Algorithm that copies the states of kept tracks with inflated covariances, from which tracks are
/// fitted again: relative to the hits, the start state has a weight of 1 / `factor`.
/// @tparam Width number of lanes
/// @tparam Model meaning of the last three parameters
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>,
          kalman::TrackModel Model = kalman::CentralTrack>
struct InflateCovariances {
  static constexpr const char* name = "inflate_covariances";
  using MemorySpace = MemoryOf<ExecutionSpace>;              ///< of its arrays
  using Tracks = tracks::KeptTracks<T, MemorySpace, Model>;  ///< input
  using Starts = FitStarts<T, MemorySpace, Model>;           ///< output

  double factor = 400.;  ///< of covariances

  /// Allocates as many states.
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, Starts& starts) const {
    starts.states.allocate(memory.of(starts), tracks.tracks.size());
  }
  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, Starts& starts) const {
    const auto from = tracks.tracks.states.const_view();
    const auto to = starts.states.view();
    for_each_tile<LanesOf<T, Width>>(
        exec, "Trackplex::Detector::inflate_covariances", tracks.tracks.size(),
        detail::InflateCovariances<std::remove_const_t<decltype(from)>,
                                   std::remove_const_t<decltype(to)>, T>{from, to, T(factor)});
  }
};

}  // namespace trackplex::detector
