// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "filter.hpp"
#include "population.hpp"
#include "records.hpp"

#include <trackplex/core/launch.hpp>

#include <vector>

namespace trackplex::benchmarks {

/// Called after each layer where nobody wants to know.
struct NothingAfterLayers {
  template <class Parameters, class Covariance>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int /*layer*/, const Parameters&,
                                              const Covariance&) const {}
};

namespace detail {
template <class Real, class Filter, bool Contiguous>
struct FitTracks {
  Filter filter;
  RecordView<Real, Contiguous> in, hits, out;
  int layers;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    filter(in(tile), hits(tile), layers, out(tile), NothingAfterLayers());
  }
};
}  // namespace detail

/// The tracks of a population on a space, in a layout, and their fit by one kernel: an item is a
/// track with its hits on all layers, and its state stays in registers.
template <class Filter, class T, class Space, int Width>
class TrackFitter {
 public:
  using Real = LanesOf<T, Width>;

  TrackFitter(const Space& exec, const Population<T>& population, Layout layout, Filter filter = {})
      : exec_(exec),
        filter_(filter),
        layout_(layout),
        tracks_(population.size()),
        layers_(population.layers),
        in_(exec, "Trackplex::Benchmark::tracks", tracks_, track_components, layout, Width),
        hits_(exec, "Trackplex::Benchmark::hits", tracks_, layers_ * hit_components, layout, Width),
        out_(exec, "Trackplex::Benchmark::fitted_tracks", tracks_, track_components, layout,
             Width) {
    in_.copy_in(exec, population.tracks);
    hits_.copy_in(exec, population.hits);
    out_.copy_in(exec, population.tracks);
  }

  /// Enqueues the fit of all tracks.
  void fit() const {
    if constexpr (Width == 1)
      fit<true>();
    else if (layout_ == Layout::aos)
      fit<false>();
    else
      fit<true>();
  }

  /// The fitted tracks, one after the other.
  std::vector<T> states() { return out_.copy_out(exec_); }

 private:
  template <bool Contiguous>
  void fit() const {
    for_each_tile<Real>(
        exec_, std::string("Trackplex::Benchmark::") + Filter::name, tracks_,
        detail::FitTracks<Real, Filter, Contiguous>{
            filter_, in_.template view<Real, Contiguous>(), hits_.template view<Real, Contiguous>(),
            out_.template view<Real, Contiguous>(), layers_});
  }

  Space exec_;
  Filter filter_;
  Layout layout_;
  int tracks_, layers_;
  RecordStore<T, Space> in_, hits_, out_;
};

}  // namespace trackplex::benchmarks
