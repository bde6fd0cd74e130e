// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Many small matrices, so that kernels find the same element of consecutive ones side by side: in
/// the lanes of a register, or for the threads of a warp.

#include <trackplex/core/launch.hpp>
#include <trackplex/matriplex/matriplex_view.hpp>

#include <type_traits>
#include <utility>

namespace trackplex {

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

/// Owns n matrices of one shape; see `Matriplex` and `SymMatriplex`. A
/// copy shares the memory, as that of a `Kokkos::View` does.
template <Scalar T, class Shape, class Space, int TileWidth>
class BasicMatriplex {
  using Memory = typename Space::memory_space;

 public:
  using View = BasicMatriplexView<T, Shape, Memory, TileWidth>;
  using ConstView = BasicMatriplexView<const T, Shape, Memory, TileWidth>;
  /// Its counterpart that the host reaches: itself if it is on a host.
  using HostMirror =
      std::conditional_t<is_host_space<Space>, BasicMatriplex,
                         BasicMatriplex<T, Shape, Kokkos::DefaultHostExecutionSpace, TileWidth>>;
  static constexpr int tile_width = TileWidth;

  explicit BasicMatriplex(std::string label = "Trackplex::Matriplex::tiles")
      : label_(std::move(label)) {}
  BasicMatriplex(const Space& exec, int n, std::string label = "Trackplex::Matriplex::tiles")
      : label_(std::move(label)) {
    resize(exec, n);
  }

  int size() const { return size_; }
  /// Matrices that fit without an allocation.
  int capacity() const { return int(data_.extent(0) / View::elements); }

  /// Makes it n matrices. Where they fit, they stay; else new memory is allocated, filled with
  /// zeros, once the instance has finished with the old one.
  void resize(const Space& exec, int n) {
    if (n < 0) throw UsageError("Matriplex::resize", "a size below zero", std::to_string(n));
    if (n > capacity()) {
      if (capacity() > 0) exec.fence();
      const int tiles = (n - 1) / TileWidth + 1;
      data_ = Data(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label_),
                   std::size_t(tiles) * TileWidth * View::elements);
      for_each_tile<int>(exec, "Trackplex::Matriplex::zero_tiles", tiles,
                         detail::ZeroTiles<View>{view()});
    }
    size_ = n;
  }

  View view() { return {unmanaged<typename View::Data>(), size_}; }
  ConstView view() const { return const_view(); }
  ConstView const_view() const { return {unmanaged<typename ConstView::Data>(), size_}; }

  const std::string& label() const { return label_; }

 private:
  using Data = Kokkos::View<T*, Memory>;

  template <class Unmanaged>
  Unmanaged unmanaged() const {
    return Unmanaged(data_.data(), data_.extent(0));
  }

  std::string label_;
  Data data_;
  int size_ = 0;
};

/// n matrices of Rows x Cols elements. Vectors have one column.
template <class T, int Rows, int Cols, class Space = Kokkos::DefaultExecutionSpace,
          int TileWidth = default_tile_width<Space, T>>
using Matriplex = BasicMatriplex<T, DenseShape<Rows, Cols>, Space, TileWidth>;

/// n symmetric matrices of N rows: their lower triangles.
template <class T, int N, class Space = Kokkos::DefaultExecutionSpace,
          int TileWidth = default_tile_width<Space, T>>
using SymMatriplex = BasicMatriplex<T, SymmetricShape<N>, Space, TileWidth>;

/// A Matriplex of the same size that the host reaches: the same one on a host, else a new one,
/// which holds nothing yet.
template <class T, class Shape, class Space, int TileWidth>
auto host_mirror(const BasicMatriplex<T, Shape, Space, TileWidth>& matrices) {
  using Mirror = typename BasicMatriplex<T, Shape, Space, TileWidth>::HostMirror;
  if constexpr (is_host_space<Space>)
    return matrices;
  else
    return Mirror({}, matrices.size(), matrices.label());
}

/// Enqueues the copy of all matrices on the instance; both hold equally many.
template <class ExecutionSpace, class T, class Shape, class ToSpace, class FromSpace, int TileWidth>
void deep_copy(const ExecutionSpace& exec, BasicMatriplex<T, Shape, ToSpace, TileWidth>& to,
               const BasicMatriplex<T, Shape, FromSpace, TileWidth>& from) {
  if (to.size() != from.size())
    throw UsageError(
        "deep_copy",
        std::to_string(from.size()) + " matrices do not go into " + std::to_string(to.size()),
        "both hold equally many", "resize the target");
  const auto tiles = (std::size_t(to.size()) + TileWidth - 1) / TileWidth;
  const auto used = std::make_pair(std::size_t(0), tiles * TileWidth * to.view().elements);
  Kokkos::deep_copy(exec, Kokkos::subview(to.view().data(), used),
                    Kokkos::subview(from.view().data(), used));
}

/// A copy that the host reads. Waits for the instance.
template <class ExecutionSpace, class T, class Shape, class Space, int TileWidth>
auto on_host(const ExecutionSpace& exec,
             const BasicMatriplex<T, Shape, Space, TileWidth>& matrices) {
  auto host = host_mirror(matrices);
  deep_copy(exec, host, matrices);
  exec.fence();
  return host;
}

}  // namespace trackplex
