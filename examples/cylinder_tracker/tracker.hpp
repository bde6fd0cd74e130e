// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "track_events.hpp"

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/shared_hits.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/on_host.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <trackplex/seeding/truth_seeds.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace cylinder_tracker {

namespace candidates = trackplex::candidates;
namespace kalman = trackplex::kalman;
namespace search = trackplex::search;
namespace seeding = trackplex::seeding;

/// The chain of algorithms for one batch of events after the other, in the memory of a backend.
template <class Real, class Space, int Width>
class Tracker {
 public:
  Tracker(const Space& exec, const TrackingSettings& settings)
      : exec_(exec),
        settings_(settings),
        field_{settings.field},
        binned_(exec, settings.bins.azimuth, axes(settings)) {}

  /// Hits to the device, and the seeds if they are the truth's.
  void load(const seeding::TrackingEvents& events) {
    search::upload(exec_, events.hits, hits_);
    lost_seeds_ = 0;
    if (!settings_.use_triplets)
      seed_particles_ = seeding::truth_seeds(exec_, events, seed_layers, seeds_);
  }

  void bin() { search::bin_hits<Width>(exec_, hits_, binned_, workspace_); }

  /// Hits of seeds, and states to fit them from.
  void find_seeds() {
    if (!settings_.use_triplets) return;
    seeding::find_triplets<Width>(exec_, hits_, binned_, settings_.detector, field_,
                                  settings_.triplets, triplets_);
    const auto counts = seeding::count_triplets(exec_, triplets_);
    seeding::fill_seeds(exec_, hits_, binned_, triplets_, counts.seeds, seeds_);
    seeding::start_states<Width>(exec_, hits_, seeds_.hits, field_, {}, seeds_.states);
    lost_seeds_ = std::uint64_t(counts.overflow) + std::uint64_t(counts.dropped);
    seed_particles_.assign(std::size_t(seeds_.size()), -1);
  }

  void fit_seeds() {
    seeding::fit_seeds<fit_width>(exec_, hits_, settings_.detector, field_, {}, seed_results_,
                                  seeds_, settings_.building.material);
  }

  template <class Strategy>
  void build() {
    candidates::build_tracks<Strategy, Width>(exec_, seeds_, binned_, settings_.detector, field_,
                                              settings_.building, found_,
                                              {settings_.seeds_per_team});
  }
  void build(Strategy strategy) {
    if (strategy == Strategy::best_hit) build<candidates::BestHit>();
    if (strategy == Strategy::standard) build<candidates::Standard<>>();
    if (strategy == Strategy::clone_engine) build<candidates::CloneEngine<>>();
  }

  /// Leaves out the tracks that share their hits with better ones.
  void clean() {
    cleaned_ = settings_.clean;
    if (cleaned_)
      candidates::remove_shared_hits(exec_, hits_, found_, settings_.shared_hits, kept_,
                                     workspace_);
  }

  /// All hits of the tracks that were found last, from states that three of them give.
  void start_fit() {
    seeding::start_states<Width>(exec_, hits_, tracks().hits, field_, {}, states_);
  }
  void fit() {
    kalman::fit_tracks<fit_width>(exec_, states_, solenoid_, layers_of_tracks(), {}, results_);
  }
  void smooth() {
    kalman::smooth_tracks<fit_width, most_layers>(exec_, states_, solenoid_, layers_of_tracks(), 1,
                                                  {}, results_, smoothed_);
  }

  std::uint64_t lost_seeds() const { return lost_seeds_; }

  void append_seeds(int first_event, int events, TrackList& list) {
    const std::size_t first = list.size();
    append_hits(first_event, seeds_.hits, list);
    list.particle.insert(list.particle.end(), seed_particles_.begin(), seed_particles_.end());
    const HostStates states(exec_, seeds_.states);
    for_each_event(first_event, events, first, list, [&](std::size_t begin, std::size_t end) {
      add_seeds_of_event<Real>(list, begin, end,
                               [&](std::size_t seed) { return states(int(seed - first)); });
    });
  }

  /// The tracks that were built last, with what fit and smoother made of them.
  void append_tracks(int first_event, int events, TrackList& list) {
    const std::size_t first = list.size();
    append_hits(first_event, tracks().hits, list);
    const auto chi2 = trackplex::on_host(exec_, tracks().chi2);
    const auto origin = trackplex::on_host(exec_, kept_.origin);
    for (int track = 0; track < tracks().size(); ++track) {
      const int seed = cleaned_ ? int(origin(track)) : track;
      list.particle.push_back(seed_particles_[std::size_t(seed)]);
      list.chi2.push_back(float(chi2(track)));
    }
    append_fits(list);
    const HostStates states(exec_, tracks().states);
    for_each_event(first_event, events, first, list, [&](std::size_t begin, std::size_t end) {
      add_tracks_of_event<Real>(
          list, begin, end, [&](std::size_t track) { return chi2(int(track - first)); },
          [&](std::size_t track) { return states(int(track - first)); });
    });
  }

 private:
  /// Fits take the lanes that suit the space: what they give depends on no width, kalman_fit times
  /// them all, and they take long to compile.
  static constexpr int fit_width = trackplex::default_lane_width<Space, Real>;
  using Axis = trackplex::histogram::RegularAxis<Real>;

  static std::vector<Axis> axes(const TrackingSettings& settings) {
    std::vector<Axis> result;
    for (const double half : settings.half_length)
      result.emplace_back(-half, half, settings.bins.second);
    return result;
  }

  /// Those that were built last, or what is left of them.
  const candidates::FoundTracks<Real, trackplex::MemoryOf<Space>>& tracks() const {
    return cleaned_ ? kept_.tracks : found_;
  }

  auto layers_of_tracks() const {
    const seeding::TrackLayers<Real, trackplex::MemoryOf<Space>> layers{hits_, tracks().hits,
                                                                        settings_.detector};
    return kalman::HitsInMaterial<std::decay_t<decltype(layers)>>{layers,
                                                                  settings_.building.material};
  }

  void append_hits(int first_event, const seeding::TrackHits<trackplex::MemoryOf<Space>>& tracks,
                   TrackList& list) {
    const auto index = trackplex::on_host(exec_, tracks.index);
    const auto event = trackplex::on_host(exec_, tracks.event);
    list.layers = tracks.layers;
    for (int track = 0; track < tracks.tracks; ++track) {
      list.event.push_back(first_event + event(track));
      for (int layer = 0; layer < tracks.layers; ++layer)
        list.hits.push_back(index(layer * tracks.stride() + track));
    }
  }

  void append_fits(TrackList& list) {
    const auto chi2 = trackplex::on_host(exec_, results_.chi2);
    const auto measurements = trackplex::on_host(exec_, results_.measurements);
    const auto reached = trackplex::on_host(exec_, results_.reached);
    const HostStates states(exec_, smoothed_.states);
    for (int track = 0; track < tracks().size(); ++track) {
      FinalFit fit;
      fit.complete = is_complete(reached(track), measurements(track));
      fit.chi2 = double(chi2(track));
      fit.degrees_of_freedom = measurements(track) - (kalman::Parameter::count - 1);
      if (fit.complete) fit.first = states(track);
      list.fits.push_back(fit);
    }
  }

  /// Calls f with the range of each event's tracks in the list; from `first` on they stand in the
  /// order of events.
  template <class F>
  static void for_each_event(int first_event, int events, std::size_t first, const TrackList& list,
                             const F& f) {
    std::size_t begin = first;
    for (int event = first_event; event < first_event + events; ++event) {
      std::size_t end = begin;
      while (end < list.size() && list.event[end] == event) ++end;
      f(begin, end);
      begin = end;
    }
  }

  /// States, in the memory of the host.
  struct HostStates {
    HostStates(const Space& exec,
               const kalman::TrackStates<Real, trackplex::MemoryOf<Space>>& states)
        : parameters(trackplex::on_host(exec, states.parameters)),
          covariance(trackplex::on_host(exec, states.covariance)) {}

    kalman::TrackState<double> operator()(int track) const {
      kalman::TrackState<double> state{};
      for (int p = 0; p < kalman::Parameter::count; ++p)
        state.parameters(p) = double(parameters.const_view()(track, p));
      for (int e = 0; e < kalman::Covariance<double>::size; ++e)
        state.covariance.elements[e] = double(covariance.const_view().element(track, e));
      return state;
    }

    decltype(trackplex::on_host(
        std::declval<Space>(), std::declval<kalman::TrackStates<Real, trackplex::MemoryOf<Space>>>()
                                   .parameters)) parameters;
    decltype(trackplex::on_host(
        std::declval<Space>(), std::declval<kalman::TrackStates<Real, trackplex::MemoryOf<Space>>>()
                                   .covariance)) covariance;
  };

  Space exec_;
  const TrackingSettings& settings_;
  kalman::UniformField field_;
  kalman::SolenoidField solenoid_;
  trackplex::Workspace<Space> workspace_;
  search::LayerHits<Real, trackplex::MemoryOf<Space>> hits_;
  search::BinnedHits<Real, trackplex::MemoryOf<Space>> binned_;
  seeding::Triplets<trackplex::MemoryOf<Space>> triplets_;
  seeding::Seeds<Real, trackplex::MemoryOf<Space>> seeds_;
  std::vector<std::int32_t> seed_particles_;
  std::uint64_t lost_seeds_ = 0;
  kalman::FitResults<Real, trackplex::MemoryOf<Space>> seed_results_, results_;
  candidates::FoundTracks<Real, trackplex::MemoryOf<Space>> found_;
  candidates::KeptTracks<Real, trackplex::MemoryOf<Space>> kept_;
  bool cleaned_ = false;
  kalman::TrackStates<Real, trackplex::MemoryOf<Space>> states_;
  kalman::SmoothedTracks<Real, trackplex::MemoryOf<Space>> smoothed_;
};

}  // namespace cylinder_tracker
