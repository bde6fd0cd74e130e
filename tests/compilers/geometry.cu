// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Modules and layers of a detector, and navigation, for TRACKPLEX_SPACE: device code of scalars,
/// or host code of lanes.

#include <trackplex/core/launch.hpp>
#include <trackplex/geometry/navigation.hpp>

namespace trackplex::geometry {
namespace {

/// Distances of the centres of modules from their layers, of those that contain a point.
template <class Real, class Space>
struct Distances {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  Detector<T, MemoryOf<Space>> detector;
  Kokkos::View<T*, MemoryOf<Space>> out;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const auto module = tile.index();
    const auto frame = detector.template frame<Real>(module);
    const auto local = to_local(frame, {Real(1), Real(2), Real(3)});
    const auto inside =
        detector.template bounds<Real>(module).contains(local(0), local(1), Real(0));
    const auto layer = detector.template layer<Real>(
        gather<Integer>(detector.layer_of_module.data(), module, tile.mask()));
    const Real distance = layer.surface.distance(to_global(frame, local));
    tile.store(out.data(), select(inside, distance, detector.template thickness<Real>(module)));
  }
};

/// Next layers, and holes on them.
template <class Real, class Space>
struct NextLayers {
  using T = ScalarOf<Real>;
  Navigation<T, MemoryOf<Space>> navigation;
  Kokkos::View<T*, MemoryOf<Space>> out;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Vector3<Real> position{{Real(1), Real(2), Real(3)}},
        direction{{Real(0), Real(0), Real(1)}}, bend{{Real(0), Real(0), Real(0)}};
    const auto next =
        navigation.template next<Real>(tile.index(), position, direction, bend, tile.mask());
    const auto layer = navigation.detector.template layer<Real>(tile.index());
    const auto place = layer.coordinates(add_scaled(position, next.path, direction));
    const auto gradient = layer.gradients(position);
    const auto hole = navigation.template is_hole<Real>(next.layer, place.first, place.second);
    tile.store(out.data(), select(hole, gradient.first(0), gradient.second(0)));
  }
};

template <class T, class Space>
void use(const Space& exec, const DetectorDescription& description) {
  using Real = LanesOf<T, default_lane_width<Space, T>>;
  const auto detector = to_device<T>(exec, description);
  const Kokkos::View<T*, MemoryOf<Space>> out("out", std::size_t(detector.n_modules));
  for_each_tile<Real>(exec, "Trackplex::Test::distances", detector.n_modules,
                      Distances<Real, Space>{detector, out});
  const auto navigation = to_device<T>(exec, description, find_layer_graph(description));
  for_each_tile<Real>(exec, "Trackplex::Test::next_layers", detector.n_layers,
                      NextLayers<Real, Space>{navigation, out});
}

}  // namespace

void use_all(const DetectorDescription& description) {
  use<float>(TRACKPLEX_SPACE(), description);
  use<double>(TRACKPLEX_SPACE(), description);
}

}  // namespace trackplex::geometry
