// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/matriplex/matrix.hpp>

#include <string>
#include <type_traits>

namespace trackplex {

/// Shape of the matrices of a `Matriplex`: R x C elements, row by row.
template <int R, int C>
struct DenseShape : Pattern<R, C> {
  static constexpr auto pattern = Pattern<R, C>::dense();  ///< All elements are free.
};

/// Shape of the matrices of a `SymMatriplex`: the lower triangle of N x N elements, row by row.
template <int N>
struct SymmetricShape : SymmetricPattern<N> {
  static constexpr auto pattern = SymmetricPattern<N>::dense();  ///< All elements are free.
};

namespace detail {
/// Operand that computes a whole row at once.
template <class M>
concept HasRows = requires(const M& m) {
  m.template row<0>();
};
}  // namespace detail

/// Matrices of a tile in memory: an operand whose elements are loaded when they are read.
template <class Number, class View>
struct DeferredLoad {
  using Real = Number;                            ///< Number type.
  static constexpr auto pattern = View::pattern;  ///< All elements are free.

  const typename View::value_type* first;  ///< The first element of the first lane.

  /// Returns element (I, J).
  template <int I, int J = 0>
  KOKKOS_FORCEINLINE_FUNCTION Real get() const {
    return load<Real>(first + pattern.index(I, J) * View::tile_width);
  }
};

/// View of the matrices of a `Matriplex`, or of a part, for kernels. It owns nothing and is
/// cheap to copy. T is const if the matrices are read-only; Shape is a `DenseShape` or
/// `SymmetricShape` (not a pattern: nvcc could not name the types of kernels).
///
/// Element e of matrix n is at ((n / TileWidth) * elements + e) * TileWidth + n % TileWidth.
template <class T, class Shape, class MemorySpace, int TileWidth>
class BasicMatriplexView {
  static_assert(TileWidth > 0 && (TileWidth & (TileWidth - 1)) == 0,
                "The width of a tile is a power of two.");

 public:
  using value_type = T;                                     ///< Type of an element.
  static constexpr auto pattern = Shape::pattern;           ///< Pattern of a loaded matrix.
  static constexpr int tile_width = TileWidth;              ///< Number of matrices in a tile.
  static constexpr int elements = pattern.free_elements();  ///< Elements stored of a matrix.
  /// Memory of all tiles; its extent is a multiple of `elements` times `tile_width`.
  using Data =
      Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::Restrict>>;

  BasicMatriplexView() = default;
  /// Refers to n matrices at `data`, in whole tiles.
  BasicMatriplexView(const Data& data, int n) : data_(data), size_(n) {}
  /// Refers to the same matrices, read-only.
  template <class Writable>
  requires(std::is_same_v<const Writable, T> && !std::is_const_v<Writable>)
      BasicMatriplexView(const BasicMatriplexView<Writable, Shape, MemorySpace, TileWidth>& other)
      : data_(other.data().data(), other.data().extent(0)), size_(other.size()) {}

  KOKKOS_FUNCTION int size() const { return size_; }  ///< Number of matrices.

  /// Returns element (i, j) of matrix n.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int n, int i, int j = 0) const {
    return element(n, Shape::index(i, j));
  }
  /// Returns element e of matrix n, in storage order: row by row, for a symmetric matrix the lower
  /// triangle.
  KOKKOS_FORCEINLINE_FUNCTION T& element(int n, int e) const { return *pointer(n, e); }

  /// Loads the matrices of a tile of items, one into each lane.
  ///
  /// The number of lanes may be larger or smaller than the tile width of the container; equal
  /// widths are fastest. The items begin at a multiple of the number of lanes, as in
  /// `for_each_tile`. Lanes past the end get the padding of the last tile: zeros, former matrices,
  /// or uninitialized memory.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION MatrixOf<Number, pattern> load(const Tile<Number>& tile) const {
    return as<MatrixOf<Number, pattern>>(deferred_load(tile));
  }

  /// The same as an operand whose elements are loaded when they are read, for the left factor of a
  /// `deferred_product`. If the lanes are more than the tile width, all are loaded at once.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION auto deferred_load(const Tile<Number>& tile) const {
    if constexpr (width_of<Number> <= TileWidth)
      return DeferredLoad<Number, BasicMatriplexView>{pointer(tile.first, 0)};
    else
      return load_by_lane(tile);
  }

  /// Stores the matrices of the lanes whose item exists.
  template <class Number, MatrixOperand M>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Number>& tile, const M& matrix) const {
    static_assert(detail::can_hold(pattern, M::pattern), "The matrix has another shape.");
    constexpr int width = width_of<Number>;
    if constexpr (width > 1)
      if (width > TileWidth || tile.count < width) return store_by_lane(tile, matrix);
    T* const first = pointer(tile.first, 0);
    if constexpr (detail::HasRows<M>) {
      detail::for_each_index<pattern.rows>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
        const auto row = matrix.template row<I>();
        detail::for_each_index<pattern.columns>([&]<int J>() TRACKPLEX_INLINE_LAMBDA {
          trackplex::store(first + Shape::index(I, J) * TileWidth, row.template get<0, J>());
        });
      });
    } else {
      detail::for_each_free<pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
        trackplex::store(first + Shape::index(I, J) * TileWidth, matrix.template get<I, J>());
      });
    }
  }

  /// Returns n matrices from number `first` on, which must be a multiple of the tile width.
  /// @throws UsageError if there are no such matrices, or `first` is inside a tile
  BasicMatriplexView subset(int first, int n) const {
    if (first < 0 || n < 0 || n > size_ - first)
      throw UsageError("Matriplex::subset", std::to_string(n) + " matrices from " +
                                                std::to_string(first) + " are not among " +
                                                std::to_string(size_));
    if (first % TileWidth != 0)
      throw UsageError("Matriplex::subset", "a subset cannot begin inside a tile",
                       "first " + std::to_string(first),
                       "begin at a multiple of " + std::to_string(TileWidth));
    const auto begin = std::size_t(first) * elements;
    return {Data(data_.data() + begin, data_.extent(0) - begin), n};
  }

  /// Returns the memory of all tiles.
  KOKKOS_FORCEINLINE_FUNCTION const Data& data() const { return data_; }

 private:
  /// Lanes of several tiles, through memory; zero past the end.
  template <class Number>
  KOKKOS_FUNCTION MatrixOf<Number, pattern> load_by_lane(const Tile<Number>& tile) const {
    constexpr int width = width_of<Number>;
    ScalarOf<Number> x[elements * width] = {};
    for (int lane = 0; lane < tile.count; ++lane)
      for (int e = 0; e < elements; ++e)
        x[e * width + lane] = static_cast<ScalarOf<Number>>(element(tile.first + lane, e));
    MatrixOf<Number, pattern> matrix;
    detail::for_each_free<pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
      matrix.template set<I, J>(trackplex::load<Number>(x + Shape::index(I, J) * width));
    });
    return matrix;
  }

  /// Lanes of several tiles, or of a part of one.
  template <class Number, class M>
  KOKKOS_FUNCTION void store_by_lane(const Tile<Number>& tile, const M& matrix) const {
    constexpr int width = width_of<Number>;
    ScalarOf<Number> x[elements * width];
    detail::for_each_free<pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
      trackplex::store(x + Shape::index(I, J) * width, matrix.template get<I, J>());
    });
    for (int lane = 0; lane < tile.count; ++lane)
      for (int e = 0; e < elements; ++e)
        element(tile.first + lane, e) = static_cast<T>(x[e * width + lane]);
  }

  KOKKOS_FORCEINLINE_FUNCTION T* pointer(int n, int e) const {
    const auto tile = unsigned(n) / TileWidth, lane = unsigned(n) % TileWidth;
    return data_.data() + (std::size_t(tile) * elements + std::size_t(e)) * TileWidth + lane;
  }

  Data data_;
  int size_ = 0;
};

}  // namespace trackplex
