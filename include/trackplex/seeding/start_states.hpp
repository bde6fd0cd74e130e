// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/launch.hpp>
#include <trackplex/seeding/three_hits.hpp>
#include <trackplex/tracks/track_layers.hpp>

#include <cstddef>
#include <type_traits>

namespace trackplex::seeding {

namespace detail {

/// The same three layers for every track.
struct TheseLayers {
  Kokkos::Array<int, 3> layers;

  template <class Real, class Present>
  KOKKOS_FUNCTION MaskOf<Real> choose(int /*size*/, const Present& present,
                                      IntegerOf<Real> (&chosen)[3]) const {
    using I = ScalarOf<IntegerOf<Real>>;
    MaskOf<Real> all = true;
    for (int i = 0; i < 3; ++i) {
      chosen[i] = IntegerOf<Real>(I(layers[i]));
      all = all && present(layers[i]);
    }
    return all;
  }
};

/// The first layer of each track with a hit, the middle one (the one after n / 2 of n) and the
/// last one.
struct FirstMiddleLast {
  template <class Real, class Present>
  KOKKOS_FUNCTION MaskOf<Real> choose(int size, const Present& present,
                                      IntegerOf<Real> (&chosen)[3]) const {
    using Integer = IntegerOf<Real>;
    using I = ScalarOf<Integer>;
    Integer n = Integer(0);
    for (auto& layer : chosen) layer = Integer(0);
    for (int layer = 0; layer < size; ++layer) {
      const auto here = present(layer);
      chosen[0] = select(here && n == Integer(0), Integer(I(layer)), chosen[0]);
      chosen[2] = select(here, Integer(I(layer)), chosen[2]);
      n += select(here, Integer(1), Integer(0));
    }
    const Integer middle = n >> 1;
    Integer before = Integer(0);
    for (int layer = 0; layer < size; ++layer) {
      const auto here = present(layer);
      chosen[1] = select(here && before == middle, Integer(I(layer)), chosen[1]);
      before += select(here, Integer(1), Integer(0));
    }
    return n > Integer(2);
  }
};

/// Variances of points of modules, see detector_points.hpp.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void project_variances(kalman::SpacePoint<Real> (&points)[3]);

template <class Real, class Layers, class Hits, class Tracks, class Field, class States>
struct StartStates {
  using Integer = IntegerOf<Real>;
  using T = ScalarOf<Real>;

  Layers layers;
  Hits hits;
  Tracks tracks;
  Field field;
  StartStatesConstants<T> constants;
  States states;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Integer event = tile.template load<Integer>(tracks.event.data());
    const auto present = [&](int layer) {
      const auto* const index = tracks.index.data() + std::size_t(layer) * tracks.stride();
      return tile.template load<Integer>(index) >= Integer(0) && tile.mask();
    };
    Integer chosen[3];
    const auto complete = layers.template choose<Real>(tracks.layers, present, chosen);

    kalman::SpacePoint<Real> points[3];
    for (int i = 0; i < 3; ++i) {
      const Integer at = chosen[i] * Integer(ScalarOf<Integer>(tracks.stride())) + tile.index();
      const Integer index = gather<Integer>(tracks.index.data(), at, complete);
      if constexpr (requires { hits.template point<Real>(index, complete); }) {
        points[i] = hits.template point<Real>(index, complete);
      } else {
        const Integer place =
            tracks::detail::place_of_hit<Real>(hits, event, chosen[i], index, complete);
        points[i] = tracks::detail::gather_hit<Real>(hits, place, complete);
      }
    }
    if constexpr (requires { hits.template point<Real>(event, complete); })
      project_variances(points);
    auto state = state_of_three_hits<Real>(points, field, constants);
    for (auto& element : state.covariance.elements) element = select(complete, element, Real(0));
    states.store(tile, state);
  }
};

template <int Width, class ExecutionSpace, class Layers, class Hits, class T, class Field>
void start_states(const ExecutionSpace& exec, const Layers& layers, const Hits& hits,
                  const tracks::TrackHits<MemoryOf<ExecutionSpace>>& tracks, const Field& field,
                  const StartStatesParams& parameters,
                  kalman::TrackStates<T, MemoryOf<ExecutionSpace>>& states) {
  using Real = LanesOf<T, Width>;
  states.allocate(exec, tracks.tracks);
  const auto view = states.view();
  for_each_tile<Real>(exec, "Trackplex::Seeding::start_states", tracks.tracks,
                      StartStates<Real, Layers, Hits, tracks::TrackHits<MemoryOf<ExecutionSpace>>,
                                  kalman::FieldFor<T, Field>, std::decay_t<decltype(view)>>{
                          layers, hits, tracks, kalman::field_for<T>(field), parameters, view});
}

}  // namespace detail

/// Computes a state for each track from its hits on three given layers (see `state_of_three_hits`):
/// the start of a Kalman fit of all its hits. The covariance of a track that lacks one of the three
/// hits is 0, so that a fit does not change it. Allocates `states`, one per track, and enqueues one
/// kernel on the instance. `layers` ascend.
/// @tparam Width number of lanes
template <int Width, class ExecutionSpace, class T, class Field>
void start_states(const ExecutionSpace& exec,
                  const hits::LayerHits<T, MemoryOf<ExecutionSpace>>& hits,
                  const tracks::TrackHits<MemoryOf<ExecutionSpace>>& tracks,
                  const Kokkos::Array<int, 3>& layers, const Field& field,
                  const StartStatesParams& parameters,
                  kalman::TrackStates<T, MemoryOf<ExecutionSpace>>& states) {
  detail::start_states<Width>(exec, detail::TheseLayers{layers}, hits, tracks, field, parameters,
                              states);
}

/// Computes a state for each track from its first, middle and last hit, on any layers. The
/// covariance of a track with fewer than three hits is 0. Allocates `states`, one per track,
/// and enqueues one kernel on the instance.
/// @tparam Width number of lanes
template <int Width, class ExecutionSpace, class T, class Field>
void start_states(const ExecutionSpace& exec,
                  const hits::LayerHits<T, MemoryOf<ExecutionSpace>>& hits,
                  const tracks::TrackHits<MemoryOf<ExecutionSpace>>& tracks, const Field& field,
                  const StartStatesParams& parameters,
                  kalman::TrackStates<T, MemoryOf<ExecutionSpace>>& states) {
  detail::start_states<Width>(exec, detail::FirstMiddleLast{}, hits, tracks, field, parameters,
                              states);
}

}  // namespace trackplex::seeding

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/seeding/detail/start_states.instances.hpp>
#endif
