// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/core/tile.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::benchmarks {

/// How the components of many records lie in memory. All are tiles of T records, one component
/// after the other inside a tile: component c of record i is at (i / T) C T + c T + i mod T.
enum class Layout {
  aos,   ///< T = 1: each record by itself
  soa,   ///< T = all: each component by itself
  tiles  ///< T = the lanes of a host, 32 on a device
};

inline std::string layout_name(Layout layout) {
  return layout == Layout::aos ? "aos" : layout == Layout::soa ? "soa" : "tiles";
}

inline constexpr int device_tile = 32;

/// Where a kernel finds W consecutive records. `Contiguous`: the lanes of a component lie side by
/// side, in tiles at least as wide as the lanes; else in records one after the other.
template <class Number, bool Contiguous>
class RecordView {
 public:
  using Real = Number;
  using T = ScalarOf<Real>;

  RecordView(T* data, int components, std::size_t tile_width)
      : data_(data), components_(components), tile_width_(tile_width) {}

  /// The records of a tile of items.
  class Records {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Records(T* first, std::size_t stride, int count, int components)
        : first_(first), stride_(stride), count_(count), components_(components) {}

    KOKKOS_FORCEINLINE_FUNCTION Real load(int component) const {
      if constexpr (Contiguous)
        return trackplex::load<Real>(at(component));
      else
        return gather<Real>(at(component), places());
    }

    KOKKOS_FORCEINLINE_FUNCTION void store(int component, const Real& value) const {
      if constexpr (Contiguous)
        trackplex::store(at(component), value);
      else
        scatter(at(component), places(), value, first_lanes<Real>(count_));
    }

    /// The records' part from this component on.
    KOKKOS_FORCEINLINE_FUNCTION Records from(int component) const {
      return {at(component), stride_, count_, components_};
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION T* at(int component) const {
      if constexpr (Contiguous)
        return first_ + std::size_t(component) * stride_;
      else
        return first_ + component;
    }
    /// Of the records from the first one on; lanes past the end repeat the last record.
    KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> places() const {
      using I = ScalarOf<IntegerOf<Real>>;
      const auto lane = lane_index<IntegerOf<Real>>();
      const auto item = min(lane, IntegerOf<Real>(I(count_ - 1)));
      return item * IntegerOf<Real>(I(components_));
    }

    T* first_;
    std::size_t stride_;
    int count_;
    int components_;
  };

  KOKKOS_FORCEINLINE_FUNCTION Records operator()(const Tile<Real>& tile) const {
    const std::size_t item(tile.first), block = item / tile_width_;
    return {data_ + block * tile_width_ * std::size_t(components_) + (item - block * tile_width_),
            tile_width_, tile.count, components_};
  }

 private:
  T* data_;
  int components_;
  std::size_t tile_width_;
};

/// Records of `components` numbers, in memory of a space and in a layout.
template <class T, class Space>
class RecordStore {
 public:
  RecordStore(const Space& exec, const std::string& label, int records, int components,
              Layout layout, int lanes)
      : records_(records), components_(components) {
    const std::size_t widest = 64, n = std::size_t(std::max(records, 1));
    const std::size_t padded = (n + widest - 1) / widest * widest;
    tile_width_ = layout == Layout::aos   ? 1
                  : layout == Layout::soa ? padded
                  : is_host_space<Space>  ? std::size_t(lanes)
                                          : std::size_t(device_tile);
    data_ = new_array<Data>(exec, label, padded * std::size_t(components));
    mirror_ = Kokkos::create_mirror_view(data_);
  }

  /// Takes the records, given one after the other; those of the padding repeat the last one.
  void copy_in(const Space& exec, const std::vector<T>& values) {
    for_each_block([&](std::size_t item, std::size_t place, int c) {
      const std::size_t given = std::min(item, std::size_t(records_ - 1));
      mirror_(place) = values[given * std::size_t(components_) + std::size_t(c)];
    });
    deep_copy(exec, data_, mirror_);
    exec.fence();
  }

  /// The records one after the other.
  std::vector<T> copy_out(const Space& exec) {
    deep_copy(exec, mirror_, data_);
    exec.fence();
    std::vector<T> values(std::size_t(records_) * std::size_t(components_));
    for_each_block([&](std::size_t item, std::size_t place, int c) {
      if (item < std::size_t(records_))
        values[item * std::size_t(components_) + std::size_t(c)] = mirror_(place);
    });
    return values;
  }

  template <class Real, bool Contiguous>
  RecordView<Real, Contiguous> view() const {
    return {data_.data(), components_, tile_width_};
  }

 private:
  using Data = Kokkos::View<T*, typename Space::memory_space>;

  /// All places, 64 records at a time so that both sides stay in the cache.
  template <class F>
  void for_each_block(const F& f) const {
    const std::size_t per_record(components_), n = data_.extent(0) / per_record;
    for (std::size_t block = 0; block < n; block += 64)
      for (int c = 0; c < components_; ++c)
        for (std::size_t i = block; i < block + 64; ++i)
          f(i,
            i / tile_width_ * tile_width_ * per_record + std::size_t(c) * tile_width_ +
                i % tile_width_,
            c);
  }

  int records_;
  int components_;
  std::size_t tile_width_ = 1;
  Data data_;
  typename Data::HostMirror mirror_;
};

}  // namespace trackplex::benchmarks
