// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels: on Serial they run at once, on the device when their instance is waited for.

#include <Kokkos_View.hpp>

#include <emulation/teams.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace Kokkos {

struct Dynamic {};
template <class>
struct Schedule {};

template <class Exec, class Tag = void>
struct RangePolicy {
  using execution_space = Exec;
  Exec exec;
  int begin, end;
  /// Ranges begin before they end, as Kokkos 5 demands; older ones run nothing.
  RangePolicy(const Exec& instance, int first, int last) : exec(instance), begin(first), end(last) {
    if (last < first)
      throw std::runtime_error("Kokkos::RangePolicy: from " + std::to_string(first) + " to " +
                               std::to_string(last));
  }
  RangePolicy(int first, int last) : RangePolicy(Exec(), first, last) {}
};

struct PerTeamBytes {
  int bytes;
};
inline PerTeamBytes PerTeam(int bytes) { return {bytes}; }

template <class Exec, class...>
class TeamPolicy {
 public:
  using execution_space = Exec;
  TeamPolicy(const Exec& instance, int league, int team)
      : exec(instance), launch{league, team, {0, 0}} {
    const int most = std::is_same_v<Exec, Cuda> ? 1024 : 1;
    if (team < 1 || team > most)
      throw std::runtime_error("Kokkos::TeamPolicy: a team of " + std::to_string(team) +
                               " threads, there are at most " + std::to_string(most));
  }
  /// Level 0 has what CUDA gives without asking for more, less what Kokkos takes for collective
  /// operations; level 1 has what Kokkos allows.
  TeamPolicy& set_scratch_size(int level, PerTeamBytes team) {
    const int most = level == 0 ? (48 << 10) - 8 * (launch.team_size + 2) : 20 << 20;
    if (std::is_same_v<Exec, Cuda> && team.bytes > most)
      throw std::runtime_error("Kokkos::TeamPolicy: " + std::to_string(team.bytes) +
                               " bytes of scratch memory of level " + std::to_string(level) +
                               ", there are at most " + std::to_string(most));
    launch.scratch_bytes[level] = std::size_t(team.bytes);
    return *this;
  }
  Exec exec;
  emulation::TeamLaunch launch;
};

namespace Impl {

/// Scratch memory of a thread's team.
class ScratchMemory {
 public:
  ScratchMemory(const emulation::TeamThread* thread, int level) : thread_(thread), level_(level) {}
  void* get_shmem(int bytes) const { return thread_->scratch(level_, std::size_t(bytes)); }

 private:
  const emulation::TeamThread* thread_;
  int level_;
};

/// A thread of a team of the device.
class CudaTeamMember {
 public:
  explicit CudaTeamMember(const emulation::TeamThread& thread) : thread_(thread) {}
  int league_rank() const { return thread_.league_rank; }
  int league_size() const { return thread_.league_size; }
  int team_rank() const { return thread_.team_rank; }
  int team_size() const { return thread_.team_size; }
  ScratchMemory team_scratch(int level) const { return {&thread_, level}; }

  void team_barrier() const { emulation::meet(emulation::Meeting::barrier, nullptr, nullptr); }
  template <class T>
  T team_scan(T value) const {
    emulation::meet(emulation::Meeting::scan, &value, [](void* const* values, int n) {
      T sum{};
      for (int i = 0; i < n; ++i) {
        T& of_thread = *static_cast<T*>(values[i]);
        sum += std::exchange(of_thread, sum);
      }
    });
    return value;
  }
  template <class T>
  void team_broadcast(T& value, int from) const {
    struct Data {
      T* value;
      int from;
    } data{&value, from};
    emulation::meet(emulation::Meeting::broadcast, &data, [](void* const* all, int n) {
      const Data& first = *static_cast<const Data*>(all[0]);
      const T sent = *static_cast<const Data*>(all[first.from])->value;
      for (int i = 0; i < n; ++i) {
        const Data& of_thread = *static_cast<const Data*>(all[i]);
        if (of_thread.from != first.from)
          emulation::fail("threads 0 and %d disagree on the source of a broadcast", i);
        *of_thread.value = sent;
      }
    });
  }

 private:
  emulation::TeamThread thread_;
};

/// The one thread of a team of the host.
class SerialTeamMember {
 public:
  class Scratch {
   public:
    explicit Scratch(char* memory) : memory_(memory) {}
    void* get_shmem(int) const { return memory_; }

   private:
    char* memory_;
  };
  SerialTeamMember(int rank, int size, char* scratch)
      : rank_(rank), size_(size), scratch_(scratch) {}
  int league_rank() const { return rank_; }
  int league_size() const { return size_; }
  int team_rank() const { return 0; }
  int team_size() const { return 1; }
  void team_barrier() const {}
  template <class T>
  T team_scan(T) const {
    return T{};
  }
  template <class T>
  void team_broadcast(T&, int) const {}
  Scratch team_scratch(int) const { return Scratch(scratch_); }

 private:
  int rank_, size_;
  char* scratch_;
};

template <class Tag, class Functor, class... Arguments>
void call(const Functor& functor, Arguments&&... arguments) {
  if constexpr (std::is_void_v<Tag>)
    functor(std::forward<Arguments>(arguments)...);
  else
    functor(Tag{}, std::forward<Arguments>(arguments)...);
}

template <class Exec>
void report(Tools::Experimental::KernelCallback callback, const std::string& label,
            const Exec& exec) {
  Tools::Experimental::call(callback, label, Tools::Experimental::device_id(exec));
}

/// Fails if another host thread is at its first launch of this kernel, when Kokkos fills a table
/// without a lock.
template <class Kernel>
void note_launch(const std::string& label) {
  enum State { never_launched, first_launch, launched };
  static std::atomic<State> state{never_launched};
  State before = never_launched;
  if (state.compare_exchange_strong(before, first_launch)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // for others to come
    state = launched;
  } else if (before == first_launch) {
    emulation::fail("launches '%s' while another thread launches it for the first time",
                    label.c_str());
  }
}

/// Runs a kernel now or later. Its views count no references, as those of Kokkos' kernels.
template <class Exec, class Kernel>
void launch(const Exec& exec, const std::string& label, const Kernel& kernel) {
  if constexpr (std::is_same_v<Exec, Cuda>) {
    note_launch<Kernel>(label);
    exec.impl_queue().enqueue({label, emulation::Access::kernels, kernel});
  } else {
    kernel();
  }
}

}  // namespace Impl

template <class Exec, class Tag, class Functor>
void parallel_for(const std::string& label, const RangePolicy<Exec, Tag>& policy,
                  const Functor& functor) {
  Impl::report(Tools::Experimental::callbacks.parallel_for, label, policy.exec);
  const int n = policy.end - policy.begin;
  if (n <= 0) return;
  const Impl::WithoutTracking scope;
  Impl::launch(policy.exec, label, [functor, n, begin = policy.begin] {
    if constexpr (std::is_same_v<Exec, Cuda>) {
      const int* const order = emulation::order_of(n);
      for (int i = 0; i < n; ++i) Impl::call<Tag>(functor, begin + order[i]);
    } else {
      for (int i = 0; i < n; ++i) Impl::call<Tag>(functor, begin + i);
    }
  });
}
template <class Functor>
void parallel_for(const std::string& label, int n, const Functor& functor) {
  parallel_for(label, RangePolicy<DefaultExecutionSpace>(0, n), functor);
}

template <class... Properties, class Functor>
void parallel_for(const std::string& label, const TeamPolicy<Cuda, Properties...>& policy,
                  const Functor& functor) {
  Impl::report(Tools::Experimental::callbacks.parallel_for, label, policy.exec);
  const Impl::WithoutTracking scope;
  Impl::launch(policy.exec, label, [functor, launch = policy.launch] {
    emulation::run_teams(launch, [&functor](const emulation::TeamThread& thread) {
      functor(Impl::CudaTeamMember(thread));
    });
  });
}
template <class... Properties, class Functor>
void parallel_for(const std::string& label, const TeamPolicy<Serial, Properties...>& policy,
                  const Functor& functor) {
  Impl::report(Tools::Experimental::callbacks.parallel_for, label, policy.exec);
  const std::size_t* const bytes = policy.launch.scratch_bytes;
  std::vector<char> scratch(std::max(bytes[0], bytes[1]));
  for (int i = 0; i < policy.launch.league_size; ++i)
    functor(Impl::SerialTeamMember(i, policy.launch.league_size, scratch.data()));
}

/// Waits for the result.
template <class Exec, class Tag, class Functor, class T>
void parallel_reduce(const std::string& label, const RangePolicy<Exec, Tag>& policy,
                     const Functor& functor, T& result) {
  Impl::report(Tools::Experimental::callbacks.parallel_reduce, label, policy.exec);
  const int n = std::max(policy.end - policy.begin, 0);
  T sum{};
  {
    const Impl::WithoutTracking scope;
    Impl::launch(policy.exec, label, [functor, n, begin = policy.begin, &sum] {
      const int* const order = emulation::order_of(n);
      for (int i = 0; i < n; ++i) {
        T part{};
        Impl::call<Tag>(functor, begin + order[i], part);
        sum += part;
      }
    });
  }
  policy.exec.fence("Kokkos::parallel_reduce: fence due to result being value, not view");
  result = sum;
}

/// Blocks are first added up, then scanned, as devices do.
template <class Exec, class Tag, class Functor>
void parallel_scan(const std::string& label, const RangePolicy<Exec, Tag>& policy,
                   const Functor& functor) {
  using T = typename Functor::T;
  Impl::report(Tools::Experimental::callbacks.parallel_scan, label, policy.exec);
  const Impl::WithoutTracking scope;
  Impl::launch(policy.exec, label, [functor, begin = policy.begin, end = policy.end] {
    constexpr int block = 128;
    std::vector<T> before{T{}};
    for (int first = begin; first < end; first += block) {
      T sum{};
      for (int i = first; i < std::min(first + block, end); ++i) functor(i, sum, false);
      before.push_back(before.back() + sum);
    }
    const int* const order = emulation::order_of(int(before.size()) - 1);
    for (int b = 0; b + 1 < int(before.size()); ++b) {
      T sum = before[std::size_t(order[b])];
      const int first = begin + block * order[b];
      for (int i = first; i < std::min(first + block, end); ++i) functor(i, sum, true);
    }
  });
}

}  // namespace Kokkos
