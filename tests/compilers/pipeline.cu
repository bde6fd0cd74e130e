// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline whose processors launch on instances of the space, compiled by nvcc as host code.

#include <trackplex/pipeline/pipeline.hpp>

#ifndef TRACKPLEX_SPACE
#define TRACKPLEX_SPACE Kokkos::DefaultExecutionSpace
#endif

namespace trackplex::pipeline {

using Space = TRACKPLEX_SPACE;

struct Twice {
  Space exec;
  std::vector<int> staged;

  void stage(std::span<const int> events) { staged.assign(events.begin(), events.end()); }
  void run() { exec.fence(); }
  void collect(std::vector<long>& results) {
    for (const int event : staged) results.push_back(2L * event);
  }
};

Statistics run_twice(const Space& exec, const PipelineOptions& options) {
  int next = 0;
  return run_pipeline<int, long>(
      exec, options, [](const Space& instance, int) { return Twice{instance, {}}; },
      [&](std::stop_token) { return next < 10 ? std::optional<int>(next++) : std::nullopt; },
      [](std::size_t, long&&) {}, [](const Failure&) {});
}

}  // namespace trackplex::pipeline
