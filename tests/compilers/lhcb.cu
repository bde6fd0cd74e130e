// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The chains of VELO, and of VELO with UT, and the decoding of the SciFi, for TRACKPLEX_SPACE:
/// device code of scalars, or host code of lanes.

#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>

namespace trackplex::lhcb {

using Space = TRACKPLEX_SPACE;

template <class Chain>
void run(Chain chain, std::span<const std::shared_ptr<const typename Chain::Event>> events,
         std::span<const typename Chain::Event> more_events,
         std::vector<typename Chain::Result>& results) {
  chain.stage(events);
  chain.run();
  chain.collect(results);
  results = chain(more_events);
}

template <class T>
void decode_scifi(const Space& exec, const ScifiGeometry& geometry,
                  const ScifiInput<Space::memory_space>& input) {
  ScifiHits<T, Space::memory_space> hits;
  run_algorithm(exec, DecodeScifi<T, Space>{scifi_decoding_table<T>(exec, geometry)}, input, hits);
}

void run(const Space& exec, const ScifiGeometry& geometry,
         const chain::Events<RawEvent>& events) {
  StagedScifiBanks staged;
  ScifiInput<Space::memory_space> input;
  run_algorithm(exec, StageScifiBanks(), events, staged);
  run_algorithm(exec, CopyScifiBanks<Space>(), staged, input);
  decode_scifi<float>(exec, geometry, input);
  decode_scifi<double>(exec, geometry, input);
}

void run(const Space& exec, const Detector& detector, std::vector<VeloResult>& velo,
         std::vector<VeloUtResult>& velo_ut) {
  run(velo_chain<float>(exec, {}), {}, {}, velo);
  run(velo_chain<double>(exec, {}, {1 << 20, 1 << 20}), {}, {}, velo);
  run(velo_ut_chain<float>(exec, detector, {}), {}, {}, velo_ut);
  run(velo_ut_chain<double>(exec, detector, {}), {}, {}, velo_ut);
}

}  // namespace trackplex::lhcb
