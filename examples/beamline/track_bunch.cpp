// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "beamline.hpp"

#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/tables/watch_files.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace beamline {

namespace {

/// A fair sample of the particles of all ranks, on all of them.
beam::ParticleTable sample_of(const beam::ParticleTable& own, const Ranks* ranks) {
  const auto share = gather_share(own.size(), ranks);
  const std::int64_t step = 1 + (share.all - 1) / std::int64_t(max_plotted);
  beam::ParticleTable sample;
  sample.reference = own.reference;
  const auto take = [&]<class T>(const std::vector<T>& from, std::vector<T>& to) {
    for (std::int64_t i = (share.first + step - 1) / step * step; i < share.first + share.n;
         i += step)
      to.push_back(from[std::size_t(i - share.first)]);
    to = gather_all(ranks, to);
  };
  for (int c = 0; c < beam::n_coordinates; ++c) take(own.v[c], sample.v[c]);
  take(own.ids, sample.ids);
  take(own.losses, sample.losses);
  return sample;
}

std::string hash_of(const std::vector<MomentRow>& rows) {
  Fingerprint hash;
  for (const MomentRow& row : rows) {
    hash.add(row.moments.number).add(row.moments.mean);
    for (const auto& covariances : row.moments.covariance) hash.add(covariances);
    if (row.spins.number > 0.) hash.add(row.spins.mean).add(row.spins.sigma);
  }
  return hash.hex();
}

/// The particles behind an element as the arrays of a step.
chain::StepArrays arrays_of(const beam::ParticleTable& particles, std::string step) {
  chain::StepArrays arrays{std::move(step), {}};
  const auto add = [&](const char* label, const char* type, std::size_t bytes,
                       std::size_t numbers_per_particle, const void* data) {
    arrays.arrays.push_back(
        {label,
         type,
         bytes,
         {.items = std::size_t(particles.size()), .elements = numbers_per_particle},
         static_cast<const char*>(data)});
  };
  constexpr const char* names[] = {"x", "xp", "y", "yp", "s", "delta"};
  for (int c = 0; c < beam::n_coordinates; ++c)
    add(names[c], "float64", sizeof(double), 1, particles.v[c].data());
  constexpr const char* components[] = {"Sx", "Sy", "Sz"};
  for (int c = 0; c < beam::n_spin_components && particles.has_spins; ++c)
    add(components[c], "float64", sizeof(double), 1, particles.spin[c].data());
  add("id", "int64", sizeof(std::int64_t), 1, particles.ids.data());
  static_assert(sizeof(beam::Loss) == 2 * sizeof(std::int32_t));
  add("loss (turn, element)", "int32", sizeof(std::int32_t), 2, particles.losses.data());
  return arrays;
}

/// A bunch on its way, in the memory of its backend.
template <class Real, class Space, int Width>
class Tracking {
  using Tracker = beam::LineTracker<Real, Space, beam::ElementTypes<>, Width>;
  using Bunch = beam::Bunch<Real, MemoryOf<Space>>;

 public:
  Tracking(const Space& exec, const Input& input, const TrackingSettings& settings)
      : exec_(exec),
        injection_(input.injection),
        line_(input.line),
        species_(input.species),
        settings_(settings) {
    if (input.particles)
      start_ = beam::upload<Real>(exec_, *input.particles, settings.ranks);
    else
      start_ = simulation::generate_bunch<Real>(exec_, input.bunch, workspace_, settings.ranks);
    for (int i = 0; i < int(line_.size()); ++i)
      if (has_space_charge(line_[i])) space_charge_.push_back(i);
  }

  Tracked track() {
    Tracked tracked;
    tracked.first_particles = beam::sorted_particles(exec_, start_);
    tracked.first_sample = sample_of(tracked.first_particles, settings_.ranks);
    const auto injected = inject(tracked.first_particles);
    tracked.start = beam::moments_of(exec_, start_, workspace_);
    tracked.start_spins = spins_of(start_);
    Tracker tracker(exec_, line_, settings_.limits, space_charge_);
    tracked.time_us = time_turns(tracker);
    tracked.last_particles = beam::sorted_particles(exec_, bunch_);
    tracked.last_sample = sample_of(tracked.last_particles, settings_.ranks);
    tracked.end = beam::moments_of(exec_, bunch_, workspace_);
    tracked.end_spins = spins_of(bunch_);
    tracked.particles_hash = fingerprint_of(tracked.last_particles, settings_.ranks);
    count_losses(injected, tracked);
    read_space_charge(tracker, tracked);
    time_space_charge(tracked);
    record(tracked);
    if (settings_.watch) write_watches(*settings_.watch);
    if (settings_.show_element) show_elements();
    return tracked;
  }

 private:
  /// Passes what is before the turns; returns the particles behind it.
  beam::ParticleTable inject(const beam::ParticleTable& first) {
    if (injection_.empty()) return first;
    Tracker(exec_, injection_, settings_.limits).track(start_);
    return beam::sorted_particles(exec_, start_);
  }

  void write_watches(const std::string& folder) {
    const bool writes = !settings_.ranks || settings_.ranks->rank() == 0;
    if (writes) make_folder(folder);
    io::WatchFiles<Real, Space> watches(exec_, line_, folder, settings_.root, species_);
    for (const auto& [element, file] : settings_.watched_monitors)
      watches.add(element, line_[element].name, {}, file);
    restart();
    Tracker(exec_, line_, settings_.limits, watches.stops())
        .track(bunch_, settings_.turns, watches);
    if (writes) watches.write();
  }

  void show_elements() {
    std::vector<int> stops(line_.size());
    std::iota(stops.begin(), stops.end(), 0);
    restart();
    Tracker(exec_, line_, settings_.limits, stops)
        .track(bunch_, settings_.turns, [&](int turn, int element, Bunch& bunch) {
          const auto name = line_[element].name + ", element " + std::to_string(element);
          const auto particles = beam::sorted_particles(exec_, bunch);
          settings_.show_element(turn, arrays_of(particles, name));
        });
  }

  std::optional<beam::SpinMoments> spins_of(const Bunch& bunch) {
    if (!bunch.has_spins()) return std::nullopt;
    return beam::spin_moments_of(exec_, bunch, workspace_);
  }

  void restart() { beam::copy_bunch(exec_, start_, bunch_); }

  program::Times time_turns(Tracker& tracker) {
    constexpr int turns_between_waits = 256;  // for the progress
    std::string hash;
    const auto pass = [&](auto& timer) {
      restart();
      timer.time("total", [&] {
        for (int turn = 0; turn < settings_.turns; turn += turns_between_waits) {
          const int turns = std::min(settings_.turns - turn, turns_between_waits);
          tracker.track(bunch_, turns, typename Tracker::NoObserver(), turn);
          exec_.fence();
          settings_.advance(turns);
        }
      });
    };
    const auto keep_first = [&] {
      if (hash.empty()) hash = particles_hash();
    };
    const auto timer = program::measure(exec_, settings_.repeat, pass, keep_first);
    require_same(hash, "two repetitions gave different particles");
    return timer.times();
  }

  std::string particles_hash() const {
    return fingerprint_of(beam::sorted_particles(exec_, bunch_), settings_.ranks);
  }

  void require_same(const std::string& hash, const char* problem) {
    if (particles_hash() != hash) throw Error(program::backend_name(exec_), problem);
  }

  void count_losses(const beam::ParticleTable& injected, Tracked& tracked) const {
    tracked.lost.resize(line_.size());
    const auto add = [&](const beam::ParticleTable& particles, int n) {
      for (const auto& loss : particles.losses)
        if (loss.element != beam::Loss::none && std::size_t(loss.element) < line_.size())
          tracked.lost[loss.element] += n;
    };
    add(injected, -1);
    add(tracked.last_particles, 1);
    tracked.lost_in_injection = injected.n_lost() - tracked.first_particles.n_lost();
    if (!settings_.ranks) return;
    settings_.ranks->add(tracked.lost);
    settings_.ranks->add({&tracked.lost_in_injection, 1});
  }

  void read_space_charge(const Tracker& tracker, Tracked& tracked) const {
    for (const int element : space_charge_) {
      const auto& drift = tracker.template action<beam::SpaceChargeDrift>(element);
      tracked.space_charge.push_back({element, int(drift.steps().size()), drift.last_step(exec_)});
      if (element == settings_.profile_at && tracked.space_charge.back().last.bin_width > 0.)
        tracked.profile = drift.profile(exec_);
    }
  }

  /// Waits before and behind each drift with space charge of the first turn.
  void time_space_charge(Tracked& tracked) {
    if (space_charge_.empty()) return;
    std::vector<int> stops;
    for (const int element : space_charge_)
      for (const int stop : {element - 1, element})
        if (stop >= 0) stops.push_back(stop);
    Tracker tracker(exec_, line_, settings_.limits, stops);
    std::vector<double> samples;
    for (int repetition = 0; repetition <= settings_.repeat; ++repetition) {
      using Clock = std::chrono::steady_clock;
      restart();
      exec_.fence();
      auto begin = Clock::now();
      tracker.track(bunch_, 1, [&](int, int element, Bunch&) {
        exec_.fence();
        const std::chrono::duration<double, std::micro> elapsed = Clock::now() - begin;
        if (repetition > 0 && std::ranges::binary_search(space_charge_, element))
          if (const auto steps = steps_of(tracker, element))
            samples.push_back(elapsed.count() / steps);
        begin = Clock::now();
      });
    }
    if (!samples.empty())
      tracked.time_us.emplace_back("lsc_step", program::spread_of(std::move(samples)));
  }

  /// A kick has one that it does not list.
  int steps_of(const Tracker& tracker, int element) const {
    const auto& drift = *line_[element].kind.as<beam::SpaceChargeDrift>();
    const bool is_kick = drift.length == 0. && drift.effective_length > 0.;
    return is_kick ? 1
                   : int(tracker.template action<beam::SpaceChargeDrift>(element).steps().size());
  }

  void record(Tracked& tracked) {
    if (!settings_.plotted_line.empty())
      tracked.plotted_rows = record(settings_.plotted_line, RecordAt::elements, 1);
    if (settings_.record == RecordAt::nowhere) return;
    tracked.rows = record(line_, settings_.record, settings_.turns);
    tracked.moments_hash = hash_of(tracked.rows);
    require_same(tracked.particles_hash, "stops for moments gave different particles");
  }

  /// Tracks from the start; the moments stay on the device until the end.
  std::vector<MomentRow> record(const beam::BeamLine& line, RecordAt where, int turns) {
    std::vector<int> stops(where == RecordAt::turns ? 1 : line.size());
    std::iota(stops.begin(), stops.end(), int(line.size() - stops.size()));
    if (where == RecordAt::monitors) stops = settings_.monitors;
    Tracker tracker(exec_, line, settings_.limits, stops);
    using Sums = Kokkos::View<beam::MomentSums*, typename Space::memory_space>;
    const auto sums = new_array<Sums>(exec_, "moments", 1 + stops.size() * std::size_t(turns));
    std::vector<MomentRow> rows;
    std::vector<beam::ReferenceParticle> references;
    const auto observe = [&](int turn, int element, Bunch& bunch) {
      beam::SumMoments<Space>{int(rows.size())}(exec_, bunch, sums, workspace_);
      references.push_back(bunch.reference);
      rows.push_back({turn, element, {}, spins_of(bunch).value_or(beam::SpinMoments())});
      if (element == stops.back()) settings_.advance(1);
    };
    restart();
    observe(0, -1, bunch_);
    tracker.track(bunch_, turns, observe);
    const auto host = to_host(exec_, sums);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].moments = beam::Moments(host(i), references[i]);
    return rows;
  }

  Space exec_;
  const beam::BeamLine &injection_, &line_;
  const std::string& species_;
  const TrackingSettings& settings_;
  std::vector<int> space_charge_;  ///< elements
  Workspace<Space> workspace_;
  Bunch start_, bunch_;
};

}  // namespace

template <class Real, class ExecutionSpace>
Tracked track_bunch(const program::Run<Real, ExecutionSpace>& run, const Input& input,
                    const TrackingSettings& settings) {
  Tracked tracked;
  run.with_lanes([&](auto lanes) {
    tracked = Tracking<Real, ExecutionSpace, lanes()>(run.exec, input, settings).track();
  });
  return tracked;
}

template Tracked track_bunch(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&, const Input&,
                             const TrackingSettings&);

}  // namespace beamline
