// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A stand-in for Kokkos with CUDA or HIP, for compiling only: the names that the library uses,
/// with host-device functions and kernels as Kokkos makes them for nvcc and clang, so that device
/// code is generated where no such Kokkos is installed. Nothing of it is meant to run.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define KOKKOS_VERSION 40700
#define KOKKOS_ENABLE_SERIAL
// Kokkos' kernels for HIP exist for blocks of up to 256 threads, too: those that need registers.
#if defined(__HIP__)
#define KOKKOS_ENABLE_HIP
#define TRACKPLEX_KERNEL __global__ __attribute__((amdgpu_flat_work_group_size(1, 256)))
#else
#define KOKKOS_ENABLE_CUDA
#define TRACKPLEX_KERNEL __global__
#endif
#define KOKKOS_FUNCTION __host__ __device__
#define KOKKOS_CLASS_LAMBDA [ =, *this ] __host__ __device__
#define KOKKOS_INLINE_FUNCTION inline __host__ __device__
#define KOKKOS_FORCEINLINE_FUNCTION __forceinline__ __host__ __device__

#include <support/kokkos_names.hpp>

namespace Kokkos {

// Spaces ------------------------------------------------------------------------------------------

struct Serial;
struct Device;
#if defined(__HIP__)
using HIP = Device;
#else
using Cuda = Device;
#endif
struct HostSpace {
  using memory_space = HostSpace;
  using execution_space = Serial;
};
struct DeviceSpace {
  using memory_space = DeviceSpace;
  using execution_space = Device;
};
/// Memory of the host that the device reaches.
struct SharedHostPinnedSpace {
  using memory_space = SharedHostPinnedSpace;
};

struct Serial {
  using execution_space = Serial;
  using memory_space = HostSpace;
  static const char* name() { return "Serial"; }
  int concurrency() const { return 1; }
  void fence() const {}
};
struct Device {
  using execution_space = Device;
  using memory_space = DeviceSpace;
  static const char* name() { return "Device"; }
  int concurrency() const { return 1; }
  void fence() const {}
};
template <class T>
struct is_execution_space : std::false_type {};
template <class T>
requires(std::is_same_v<typename T::execution_space, T>) struct is_execution_space<T>
    : std::true_type {
};
using DefaultHostExecutionSpace = Serial;
using DefaultExecutionSpace = Device;

template <class Access, class Memory>
struct SpaceAccessibility {
  static constexpr bool accessible =
      std::is_same_v<typename Access::memory_space, typename Memory::memory_space> ||
      std::is_same_v<typename Memory::memory_space, SharedHostPinnedSpace>;
};

struct InitializationSettings {
  InitializationSettings& set_disable_warnings(bool) { return *this; }
  InitializationSettings& set_num_threads(int) { return *this; }
};
inline bool is_initialized() { return true; }
inline bool is_finalized() { return false; }
inline void initialize(const InitializationSettings&) {}
inline void finalize() {}

namespace Tools::Experimental {
using BeginCallback = void (*)(const char*, std::uint32_t, std::uint64_t*);
using EndCallback = void (*)(std::uint64_t);
inline void set_begin_parallel_for_callback(BeginCallback) {}
inline void set_end_parallel_for_callback(EndCallback) {}
}  // namespace Tools::Experimental

// Data --------------------------------------------------------------------------------------------

namespace Experimental {
template <class Exec>
std::vector<Exec> partition_space(const Exec& exec, const std::vector<double>& weights) {
  return std::vector<Exec>(weights.size(), exec);
}
}  // namespace Experimental

struct LayoutRight {};
struct LayoutLeft {};
struct ViewAllocation {};
template <class... Properties>
ViewAllocation view_alloc(const Properties&...) {
  return {};
}

template <class Data, class MemorySpace, class Traits = MemoryTraits<0>>
class View {
 public:
  using value_type = std::remove_pointer_t<Data>;
  using non_const_value_type = std::remove_const_t<value_type>;
  using data_type = Data;
  using non_const_data_type = non_const_value_type*;
  using memory_space = typename MemorySpace::memory_space;
  using array_layout = LayoutLeft;
  static constexpr int rank = 1;
  static std::size_t required_allocation_size(std::size_t n) { return n * sizeof(value_type); }

  View() = default;
  View(ViewAllocation, std::size_t n) : size_(n) {}
  View(const std::string&, std::size_t n) : size_(n) {}
  KOKKOS_FUNCTION View(value_type* data, std::size_t n) : data_(data), size_(n) {}
  /// The same entries, which may be read only.
  template <class Other>
  requires(std::is_same_v<const typename Other::value_type, value_type> &&
           !std::is_same_v<Other, View>) KOKKOS_FUNCTION View(const Other& other)
      : data_(other.data()), size_(other.extent(0)) {}

  KOKKOS_FORCEINLINE_FUNCTION value_type* data() const { return data_; }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t extent(int) const { return size_; }
  template <class I>
  KOKKOS_FORCEINLINE_FUNCTION value_type& operator()(I i) const {
    return data_[i];
  }

 private:
  value_type* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
concept Layout = std::is_same_v<T, LayoutRight> || std::is_same_v<T, LayoutLeft>;

/// Rows of N numbers.
template <class T, std::size_t N, Layout RowLayout, class MemorySpace>
class View<T* [N], RowLayout, MemorySpace> {
 public:
  using value_type = T;
  using non_const_value_type = std::remove_const_t<T>;
  using data_type = T* [N];
  using non_const_data_type = non_const_value_type* [N];
  using memory_space = typename MemorySpace::memory_space;
  using array_layout = RowLayout;
  static constexpr int rank = 2;
  static std::size_t required_allocation_size(std::size_t n) { return n * N * sizeof(T); }

  View() = default;
  View(ViewAllocation, std::size_t n) : size_(n) {}
  View(const std::string&, std::size_t n) : size_(n) {}
  KOKKOS_FUNCTION View(T * data, std::size_t n) : data_(data), size_(n) {}

  KOKKOS_FORCEINLINE_FUNCTION T* data() const { return data_; }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t extent(int rank) const { return rank == 0 ? size_ : N; }
  template <class I, class J>
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(I i, J j) const {
    return data_[std::size_t(i) * N + std::size_t(j)];
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class Data, class Space, class Traits>
View<Data, Space, Traits> subview(const View<Data, Space, Traits>& view,
                                  std::pair<std::size_t, std::size_t> range) {
  return {view.data() + range.first, range.second - range.first};
}
template <class T, std::size_t N, class Space>
View<T* [N], LayoutRight, Space> subview(const View<T* [N], LayoutRight, Space>& view,
                                         std::pair<std::size_t, std::size_t> range, AllEntries) {
  return {view.data() + range.first * N, range.second - range.first};
} template <class Data, class Space, class Traits>
View<Data, HostSpace> create_mirror_view(const View<Data, Space, Traits>& view) {
  return {view.data(), view.extent(0)};
}
template <class T, std::size_t N, Layout RowLayout, class Space>
View<T* [N], RowLayout, HostSpace> create_mirror_view(const View<T* [N], RowLayout, Space>& view) {
  return {view.data(), view.extent(0)};
} template <class Exec, class To, class From>
void deep_copy(const Exec&, const To&, const From&) {}
template <class To, class From>
void deep_copy(const To&, const From&) {}
template <class Space, class Data, class From>
View<Data, Space> create_mirror_view_and_copy(const Space&, const View<Data, From>& view) {
  return {view.data(), view.extent(0)};
}

/// For integers, as wide as devices add them.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_add(T* to, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  static_assert(sizeof(T) == sizeof(Word) && std::is_integral_v<T>);
  return T(atomicAdd(reinterpret_cast<Word*>(to), Word(value)));
#else
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_or(T* to, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  static_assert(sizeof(T) == sizeof(Word) && std::is_integral_v<T>);
  return T(atomicOr(reinterpret_cast<Word*>(to), Word(value)));
#else
  return __atomic_fetch_or(to, value, __ATOMIC_RELAXED);
#endif
}

/// For int and unsigned integers of eight bytes.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_min(T* to, std::type_identity_t<T> value) {
  static_assert(std::is_same_v<T, int> || (sizeof(T) == 8 && std::is_unsigned_v<T>));
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, int>;
  return T(atomicMin(reinterpret_cast<Word*>(to), Word(value)));
#else
  const T before = *to;
  if (value < before) *to = value;
  return before;
#endif
}

// Kernels -----------------------------------------------------------------------------------------

struct Dynamic {};
template <class>
struct Schedule {};
struct PerTeamValue {};
inline PerTeamValue PerTeam(int) { return {}; }

template <class Exec, class Tag = void>
struct RangePolicy {
  using execution_space = Exec;
  int begin, end;
  RangePolicy(const Exec&, int first, int last) : begin(first), end(last) {}
};

class ScratchMemory {
 public:
  KOKKOS_FUNCTION explicit ScratchMemory(char* memory) : memory_(memory) {}
  KOKKOS_FUNCTION void* get_shmem(int) const { return memory_; }

 private:
  char* memory_;
};

class HostTeamMember {
 public:
  explicit HostTeamMember(int rank) : rank_(rank) {}
  KOKKOS_FUNCTION int league_rank() const { return rank_; }
  KOKKOS_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FUNCTION int team_size() const { return 1; }
  KOKKOS_FUNCTION void team_barrier() const {}
  template <class T>
  KOKKOS_FUNCTION T team_scan(const T&) const {
    return T{};
  }
  template <class T>
  KOKKOS_FUNCTION void team_broadcast(T&, int) const {}
  KOKKOS_FUNCTION ScratchMemory team_scratch(int) const { return ScratchMemory(nullptr); }

 private:
  int rank_;
};

/// Everything here runs on the device, as it does in Kokkos.
class DeviceTeamMember {
 public:
  __device__ explicit DeviceTeamMember(char* scratch) : scratch_(scratch) {}
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  KOKKOS_FUNCTION int league_rank() const { return blockIdx.x; }
  KOKKOS_FUNCTION int team_rank() const { return threadIdx.x; }
  KOKKOS_FUNCTION int team_size() const { return blockDim.x; }
  KOKKOS_FUNCTION void team_barrier() const { __syncthreads(); }
#else
  KOKKOS_FUNCTION int league_rank() const { return 0; }
  KOKKOS_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FUNCTION int team_size() const { return 1; }
  KOKKOS_FUNCTION void team_barrier() const {}
#endif
  template <class T>
  KOKKOS_FUNCTION T team_scan(const T& value) const {
    T sum = value;
    team_broadcast(sum, team_rank() / 2);
    return sum;
  }
  template <class T>
  KOKKOS_FUNCTION void team_broadcast(T& value, int from) const {
    T* const shared = reinterpret_cast<T*>(scratch_);
    if (team_rank() == from) *shared = value;
    team_barrier();
    value = *shared;
    team_barrier();
  }
  KOKKOS_FUNCTION ScratchMemory team_scratch(int) const { return ScratchMemory(scratch_); }

 private:
  char* scratch_;
};

template <class Exec, class...>
struct TeamPolicy {
  using execution_space = Exec;
  int league_size, team_size;
  TeamPolicy(const Exec&, int league, int team) : league_size(league), team_size(team) {}
  TeamPolicy& set_scratch_size(int, PerTeamValue) { return *this; }
};

namespace Impl {

template <class, class>
struct SharedAllocationRecord {
  static int tracking_enabled() { return 1; }
  static void tracking_disable() {}
  static void tracking_enable() {}
};

template <class Tag, class Functor, class... Arguments>
KOKKOS_FORCEINLINE_FUNCTION void call(const Functor& functor, Arguments&&... arguments) {
  if constexpr (std::is_void_v<Tag>)
    functor(arguments...);
  else
    functor(Tag{}, arguments...);
}

template <class Tag, class Functor>
TRACKPLEX_KERNEL void range_kernel(const Functor functor, int begin, int end) {
  const int i = begin + int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < end) call<Tag>(functor, i);
}
template <class Functor>
TRACKPLEX_KERNEL void scan_kernel(const Functor functor, int begin, int end) {
  typename Functor::T value = 0;
  for (int i = begin; i < end; ++i) functor(i, value, true);
}
template <class Functor>
TRACKPLEX_KERNEL void team_kernel(const Functor functor, char* scratch) {
  functor(DeviceTeamMember(scratch));
}

template <class Tag, class Functor, class T>
TRACKPLEX_KERNEL void reduce_kernel(const Functor functor, int begin, int end, T* result) {
  for (int i = begin; i < end; ++i) call<Tag>(functor, i, *result);
}

}  // namespace Impl

template <class Exec, class Tag, class Functor, class T>
void parallel_reduce(const std::string&, const RangePolicy<Exec, Tag>& policy,
                     const Functor& functor, T& result) {
  if constexpr (std::is_same_v<Exec, Device>) {
    Impl::reduce_kernel<Tag><<<1, 1>>>(functor, policy.begin, policy.end, &result);
  } else {
    for (int i = policy.begin; i < policy.end; ++i) Impl::call<Tag>(functor, i, result);
  }
}

template <class Exec, class Tag, class Functor>
void parallel_for(const std::string&, const RangePolicy<Exec, Tag>& policy,
                  const Functor& functor) {
  if constexpr (std::is_same_v<Exec, Device>) {
    Impl::range_kernel<Tag>
        <<<(policy.end - policy.begin + 127) / 128, 128>>>(functor, policy.begin, policy.end);
  } else {
    for (int i = policy.begin; i < policy.end; ++i) functor(i);
  }
}

template <class Exec, class... Properties, class Functor>
void parallel_for(const std::string&, const TeamPolicy<Exec, Properties...>& policy,
                  const Functor& functor) {
  if constexpr (std::is_same_v<Exec, Device>) {
    Impl::team_kernel<<<policy.league_size, policy.team_size>>>(functor, nullptr);
  } else {
    for (int i = 0; i < policy.league_size; ++i) functor(HostTeamMember(i));
  }
}

template <class Exec, class Functor>
void parallel_scan(const std::string&, const RangePolicy<Exec>& policy, const Functor& functor) {
  if constexpr (std::is_same_v<Exec, Device>) {
    Impl::scan_kernel<<<1, 1>>>(functor, policy.begin, policy.end);
  } else {
    typename Functor::T value = 0;
    for (int i = policy.begin; i < policy.end; ++i) functor(i, value, true);
  }
}

}  // namespace Kokkos
