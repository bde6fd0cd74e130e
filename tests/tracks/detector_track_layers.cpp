// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits of the hits of tracks among the hits of a detector: the same bits as fits of hits that are
// given one by one.
#include <trackplex/core/host_executor.hpp>
#include <trackplex/tracks/detector_track_layers.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_module_measurements.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <tuple>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::tracks;

namespace {

using geometry::Vector3;

/// Planes 10 cm apart along x, tilted, each with four modules; every third layer has material of
/// its own.
geometry::DetectorDescription tilted_planes(int layers) {
  geometry::DetectorDescription detector;
  for (int l = 0; l < layers; ++l) {
    const double a = 0.2 * std::sin(1. * l), b = 0.2 * std::cos(0.7 * l), psi = 1.05 * l;
    const Vector3<double> across{{-std::sin(a), std::cos(a), 0.}};
    const Vector3<double> up{{std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b)}};
    std::vector<geometry::Module> modules;
    for (int m = 0; m < 4; ++m) {
      geometry::Module module;
      module.frame.centre = {{10. + 10. * l, 10. * (m % 2) - 5., 10. * (m / 2) - 5.}};
      module.frame.u = std::cos(psi) * across + std::sin(psi) * up;
      module.frame.v = std::cos(psi) * up - std::sin(psi) * across;
      module.radiation_lengths = 0.002 * (m + 1);
      modules.push_back(module);
    }
    geometry::Layer layer{.name = "plane", .kind = geometry::LayerKind::plane};
    layer.normal = {1., 0., 0.};
    layer.position = 10. + 10. * l;
    layer.radiation_lengths = l % 3 == 0 ? 0.005 : 0.;
    detector.add_layer(layer, modules);
  }
  return detector;
}

/// Nearly straight tracks along x, of two events, with gaps and strips.
template <class T>
struct TracksOfPlanes {
  static constexpr int layers = 7, n = 75;
  geometry::DetectorDescription detector = tilted_planes(layers);
  hits::HostDetectorHits hits{detector};
  TrackHits<Kokkos::HostSpace> tracks;

  TracksOfPlanes() {
    tracks.allocate(HostExecutor(), n, layers);
    Kokkos::fence();
    for (int event = 0; event < 2; ++event) add_event(event);
  }

  void add_event(int event) {
    const int first_track = event == 0 ? 0 : 40, end = event == 0 ? 40 : n;
    std::vector<std::pair<int, int>> added;  // track and layer
    for (int track = first_track; track < end; ++track) {
      tracks.event(std::size_t(track)) = event;
      for (int l = 0; l < layers; ++l) {
        tracks(track, l) = -1;
        if ((track + 2 * l) % 9 == 0) continue;
        add_hit(track, l);
        added.emplace_back(track, l);
      }
    }
    const auto before = std::size_t(hits.first(event));
    hits.end_event();
    for (std::size_t i = before; i < hits.u.size(); ++i) {
      const auto [track, l] = added[std::size_t(hits.added[i])];
      tracks(track, l) = std::int32_t(i);
    }
  }
  void add_hit(int track, int l) {
    RandomStream<double> random(3, std::uint64_t(track * layers + l));
    const int number = 4 * l + track % 4;
    const auto& frame = detector.modules[std::size_t(number)].frame;
    const double x = frame.centre(0);
    const auto local = to_local(frame, {{x, 0.1 * track - 3. + 0.01 * x, 2. - 0.0002 * track * x}});
    const bool strip = (track + l) % 3 == 0;
    hits.add(number, local(0) + 2e-3 * random.normal(), local(1) + 4e-3 * random.normal(), 4e-6,
             strip ? 0. : 1.6e-5);
  }

  /// The same hits one by one, from the first to the last one or against it.
  template <class Space>
  auto one_by_one(FitOrder order, bool with_material) const {
    kalman::HostModuleMeasurements<T, MemoryOf<Space>> host(layers, n, with_material);
    const kalman::MaterialConstants<T> silicon(kalman::silicon);
    for (int track = 0; track < n; ++track)
      for (int l = 0; l < layers; ++l) {
        const int index = tracks(track, l);
        if (index < 0) continue;
        const auto i = std::size_t(index);
        const auto& module = detector.modules[std::size_t(hits.module[i])];
        const auto axis = [](const Vector3<double>& a) {
          return Vector3<T>{{T(a(0)), T(a(1)), T(a(2))}};
        };
        const auto u = axis(module.frame.u), v = axis(module.frame.v);
        const auto point = geometry::add_scaled(
            geometry::add_scaled(axis(module.frame.centre), T(hits.u[i]), u), T(hits.v[i]), v);
        const auto wide = [](const Vector3<T>& a) {
          return Vector3<double>{{double(a(0)), double(a(1)), double(a(2))}};
        };
        const T thickness =
            T(module.radiation_lengths) + T(detector.layers[std::size_t(l)].radiation_lengths);
        const T xi = thickness * (silicon.bethe_factor / silicon.per_radiation_length);
        const bool strip = hits.variance_v[i] == 0.;
        host.set(order == FitOrder::first_to_last ? l : layers - 1 - l, track,
                 {wide(point),
                  wide(u),
                  wide(v),
                  {{hits.variance_u[i], 0., hits.variance_v[i]}},
                  strip ? 1 : 2},
                 with_material ? double(thickness) : 0., with_material ? double(xi) : 0.);
      }
    return host;
  }
};

/// Wide starts in front of the first plane, or behind the last one.
template <class T, class Space>
auto starts(const Space& exec, int n, FitOrder order) {
  kalman::HostTrackStates<T, MemoryOf<Space>> host;
  host.allocate(HostExecutor(), n);
  Kokkos::fence();
  const double sigma[6] = {0.1, 0.1, 0.1, 0.1, 0.02, 0.02};
  for (int track = 0; track < n; ++track) {
    const double x = order == FitOrder::first_to_last ? 5. : 75.;
    const double at[6] = {x,    0.1 * track - 3. + 0.01 * x, 2. - 0.0002 * track * x, 0.1,
                          0.01, 1.5708 + 0.0002 * track};
    for (int i = 0; i < 6; ++i) {
      host.parameters.view()(track, i) = T(at[i]);
      for (int j = 0; j <= i; ++j)
        host.covariance.view()(track, i, j) = i == j ? T(sigma[i] * sigma[i]) : T(0);
    }
    host.charge(std::size_t(track)) = T(track % 2 == 0 ? 1 : -1);
  }
  auto states = enqueue_copy<kalman::TrackStates<T, MemoryOf<Space>>>(exec, host);
  exec.fence();
  return states;
}

constexpr kalman::UniformField field{0.5};

/// Hash of the fitted tracks.
template <int Width, class T, class Space, class Hits>
std::string hash_of(const Space& exec, const Hits& hits, FitOrder order) {
  constexpr int n = TracksOfPlanes<T>::n;
  auto states = starts<T>(exec, n, order);
  kalman::FitResults<T, MemoryOf<Space>> results;
  kalman::FitOptions options;
  options.along = order == FitOrder::first_to_last;
  kalman::fit_tracks<Width>(exec, states, field, hits, options, results);
  Fingerprint hash;
  for (const auto& state : kalman::states_on_host(exec, states)) {
    for (const double number : state.parameters.elements) hash.add(number);
    for (const double number : state.covariance.elements) hash.add(number);
  }
  const auto chi2 = to_host(exec, results.chi2);
  const auto numbers = to_host(exec, results.measurements);
  const auto reached = to_host(exec, results.reached);
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    CHECK(reached(i) == 1);
    CHECK(numbers(i) > 6);
    hash.add(chi2(i)).add(numbers(i));
  }
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Tracks of hits of a detector are fitted as those of hits one by one",
                        "[tracks]", test::EnabledSpaces) {
  using Space = TestType;
  const auto check = [&]<class T>(T) {
    const Space exec;
    const TracksOfPlanes<T> planes;
    DetectorTrackLayers<T, MemoryOf<Space>> layers{
        hits::to_device<T>(exec, planes.hits),
        enqueue_copy<TrackHits<MemoryOf<Space>>>(exec, planes.tracks),
        geometry::to_device<T>(exec, planes.detector)};
    for (const bool with_material : {true, false})
      for (const auto order : {FitOrder::first_to_last, FitOrder::last_to_first}) {
        CAPTURE(with_material, int(order), sizeof(T));
        layers.with_material = with_material;
        layers.order = order;
        const auto hits = to_device(exec, planes.template one_by_one<Space>(order, with_material));
        constexpr int lanes = default_lane_width<Space, double>;
        const auto expected = hash_of<lanes, T>(exec, hits.view(), order);
        CHECK(hash_of<lanes, T>(exec, layers, order) == expected);
        if constexpr (std::is_same_v<T, float>)
          test::for_each_width<Space>([&]<int Width>() {
            CAPTURE(Width);
            CHECK(hash_of<Width, T>(exec, layers, order) == expected);
          });
      }
  };
  check(float());
  check(double());
}

TEST_CASE("Tracks of hits of another detector", "[tracks]") {
  const Kokkos::DefaultExecutionSpace exec;
  using Memory = MemoryOf<Kokkos::DefaultExecutionSpace>;
  const TracksOfPlanes<float> planes;
  const auto other = geometry::to_device<float>(exec, tilted_planes(3));
  const DetectorTrackLayers<float, Memory> layers{
      hits::to_device<float>(exec, planes.hits),
      enqueue_copy<TrackHits<Memory>>(exec, planes.tracks), other};
  test::check_refused<UsageError>([&] { layers.check("fit", planes.n); },
                                  "fit: hits and detector do not belong together");
  test::check_refused<UsageError>([&] { layers.check("fit", 3); },
                                  "states and hits are of different tracks");
}
