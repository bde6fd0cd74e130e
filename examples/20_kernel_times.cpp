// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <trackplex/simulation/velo_generator.hpp>
#include <trackplex/trackplex.hpp>

namespace tools = Kokkos::Tools::Experimental;
using Clock = std::chrono::steady_clock;

// Kokkos reports the begin and the end of each kernel. This tool is for one launching
// thread; with several threads, `begin` must give each kernel a number.
struct Times {
  int launches = 0;
  double milliseconds = 0.;
};
std::map<std::string, Times> times;
std::string current;
Clock::time_point begun;

void begin(const char* label, std::uint32_t /*device*/, std::uint64_t* /*kernel*/) {
  current = label;
  begun = Clock::now();
}
void end(std::uint64_t /*kernel*/) {
  auto& [launches, milliseconds] = times[current];
  ++launches;
  milliseconds += std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

int main() {
  const trackplex::KokkosScope kokkos;
  tools::set_begin_parallel_for_callback(begin);
  tools::set_end_parallel_for_callback(end);

  const trackplex::simulation::VeloGenerator generate;
  std::vector<trackplex::lhcb::VeloEvent> events;
  for (int i = 0; i < 20; ++i) events.push_back(generate(i));
  auto find_tracks = trackplex::lhcb::velo_chain<float>(
      Kokkos::DefaultHostExecutionSpace(),
      trackplex::lhcb::velo_params(trackplex::lhcb::VeloConstants::y2023));
  find_tracks(events);

  for (const auto& [label, time] : times)
    std::printf("%-45s %3d %9.3f ms\n", label.c_str(), time.launches, time.milliseconds);
}
