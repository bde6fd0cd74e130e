// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/on_host.hpp>
#include <trackplex/pipeline/cylinder.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <vector>

namespace trackplex::test {

/// Events of several sizes, one of them empty, with losses and noise.
inline std::vector<std::shared_ptr<const seeding::TrackingEvents>> cylinder_events() {
  std::vector<std::shared_ptr<const seeding::TrackingEvents>> events;
  for (const int tracks : {150, 40, 0, 260, 1, 90, 77}) {
    simulation::CylinderEventParams params;
    params.particles.seed = 7;
    params.tracks = tracks;
    params.inefficiency = 0.05;
    params.noise_per_layer = tracks > 1 ? 30. : 0.;
    const auto number = std::uint64_t(events.size());
    events.push_back(
        std::make_shared<const seeding::TrackingEvents>(simulation::generate_cylinder_events(
            Kokkos::DefaultHostExecutionSpace(), params, number, 1)));
  }
  return events;
}

inline pipeline::CylinderSettings cylinder_settings() {
  const simulation::CylinderEventParams params;
  pipeline::CylinderSettings settings;
  settings.detector.size = params.particles.layers;
  for (int layer = 0; layer < params.particles.layers; ++layer) {
    settings.detector.radius[layer] = params.particles.radius(layer);
    settings.half_length.push_back(params.noise_half_length(layer));
  }
  settings.bins = {64, 16};
  settings.building.material.thickness = 0.01;
  settings.triplets.max_per_event = 300;  // some are lost
  settings.shared_hits.min_hits = 9;      // some tracks have less
  settings.all_states = true;
  return settings;
}

/// The same algorithms called one after the other, for all events at once.
template <class Real, class Space>
class DirectCylinderTracking {
 public:
  DirectCylinderTracking(const std::vector<std::shared_ptr<const seeding::TrackingEvents>>& list,
                         const pipeline::CylinderSettings& settings)
      : settings_(settings), events_(settings.detector.size) {
    for (const auto& event : list) events_.append(*event);
  }

  std::vector<pipeline::CylinderResult> run(const pipeline::CylinderChoice& choice) {
    results_.assign(std::size_t(events_.events()), {});
    make_seeds(choice.triplets);
    std::vector<int> all;
    for (int seed = 0; seed < seeds_.size(); ++seed) all.push_back(seed);
    append(seeds_, all, &pipeline::CylinderResult::seeds);
    candidates::FoundTracks<Real, MemoryOf<Space>> found;
    if (choice.strategy == "best_hit") build<candidates::BestHit>(found);
    if (choice.strategy == "standard") build<candidates::Standard<>>(found);
    if (choice.strategy == "clone_engine") build<candidates::CloneEngine<>>(found);
    candidates::KeptTracks<Real, MemoryOf<Space>> kept;
    if (choice.remove_shared_hits) {
      candidates::remove_shared_hits(exec_, hits_, found, settings_.shared_hits, kept, workspace_);
      const auto origin = on_host(exec_, kept.origin);
      all.assign(origin.data(), origin.data() + kept.tracks.size());
    }
    const auto& tracks = choice.remove_shared_hits ? kept.tracks : found;
    append(tracks, all, &pipeline::CylinderResult::tracks);
    fit(tracks, choice.smooth);
    return results_;
  }

 private:
  static constexpr int width = default_lane_width<Space, Real>;

  void make_seeds(bool triplets) {
    search::upload(exec_, events_.hits, hits_);
    std::vector<histogram::RegularAxis<Real>> axes;
    for (const double half : settings_.half_length)
      axes.emplace_back(-half, half, settings_.bins.second);
    binned_ = {exec_, settings_.bins.azimuth, axes};
    search::bin_hits<width>(exec_, hits_, binned_, workspace_);
    if (triplets) {
      seeding::Triplets<MemoryOf<Space>> found;
      seeding::find_triplets<width>(exec_, hits_, binned_, settings_.detector, field_,
                                    settings_.triplets, found);
      const auto counts = seeding::count_triplets(exec_, found);
      seeding::fill_seeds(exec_, hits_, binned_, found, counts.seeds, seeds_);
      seeding::start_states<width>(exec_, hits_, seeds_.hits, field_, {}, seeds_.states);
      particles_.assign(std::size_t(counts.seeds), -1);
      const auto overflow = on_host(exec_, found.overflow), dropped = on_host(exec_, found.dropped);
      for (std::size_t event = 0; event < results_.size(); ++event)
        results_[event].lost_seeds = overflow(event) + dropped(event);
    } else {
      particles_ = seeding::truth_seeds(exec_, events_, settings_.seed_layers, seeds_);
    }
    kalman::FitResults<Real, MemoryOf<Space>> results;
    seeding::fit_seeds<width>(exec_, hits_, settings_.detector, field_, {}, results, seeds_,
                              settings_.building.material);
  }

  template <class Strategy>
  void build(candidates::FoundTracks<Real, MemoryOf<Space>>& found) {
    candidates::build_tracks<Strategy, width>(exec_, seeds_, binned_, settings_.detector, field_,
                                              settings_.building, found);
  }

  void fit(const candidates::FoundTracks<Real, MemoryOf<Space>>& tracks, bool smooth) {
    kalman::TrackStates<Real, MemoryOf<Space>> states;
    seeding::start_states<width>(exec_, hits_, tracks.hits, field_, {}, states);
    const seeding::TrackLayers<Real, MemoryOf<Space>> layers{hits_, tracks.hits,
                                                             settings_.detector};
    const kalman::HitsInMaterial<seeding::TrackLayers<Real, MemoryOf<Space>>> in_material{
        layers, settings_.building.material};
    kalman::FitResults<Real, MemoryOf<Space>> results;
    kalman::SmoothedTracks<Real, MemoryOf<Space>> smoothed;
    if (smooth)
      kalman::smooth_tracks<width, 10>(exec_, states, settings_.solenoid, in_material, 1, {},
                                       results, smoothed);
    else
      kalman::fit_tracks<width>(exec_, states, settings_.solenoid, in_material, {}, results);
    const auto chi2 = on_host(exec_, results.chi2);
    const auto measurements = on_host(exec_, results.measurements);
    const auto outliers = on_host(exec_, results.outliers),
               reached = on_host(exec_, results.reached);
    const auto event = on_host(exec_, tracks.hits.event);
    const auto best = states_on_host(smooth ? smoothed.states : states);
    for (std::size_t track = 0; track < std::size_t(tracks.size()); ++track)
      results_[std::size_t(event(track))].fits.push_back({reached(track) != 0, measurements(track),
                                                          outliers(track), double(chi2(track)),
                                                          best[track]});
  }

  /// Hits, chi2, states, and the particles of these seeds.
  template <class Tracks>
  void append(const Tracks& tracks, const std::vector<int>& seeds,
              pipeline::CylinderTrackList pipeline::CylinderResult::*list) {
    const auto index = on_host(exec_, tracks.hits.index), event = on_host(exec_, tracks.hits.event);
    const auto chi2 = on_host(exec_, tracks.chi2);
    const auto states = states_on_host(tracks.states);
    for (auto& result : results_) (result.*list).layers = tracks.hits.layers;
    for (int track = 0; track < tracks.size(); ++track) {
      const auto t = std::size_t(track);
      auto& to = results_[std::size_t(event(t))].*list;
      for (int layer = 0; layer < tracks.hits.layers; ++layer)
        to.hits.push_back(index(std::size_t(layer * tracks.hits.stride() + track)));
      to.particle.push_back(particles_[std::size_t(seeds[t])]);
      to.chi2.push_back(double(chi2(t)));
      to.states.push_back(states[t]);
    }
  }

  std::vector<kalman::TrackState<double>> states_on_host(
      const kalman::TrackStates<Real, MemoryOf<Space>>& states) {
    const auto parameters = on_host(exec_, states.parameters);
    const auto covariance = on_host(exec_, states.covariance);
    const auto charge = on_host(exec_, states.charge);
    std::vector<kalman::TrackState<double>> list(static_cast<std::size_t>(states.size()));
    for (int track = 0; track < states.size(); ++track) {
      auto& state = list[std::size_t(track)];
      for (int i = 0; i < 6; ++i) {
        state.parameters(i) = double(parameters.const_view()(track, i));
        for (int j = 0; j <= i; ++j)
          state.covariance(i, j) = double(covariance.const_view()(track, i, j));
      }
      state.charge = double(charge(std::size_t(track)));
    }
    return list;
  }

  Space exec_;
  pipeline::CylinderSettings settings_;
  kalman::UniformField field_{settings_.field};
  seeding::TrackingEvents events_;
  Workspace<Space> workspace_;
  search::LayerHits<Real, MemoryOf<Space>> hits_;
  search::BinnedHits<Real, MemoryOf<Space>> binned_;
  seeding::Seeds<Real, MemoryOf<Space>> seeds_;
  std::vector<std::int32_t> particles_;
  std::vector<pipeline::CylinderResult> results_;
};

inline void add_to_hash(Fingerprint& hash, const kalman::TrackState<double>& state) {
  for (const double number : state.parameters.elements) hash.add(number);
  for (const double number : state.covariance.elements) hash.add(number);
  hash.add(state.charge);
}

/// All bits of an event's result.
inline std::string hash_of(const pipeline::CylinderResult& result) {
  Fingerprint hash;
  for (const auto* list : {&result.seeds, &result.tracks}) {
    hash.add(list->layers).add(list->hits).add(list->particle).add(list->chi2);
    hash.add(std::uint64_t(list->states.size()));
    for (const auto& state : list->states) add_to_hash(hash, state);
  }
  hash.add(std::uint64_t(result.fits.size())).add(result.lost_seeds);
  for (const auto& fit : result.fits) {
    hash.add(int(fit.reached)).add(fit.measurements).add(fit.outliers).add(fit.chi2);
    add_to_hash(hash, fit.state);
  }
  return hash.hex();
}

inline std::vector<std::string> hashes_of(const std::vector<pipeline::CylinderResult>& results) {
  std::vector<std::string> hashes;
  for (const auto& result : results) hashes.push_back(hash_of(result));
  return hashes;
}

}  // namespace trackplex::test
