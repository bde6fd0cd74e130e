// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/velo_generator.hpp>
#include <trackplex/trackplex.hpp>

int main() {
  const trackplex::KokkosScope kokkos;
  const trackplex::simulation::VeloGenerator generate;
  const std::vector events{generate(0), generate(1), generate(2)};

  using Space = Kokkos::DefaultExecutionSpace;
  trackplex::lhcb::VeloTracking<float, Space> velo(
      Space(), trackplex::lhcb::velo_tracking_parameters(trackplex::lhcb::VeloConstants::y2023));
  velo.load(events);
  velo.reconstruct();

  const auto tracks = velo.tracks();
  for (std::size_t e = 0; e < events.size(); ++e) {
    std::printf("%s: %zu hits, %zu tracks\n", events[e].name.c_str(), events[e].size(),
                tracks[e].size());
  }
}
