// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a product of 6 x 6 matrices costs on one thread, by the number of lanes, the layout in
// memory and the number of matrices, and with Eigen where that is installed:
// - symmetric_product: C = A B for symmetric A and B, all 36 elements of C;
// - similarity: P' = J P Jᵀ for a dense J;
// - helix_similarity: the same for the Jacobian of a helix, whose zeros and ones are known.
// Layouts: tiles as wide as the lanes; aos, one matrix after the other; soa, each element of all
// matrices in an array of its own. Tiles of one lane are an array of structures, too.

#include <benchmark/benchmark.h>

#include <string>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/matriplex/matriplex.hpp>
#include <trackplex/matriplex/similarity.hpp>
#include <vector>

#if defined(TRACKPLEX_BENCHMARK_EIGEN)
#include <Eigen/Core>
#endif

namespace trackplex {
namespace {

using Space = HostExecutor;

using SymmetricMatrices = SymmetricShape<6>;
using DenseMatrices = DenseShape<6, 6>;
constexpr Pattern<6, 6> helix("x x . x x .", "x x . x x .", "x x 1 x x x", ". . . 1 . .",
                              "x x . x x .", ". . . . . 1");

/// Element (i, j) of matrix n, between 0 and 1.
float value(int n, int i, int j) { return float((n * 7 + i * 5 + j * 3) % 16) / 16; }

/// Tiles of `TileWidth`; a width of one is an array of structures.
template <class Shape, int TileWidth>
class Tiled {
 public:
  explicit Tiled(int n) : matrices_(Space(), n) {
    const auto view = matrices_.view();
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < Shape::rows; ++i)
        for (int j = 0; j < Shape::columns; ++j) view(k, i, j) = value(k, i, j);
  }
  auto view() { return matrices_.view(); }

 private:
  BasicMatriplex<float, Shape, MemoryOf<Space>, TileWidth> matrices_;
};

/// One array for each element.
template <class Shape>
class Arrays {
 public:
  explicit Arrays(int n) : size_(n), data_(std::size_t(n) * Shape::pattern.free_elements()) {
    for (int i = 0; i < Shape::rows; ++i)
      for (int j = 0; j < Shape::columns; ++j)
        for (int k = 0; k < n; ++k) data_[std::size_t(Shape::index(i, j)) * n + k] = value(k, i, j);
  }

  struct View {
    float* data;
    std::size_t size;

    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION MatrixOf<Real, Shape::pattern> load(const Tile<Real>& tile) const {
      MatrixOf<Real, Shape::pattern> matrix;
      detail::for_each_free<Shape::pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
        matrix.template set<I, J>(tile.load(data + Shape::index(I, J) * size));
      });
      return matrix;
    }
    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION MatrixOf<Real, Shape::pattern> deferred_load(
        const Tile<Real>& tile) const {
      return load(tile);
    }
    template <class Real, class M>
    KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile, const M& matrix) const {
      detail::for_each_free<Shape::pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
        tile.store(data + Shape::index(I, J) * size, matrix.template get<I, J>());
      });
    }
  };
  View view() { return {data_.data(), size_}; }

 private:
  std::size_t size_;
  std::vector<float> data_;
};

struct SymmetricProduct {
  using Left = SymmetricMatrices;
  using Right = SymmetricMatrices;
  using Result = DenseMatrices;
  template <class Real, class A, class B, class C>
  static KOKKOS_FORCEINLINE_FUNCTION void pass(const Tile<Real>& tile, const A& a, const B& b,
                                               const C& c) {
    c.store(tile, deferred_product(a.deferred_load(tile), b.load(tile)));
  }
};
struct Similarity {
  using Left = DenseMatrices;
  using Right = SymmetricMatrices;
  using Result = SymmetricMatrices;
  template <class Real, class J, class P, class C>
  static KOKKOS_FORCEINLINE_FUNCTION void pass(const Tile<Real>& tile, const J& j, const P& p,
                                               const C& c) {
    c.store(tile, similarity(j.load(tile), p.load(tile)));
  }
};
struct HelixSimilarity {
  using Left = DenseMatrices;
  using Right = SymmetricMatrices;
  using Result = SymmetricMatrices;
  template <class Real, class J, class P, class C>
  static KOKKOS_FORCEINLINE_FUNCTION void pass(const Tile<Real>& tile, const J& j, const P& p,
                                               const C& c) {
    const auto dense = j.load(tile);
    Matrix<Real, 6, 6, helix> known;
    detail::for_each_free<helix>([&]<int Row, int Column>() TRACKPLEX_INLINE_LAMBDA {
      known.template set<Row, Column>(dense.template get<Row, Column>());
    });
    c.store(tile, similarity(known, p.load(tile)));
  }
};

void per_matrix(benchmark::State& state, int n) {
  state.counters["per_matrix"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Real, class Operation, class Left, class Right, class Result>
void run(benchmark::State& state) {
  constexpr int width = width_of<Real>;
  const int n = int(state.range(0));
  Left left(n);
  Right right(n);
  Result result(n);
  const auto a = left.view();
  const auto b = right.view();
  const auto c = result.view();
  for (auto _ : state) {
    for (int first = 0; first < n; first += width) {
      const Tile<Real> tile{first, n - first < width ? n - first : width};
      Operation::pass(tile, a, b, c);
    }
    benchmark::ClobberMemory();
  }
  per_matrix(state, n);
}

template <class Operation, int Width, int TileWidth>
void run_tiled(benchmark::State& state) {
  run<LanesOf<float, Width>, Operation, Tiled<typename Operation::Left, TileWidth>,
      Tiled<typename Operation::Right, TileWidth>, Tiled<typename Operation::Result, TileWidth>>(
      state);
}
template <class Operation, int Width>
void run_arrays(benchmark::State& state) {
  run<LanesOf<float, Width>, Operation, Arrays<typename Operation::Left>,
      Arrays<typename Operation::Right>, Arrays<typename Operation::Result>>(state);
}

#if defined(TRACKPLEX_BENCHMARK_EIGEN)
/// Full matrices: Eigen has no packed symmetric ones.
template <class Operation>
void run_eigen(benchmark::State& state) {
  using Matrix6 = Eigen::Matrix<float, 6, 6>;
  const auto n = std::size_t(state.range(0));
  std::vector<Matrix6, Eigen::aligned_allocator<Matrix6>> a(n), b(n), c(n);
  for (std::size_t k = 0; k < n; ++k)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        a[k](i, j) = value(int(k), i, j);
        b[k](i, j) = value(int(k), std::max(i, j), std::min(i, j));
      }
  for (auto _ : state) {
    for (std::size_t k = 0; k < n; ++k) {
      if constexpr (std::is_same_v<Operation, SymmetricProduct>)
        c[k].noalias() = a[k] * b[k];
      else
        c[k].noalias() = a[k] * b[k] * a[k].transpose();
    }
    benchmark::ClobberMemory();
  }
  per_matrix(state, int(n));
}
#endif

template <class F>
void add(const std::string& name, F f) {
  auto* const sizes = benchmark::RegisterBenchmark(name.c_str(), f);
  for (const int n : {64, 1000, 10000, 100000, 1000000})
    sizes->Arg(n);  // the first cache, the next
}

template <class Operation>
void add_tiles(const std::string& name) {
  add(name + "/tiles/lanes:1", run_tiled<Operation, 1, 1>);
  add(name + "/tiles/lanes:4", run_tiled<Operation, 4, 4>);
  add(name + "/tiles/lanes:8", run_tiled<Operation, 8, 8>);
  add(name + "/tiles/lanes:16", run_tiled<Operation, 16, 16>);
}

template <class Operation>
void add_layouts(const std::string& name) {
  add_tiles<Operation>(name);
  add(name + "/aos/lanes:8", run_tiled<Operation, 8, 1>);
  add(name + "/soa/lanes:8", run_arrays<Operation, 8>);
#if defined(TRACKPLEX_BENCHMARK_EIGEN)
  add(name + "/eigen", run_eigen<Operation>);
#endif
}

const bool registered = [] {
  add_layouts<SymmetricProduct>("symmetric_product");
  add_layouts<Similarity>("similarity");
  add_tiles<HelixSimilarity>("helix_similarity");
  return true;
}();

}  // namespace
}  // namespace trackplex
