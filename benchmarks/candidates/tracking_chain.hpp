// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "hits_of_windows.hpp"
#include "seed_orders.hpp"

#include <array>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>

namespace trackplex::benchmarks {

/// The algorithms for one batch of events, in the memory of a backend.
template <class Real, class Space, int Width>
class TrackingChain {
 public:
  TrackingChain(const Space& exec, const seeding::TrackingEvents& events,
                const TrackingSettings& settings)
      : exec_(exec),
        settings_(settings),
        events_(events),
        binned_(exec, settings.one.azimuth_bins, axes(settings)) {
    load();
    particles_ = seeds_in_order(exec, events, seed_layers, settings.one, starts_);
    seeds_ = starts_;
    // What the fit writes is its own
    seeds_.states = {};
    seeds_.states.resize(exec, starts_.size());
  }

  void load() { search::upload(exec_, events_.hits, hits_); }
  void bin() { search::bin_hits<Width>(exec_, hits_, binned_, workspace_); }

  /// The states that seeds are fitted from.
  void restore_seeds() {
    deep_copy(exec_, seeds_.states.parameters, starts_.states.parameters);
    deep_copy(exec_, seeds_.states.covariance, starts_.states.covariance);
    Kokkos::deep_copy(exec_, seeds_.states.charge, starts_.states.charge);
  }
  void fit_seeds() {
    seeding::fit_seeds<Width>(exec_, hits_, settings_.detector, field_, {}, seed_results_, seeds_);
  }

  template <class Strategy>
  void build() {
    candidates::build_tracks<Strategy, Width>(exec_, seeds_, binned_, settings_.detector, field_,
                                              {}, found_, {settings_.one.seeds_per_team});
  }

  void start_fit() { seeding::start_states<Width>(exec_, hits_, found_.hits, field_, {}, states_); }
  void fit() {
    kalman::fit_tracks<Width>(
        exec_, states_, solenoid_,
        seeding::TrackLayers<Real, MemoryOf<Space>>{hits_, found_.hits, settings_.detector}, {},
        results_);
  }

  /// The tracks that were found last to the host.
  void unload() {
    index_ = Kokkos::create_mirror_view(found_.hits.index);
    chi2_ = Kokkos::create_mirror_view(found_.chi2);
    event_ = Kokkos::create_mirror_view(found_.hits.event);
    Kokkos::deep_copy(exec_, index_, found_.hits.index);
    Kokkos::deep_copy(exec_, chi2_, found_.chi2);
    Kokkos::deep_copy(exec_, event_, found_.hits.event);
  }

  /// Adds the tracks that were unloaded last, in the order of events and particles.
  void add_to(Fingerprint& hash) const {
    std::vector<std::array<int, 3>> order;
    for (int track = 0; track < found_.size(); ++track)
      order.push_back({event_(track), particles_[std::size_t(track)], track});
    std::sort(order.begin(), order.end());
    for (const auto& [event, particle, track] : order) {
      hash.add(particle).add(chi2_(track));
      for (int layer = 0; layer < found_.hits.layers; ++layer)
        hash.add(index_(layer * found_.hits.stride() + track));
    }
  }

  int seeds() const { return seeds_.size(); }
  void count_hits(double (&sum)[4]) const {
    add_hits_of_windows(exec_, seeds_, binned_, settings_.detector, field_, sum);
  }

 private:
  using Axis = histogram::RegularAxis<Real>;
  static std::vector<Axis> axes(const TrackingSettings& settings) {
    std::vector<Axis> result;
    for (const double half : settings.half_length)
      result.emplace_back(-half, half, std::max(1, int(2. * half / settings.one.bin_length)));
    return result;
  }
  template <class Element>
  using HostArray = typename Kokkos::View<Element*, typename Space::memory_space>::HostMirror;

  Space exec_;
  const TrackingSettings& settings_;
  const seeding::TrackingEvents& events_;
  kalman::UniformField field_{3.8112};
  kalman::SolenoidField solenoid_;
  Workspace<Space> workspace_;
  search::LayerHits<Real, MemoryOf<Space>> hits_;
  search::BinnedHits<Real, MemoryOf<Space>> binned_;
  seeding::Seeds<Real, MemoryOf<Space>> starts_, seeds_;
  std::vector<std::int32_t> particles_;
  kalman::FitResults<Real, MemoryOf<Space>> seed_results_, results_;
  candidates::FoundTracks<Real, MemoryOf<Space>> found_;
  kalman::TrackStates<Real, MemoryOf<Space>> states_;
  HostArray<std::int32_t> index_, event_;
  HostArray<Real> chi2_;
};

}  // namespace trackplex::benchmarks
