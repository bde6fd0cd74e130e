// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/velo_generator.hpp>
#include <trackplex/trackplex.hpp>

int main() {
  const trackplex::KokkosScope kokkos;
  const trackplex::simulation::VeloGenerator generate;
  const std::vector events{generate(0), generate(1), generate(2)};

  auto find_tracks = trackplex::lhcb::velo_chain<float>(
      Kokkos::DefaultExecutionSpace(),
      trackplex::lhcb::velo_params(trackplex::lhcb::VeloConstants::y2023));
  const auto results = find_tracks(events);
  for (std::size_t e = 0; e < events.size(); ++e) {
    std::printf("%s: %zu hits, %zu tracks\n", events[e].name.c_str(), events[e].size(),
                results[e].tracks.size());
  }
}
