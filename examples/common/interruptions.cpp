// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/interruptions.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace trackplex::program {

bool waiting_threads_spin() {
  constexpr std::array variables = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
  return std::ranges::none_of(variables, [](const char* name) { return std::getenv(name); });
}

double Interruptions::per_second() const {
  return double(count()) / std::chrono::duration<double>(Clock::now() - start_).count();
}

long Interruptions::counted() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

}  // namespace trackplex::program
