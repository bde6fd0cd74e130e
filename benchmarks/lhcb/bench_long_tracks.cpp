// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long tracks of LHCb: time per event of the decoding of the SciFi and of the search for its hits
// along tracks of VELO and UT, for backends and lanes. On LHCb's ten simulated events where
// TRACKPLEX_DATA has them, and on generated ones, whose SciFi is empty. Goals per event on one core
// of a Zen 3 class machine: decoding 25 us, search 200 us.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <vector>

namespace trackplex {
namespace {

/// Events, and the detector that took them.
struct Sample {
  std::string name;
  lhcb::Detector detector;
  std::vector<lhcb::RawEvent> events;
};

/// The ten simulated events, `copies` times; none where they are not there.
Sample simulated_events(int copies) {
  const char* root = std::getenv("TRACKPLEX_DATA");
  const auto data = root ? std::filesystem::path(root)
                         : std::filesystem::path(TRACKPLEX_SOURCE_DIR) / "../shared/data";
  const std::vector<std::filesystem::path> folders = {data / "lhcb-raw", data / "lhcb-scifi"};
  Sample sample{"simulated", {}, {}};
  for (const auto& folder : folders)
    if (!std::filesystem::is_directory(folder)) return sample;
  const std::vector<std::filesystem::path> geometry = {folders[0] / "geometry",
                                                       folders[1] / "geometry"};
  sample.detector = io::read_detector(geometry);
  const auto names = io::raw_event_names(folders);
  for (int i = 0; i < copies; ++i)
    for (const auto& name : names) sample.events.push_back(io::read_raw_event(folders, name));
  return sample;
}

/// Generated events; their SciFi is empty.
Sample generated_events(int n) {
  Sample sample{"generated", simulation::ideal_detector(), {}};
  const simulation::RawEventGenerator generate(sample.detector);
  for (int i = 0; i < n; ++i) sample.events.push_back(generate(std::uint64_t(i)).raw);
  return sample;
}

template <class Space>
lhcb::ScifiInput<typename Space::memory_space> scifi_banks(const Space& exec,
                                                           const Sample& sample) {
  std::vector<const lhcb::RawEvent*> pointers;
  for (const auto& event : sample.events) pointers.push_back(&event);
  lhcb::StagedScifiBanks staged;
  lhcb::ScifiInput<typename Space::memory_space> banks;
  run_algorithm(exec, lhcb::StageScifiBanks(), chain::Events<lhcb::RawEvent>{pointers}, staged);
  run_algorithm(exec, lhcb::CopyScifiBanks<Space>(), staged, banks);
  exec.fence();
  return banks;
}

/// Hits of the SciFi; none if the detector has no SciFi.
template <class T, class Space>
lhcb::ScifiHits<T, typename Space::memory_space> scifi_hits(const Space& exec,
                                                            const Sample& sample) {
  lhcb::ScifiHits<T, typename Space::memory_space> hits;
  if (sample.detector.scifi) {
    const auto banks = scifi_banks(exec, sample);
    run_algorithm(
        exec,
        lhcb::DecodeScifi<T, Space>{lhcb::scifi_decoding_table<T>(exec, *sample.detector.scifi)},
        banks, hits);
    exec.fence();
    return hits;
  }
  const HostExecutor host;
  lhcb::ScifiHits<T, Kokkos::HostSpace> empty;
  empty.n_events = int(sample.events.size());
  allocate_arrays(GrowingMemory<HostExecutor>{host}, empty);
  for (int e = 0; e <= empty.n_events; ++e) empty.event_offsets(e) = 0;
  for (int i = 0; i < empty.n_events * (lhcb::scifi_zones + 1); ++i) empty.zone_offsets(i) = 0;
  hits = enqueue_copy<lhcb::ScifiHits<T, typename Space::memory_space>>(exec, empty);
  exec.fence();
  return hits;
}

void per_event(benchmark::State& state, std::size_t n) {
  state.counters["events_per_s"] =
      benchmark::Counter(double(n), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["s_per_event"] = benchmark::Counter(
      double(n), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class T, class Space>
void measure_decoding(benchmark::State& state, const Sample& sample) {
  const Space exec;
  const auto banks = scifi_banks(exec, sample);
  const lhcb::DecodeScifi<T, Space> decode{
      lhcb::scifi_decoding_table<T>(exec, *sample.detector.scifi)};
  lhcb::ScifiHits<T, typename Space::memory_space> hits;
  run_algorithm(exec, decode, banks, hits);
  for (auto _ : state) {
    decode(exec, banks, hits);
    exec.fence();
  }
  per_event(state, sample.events.size());
}

template <class T, class Space, int Width = default_lane_width<Space, T>>
void measure_search(benchmark::State& state, const Sample& sample,
                    const lhcb::ForwardParams& params) {
  using Memory = typename Space::memory_space;
  const Space exec;
  auto chain = lhcb::velo_ut_chain<T>(exec, sample.detector, {});
  chain(sample.events);
  const auto hits = scifi_hits<T>(exec, sample);
  const lhcb::FindLongTracks<T, Space, Width> search{
      lhcb::forward_setup<T>(exec, params, sample.detector.polarity)};
  const auto& velo_hits = chain.template product<lhcb::VeloHits<T, Memory>>();
  const auto& velo_tracks = chain.template product<lhcb::VeloTracks<Memory>>();
  const auto& at_beam = chain.template product<lhcb::LineStates<T, Memory>>();
  const auto& at_end = chain.template product<lhcb::VeloStatesAtEnd<T, Memory>>();
  const auto& ut_tracks = chain.template product<lhcb::UtTracks<T, Memory>>();
  lhcb::LongTracks<T, Memory> found;
  run_algorithm(exec, search, velo_hits, velo_tracks, at_beam, at_end, ut_tracks, hits, found);
  for (auto _ : state) {
    search(exec, velo_hits, velo_tracks, at_beam, at_end, ut_tracks, hits, found);
    exec.fence();
  }
  per_event(state, sample.events.size());
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

template <class Space>
void add_space(const Sample& sample) {
  const std::string space = std::string("long_tracks/") + bench::backend_name<Space>() + "/";
  if (sample.detector.scifi)
    add(space + "scifi_decoding/" + sample.name,
        [&](auto& state) { measure_decoding<float, Space>(state, sample); });
  lhcb::ForwardParams without_ut;
  without_ut.without_ut = true;
  add(space + "search/" + sample.name,
      [&](auto& state) { measure_search<float, Space>(state, sample, {}); });
  add(space + "search/without_ut/" + sample.name,
      [&, without_ut](auto& state) { measure_search<float, Space>(state, sample, without_ut); });
  add(space + "double/search/" + sample.name,
      [&](auto& state) { measure_search<double, Space>(state, sample, {}); });
  if constexpr (is_host_space<Space>) {
    add(space + "lanes:1/search/" + sample.name,
        [&](auto& state) { measure_search<float, Space, 1>(state, sample, {}); });
    add(space + "lanes:16/search/" + sample.name,
        [&](auto& state) { measure_search<float, Space, 16>(state, sample, {}); });
  }
}

const bool registered = [] {
  static const Sample simulated = simulated_events(10), generated = generated_events(20);
  bench::for_each_backend([&]<class Space>(std::type_identity<Space>) {
    if (!simulated.events.empty()) add_space<Space>(simulated);
    add_space<Space>(generated);
  });
  return true;
}();

}  // namespace
}  // namespace trackplex
