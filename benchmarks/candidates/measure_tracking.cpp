// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "measure_tracking.hpp"

#include "tracking_chain.hpp"

#include <deque>
#include <trackplex/core/error.hpp>

namespace trackplex::benchmarks {

namespace {

std::vector<tracks::TrackingEvents> batches_of(const tracks::TrackingEvents& events, int batch) {
  std::vector<tracks::TrackingEvents> parts;
  for (int first = 0; first < events.events(); first += batch)
    parts.push_back(events.part(first, std::min(batch, events.events() - first)));
  return parts;
}

/// One repetition for one batch.
template <class Chain, class Timer>
void track(Chain& chain, const TrackingCase& one, Timer& timer,
           std::map<std::string, Fingerprint>& hashes) {
  timer.time("load", [&] { chain.load(); });
  timer.time("binning", [&] { chain.bin(); });
  chain.restore_seeds();
  timer.time("seed_fit", [&] { chain.fit_seeds(); });
  const auto build = [&]<class Strategy>(std::type_identity<Strategy>, bool wanted,
                                         const char* step) {
    if (!wanted) return;
    timer.time(step, [&] { chain.template build<Strategy>(); });
    timer.time("unload", [&] { chain.unload(); });
    chain.add_to(hashes[step]);
  };
  build(std::type_identity<candidates::BestHit>(), one.best_hit, "best_hit");
  build(std::type_identity<candidates::Standard<>>(), one.standard, "standard");
  build(std::type_identity<candidates::CloneEngine<>>(), one.clone_engine, "clone_engine");
  if (!one.fit) return;
  timer.time("start_states", [&] { chain.start_fit(); });
  timer.time("fit", [&] { chain.fit(); });
}

HitsOfWindow mean_of(const double (&sum)[4]) {
  const double searches = std::max(1., sum[0]);
  return {sum[1] / searches, sum[2] / searches, sum[3] / searches};
}

/// All widths in single precision; in double precision only the best one, to save compile time.
template <class Real, class Space>
constexpr bool is_measured(int lanes) {
  return std::is_same_v<Real, float> ||
         lanes == default_lane_width<Space, Real, KernelKind::track_states>;
}

template <int Width, class Real, class ExecutionSpace>
TrackingOutcome measure(const program::Run<Real, ExecutionSpace>& run,
                        const tracks::TrackingEvents& events, const TrackingSettings& settings) {
  const auto batches = batches_of(events, settings.one.batch);
  TrackingOutcome outcome;
  using Chain = TrackingChain<Real, ExecutionSpace, Width>;
  std::deque<Chain> chains;
  for (const auto& batch : batches) chains.emplace_back(run.exec, batch, settings);
  std::map<std::string, Fingerprint> hashes;
  const auto timer = program::measure(
      run.exec, settings.repeat,
      [&](auto& steps) {
        hashes.clear();
        for (auto& chain : chains) track(chain, settings.one, steps, hashes);
      },
      [&] {
        std::map<std::string, std::string> now;
        for (const auto& [step, hash] : hashes) now[step] = hash.hex();
        if (!outcome.hash.empty() && now != outcome.hash)
          throw Error(run.description().backend, "two repetitions gave different tracks");
        outcome.hash = now;
        settings.after_repetition();
      });
  outcome.time_us = timer.times(double(events.events()));
  double counts[4] = {0., 0., 0., 0.};
  for (const auto& chain : chains) {
    outcome.seeds += chain.seeds();
    chain.count_hits(counts);
  }
  outcome.window = mean_of(counts);
  return outcome;
}

}  // namespace

template <class Real, class ExecutionSpace>
TrackingOutcome measure_tracking(const program::Run<Real, ExecutionSpace>& run,
                                 const tracks::TrackingEvents& events,
                                 const TrackingSettings& settings) {
  TrackingOutcome outcome;
  run.with_lanes([&](auto lanes) {
    if constexpr (is_measured<Real, ExecutionSpace>(lanes())) {
      outcome = measure<lanes()>(run, events, settings);
    } else {
      throw UsageError(
          "--lanes",
          "double precision is measured with " +
              std::to_string(default_lane_width<ExecutionSpace, Real, KernelKind::track_states>) +
              " lanes only");
    }
  });
  return outcome;
}

template TrackingOutcome measure_tracking(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                          const tracks::TrackingEvents&, const TrackingSettings&);

}  // namespace trackplex::benchmarks
