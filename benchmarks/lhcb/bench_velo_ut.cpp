// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From raw banks to tracks through VELO and UT: time per event of each step, for backends, lanes,
// cuts and numbers of events in flight. On LHCb's ten simulated events where TRACKPLEX_DATA has
// them, and on generated ones. Goals per event on one core of a Zen 3 class machine (LHCb's own
// code, compiled for the CPU, in brackets): VP clusters 45 us (161), all of the VELO 170 us (577),
// UT decoding 15 us (51), windows and tracklets 60 us (275), all 250 us (901); two threads at
// least 1.8 times as fast. Next to these: primary vertices 20 us, SciFi decoding 25 us.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <vector>

namespace trackplex {
namespace {

using lhcb::CompassConstants;

/// Events, and the detector that took them.
struct Sample {
  std::string name;
  lhcb::Detector detector;
  std::vector<lhcb::RawEvent> events;
};

/// The ten simulated events, `copies` times, with SciFi banks if they are there; none where the
/// files are not there.
Sample simulated_events(int copies) {
  const char* root = std::getenv("TRACKPLEX_DATA");
  const auto data = root ? std::filesystem::path(root)
                         : std::filesystem::path(TRACKPLEX_SOURCE_DIR) / "../shared/data";
  Sample sample{"simulated", {}, {}};
  std::vector<std::filesystem::path> folders, geometry;
  for (const char* name : {"lhcb-raw", "lhcb-scifi"}) {
    if (!std::filesystem::is_directory(data / name)) break;
    folders.push_back(data / name);
    geometry.push_back(data / name / "geometry");
  }
  if (folders.empty()) return sample;
  sample.detector = io::read_detector(geometry);
  const auto names = io::raw_event_names(folders);
  for (int i = 0; i < copies; ++i)
    for (const auto& name : names) sample.events.push_back(io::read_raw_event(folders, name));
  return sample;
}

Sample generated_events(int n) {
  Sample sample{"generated", simulation::ideal_detector(), {}};
  const simulation::RawEventGenerator generate(sample.detector);
  for (int i = 0; i < n; ++i) sample.events.push_back(generate(std::uint64_t(i)).raw);
  return sample;
}

void per_event(benchmark::State& state, std::size_t n) {
  state.counters["events_per_s"] =
      benchmark::Counter(double(n), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["s_per_event"] = benchmark::Counter(
      double(n), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

using Steps = std::vector<std::string>;
const Steps velo_steps = {"sort_by_phi", "search_by_triplet", "fit_lines", "velo_end_states"};
const Steps all_steps = {"cluster_vp",      "sort_by_phi", "search_by_triplet", "fit_lines",
                         "velo_end_states", "decode_ut",   "ut_windows",        "ut_tracks"};

template <class Real, class Space, int Width = default_lane_width<Space, Real>>
void measure(benchmark::State& state, const Sample& sample, const lhcb::VeloUtParams& params,
             const Steps& steps) {
  auto chain = lhcb::velo_ut_chain<Real, Space, Width>(Space(), sample.detector, params);
  chain(sample.events);
  for (auto _ : state) chain.repeat(steps);
  per_event(state, sample.events.size());
}

/// Steps that only the tracks chain has.
template <class Real, class Space>
void measure_more(benchmark::State& state, const Sample& sample, const Steps& steps) {
  auto chain = lhcb::tracks_chain<Real, Space>(Space(), sample.detector, {});
  chain(sample.events);
  for (auto _ : state) chain.repeat(steps);
  per_event(state, sample.events.size());
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

lhcb::VeloUtParams with_cuts(CompassConstants constants) {
  lhcb::VeloUtParams parameters;
  parameters.ut = lhcb::compass_params(constants);
  return parameters;
}

template <class Space>
void add_space(const Sample& sample) {
  const std::string space = std::string("velo_ut/") + bench::backend_name<Space>() + "/";
  const auto add_float = [&](const std::string& what, const lhcb::VeloUtParams& parameters,
                             const Steps& steps) {
    add(space + what + "/" + sample.name, [&, parameters, steps](auto& state) {
      measure<float, Space>(state, sample, parameters, steps);
    });
  };
  add_float("all", {}, all_steps);
  add_float("vp_clusters", {}, {"cluster_vp"});
  add_float("velo", {}, velo_steps);
  add_float("ut_decoding", {}, {"decode_ut"});
  add_float("ut_windows", {}, {"ut_windows"});
  add_float("ut_tracklets", {}, {"ut_tracks"});
  const auto add_more = [&](const std::string& what, const Steps& steps) {
    add(space + what + "/" + sample.name,
        [&, steps](auto& state) { measure_more<float, Space>(state, sample, steps); });
  };
  add_more("beam_states", {"velo_beam_states"});
  add_more("vertices", {"find_vertices"});
  if (sample.detector.scifi) add_more("scifi_decoding", {"decode_scifi"});
  const std::pair<const char*, CompassConstants> published[] = {{"2019", CompassConstants::y2019},
                                                                {"2020", CompassConstants::y2020},
                                                                {"2023", CompassConstants::y2023},
                                                                {"paper", CompassConstants::paper}};
  for (const auto& [name, constants] : published) {
    add_float(std::string("cuts:") + name + "/ut_windows", with_cuts(constants), {"ut_windows"});
    add_float(std::string("cuts:") + name + "/ut_tracklets", with_cuts(constants), {"ut_tracks"});
  }
  add(space + "double/all/" + sample.name,
      [&](auto& state) { measure<double, Space>(state, sample, {}, all_steps); });
  if constexpr (is_host_space<Space>) {
    add(space + "lanes:1/all/" + sample.name,
        [&](auto& state) { measure<float, Space, 1>(state, sample, {}, all_steps); });
    add(space + "lanes:16/all/" + sample.name,
        [&](auto& state) { measure<float, Space, 16>(state, sample, {}, all_steps); });
  }
}

/// The time per event against the number of events in flight.
template <class Space>
void add_events_in_flight(const std::vector<Sample>& samples) {
  for (const auto& sample : samples)
    add(std::string("velo_ut_in_flight/") + bench::backend_name<Space>() + "/" +
            std::to_string(sample.events.size()),
        [&sample](auto& state) { measure<float, Space>(state, sample, {}, all_steps); });
}

const bool registered = [] {
  static const Sample simulated = simulated_events(10), generated = generated_events(100);
  static const std::vector<Sample> in_flight = [] {
    std::vector<Sample> samples;
    for (const int n : {1, 10, 100, 1000, 4000}) {
      auto& sample = samples.emplace_back(Sample{"", generated.detector, {}});
      for (int i = 0; i < n; ++i)
        sample.events.push_back(generated.events[std::size_t(i) % generated.events.size()]);
    }
    return samples;
  }();
  bench::for_each_backend([&]<class Space>(std::type_identity<Space>) {
    if (!simulated.events.empty()) add_space<Space>(simulated);
    add_space<Space>(generated);
    add_events_in_flight<Space>(in_flight);
  });
  return true;
}();

}  // namespace
}  // namespace trackplex
