// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/interruptions.hpp>

#include <catch2/catch_test_macros.hpp>

#include <sched.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

using namespace trackplex::program;

TEST_CASE("Threads that wait spin unless a variable says otherwise", "[interruptions]") {
  const std::vector<const char*> names = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
  std::map<std::string, std::string> before;
  for (const char* const name : names) {
    if (const char* const value = std::getenv(name)) before[name] = value;
    ::unsetenv(name);
  }
  CHECK(waiting_threads_spin());
  for (const char* const name : names) {
    ::setenv(name, "1", 1);
    CHECK_FALSE(waiting_threads_spin());
    ::unsetenv(name);
  }
  for (const auto& [name, value] : before) ::setenv(name.c_str(), value.c_str(), 1);
}

TEST_CASE("Threads that share a core interrupt one another", "[interruptions]") {
  cpu_set_t all, one;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);

  const Interruptions interruptions;
  CHECK_FALSE(interruptions.are_many());
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      ::sched_setaffinity(0, sizeof one, &one);
      while (std::chrono::steady_clock::now() < end) {
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(interruptions.count() > 0);
  CHECK(interruptions.per_second() > 0.);
}
