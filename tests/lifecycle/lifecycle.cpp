// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lifecycle WHEN [USE]: uses the library before Kokkos has started, while it runs, or after it has
// ended. Prints "done", or the UsageError. `lifecycle list` prints the uses.

#include <trackplex/chain/memory.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/workspace.hpp>
#include <trackplex/matriplex/matriplex.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace trackplex;
using Space = HostExecutor;
using Matrices = Matriplex<float, 2, 2, Kokkos::HostSpace>;
template <class T>
using Array = Kokkos::View<T*, Kokkos::HostSpace>;
template <class T>
using Borrowed = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

struct AddIndex {
  int* sum;
  struct Count {};
  void operator()(int i) const { Kokkos::atomic_add(sum, i); }
  void operator()(Count, int i, int& count) const { count += i; }
};

struct AddTeam {
  int* sum;
  std::size_t scratch_bytes() const { return 256; }
  template <class Member>
  void operator()(const Member& member, ScratchCarver scratch) const {
    int* const rank = scratch.take<int>(1);
    *rank = member.league_rank();
    Kokkos::atomic_add(sum, *rank);
  }
};

void require(bool condition) {
  if (!condition) throw Error("wrong result");
}

template <class ExecutionSpace>
void launch_items() {
  int sum = 0;
  for_each_item(ExecutionSpace(), "Trackplex::Test::items", 100, AddIndex{&sum});
  require(sum == 4950);
}
template <class ExecutionSpace>
void launch_teams() {
  int sum = 0;
  for_each_team(ExecutionSpace(), "Trackplex::Test::teams", 100, AddTeam{&sum});
  require(sum == 4950);
}
template <class ExecutionSpace>
void count() {
  require(count_items<AddIndex::Count>(ExecutionSpace(), "Trackplex::Test::count", 100,
                                       AddIndex{nullptr}) == 4950);
}
template <class ExecutionSpace>
void scan() {
  int numbers[101] = {};
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  const Borrowed<int> view(numbers, 101);
  exclusive_scan(ExecutionSpace(), view, view, 100);
  require(numbers[100] == 4950);
}

/// Calls f on several threads at the same time, then throws one of the exceptions, if any.
void on_threads(int n, const std::function<void()>& f) {
  std::vector<std::exception_ptr> errors(std::size_t(n), nullptr);
  std::vector<std::thread> threads;
  for (auto& error : errors)
    threads.emplace_back([&] {
      try {
        for (int i = 0; i < 100; ++i) f();
      } catch (...) {
        error = std::current_exception();
      }
    });
  for (auto& thread : threads) thread.join();
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

std::optional<Matrices> kept;  // destroyed after main

const std::map<std::string, std::function<void()>> uses = {
    {"allocate_array",
     [] {
       Array<float> array;
       allocate_array(Space(), array, "Trackplex::Test::array", 10);
     }},
    {"chain_memory", [] { chain::ChainMemory<Space>(Space(), {}); }},
    {"copy_entries",
     [] {
       int numbers[4] = {1, 2};
       copy_entries(Space(), Borrowed<int>(numbers + 2, 2), Borrowed<int>(numbers, 2), 2);
       require(numbers[3] == 2);
     }},
    {"count_items", count<Space>},
    {"exclusive_scan", scan<Space>},
    {"fill_with_zeros",
     [] {
       int number = 1;
       fill_with_zeros(Space(), Borrowed<int>(&number, 1));
       require(number == 0);
     }},
    {"for_each_item", launch_items<Space>},
    {"for_each_team", launch_teams<Space>},
    {"matriplex",
     [] {
       Matrices matrices{"Trackplex::Test::matrices"};
       matrices.allocate(Space(), 10);
     }},
    {"new_zeros", [] { new_zeros<Array<int>>("Trackplex::Test::zeros", 10); }},
    {"to_device",
     [] {
       to_device<float>(Space(), "Trackplex::Test::copy", std::vector{1., 2.});
     }},
    {"workspace",
     [] {
       Workspace<Space> workspace;
       workspace.get<int>(Space(), "Trackplex::Test::buffer", 10);
     }},
#ifdef KOKKOS_ENABLE_SERIAL
    {"serial_items", launch_items<Kokkos::Serial>},
    {"serial_teams", launch_teams<Kokkos::Serial>},
    {"threads_serial",
     [] {
       on_threads(4, [] {
         launch_items<Kokkos::Serial>();
         launch_teams<Kokkos::Serial>();
         count<Kokkos::Serial>();
         scan<Kokkos::Serial>();
       });
     }},
#endif
};

const std::map<std::string, std::function<void()>> times = {
    {"before",
     [] {
       const Matrices empty, labelled{"Trackplex::Test::labelled"};  // allocate nothing
       require(empty.size() == 0 && labelled.size() == 0);
     }},
    {"again",
     [] {
       { const KokkosScope kokkos(1); }
       const KokkosScope kokkos(1);
     }},
    {"twice",
     [] {
       const KokkosScope kokkos(1);
       initialize_kokkos(1);
     }},
    {"early_end",
     [] {
       const KokkosScope kokkos(1);
       Kokkos::finalize();
     }},
    {"grow_after",
     [] {
       static auto& matrices = *new Matrices;  // never destroyed, or Kokkos ends the program
       {
         const KokkosScope kokkos(1);
         matrices.allocate(Space(), 10);
       }
       matrices.allocate(Space(), 100000);
     }},
    {"kept",
     [] {
       const KokkosScope kokkos(1);
       kept.emplace(Space(), 10);
       kept.reset();
     }},
    {"kept_too_long",
     [] {
       const KokkosScope kokkos(1);
       kept.emplace(Space(), 10);
     }},
    {"other_thread_items",
     [] {
       const KokkosScope kokkos(2);
       on_threads(1, launch_items<Space>);
     }},
    {"other_thread_teams",
     [] {
       const KokkosScope kokkos(2);
       on_threads(1, launch_teams<Space>);
     }},
    {"other_thread_scan",
     [] {
       const KokkosScope kokkos(2);
       on_threads(1, scan<Space>);
     }},
    {"other_thread_count",
     [] {
       const KokkosScope kokkos(2);
       on_threads(1, count<Space>);
     }},
    {"default_threads",
     [] {
       const KokkosScope kokkos;
       launch_teams<Space>();
       std::printf("threads %d\n", concurrency_of(Space()));
     }},
    {"two_threads",
     [] {
       const KokkosScope kokkos(2);
       launch_teams<Space>();
       const char* const variable = std::getenv("KOKKOS_NUM_THREADS");
       std::printf("threads %d variable %s\n", concurrency_of(Space()), variable ? variable : "");
     }},
};

void run(const std::string& time, const std::string& use) {
  if (use.empty()) return times.at(time)();
  if (time == "before") return uses.at(use)();
  {
    const KokkosScope kokkos(1);
    if (time == "during") uses.at(use)();
  }
  if (time == "after") uses.at(use)();
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const std::string time = argc > 1 ? argv[1] : "list", use = argc > 2 ? argv[2] : "";
    if (time == "list") {
      std::printf("%d %s\n", KOKKOS_VERSION, Space::default_name().c_str());
      for (const auto& [name, f] : uses) std::printf("%s\n", name.c_str());
      return 0;
    }
    run(time, use);
    std::printf("done\n");
  } catch (const UsageError& error) {
    std::printf("UsageError: %s\n", error.what());
  }
}
