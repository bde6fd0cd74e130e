// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Containers of many small matrices that store the same element of consecutive matrices side by
/// side, for the lanes of a register or the threads of a warp.

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/matriplex/matriplex_view.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace trackplex {

/// Default number of matrices in a tile, for an execution or memory space:
/// `SpaceTraits::tile_width`.
template <class Space, Scalar T>
inline constexpr int default_tile_width = SpaceTraits<Space>::template tile_width<T>;

namespace detail {
/// Sets all elements of some tiles to zero.
template <class View>
struct ZeroTiles {
  View view;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    constexpr int length = View::elements * View::tile_width;
    const auto first = std::size_t(tile.first) * length;
    for (int i = 0; i < length; ++i) view.data()(first + i) = 0;
  }
};
}  // namespace detail

/// Container of n matrices of one shape; see `Matriplex` and `SymMatriplex`. A copy shares the
/// memory, like a copy of a `Kokkos::View`.
/// @tparam T type of an element
/// @tparam Shape `DenseShape` or `SymmetricShape`
/// @tparam MemorySpace where the matrices are
/// @tparam TileWidth number W of matrices in a tile, a power of two: element e of matrix n is at
///         ((n / W) elements + e) W + n % W
template <Scalar T, class Shape, class MemorySpace, int TileWidth>
class BasicMatriplex {
 public:
  /// View of the matrices for kernels, to read and write.
  using View = BasicMatriplexView<T, Shape, MemorySpace, TileWidth>;
  /// View of the matrices for kernels, read-only.
  using ConstView = BasicMatriplexView<const T, Shape, MemorySpace, TileWidth>;
  /// Container of the same matrices in another memory space.
  template <class Space>
  using In = BasicMatriplex<T, Shape, Space, TileWidth>;
  using memory_space = MemorySpace;  ///< Where the matrices are.
  /// Counterpart in host memory.
  using HostMirror =
      std::conditional_t<is_host_space<MemorySpace>, BasicMatriplex, In<Kokkos::HostSpace>>;
  static constexpr int tile_width = TileWidth;  ///< Number of matrices in a tile.

  /// Makes an empty container; `label` is the label of its memory, `Trackplex::Domain::name`.
  explicit BasicMatriplex(std::string label = "Trackplex::Matriplex::tiles")
      : label_(std::move(label)) {}
  /// Allocates n matrices of zeros on the instance.
  /// @throws UsageError if n is below zero
  template <class ExecutionSpace>
  BasicMatriplex(const ExecutionSpace& exec, int n,
                 std::string label = "Trackplex::Matriplex::tiles")
      : label_(std::move(label)) {
    allocate(exec, n);
  }

  int size() const { return size_; }  ///< Number of matrices.
  /// Returns the number of matrices that fit without an allocation.
  int capacity() const { return int(data_.extent(0) / View::elements); }

  /// Sets the size to n matrices, and allocates if n exceeds the capacity.
  ///
  /// Within the capacity the matrices are unchanged. New memory comes from `memory`: either an
  /// instance, which first finishes its work on the old memory and fills the new memory with zeros,
  /// or anything else that `allocate_array(memory, view, label, n)` accepts, not initialized. The
  /// former matrices are then lost.
  /// @throws UsageError if n is below zero
  template <class Source>
  void allocate(const Source& memory, int n) {
    if (n < 0) throw UsageError("Matriplex::allocate", "a size below zero", std::to_string(n));
    if (n > capacity()) {
      constexpr bool is_instance = Kokkos::is_execution_space<Source>::value;
      if constexpr (is_instance)
        if (capacity() > 0) memory.fence();
      allocate_tiles(memory, data_, label_,
                     {std::size_t(n), std::size_t(View::elements), std::size_t(TileWidth)});
      if constexpr (is_instance) zero_tiles(memory);
    }
    size_ = n;
  }
  /// Sets the size to n matrices within the capacity; the matrices are unchanged.
  /// @throws UsageError if n is below zero or above the capacity
  void set_size(int n) {
    if (n < 0 || n > capacity())
      throw UsageError("Matriplex::set_size", std::to_string(n) + " matrices",
                       "the capacity is " + std::to_string(capacity()), "allocate them before");
    size_ = n;
  }

  /// Returns the matrices for a kernel to read and write; valid until the next allocation.
  View view() { return {unmanaged<typename View::Data>(), size_}; }
  /// Returns the matrices for a kernel to read; valid until the next allocation.
  ConstView view() const { return const_view(); }
  /// Returns the matrices for a kernel to read; valid until the next allocation.
  ConstView const_view() const { return {unmanaged<typename ConstView::Data>(), size_}; }

  /// Returns the label of the memory.
  const std::string& label() const { return label_; }

 private:
  using Data = Kokkos::View<T*, MemorySpace>;

  /// Fills it with zeros: on the instance, or on the host if the instance cannot access it.
  template <class ExecutionSpace>
  void zero_tiles(const ExecutionSpace& exec) {
    if constexpr (Kokkos::SpaceAccessibility<ExecutionSpace, MemorySpace>::accessible)
      for_each_tile<int>(exec, "Trackplex::Matriplex::zero_tiles", capacity() / TileWidth,
                         detail::ZeroTiles<View>{view()});
    else
      zero_tiles(HostExecutor());
  }

  template <class Unmanaged>
  Unmanaged unmanaged() const {
    return Unmanaged(data_.data(), data_.extent(0));
  }

  std::string label_;
  Data data_;
  int size_ = 0;
};

/// Container of n matrices of Rows x Cols elements; vectors have one column. The element order is
/// row by row.
template <class T, int Rows, int Cols, class MemorySpace = MemoryOf<Kokkos::DefaultExecutionSpace>,
          int TileWidth = default_tile_width<MemorySpace, T>>
using Matriplex = BasicMatriplex<T, DenseShape<Rows, Cols>, MemorySpace, TileWidth>;

/// Container of n symmetric matrices of N rows, of which the lower triangles are stored, row by
/// row.
template <class T, int N, class MemorySpace = MemoryOf<Kokkos::DefaultExecutionSpace>,
          int TileWidth = default_tile_width<MemorySpace, T>>
using SymMatriplex = BasicMatriplex<T, SymmetricShape<N>, MemorySpace, TileWidth>;

namespace detail {
template <class Matrices>
inline constexpr bool is_matriplex = false;
template <class T, class Shape, class MemorySpace, int TileWidth>
inline constexpr bool is_matriplex<BasicMatriplex<T, Shape, MemorySpace, TileWidth>> = true;
}  // namespace detail

/// A `BasicMatriplex` in memory of an execution or memory space.
template <class Matrices, class Space>
concept MatriplexIn = detail::is_matriplex<Matrices> &&
    std::is_same_v<typename Matrices::memory_space, MemoryOf<Space>>;

/// Two `BasicMatriplex` that differ in their memory space at most: each can be copied to the other.
template <class From, class To>
concept SameMatrices = detail::is_matriplex<From> && detail::is_matriplex<To> &&
    std::is_same_v<From, typename To::template In<typename From::memory_space>>;

/// Returns a container of the same size that the host can access: in host memory the container
/// itself, else a new one filled with zeros.
template <class T, class Shape, class MemorySpace, int TileWidth>
auto host_mirror(const BasicMatriplex<T, Shape, MemorySpace, TileWidth>& matrices) {
  using Mirror = typename BasicMatriplex<T, Shape, MemorySpace, TileWidth>::HostMirror;
  if constexpr (is_host_space<MemorySpace>)
    return matrices;
  else
    return Mirror(HostExecutor(), matrices.size(), matrices.label());
}

/// Enqueues the copy of all matrices on the instance.
/// @throws UsageError if the sizes differ
template <class ExecutionSpace, class To, SameMatrices<To> From>
void deep_copy(const ExecutionSpace& exec, To& to, const From& from) {
  if (to.size() != from.size())
    throw UsageError(
        "deep_copy",
        std::to_string(from.size()) + " matrices do not go into " + std::to_string(to.size()),
        "their numbers differ", "resize the target");
  constexpr int width = To::tile_width;
  const auto tiles = (std::size_t(to.size()) + width - 1) / width;
  const auto used = std::make_pair(std::size_t(0), tiles * width * to.view().elements);
  copy_array(exec, Kokkos::subview(to.view().data(), used),
             Kokkos::subview(from.view().data(), used));
}

/// Prepares `to` for a copy of `from`: the same container if both are in one memory space, else
/// n matrices from `memory`. See core/copy.hpp.
template <class Memory, class To, SameMatrices<To> From>
void allocate_copy(const Memory& memory, To& to, const From& from, std::string_view /*label*/,
                   std::size_t n) {
  if constexpr (std::is_same_v<To, From>)
    to = from;
  else
    to.allocate(memory, int(n));
}
/// Enqueues the copy of all n matrices, unless both are the same container.
template <class ExecutionSpace, class To, SameMatrices<To> From>
void copy_entries(const ExecutionSpace& exec, To& to, const From& from, std::size_t n) {
  to.set_size(int(n));
  if (from.const_view().data().data() != to.const_view().data().data()) deep_copy(exec, to, from);
}

/// Returns a copy that the host can read; in host memory, the container itself. Waits for the
/// instance.
template <class ExecutionSpace, class T, class Shape, class MemorySpace, int TileWidth>
auto to_host(const ExecutionSpace& exec,
             const BasicMatriplex<T, Shape, MemorySpace, TileWidth>& matrices) {
  auto host = host_mirror(matrices);
  deep_copy(exec, host, matrices);
  exec.fence();
  return host;
}

}  // namespace trackplex
