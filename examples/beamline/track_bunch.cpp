// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "beamline.hpp"
#include "memory.hpp"

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
class ParticleSample {
 public:
  explicit ParticleSample(std::int64_t n_particles)
      : step_(1 + (n_particles - 1) / std::int64_t(max_plotted)) {}

  /// Adds those of a part of the particles; `first` is the place of the first one.
  void add(std::int64_t first, const beam::ParticleTable& part) {
    sample_.reference = part.reference;
    const auto take = [&](const auto& from, auto& to) {
      for (std::int64_t i = (first + step_ - 1) / step_ * step_; i < first + part.size();
           i += step_)
        to.push_back(from[std::size_t(i - first)]);
    };
    for (int c = 0; c < beam::n_coordinates; ++c) take(part.v[c], sample_.v[c]);
    take(part.ids, sample_.ids);
    take(part.losses, sample_.losses);
  }

  beam::ParticleTable gather(const Ranks* ranks) && {
    for (auto& column : sample_.v) column = gather_all(ranks, column);
    sample_.ids = gather_all(ranks, sample_.ids);
    sample_.losses = gather_all(ranks, sample_.losses);
    return std::move(sample_);
  }

 private:
  std::int64_t step_;
  beam::ParticleTable sample_;
};

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
      : exec_(exec), input_(input), line_(input.line), settings_(settings) {
    for (int i = 0; i < int(line_.size()); ++i)
      if (has_space_charge(line_[i])) space_charge_.push_back(i);
  }

  Tracked track() {
    Tracked tracked;
    begin(tracked);
    {
      Tracker tracker(exec_, line_, settings_.limits, space_charge_);
      tracked.time_us = time_turns(tracker, tracked);
      read_space_charge(tracker, tracked);
    }
    time_space_charge(tracked);
    record(tracked);
    if (settings_.watch) write_watches(*settings_.watch);
    if (settings_.show_element) show_elements();
    return tracked;
  }

 private:
  /// Brings the bunch to the start of the turns.
  void begin(Tracked& tracked) {
    start();
    if (settings_.keeps_first_particles)
      tracked.first_particles = beam::sorted_particles(exec_, bunch_);
    tracked.lost.resize(line_.size());
    ParticleSample sample(bunch_.size_of_all());
    std::int64_t n_lost = 0;
    for_each_sorted_part(exec_, bunch_, [&](std::int64_t first, const beam::ParticleTable& part) {
      sample.add(first, part);
      count_losses(part, -1, tracked);
      n_lost += part.n_lost();
    });
    tracked.first_sample = std::move(sample).gather(settings_.ranks);
    if (!input_.injection.empty()) inject(n_lost, tracked);
    tracked.start = beam::moments_of(exec_, bunch_, workspace_);
    tracked.start_spins = spins_of(bunch_);
    if (keeps_start(input_, settings_) || (input_.particles && !is_host_space<Space>))
      beam::copy_bunch(exec_, bunch_, kept_.emplace());
    is_at_start_ = true;
  }

  /// Passes what is before the turns; `n_lost` particles are lost already.
  void inject(std::int64_t n_lost, Tracked& tracked) {
    Tracker(exec_, input_.injection, settings_.limits).track(bunch_);
    tracked.lost.assign(line_.size(), 0);
    tracked.lost_in_injection = -n_lost;
    for_each_sorted_part(exec_, bunch_, [&](std::int64_t, const beam::ParticleTable& part) {
      count_losses(part, -1, tracked);
      tracked.lost_in_injection += part.n_lost();
    });
  }

  /// Generates or uploads the particles.
  void start() {
    bunch_ = {};
    if (input_.particles)
      bunch_ = beam::upload<Real>(exec_, *input_.particles, settings_.ranks);
    else
      bunch_ = simulation::generate_bunch<Real>(exec_, input_.bunch, workspace_, settings_.ranks);
  }

  void restart() {
    if (std::exchange(is_at_start_, false)) return;
    if (kept_) return beam::copy_bunch(exec_, *kept_, bunch_);
    start();
  }

  void write_watches(const std::string& folder) {
    const bool writes = !settings_.ranks || settings_.ranks->rank() == 0;
    if (writes) make_folder(folder);
    io::WatchFiles<Real, Space> watches(exec_, line_, folder, settings_.root, input_.species);
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

  program::Times time_turns(Tracker& tracker, Tracked& tracked) {
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
      if (hash.empty()) hash = beam::fingerprint_of(exec_, bunch_);
    };
    const auto timer = program::measure(exec_, settings_.repeat, pass, keep_first);
    end(tracked);
    require_same(tracked.particles_hash, hash, "two repetitions gave different particles");
    return timer.times();
  }

  /// The particles after the turns.
  void end(Tracked& tracked) {
    ParticleSample sample(bunch_.size_of_all());
    beam::ParticleFingerprint hash;
    for_each_sorted_part(exec_, bunch_, [&](std::int64_t first, const beam::ParticleTable& part) {
      sample.add(first, part);
      hash.add(part);
      count_losses(part, 1, tracked);
    });
    tracked.last_sample = std::move(sample).gather(settings_.ranks);
    tracked.particles_hash = hash.hex(settings_.ranks);
    if (settings_.keeps_last_particles)
      tracked.last_particles = beam::sorted_particles(exec_, bunch_);
    tracked.end = beam::moments_of(exec_, bunch_, workspace_);
    tracked.end_spins = spins_of(bunch_);
    if (!settings_.ranks) return;
    settings_.ranks->add(tracked.lost);
    settings_.ranks->add({&tracked.lost_in_injection, 1});
  }

  void require_same(const std::string& hash, const std::string& other, const char* problem) const {
    if (hash != other) throw Error(program::backend_name(exec_), problem);
  }

  /// Adds `n` per lost particle.
  void count_losses(const beam::ParticleTable& particles, int n, Tracked& tracked) const {
    for (const auto& loss : particles.losses)
      if (loss.element != beam::Loss::none && std::size_t(loss.element) < line_.size())
        tracked.lost[loss.element] += n;
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
    require_same(beam::fingerprint_of(exec_, bunch_), tracked.particles_hash,
                 "stops for moments gave different particles");
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
  const Input& input_;
  const beam::BeamLine& line_;
  const TrackingSettings& settings_;
  std::vector<int> space_charge_;  ///< elements
  Workspace<Space> workspace_;
  Bunch bunch_;
  bool is_at_start_ = false;   ///< of the turns
  std::optional<Bunch> kept_;  ///< at the start of the turns, where copies are worth their memory
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
