// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fit of 10,000 tracks of ten hits from records of tracks and hits to records of fitted tracks:
// gather, fit, scatter, and each by itself; the fit also with material and with the smoother. Goal:
// 5 ms on one core of a Zen 3 class machine (mkFit: 14.9 ms, with its copies), 8 lanes at least 5
// times as fast as one.
//
// fit_planes: the same tracks with hits on planes, at most 1.3 times the time of fit. transport_*:
// transport with its Jacobian over 40 cm, on one helix or in steps through the cells of a map; a
// step is to take at most 4 times the time of a helix.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/helices_in_field.hpp>
#include <trackplex/kalman/module_measurements.hpp>
#include <trackplex/matriplex/records.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

namespace trackplex {
namespace {

constexpr int tracks = 10000, layers = 10;

struct TrackRecord {
  float parameters[6];
  float covariance[21];
  std::int32_t charge;
  float chi2;
  std::int32_t hits[layers];  ///< number of the hit in each layer
};

struct HitRecord {
  float position[3];
  float covariance[6];
  std::int32_t true_hit;
};

/// Records as another code would hand them over, hits of each layer in an order of their own.
template <class Space>
struct Records {
  template <class T>
  using Array = Kokkos::View<T*, typename Space::memory_space>;
  Array<TrackRecord> track{"Trackplex::Bench::tracks", tracks};
  Array<TrackRecord> fitted{"Trackplex::Bench::fitted", tracks};
  Array<HitRecord> hit{"Trackplex::Bench::hits", std::size_t(layers) * tracks};
  Array<int> hit_index{"Trackplex::Bench::hit_index", std::size_t(layers) * tracks};

  explicit Records(const Space& exec) {
    using Host = HostExecutor;
    const Host host;
    simulation::CylinderTracks<float, MemoryOf<Host>> made;
    simulation::generate_cylinder_tracks<1>(host, {}, tracks, kalman::UniformField{3.8112}, made);
    kalman::TrackStates<float, MemoryOf<Host>> start;
    simulation::start_near<1>(host, made.start, {0.1, 0.1, 1., 0.05, 0.02, 0.02}, 1, start);
    host.fence();
    const auto t = Kokkos::create_mirror_view(track);
    const auto h = Kokkos::create_mirror_view(hit);
    const auto index = Kokkos::create_mirror_view(hit_index);
    for (int n = 0; n < tracks; ++n) {
      for (int i = 0; i < 6; ++i) t(n).parameters[i] = start.const_view().parameters(n, i);
      for (int e = 0; e < 21; ++e) t(n).covariance[e] = start.const_view().covariance.element(n, e);
      t(n).charge = int(start.charge(n));
      for (int layer = 0; layer < layers; ++layer) {
        const int place = layer * tracks + int((std::int64_t(n) * 7919 + layer) % tracks);
        const int item = layer * made.hits.stride() + n;
        for (int i = 0; i < 3; ++i) h(place).position[i] = made.hits.position.const_view()(item, i);
        for (int e = 0; e < 6; ++e)
          h(place).covariance[e] = made.hits.covariance.const_view().element(item, e);
        index(layer * tracks + n) = place;
      }
    }
    deep_copy(exec, track, t);
    deep_copy(exec, hit, h);
    deep_copy(exec, hit_index, index);
    exec.fence();
  }
};

template <class Space>
struct GatherCharge {
  typename Records<Space>::template Array<TrackRecord> from;
  Kokkos::View<float*, typename Space::memory_space> to;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    to(tile.first) = float(from(tile.first).charge);
  }
};

/// The hits of a track, gathered by their numbers.
template <class Space>
struct GatherHits {
  typename Records<Space>::template Array<HitRecord> hit;
  typename Records<Space>::template Array<int> hit_index;
  typename Matriplex<float, 3, 1, MemoryOf<Space>>::View position;
  typename SymMatriplex<float, 3, MemoryOf<Space>>::View covariance;
  int stride;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    for (int layer = 0; layer < layers; ++layer) {
      const auto& from = hit(hit_index(layer * tracks + tile.first));
      const int to = layer * stride + tile.first;
      for (int i = 0; i < 3; ++i) position(to, i) = from.position[i];
      for (int e = 0; e < 6; ++e) covariance.element(to, e) = from.covariance[e];
    }
  }
};

/// The plane of each hit: across its direction from the z axis, with axes along r phi and z.
template <class Space>
struct MakePlanes {
  typename Matriplex<float, 3, 1, MemoryOf<Space>>::ConstView position;
  typename SymMatriplex<float, 3, MemoryOf<Space>>::ConstView covariance;
  typename Matriplex<float, 3, 1, MemoryOf<Space>>::View point;
  typename Matriplex<float, 2, 3, MemoryOf<Space>>::View axes;
  typename SymMatriplex<float, 2, MemoryOf<Space>>::View variances;
  Kokkos::View<std::int8_t*, MemoryOf<Space>> count;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int item = tile.first;
    const float x = position(item, 0), y = position(item, 1);
    const float per_r = 1.f / trackplex::max(trackplex::sqrt(x * x + y * y), 1e-6f);
    const float u[3] = {-y * per_r, x * per_r, 0.f};
    for (int i = 0; i < 3; ++i) {
      point(item, i) = position(item, i);
      axes(item, 0, i) = u[i];
      axes(item, 1, i) = i == 2 ? 1.f : 0.f;
    }
    variances(item, 0, 0) = u[0] * u[0] * covariance(item, 0, 0) +
                            2.f * u[0] * u[1] * covariance(item, 1, 0) +
                            u[1] * u[1] * covariance(item, 1, 1);
    variances(item, 1, 0) = u[0] * covariance(item, 2, 0) + u[1] * covariance(item, 2, 1);
    variances(item, 1, 1) = covariance(item, 2, 2);
    count(item) = 2;
  }
};

/// Transport of all states outwards to planes 40 cm away, with the Jacobian.
template <class Real, class Space, class Field>
struct TransportAll {
  typename Matriplex<float, 6, 1, MemoryOf<Space>>::ConstView parameters;
  Field field;
  typename Matriplex<float, 6, 1, MemoryOf<Space>>::View to;
  typename Matriplex<float, 6, 6, MemoryOf<Space>>::View jacobian;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const auto start = parameters.load(tile);
    const auto sc = sincos(start(4));
    const auto plane = geometry::Surface<Real>::plane(
        {{start(0) + Real(40.f) * sc.cos, start(1) + Real(40.f) * sc.sin, start(2)}},
        {{sc.cos, sc.sin, Real(0.f)}});
    const auto moved = kalman::transport<kalman::CentralTrack>(start, Real(1.f), field, plane);
    to.store(tile, moved.parameters);
    jacobian.store(tile, as<Matrix<Real, 6, 6>>(moved.jacobian));
  }
};

template <class Space, int Width>
class Fit {
 public:
  explicit Fit(const Records<Space>& records) : records_(records) {
    states_.allocate(exec_, tracks);
    hits_.allocate(exec_, layers, tracks);
    planes_.allocate(exec_, layers, tracks);
    ends_.allocate(exec_, tracks);
    jacobians_.allocate(exec_, tracks);
    gather();
    fit();
    scatter();
    exec_.fence();
  }

  void gather() {
    gather_records(exec_, records_.track, EveryRecord{}, tracks, Member<&TrackRecord::parameters>{},
                   states_.parameters);
    gather_records(exec_, records_.track, EveryRecord{}, tracks, Member<&TrackRecord::covariance>{},
                   states_.covariance);
    for_each_tile<int>(exec_, "Trackplex::Bench::gather_charge", tracks,
                       GatherCharge<Space>{records_.track, states_.charge});
    for_each_tile<int>(exec_, "Trackplex::Bench::gather_hits", tracks,
                       GatherHits<Space>{records_.hit, records_.hit_index, hits_.position.view(),
                                         hits_.covariance.view(), hits_.stride()});
  }
  void fit() {
    kalman::fit_tracks<Width>(exec_, states_, kalman::UniformField{3.8112}, hits_.view(), {},
                              results_);
  }
  void make_planes() {
    for_each_tile<int>(exec_, "Trackplex::Bench::make_planes", layers * hits_.stride(),
                       MakePlanes<Space>{hits_.position.const_view(), hits_.covariance.const_view(),
                                         planes_.point.view(), planes_.axes.view(),
                                         planes_.covariance.view(), planes_.count});
  }
  void fit_planes() {
    kalman::fit_tracks<Width>(exec_, states_, kalman::UniformField{3.8112}, planes_.view(), {},
                              results_);
  }
  template <class Field>
  void transport(const Field& field) {
    using Real = LanesOf<float, Width>;
    for_each_tile<Real>(exec_, "Trackplex::Bench::transport", tracks,
                        TransportAll<Real, Space, Field>{states_.parameters.const_view(), field,
                                                         ends_.view(), jacobians_.view()});
  }
  void fit_in_material() {
    const auto hits = hits_.view();
    kalman::fit_tracks<Width>(exec_, states_, kalman::UniformField{3.8112},
                              kalman::HitsInMaterial{hits, kalman::ThinLayer{kalman::silicon, 0.1}},
                              {}, results_);
  }
  void smooth() {
    kalman::smooth_tracks<Width>(exec_, states_, kalman::UniformField{3.8112}, hits_.view(), layers,
                                 {}, results_, smoothed_, steps_);
  }
  void scatter() {
    scatter_records(exec_, states_.parameters, EveryRecord{}, Member<&TrackRecord::parameters>{},
                    records_.fitted);
    scatter_records(exec_, states_.covariance, EveryRecord{}, Member<&TrackRecord::covariance>{},
                    records_.fitted);
  }
  void fence() { exec_.fence(); }

 private:
  Space exec_;
  Records<Space> records_;
  kalman::TrackStates<float, MemoryOf<Space>> states_;
  kalman::CylinderMeasurements<float, MemoryOf<Space>> hits_;
  kalman::ModuleMeasurements<float, MemoryOf<Space>> planes_;
  Matriplex<float, 6, 1, MemoryOf<Space>> ends_{"Trackplex::Bench::ends"};
  Matriplex<float, 6, 6, MemoryOf<Space>> jacobians_{"Trackplex::Bench::jacobians"};
  kalman::FitResults<float, MemoryOf<Space>> results_;
  kalman::SmoothedTracks<float, MemoryOf<Space>> smoothed_;
  kalman::SmootherSteps<float, MemoryOf<Space>> steps_{layers, {}};
};

/// Registers a benchmark of `run`, which gets a Fit that has gathered its input anew, and what
/// `prepare` returns.
template <class Space, int Width, class Prepare, class Run>
void add(const std::string& what, const Prepare& prepare, const Run& run) {
  const std::string name =
      "kalman/" + bench::backend_name<Space>() + "/lanes:" + std::to_string(Width) + "/" + what;
  benchmark::RegisterBenchmark(
      name.c_str(), bench::on_backend([prepare, run](benchmark::State& state) {
        const Records<Space> records{Space()};
        Fit<Space, Width> fit(records);
        const auto prepared = prepare();
        for (auto _ : state) {
          run(fit, state, prepared);
          fit.fence();
        }
        state.counters["s_per_track"] = benchmark::Counter(
            tracks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
      }))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

template <class Space, int Width, class Run>
void add(const std::string& what, const Run& run) {
  add<Space, Width>(
      what, [] { return 0; }, [run](auto& fit, auto& state, int) { run(fit, state); });
}
template <class Space, int Width, class MakeField>
void add_transport(const std::string& what, const MakeField& make_field) {
  add<Space, Width>(what, make_field,
                    [](auto& fit, auto&, const auto& field) { fit.transport(field); });
}

/// Maps of cells of 4 cm.
template <class Space>
auto round_map() {
  return geometry::AxisymmetricFieldMap<float, MemoryOf<Space>>(
      Space(),
      geometry::sample_axisymmetric_field({0., 120., 31}, {-200., 200., 101},
                                          geometry::FiniteSolenoid{2., 150., 200.}),
      geometry::OutsideOfMap::zero);
}
template <class Space>
auto box_map() {
  const geometry::FiniteSolenoid solenoid{2., 200., 200.};
  const auto at = [&](double x, double y, double z) {
    const auto b = solenoid(std::hypot(x, y), z);
    const double per_r = 1. / std::max(std::hypot(x, y), 1e-9);
    return geometry::Vector3<double>{{x * per_r * b[0], y * per_r * b[0], b[1]}};
  };
  return geometry::FieldMap<float, MemoryOf<Space>>(
      Space(), geometry::sample_field({-120., 120., 61}, {-120., 120., 61}, {-200., 200., 101}, at),
      geometry::OutsideOfMap::zero);
}

/// The input of a fit is gathered anew, untimed.
template <class Fit>
void refresh(Fit& fit, benchmark::State& state) {
  state.PauseTiming();
  fit.gather();
  fit.fence();
  state.ResumeTiming();
}

template <class Space, int Width>
void add_width() {
  add<Space, Width>("gather_fit_scatter", [](auto& fit, auto&) {
    fit.gather();
    fit.fit();
    fit.scatter();
  });
  add<Space, Width>("fit", [](auto& fit, auto& state) {
    refresh(fit, state);
    fit.fit();
  });
}

const bool registered = [] {
  bench::for_each_backend([]<class Space>(std::type_identity<Space>) {
    constexpr int width = default_lane_width<Space, float, KernelKind::track_states>;
    if constexpr (is_host_space<Space>) {
      add_width<Space, 1>();
      add_width<Space, 4>();
      add_width<Space, 8>();
      add_width<Space, 16>();
    } else {
      add_width<Space, width>();
    }
    add<Space, width>("fit_planes", [](auto& fit, auto& state) {
      state.PauseTiming();
      fit.gather();
      fit.make_planes();
      fit.fence();
      state.ResumeTiming();
      fit.fit_planes();
    });
    add_transport<Space, width>("transport_helix", [] {
      return geometry::BasicUniformVectorField<float>{0.f, 0.f, 2.f};
    });
    add_transport<Space, width>("transport_10_cells_rz", [] { return round_map<Space>(); });
    add_transport<Space, width>("transport_10_cells_rz_by_helix", [] {
      return kalman::HelicesInField<decltype(round_map<Space>())>{round_map<Space>()};
    });
    add_transport<Space, width>("transport_10_cells_xyz", [] { return box_map<Space>(); });
    add<Space, width>("gather", [](auto& fit, auto&) { fit.gather(); });
    add<Space, width>("scatter", [](auto& fit, auto&) { fit.scatter(); });
    add<Space, width>("fit_in_material", [](auto& fit, auto& state) {
      refresh(fit, state);
      fit.fit_in_material();
    });
    add<Space, width>("smooth", [](auto& fit, auto& state) {
      refresh(fit, state);
      fit.smooth();
    });
  });
  return true;
}();

}  // namespace
}  // namespace trackplex
