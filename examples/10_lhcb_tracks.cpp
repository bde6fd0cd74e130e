// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <trackplex/trackplex.hpp>
#include <vector>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;

  // Raw banks; io::read_detector and io::read_mdf read them from files
  const auto detector = simulation::ideal_detector();
  const simulation::RawEventGenerator generate(detector);
  std::vector<lhcb::RawEvent> events;
  for (int i = 0; i < 3; ++i) events.push_back(generate(i).raw);

  lhcb::VeloUtParams parameters;
  parameters.velo = lhcb::velo_params(lhcb::VeloConstants::y2023);
  auto find_tracks = lhcb::velo_ut_chain<float>(Space(), detector, parameters);
  const auto results = find_tracks(events);
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& velo_tracks = results[e].velo_tracks;
    const auto& ut_hits = results[e].ut_hits;
    const auto& ut_tracks = results[e].ut_tracks;
    std::printf("%s: %zu VELO tracks, %zu with hits in the UT, among them\n",
                events[e].name.c_str(), velo_tracks.size(), ut_tracks.size());
    for (std::size_t t = 0; t < 3 && t < ut_tracks.size(); ++t) {
      const auto& track = ut_tracks[t];
      const auto& at_beam = velo_tracks.states[track.velo_track];
      std::printf("  %+d, p = %.1f GeV, tx = %.3f, ty = %.3f, UT hits", track.qop > 0. ? 1 : -1,
                  0.001 * track.p(), at_beam.tx, at_beam.ty);
      for (const int hit : track.hits)
        if (hit >= 0) std::printf(" %08x", unsigned(ut_hits.ids[hit]));
      std::printf("\n");
    }
  }
}
