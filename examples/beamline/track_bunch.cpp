// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "track_bunch.hpp"

#include "input.hpp"

#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace beamline {

namespace beam = trackplex::beam;

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

std::string hash_of(const beam::ParticleTable& particles) {
  trackplex::Fingerprint hash;
  for (const auto& column : particles.v) hash.add(column);
  hash.add(particles.ids);
  for (const auto& loss : particles.losses) hash.add(loss.turn).add(loss.element);
  return hash.hex();
}

/// Adds n for each particle that was lost in an element.
void count_losses(const beam::ParticleTable& particles, int n, std::vector<int>& lost) {
  for (const auto& loss : particles.losses)
    if (loss.element != beam::Loss::none && std::size_t(loss.element) < lost.size())
      lost[loss.element] += n;
}

/// A bunch on its way, in the memory of its backend.
template <class Real, class Space, int Width>
class Tracking {
  using Tracker = beam::LineTracker<Real, Space, Width>;
  using Bunch = beam::Bunch<Real, trackplex::MemoryOf<Space>>;

 public:
  Tracking(const Space& exec, const Input& input, const TrackingSettings& settings)
      : exec_(exec), line_(input.line), settings_(settings) {
    if (input.particles) {
      start_ = beam::upload<Real>(exec_, *input.particles);
    } else {
      start_ = trackplex::simulation::generate_bunch<Real>(exec_, input.bunch, workspace_);
    }
    for (int i = 0; i < int(line_.size()); ++i)
      if (has_space_charge(line_[i])) space_charge_.push_back(i);
  }

  Tracked track() {
    Tracked tracked;
    Tracker tracker(exec_, line_, settings_.limits, space_charge_);
    const auto first = beam::download(exec_, start_);
    tracked.start = beam::moments_of(exec_, start_, workspace_);
    tracked.total_us = time_turns(tracker);
    auto last = beam::download(exec_, bunch_);
    tracked.end = beam::moments_of(exec_, bunch_, workspace_);
    tracked.lost.resize(line_.size());
    count_losses(first, -1, tracked.lost);
    count_losses(last, 1, tracked.lost);
    tracked.particles_hash = hash_of(last);
    read_space_charge(tracker, tracked);
    time_space_charge(tracked);
    record(tracked);
    if (settings_.keep_particles) {
      tracked.first_particles = first;
      tracked.last_particles = std::move(last);
    }
    return tracked;
  }

 private:
  void restart() { beam::copy_bunch(exec_, start_, bunch_); }

  /// All turns, in slices for which the host waits if there are several: not more than the time
  /// they take allows.
  void track_turns(Tracker& tracker, int slices) {
    const auto elements = std::int64_t(line_.size());
    std::int64_t done = 0;
    const auto reach = [&](std::int64_t now) {
      settings_.advance(std::size_t(now - std::exchange(done, now)));
    };
    for (int i = 0; i < slices; ++i) {
      const int begin = int(std::int64_t(settings_.turns) * i / slices);
      const int end = int(std::int64_t(settings_.turns) * (i + 1) / slices);
      const auto observe = [&](int turn, int element, Bunch&) {
        reach(turn * elements + element + 1);
      };
      tracker.track(bunch_, end - begin, observe, begin);
      if (slices > 1) exec_.fence();
      reach(end * elements);
    }
  }

  trackplex::program::Spread time_turns(Tracker& tracker) {
    constexpr double shortest_slice_us = 2e5;
    const int max_slices = std::min(settings_.turns, 100);
    int slices = max_slices;
    std::string hash;
    const auto pass = [&](auto& timer) {
      restart();
      double elapsed = 0.;
      timer.time("total", [&] {
        const auto begin = Clock::now();
        track_turns(tracker, slices);
        exec_.fence();
        elapsed = microseconds_since(begin);
      });
      slices = int(std::clamp(elapsed / shortest_slice_us, 1., double(max_slices)));
    };
    const auto check = [&] {
      if (hash.empty()) hash = hash_of(beam::download(exec_, bunch_));
    };
    const auto timer = trackplex::program::measure(exec_, settings_.repeat, pass, check);
    require_same(hash, "two repetitions gave different particles");
    return timer.spread("total");
  }

  void require_same(const std::string& hash, const char* problem) {
    if (hash_of(beam::download(exec_, bunch_)) != hash)
      throw trackplex::Error(trackplex::program::backend_name<Space>(), problem);
  }

  void read_space_charge(const Tracker& tracker, Tracked& tracked) {
    for (const int element : space_charge_) {
      const auto& drift = tracker.space_charge(element);
      tracked.space_charge.push_back({element, int(drift.steps().size()), drift.last_step(exec_)});
    }
    if (!settings_.profile_at) return;
    const auto& drift = tracker.space_charge(*settings_.profile_at);
    auto found = drift.profile(exec_);
    const auto step = drift.last_step(exec_);
    if (!(step.bin_width > 0.))
      throw trackplex::Error("element " + line_[*settings_.profile_at].name,
                             "there is no profile: no particles came so far");
    tracked.profile = {*settings_.profile_at, step, std::move(found.time), std::move(found.current),
                       std::move(found.voltage)};
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
      restart();
      exec_.fence();
      auto begin = Clock::now();
      const auto observe = [&](int, int element, Bunch&) {
        exec_.fence();
        const double elapsed = microseconds_since(begin);
        const bool is_drift =
            std::binary_search(space_charge_.begin(), space_charge_.end(), element);
        if (is_drift && repetition > 0)
          if (const auto steps = steps_of(tracker, element)) samples.push_back(elapsed / steps);
        begin = Clock::now();
      };
      tracker.track(bunch_, 1, observe);
      exec_.fence();
      settings_.advance(line_.size());
    }
    if (!samples.empty())
      tracked.space_charge_step_us = trackplex::program::spread_of(std::move(samples));
  }

  /// A kick has one that it does not list.
  int steps_of(const Tracker& tracker, int element) const {
    const auto& drift = std::get<beam::SpaceChargeDrift>(line_[element].kind);
    const bool is_kick = drift.length == 0. && drift.effective_length > 0.;
    return is_kick ? 1 : int(tracker.space_charge(element).steps().size());
  }

  void record(Tracked& tracked) {
    std::vector<int> elements(line_.size());
    std::iota(elements.begin(), elements.end(), 0);
    const int last = int(line_.size()) - 1;
    if (settings_.record_elements) tracked.rows = record(elements, settings_.turns, tracked);
    if (settings_.record_turns) tracked.rows = record({last}, settings_.turns, tracked);
    if (settings_.record_first_turn) tracked.first_turn = record(elements, 1, tracked);
  }

  /// Tracks from the start; the moments stay on the device until the end.
  std::vector<MomentRow> record(const std::vector<int>& stops, int turns, Tracked& tracked) {
    Tracker tracker(exec_, line_, settings_.limits, stops);
    const std::size_t n = 1 + stops.size() * std::size_t(turns);
    const Kokkos::View<beam::MomentSums*, typename Space::memory_space> sums(
        Kokkos::view_alloc(exec_, Kokkos::WithoutInitializing, "moments"), n);
    std::vector<MomentRow> rows;
    std::vector<beam::ReferenceParticle> references;
    const auto observe = [&](int turn, int element, Bunch& bunch) {
      beam::SumMoments<Space>{int(rows.size())}(exec_, bunch, sums, workspace_);
      references.push_back(bunch.reference);
      rows.push_back({turn, element, {}});
      if (rows.size() > 1) settings_.advance(line_.size() / stops.size());
    };
    restart();
    observe(0, -1, bunch_);
    tracker.track(bunch_, turns, observe);
    const auto host = trackplex::to_host(exec_, sums);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].moments = beam::Moments(host(i), references[i]);
    if (turns == settings_.turns)
      require_same(tracked.particles_hash, "stops for moments gave different particles");
    add_to_hash(rows, tracked);
    return rows;
  }

  void add_to_hash(const std::vector<MomentRow>& rows, Tracked& tracked) {
    for (const MomentRow& row : rows) {
      moments_.add(row.moments.number).add(row.moments.mean);
      for (const auto& covariances : row.moments.covariance) moments_.add(covariances);
    }
    tracked.moments_hash = moments_.hex();
  }

  Space exec_;
  const beam::BeamLine& line_;
  const TrackingSettings& settings_;
  std::vector<int> space_charge_;  ///< elements
  trackplex::Workspace<Space> workspace_;
  Bunch start_, bunch_;
  trackplex::Fingerprint moments_;
};

}  // namespace

template <class Real, class ExecutionSpace>
Tracked track_bunch(const trackplex::program::Run<Real, ExecutionSpace>& run, const Input& input,
                    const TrackingSettings& settings) {
  Tracked tracked;
  run.with_lanes([&](auto lanes) {
    tracked = Tracking<Real, ExecutionSpace, lanes()>(run.exec, input, settings).track();
  });
  return tracked;
}

template Tracked track_bunch(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                             const Input&, const TrackingSettings&);

}  // namespace beamline
