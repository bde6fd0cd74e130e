// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "hits_of_windows.hpp"
#include "seed_orders.hpp"

#include <array>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>

namespace trackplex::benchmarks {

/// Algorithms and products for one batch of events. Each is timed by itself, with seeds in any
/// order and bins of equal length: more than `cylinder::tracking_chain` offers.
template <class T, class ExecutionSpace, int Width>
class TrackingChain {
  using Memory = MemoryOf<ExecutionSpace>;
  using Field = kalman::UniformField;
  using Binned = search::BinnedHits<T, Memory>;
  using BinHits = search::BinHits<T, ExecutionSpace, Binned, Width>;

 public:
  TrackingChain(const ExecutionSpace& exec, const tracks::TrackingEvents& events,
                const TrackingSettings& settings)
      : exec_(exec),
        settings_(settings),
        events_(events),
        bin_hits_{{exec, settings.one.azimuth_bins, axes(settings)}} {
    load();
    particles_ = seeds_in_order(exec, events, seed_layers, settings.one, true_seeds_);
    start_.hits = true_seeds_.hits;
    start_.states.allocate(exec, true_seeds_.size());  // the fit overwrites them
  }

  void load() { hits::upload(exec_, events_.hits, hits_); }
  void bin() { run_algorithm(exec_, bin_hits_, hits_, binned_, scratch_); }

  /// The states that seeds are fitted from.
  void restore_seeds() {
    deep_copy(exec_, start_.states.parameters, true_seeds_.states.parameters);
    deep_copy(exec_, start_.states.covariance, true_seeds_.states.covariance);
    deep_copy(exec_, start_.states.charge, true_seeds_.states.charge);
  }
  void fit_seeds() {
    using FitSeeds = seeding::FitSeeds<T, ExecutionSpace, Field, Width>;
    run_algorithm(exec_, FitSeeds{settings_.detector, field_}, hits_, start_, seeds_);
  }

  template <class Strategy>
  void build() {
    using BuildTracks = candidates::BuildTracks<Strategy, T, ExecutionSpace, Field, Binned, Width>;
    run_algorithm(exec_,
                  BuildTracks{settings_.detector, field_, {}, {settings_.one.seeds_per_team}},
                  seeds_, binned_, found_);
  }

  void start_fit() { seeding::start_states<Width>(exec_, hits_, found_.hits, field_, {}, states_); }
  void fit() {
    kalman::fit_tracks<Width>(
        exec_, states_, solenoid_,
        tracks::TrackLayers<T, Memory>{hits_, found_.hits, settings_.detector}, {}, results_);
  }

  /// The tracks that were found last to the host.
  void unload() {
    host_hits_ = enqueue_copy<tracks::TrackHits<Kokkos::HostSpace>>(exec_, found_.hits);
    chi2_ = to_host(exec_, found_.chi2);
  }

  /// Adds the tracks that were unloaded last, in the order of events and particles.
  void add_to(Fingerprint& hash) const {
    std::vector<std::array<int, 3>> order;
    for (int track = 0; track < found_.size(); ++track)
      order.push_back({host_hits_.event(track), particles_[std::size_t(track)], track});
    std::sort(order.begin(), order.end());
    for (const auto& [event, particle, track] : order) {
      hash.add(particle).add(chi2_(track));
      for (int layer = 0; layer < host_hits_.layers; ++layer) hash.add(host_hits_(track, layer));
    }
  }

  int seeds() const { return seeds_.size(); }
  void count_hits(double (&sum)[4]) const {
    add_hits_of_windows(exec_, seeds_, binned_, settings_.detector, field_, sum);
  }

 private:
  using Axis = histogram::RegularAxis<T>;
  static std::vector<Axis> axes(const TrackingSettings& settings) {
    std::vector<Axis> result;
    for (const double half : settings.half_length)
      result.emplace_back(-half, half, std::max(1, int(2. * half / settings.one.bin_length)));
    return result;
  }

  ExecutionSpace exec_;
  const TrackingSettings& settings_;
  const tracks::TrackingEvents& events_;
  Field field_{3.8112};
  kalman::SolenoidField solenoid_;
  BinHits bin_hits_;
  typename BinHits::Scratch scratch_;
  hits::LayerHits<T, Memory> hits_;
  Binned binned_;
  seeding::StartSeeds<T, Memory> true_seeds_, start_;
  seeding::Seeds<T, Memory> seeds_;
  std::vector<std::int32_t> particles_;
  tracks::FoundTracks<T, Memory> found_;
  kalman::TrackStates<T, Memory> states_;
  kalman::FitResults<T, Memory> results_;
  tracks::TrackHits<Kokkos::HostSpace> host_hits_;
  typename Kokkos::View<T*, Memory>::HostMirror chi2_;
};

}  // namespace trackplex::benchmarks
