// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fit of 10,000 tracks of ten hits from records of tracks and hits to records of fitted tracks:
// gather, fit, scatter, and each by itself; the fit also with material and with the smoother. Goal:
// 5 ms on one core of a Zen 3 class machine (mkFit: 14.9 ms, with its copies), 8 lanes at least 5
// times as fast as one.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
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
    using Host = Kokkos::DefaultHostExecutionSpace;
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
    Kokkos::deep_copy(exec, track, t);
    Kokkos::deep_copy(exec, hit, h);
    Kokkos::deep_copy(exec, hit_index, index);
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

template <class Space, int Width>
class Fit {
 public:
  explicit Fit(const Records<Space>& records) : records_(records) {
    states_.allocate(exec_, tracks);
    hits_.allocate(exec_, layers, tracks);
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
  kalman::CylinderHits<float, MemoryOf<Space>> hits_;
  kalman::FitResults<float, MemoryOf<Space>> results_;
  kalman::SmoothedTracks<float, MemoryOf<Space>> smoothed_;
  kalman::SmootherSteps<float, MemoryOf<Space>> steps_{layers, {}};
};

/// Registers a benchmark of `run`, which gets a Fit that has gathered its input anew.
template <class Space, int Width, class Run>
void add(const std::string& what, const Run& run) {
  const std::string name =
      "kalman/" + std::string(Space::name()) + "/lanes:" + std::to_string(Width) + "/" + what;
  benchmark::RegisterBenchmark(
      name.c_str(),
      [run](benchmark::State& state) {
        const Records<Space> records{Space()};
        Fit<Space, Width> fit(records);
        for (auto _ : state) {
          run(fit, state);
          fit.fence();
        }
        state.counters["s_per_track"] = benchmark::Counter(
            tracks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
      })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
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
  for_each_enabled_space([]<class Space>(std::type_identity<Space>) {
    constexpr int width = default_lane_width<Space, float>;
    if constexpr (is_host_space<Space>) {
      add_width<Space, 1>();
      add_width<Space, 4>();
      add_width<Space, 16>();
    }
    add_width<Space, width>();
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
