// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main program of every benchmark: Google Benchmark inside a running Kokkos. The context that
// it prints, also with
// --benchmark_format=json, says what was measured: versions, compiler, threads.

#include <benchmark/benchmark.h>

#include <sstream>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/version.hpp>

int main(int argc, char* argv[]) {
  trackplex::KokkosScope const kokkos;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  benchmark::AddCustomContext("trackplex", TRACKPLEX_VERSION_STRING);
  benchmark::AddCustomContext("compiler", __VERSION__);
  benchmark::AddCustomContext("threads", std::to_string(trackplex::HostExecutor().concurrency()));
  benchmark::AddCustomContext("kokkos", configuration.str());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
