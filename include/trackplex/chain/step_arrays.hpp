// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/quartet.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// The arrays that the steps of a chain make, for observers: to find the step in which two runs
/// begin to differ.

namespace trackplex::chain {

/// Array that a step of a chain made, for the host to read. Its elements are numbers: matrices
/// and records are split into theirs.
struct StepArray {
  std::string label;              ///< label of its memory
  std::string type;               ///< of an element: float32, int32, ...; word32 in records
  std::size_t element_bytes = 0;  ///< bytes of an element
  TiledItems tiles;               ///< where the elements are
  const char* data = nullptr;     ///< on hosts the memory of the array itself, else a copy

  /// Number of elements, without the padding of the last tile.
  std::size_t size() const { return tiles.items * tiles.elements; }
  /// Returns the bytes of element i; the elements of an item are consecutive, whatever the tiles
  /// are.
  const char* element(std::size_t i) const {
    const std::size_t item = i / tiles.elements, e = i % tiles.elements, w = tiles.width;
    return data + ((item / w * tiles.elements + e) * w + item % w) * element_bytes;
  }
};

/// Arrays that a step of a chain made.
struct StepArrays {
  std::string algorithm;  ///< name of the algorithm
  /// Arrays in the order in which they were allocated, then arrays of earlier steps that this step
  /// overwrote.
  std::vector<StepArray> arrays;
};

namespace detail {

/// Type of the numbers in the elements of an array.
template <class T>
struct NumbersOf {
  static constexpr std::size_t count = sizeof(T) % 4 == 0 ? sizeof(T) / 4 : sizeof(T);
  static std::string type() { return sizeof(T) % 4 == 0 ? "word32" : "word8"; }
};
template <class T>
requires std::is_arithmetic_v<T>
struct NumbersOf<T> {
  static constexpr std::size_t count = 1;
  static std::string type() {
    const auto bits = std::to_string(8 * sizeof(T));
    return (std::floating_point<T> ? "float" : std::is_signed_v<T> ? "int" : "uint") + bits;
  }
};
template <class T>
struct NumbersOf<Quartet<T>> {
  static constexpr std::size_t count = 4;
  static std::string type() { return NumbersOf<T>::type(); }
};

/// Arrays that the steps of a batch have allocated. They begin as zeros, so that elements that no
/// step writes are equal in all runs.
template <class ExecutionSpace>
class NotedArrays {
 public:
  template <class View>
  void add(const ExecutionSpace& exec, const View& view, std::string_view label, TiledItems tiles) {
    using Value = typename View::non_const_value_type;
    using Numbers = NumbersOf<Value>;
    if (tiles.items == 0) return;
    std::size_t inner = Numbers::count;
    for (int dimension = 1; dimension < int(View::rank); ++dimension)
      inner *= view.extent(dimension);
    const auto bytes = bytes_of(view, tiles.entries() * inner / Numbers::count * sizeof(Value));
    fill_with_zeros(exec, bytes);
    tiles.elements *= inner;
    noted_.push_back({{std::string(label), Numbers::type(), sizeof(Value) / Numbers::count, tiles},
                      [bytes, kept = view](std::vector<char>& copy) {
                        (void)kept;  // keeps the memory alive
                        return read(bytes, copy);
                      },
                      bytes.extent(0)});
  }

  /// Calls `f` with the arrays that a finished step made or overwrote.
  template <class F>
  void show(const std::string& algorithm, const F& f) {
    StepArrays step{algorithm, {}};
    std::vector<std::vector<char>> copies(noted_.size());
    for (const bool is_new : {true, false})
      for (std::size_t i = 0; i < noted_.size(); ++i) {
        if ((i >= n_shown_) != is_new) continue;
        auto array = noted_[i].array;
        array.data = noted_[i].read(copies[i]);
        const auto hash = Fingerprint().add(std::string_view(array.data, noted_[i].bytes)).value();
        if (std::exchange(noted_[i].hash, hash) != hash || is_new) step.arrays.push_back(array);
      }
    n_shown_ = noted_.size();
    f(step);
  }

  /// Forgets the arrays of a batch.
  void clear() {
    noted_.clear();
    n_shown_ = 0;
  }

 private:
  struct Noted {
    StepArray array;
    std::function<const char*(std::vector<char>&)> read;  ///< also keeps the memory alive
    std::size_t bytes;
    std::uint64_t hash = 0;  ///< of all bytes, when last shown
  };
  template <class MemorySpace>
  using Bytes = Kokkos::View<char*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  template <class View>
  static auto bytes_of(const View& view, std::size_t n) {
    return Bytes<typename View::memory_space>(reinterpret_cast<char*>(view.data()), n);
  }
  template <class MemorySpace>
  static void fill_with_zeros(const ExecutionSpace& exec, const Bytes<MemorySpace>& bytes) {
    if constexpr (std::is_same_v<MemorySpace, typename ExecutionSpace::memory_space>)
      trackplex::fill_with_zeros(exec, bytes);
    else
      std::memset(bytes.data(), 0, bytes.extent(0));
  }
  template <class MemorySpace>
  static const char* read(const Bytes<MemorySpace>& bytes, std::vector<char>& copy) {
    if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible) {
      return bytes.data();
    } else {
      copy.resize(bytes.extent(0));
      Kokkos::deep_copy(Bytes<Kokkos::HostSpace>(copy.data(), copy.size()), bytes);
      return copy.data();
    }
  }

  std::vector<Noted> noted_;
  std::size_t n_shown_ = 0;  ///< arrays before it are from earlier steps
};

}  // namespace detail

}  // namespace trackplex::chain
