// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long tracks and vertices of LHCb: time per event of each step of the tracks chain after VELO and
// UT, for backends. On LHCb's ten simulated events where TRACKPLEX_DATA has them, and on
// generated ones whose SciFi has the hits of their tracks and noise. Goals per event on one core of
// a Zen 3 class machine: SciFi decoding 25 us, forward search 200 us, fit 60 us, vertices 20 us;
// seeding and matching of the rest 550 us.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/kalman_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <vector>

#include "lhcb/fit/field_events.hpp"
#include "lhcb/fit/fit_events.hpp"
#include "lhcb/scifi/long_track_events.hpp"

namespace trackplex {
namespace {

/// Events, the detector that took them, and the parameters of the fit of its long tracks; without
/// them nothing is fitted.
struct Sample {
  lhcb::Detector detector;
  std::shared_ptr<const lhcb::KalmanTables> fit_tables;
  std::vector<lhcb::RawEvent> events;
};

/// The ten simulated events, `copies` times; none where they are not there.
Sample simulated_events(int copies) {
  const char* root = std::getenv("TRACKPLEX_DATA");
  const auto data = root ? std::filesystem::path(root)
                         : std::filesystem::path(TRACKPLEX_SOURCE_DIR) / "../shared/data";
  const std::vector<std::filesystem::path> folders = {data / "lhcb-raw", data / "lhcb-scifi"};
  Sample sample;
  for (const auto& folder : folders)
    if (!std::filesystem::is_directory(folder)) return sample;
  const std::vector<std::filesystem::path> geometry = {folders[0] / "geometry",
                                                       folders[1] / "geometry"};
  sample.detector = io::read_detector(geometry);
  if (io::has_lzma)
    sample.fit_tables =
        std::make_shared<const lhcb::KalmanTables>(io::read_kalman_tables(geometry[1] / "kalman"));
  const auto names = io::raw_event_names(folders);
  for (int i = 0; i < copies; ++i)
    for (const auto& name : names) sample.events.push_back(io::read_raw_event(folders, name));
  return sample;
}

/// Generated events; the tracks in the UT have hits in the SciFi, next to noise.
Sample generated_events(int n) {
  Sample sample{simulation::ideal_detector(),
                std::make_shared<const lhcb::KalmanTables>(test::kalman_tables()),
                {}};
  sample.detector.scifi = test::nominal_scifi();
  const simulation::RawEventGenerator generate(sample.detector);
  for (int i = 0; i < n; ++i) sample.events.push_back(generate(std::uint64_t(i)).raw);
  test::add_long_tracks(sample.events, sample.detector, 100);
  return sample;
}

const Sample& simulated() {
  static const Sample sample = simulated_events(10);
  return sample;
}
/// Made when the first benchmark runs: before that there is no Kokkos.
const Sample& generated() {
  static const Sample sample = generated_events(20);
  return sample;
}
using GetSample = const Sample& (*)();

void per_event(benchmark::State& state, std::size_t n) {
  state.counters["events_per_s"] =
      benchmark::Counter(double(n), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["s_per_event"] = benchmark::Counter(
      double(n), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

using Steps = std::vector<std::string>;
using enum lhcb::LongTrackMethod;

/// Steps of the chain again and again, after the whole chain.
template <class T, class Space>
void measure(benchmark::State& state, GetSample get_sample, const lhcb::TracksParams& params,
             const Steps& steps) {
  const Sample& sample = get_sample();
  auto with_fit = params;
  if (!params.field_map) with_fit.fit_tables = sample.fit_tables;
  auto chain = lhcb::tracks_chain<T>(Space(), sample.detector, with_fit);
  chain(sample.events);
  for (auto _ : state) chain.repeat(steps);
  per_event(state, sample.events.size());
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

/// `has_fits` says whether there are parameters of the fit.
template <class Space>
void add_space(const std::string& name, GetSample sample, bool has_fits) {
  const std::string space = std::string("long_tracks/") + bench::backend_name<Space>() + "/";
  lhcb::TracksParams both, without_ut, only_matching, in_field;
  without_ut.method = forward;
  without_ut.long_tracks.without_ut = true;
  only_matching.method = matching;
  constexpr double magnet_down = -1.;  // as in both samples
  in_field.field_map = std::make_shared<const geometry::FieldGrid>(test::map_of_lhcb(magnet_down));
  const auto add_float = [&](const std::string& what, const lhcb::TracksParams& params,
                             const Steps& steps) {
    add(space + what + "/" + name,
        [=](auto& state) { measure<float, Space>(state, sample, params, steps); });
  };
  const Steps all = {"velo_beam_states", "find_vertices", "decode_scifi",   "long_tracks",
                     "scifi_tracks",     "match_tracks",  "fit_long_tracks"};
  add_float("all", both, all);
  add_float("vertices", both, {"velo_beam_states", "find_vertices"});
  add_float("scifi_decoding", both, {"decode_scifi"});
  add_float("search", both, {"long_tracks"});
  add_float("search/without_ut", without_ut, {"long_tracks"});
  add_float("seeding", both, {"scifi_tracks"});
  add_float("seeding/all_hits", only_matching, {"scifi_tracks"});
  add_float("matching", both, {"match_tracks"});
  if (has_fits) add_float("fit", both, {"fit_long_tracks"});
  add_float("fit/in_field", in_field, {"fit_long_tracks_in_field"});
  add(space + "double/all/" + name,
      [=](auto& state) { measure<double, Space>(state, sample, both, all); });
}

const bool registered = [] {
  bench::for_each_backend([]<class Space>(std::type_identity<Space>) {
    if (!simulated().events.empty()) add_space<Space>("simulated", simulated, io::has_lzma);
    add_space<Space>("generated", generated, true);
  });
  return true;
}();

}  // namespace
}  // namespace trackplex
