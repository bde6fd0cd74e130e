// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>
#include <trackplex/montecarlo/history.hpp>

#include <concepts>

namespace trackplex::montecarlo::detail {

/// Returns the end in one lane.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION End<ScalarOf<Real>> end_of(const End<Real>& ends, int lane) {
  return {extract(ends.x, lane),
          extract(ends.y, lane),
          extract(ends.z, lane),
          {extract(ends.direction.x, lane), extract(ends.direction.y, lane),
           extract(ends.direction.z, lane)},
          extract(ends.scatterings, lane)};
}

/// Walks that have ended, stored until they fill all lanes: few walks end at the same time.
template <class Real>
class EndedWalks {
 public:
  /// Adds the walks in the lanes of `ended`. Calls `finish(ends, n)` with n = W ends as soon as
  /// there are W.
  template <class Finish>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Walk<Real>& walk, const MaskOf<Real>& ended,
                                       const Finish& finish) {
    compress_store(x_ + n_, walk.x, ended);
    compress_store(y_ + n_, walk.y, ended);
    compress_store(z_ + n_, walk.z, ended);
    compress_store(direction_x_ + n_, walk.direction.x, ended);
    compress_store(direction_y_ + n_, walk.direction.y, ended);
    compress_store(direction_z_ + n_, walk.direction.z, ended);
    compress_store(scatterings_ + n_, walk.scatterings, ended);
    n_ += count_of(ended);
    if (n_ < width) return;
    finish(first(), width);
    n_ -= width;
    for (auto* column : {x_, y_, z_, direction_x_, direction_y_, direction_z_})
      store(column, load<Real>(column + width));
    store(scatterings_, load<IntegerOf<Real>>(scatterings_ + width));
  }
  /// Calls `finish(ends, n)` with the remaining ones.
  template <class Finish>
  KOKKOS_FUNCTION void finish(const Finish& finish) const {
    if (n_ > 0) finish(first(), n_);
  }

 private:
  using T = ScalarOf<Real>;
  static constexpr int width = width_of<Real>;

  KOKKOS_FORCEINLINE_FUNCTION End<Real> first() const {
    return {load<Real>(x_),
            load<Real>(y_),
            load<Real>(z_),
            {load<Real>(direction_x_), load<Real>(direction_y_), load<Real>(direction_z_)},
            load<Rebind<Real, int>>(scatterings_)};
  }

  T x_[2 * width] = {}, y_[2 * width] = {}, z_[2 * width] = {};
  T direction_x_[2 * width] = {}, direction_y_[2 * width] = {}, direction_z_[2 * width] = {};
  ScalarOf<IntegerOf<Real>> scatterings_[2 * width] = {};
  int n_ = 0;
};

/// A scalar walk that has ended does not wait.
template <std::floating_point T>
class EndedWalks<T> {
 public:
  template <class Finish>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Walk<T>& walk, bool, const Finish& finish) {
    finish(End<T>{walk.x, walk.y, walk.z, walk.direction, int(walk.scatterings)}, 1);
  }
  template <class Finish>
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Finish&) const {}
};

}  // namespace trackplex::montecarlo::detail
