// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/vertexing/detail/symmetric3.hpp>
#include <trackplex/vertexing/detail/track_sort.hpp>
#include <trackplex/vertexing/detail/vertex_peaks.hpp>
#include <trackplex/vertexing/detail/vertex_scratch.hpp>
#include <trackplex/vertexing/detail/vertex_selection.hpp>

#include <cstdint>

namespace trackplex::vertexing::detail {

/// Finds the vertices of one event per team. Sums over tracks are of 32 partial sums, each over
/// every 32nd track in order, which are added by halving: their bits depend neither on the number
/// of threads nor of lanes.
template <class Real, class Tracks, class Output>
struct VertexFinding {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

  Tracks tracks;
  Output vertices;
  VertexCuts<T> cuts;

  static constexpr int partials = 32;

  /// Sums over tracks, by the number of the component.
  enum Component {
    weight,
    xx,
    xy,
    yy,
    xz,
    yz,
    zz,
    gradient_x,
    gradient_y,
    gradient_z,
    close,
    n_sums
  };

  using Scratch = VertexScratch<T>;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    make_scratch(carver);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const Scratch scratch = make_scratch(carver);
    const std::size_t first = tracks.first(event);
    const int n_tracks = int(tracks.count(event));
    const int n = find_peaks(team, scratch, event, first, n_tracks);
    TrackSort<Real, Tracks>(tracks, cuts, scratch)(team, first, n_tracks);
    select_tracks(team, scratch, n, n_tracks);
    for (int iteration = 0; iteration < cuts.max_iterations; ++iteration) {
      add_up_vertices(team, scratch, n, n_tracks);
      for (int v = 0; v < n; ++v)
        if (scratch.alive[v] && scratch.active[v]) move_vertex(team, scratch, v);
      team.single([&] {
        const VertexSelection<T> selection(cuts, scratch);
        scratch.moving[iteration] = selection.activate(n);
        if (scratch.moving[iteration] != 0) return;
        selection.remove(n);
        scratch.moving[iteration] = selection.activate(n);
      });
      team.barrier();
      if (scratch.moving[iteration] == 0) break;
    }
    team.single([&] { write_vertices(scratch, n, event); });
  }

 private:
  KOKKOS_FUNCTION Scratch make_scratch(ScratchCarver& carver) const {
    return {carver, cuts, tracks.max_event_tracks, n_sums * partials, Scratch::template kept<Real>};
  }

  template <class Team>
  KOKKOS_FUNCTION int find_peaks(const Team& team, const Scratch& scratch, int event,
                                 std::size_t first, int n_tracks) const {
    const VertexHistogram histogram{scratch.histogram, scratch.below};
    team.template for_each<int>(cuts.bins + 1, [&](Tile<int> b) {
      histogram.contents[b.first] = histogram.below[b.first] = 0;
    });
    team.barrier();
    team.for_each(n_tracks, [&](Tile<Real> tile) {
      const auto of = [&](const auto& array) { return tile.load(array.data() + first); };
      add_to_histogram<Real>(
          team, cuts,
          TrackAtBeam<Real>{of(tracks.x), of(tracks.y), of(tracks.z), of(tracks.tx), of(tracks.ty),
                            of(tracks.wxx), of(tracks.wxy), of(tracks.wyy)},
          tile.mask(), histogram);
    });
    team.barrier();
    histogram.finish(team, cuts.bins);
    team.single([&] {
      const int found =
          PeakFinder<Real>(cuts, scratch.histogram, scratch.position + 2 * cuts.max_vertices)();
      const int n = found < cuts.max_vertices ? found : cuts.max_vertices;
      for (int v = 0; v < n; ++v) {
        scratch.position[v] = cuts.beam_x;
        scratch.position[cuts.max_vertices + v] = cuts.beam_y;
        scratch.alive[v] = scratch.active[v] = 1;
        scratch.changed[v] = 0;
      }
      *scratch.peaks = n;
      vertices.overflow(event) = std::uint32_t(found - n);
    });
    team.barrier();
    return *scratch.peaks;
  }

  /// Index of the first track at z or above.
  KOKKOS_FUNCTION int lower_bound(const Scratch& scratch, const T& z, int n_tracks) const {
    const T* const sorted = scratch.sorted + track_z * tracks.max_event_tracks;
    int begin = 0, end = n_tracks;
    while (begin < end) {
      const int middle = (begin + end) / 2;
      if (sorted[middle] < z)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }

  /// Finds the tracks near each peak.
  template <class Team>
  KOKKOS_FUNCTION void select_tracks(const Team& team, const Scratch& scratch, int n,
                                     int n_tracks) const {
    team.template for_each<int>(n, [&](Tile<int> v) {
      const T z = scratch.position[2 * cuts.max_vertices + v.first];
      scratch.begin[v.first] = lower_bound(scratch, z - cuts.max_track_z, n_tracks);
      scratch.end[v.first] = lower_bound(scratch, z + cuts.max_track_z, n_tracks);
    });
    team.barrier();
  }

  /// The tracks of a tile and a vertex: residuals, and their products with the weights.
  struct Residual {
    Real x, y;    ///< vertex less track, at z of the vertex
    Real wx, wy;  ///< weights times residuals
    Real chi2;
  };
  struct Lines {
    Real x, y, z, tx, ty, wxx, wxy, wyy;

    KOKKOS_FORCEINLINE_FUNCTION Lines(const Tile<Real>& tile, const T* sorted, int stride)
        : x(tile.load(sorted + track_x * stride)),
          y(tile.load(sorted + track_y * stride)),
          z(tile.load(sorted + track_z * stride)),
          tx(tile.load(sorted + track_tx * stride)),
          ty(tile.load(sorted + track_ty * stride)),
          wxx(tile.load(sorted + track_wxx * stride)),
          wxy(tile.load(sorted + track_wxy * stride)),
          wyy(tile.load(sorted + track_wyy * stride)) {}

    KOKKOS_FORCEINLINE_FUNCTION Residual to(const T* position, int v, int stride) const {
      const Real dz = Real(position[2 * stride + v]) - z;
      Residual r;
      r.x = fma(-tx, dz, Real(position[v]) - x);
      r.y = fma(-ty, dz, Real(position[stride + v]) - y);
      r.wx = fma(wxx, r.x, wxy * r.y);
      r.wy = fma(wxy, r.x, wyy * r.y);
      r.chi2 = fma(r.x, r.wx, r.y * r.wy);
      return r;
    }
  };

  /// Tracks with a larger chi2 do not count: their densities are far below the rounding errors of
  /// sums, and would be subnormal numbers, with which CPUs calculate slowly.
  static constexpr T max_chi2 = T(160);

  KOKKOS_FORCEINLINE_FUNCTION static Real density(const Real& chi2) {
    return trackplex::exp(Real(T(-0.5)) * min(chi2, Real(max_chi2)));
  }

  /// The tracks of a tile that count for a vertex: near its peak, and with not too large a chi2.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> counting(const Tile<Real>& tile, const Scratch& scratch,
                                                    int v, const Real& chi2) const {
    const Integer index = tile.index();
    return tile.mask() && index >= Integer(I(scratch.begin[v])) &&
           index < Integer(I(scratch.end[v])) && chi2 < Real(max_chi2);
  }

  /// Density of the tracks of a tile that count for a vertex, 0 of the others.
  KOKKOS_FORCEINLINE_FUNCTION Real counted_density(const Tile<Real>& tile, const Scratch& scratch,
                                                   int v, const Real& chi2) const {
    const auto counts = counting(tile, scratch, v, chi2);
    const Real zero(T(0));
    return any_of(counts) ? select(counts, density(chi2), zero) : zero;
  }

  /// Where the densities of a vertex are kept until it moves; null if they are calculated again.
  KOKKOS_FORCEINLINE_FUNCTION T* kept_density(const Scratch& scratch, int v) const {
    return v < Scratch::template kept<Real> ? scratch.density + v * tracks.max_event_tracks
                                            : nullptr;
  }

  /// Adds up, for each track near an active vertex, the densities of all vertices.
  template <class Team>
  KOKKOS_FUNCTION void add_up_vertices(const Team& team, const Scratch& scratch, int n,
                                       int n_tracks) const {
    team.for_each(n_tracks, [&](Tile<Real> tile) {
      // peaks, and so the tracks near them, are in the order of z
      int near = 0;
      while (near < n && scratch.end[near] <= tile.first) ++near;
      int after = near;
      bool is_active = false;
      for (; after < n && scratch.begin[after] < tile.first + tile.count; ++after)
        is_active = is_active || scratch.active[after];
      if (!is_active) return;
      const Lines lines(tile, scratch.sorted, tracks.max_event_tracks);
      Real total(cuts.outlier);
      for (int v = near; v < after; ++v) {
        if (!scratch.alive[v]) continue;
        const Real chi2 = lines.to(scratch.position, v, cuts.max_vertices).chi2;
        const Real own = counted_density(tile, scratch, v, chi2);
        total = total + own;
        if (T* const kept = kept_density(scratch, v)) tile.store(kept, own);
      }
      tile.store(scratch.total, total);
    });
    team.barrier();
  }

  /// One Newton step of a vertex.
  template <class Team>
  KOKKOS_FUNCTION void move_vertex(const Team& team, const Scratch& scratch, int v) const {
    const int first = scratch.begin[v], end = scratch.end[v];
    team.for_each(partials, [&](Tile<Real> slot) {
      Real sums[n_sums];
      for (int c = 0; c < n_sums; ++c) sums[c] = Real(T(0));
      int begin = first / partials * partials + slot.first;
      if (begin + slot.count <= first) begin += partials;
      for (; begin < end; begin += partials) {
        const int left = end - begin;
        const Tile<Real> tile{begin, left < slot.count ? left : slot.count};
        add_tracks(tile, scratch, v, sums);
      }
      for (int c = 0; c < n_sums; ++c) slot.store(scratch.partial + c * partials, sums[c]);
    });
    team.barrier();
    team.template for_each<int>(
        n_sums, [&](Tile<int> c) { add_halves(scratch.partial + c.first * partials); });
    team.barrier();
    team.single([&] { step(scratch, v); });
    team.barrier();
  }

  /// Adds the upper half of the partial sums to the lower one until one is left.
  KOKKOS_FORCEINLINE_FUNCTION static void add_halves(T* p) {
    constexpr int width = width_of<Real>, packs = partials / width;
    Real pack[packs];
    for (int i = 0; i < packs; ++i) pack[i] = load<Real>(p + i * width);
    for (int half = packs / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) pack[i] = pack[i] + pack[i + half];
    *p = sum_of(pack[0]);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_tracks(const Tile<Real>& tile, const Scratch& scratch, int v,
                                              Real (&sums)[n_sums]) const {
    const Lines t(tile, scratch.sorted, tracks.max_event_tracks);
    const Residual r = t.to(scratch.position, v, cuts.max_vertices);
    const T* const kept = kept_density(scratch, v);
    const Real own = kept ? tile.load(kept) : counted_density(tile, scratch, v, r.chi2);
    const Real zero(T(0));
    if (none_of(own > zero)) return;
    const Real w = select(own > zero, own / tile.load(scratch.total), zero);
    const Real sx = fma(t.wxx, t.tx, t.wxy * t.ty), sy = fma(t.wxy, t.tx, t.wyy * t.ty);
    const auto add = [&](Component c, const Real& value) { sums[c] = fma(w, value, sums[c]); };
    sums[weight] = sums[weight] + w;
    add(xx, t.wxx);
    add(xy, t.wxy);
    add(yy, t.wyy);
    add(xz, -sx);
    add(yz, -sy);
    add(zz, fma(t.tx, sx, t.ty * sy));
    add(gradient_x, r.wx);
    add(gradient_y, r.wy);
    add(gradient_z, -fma(t.tx, r.wx, t.ty * r.wy));
    sums[close] = sums[close] + select(w > Real(T(0.5)), Real(T(1)), zero);
  }

  /// For one thread: solves for the step of a vertex. It ends the fit of the vertex where the
  /// tracks do not determine a position.
  KOKKOS_FUNCTION void step(const Scratch& scratch, int v) const {
    const auto sum = [&](int c) { return scratch.partial[c * partials]; };
    const int stride = cuts.max_vertices;
    Symmetric3<T> c;
    if (!(sum(weight) >= T(1)) ||
        !invert(Symmetric3<T>{sum(xx), sum(xy), sum(yy), sum(xz), sum(yz), sum(zz)}, c)) {
      scratch.alive[v] = 0;
      scratch.changed[v] = 1;  // others gain its tracks
      return;
    }
    const T gx = sum(gradient_x), gy = sum(gradient_y), gz = sum(gradient_z);
    const T dz = -fma(c.xz, gx, fma(c.yz, gy, c.zz * gz));
    scratch.position[v] -= fma(c.xx, gx, fma(c.xy, gy, c.xz * gz));
    scratch.position[stride + v] -= fma(c.xy, gx, fma(c.yy, gy, c.yz * gz));
    scratch.position[2 * stride + v] += dz;
    T* const variance = scratch.variance + v;
    variance[0] = c.xx;
    variance[stride] = c.xy;
    variance[2 * stride] = c.yy;
    variance[3 * stride] = c.xz;
    variance[4 * stride] = c.yz;
    variance[5 * stride] = c.zz;
    scratch.sum[v] = sum(weight);
    scratch.tracks[v] = int(sum(close));
    if (abs(dz) > cuts.tolerance) scratch.changed[v] = 1;
  }

  KOKKOS_FUNCTION void write_vertices(const Scratch& scratch, int n, int event) const {
    const int stride = cuts.max_vertices;
    const VertexSelection<T> selection(cuts, scratch);
    const std::size_t first = std::size_t(event) * std::size_t(stride);
    std::size_t to = first;
    for (int v = 0; v < n; ++v) {
      if (!selection.passes(v) || !selection.is_unique(v, n)) continue;
      const T* const variance = scratch.variance + v;
      vertices.x(to) = scratch.position[v];
      vertices.y(to) = scratch.position[stride + v];
      vertices.z(to) = scratch.position[2 * stride + v];
      vertices.xx(to) = variance[0];
      vertices.xy(to) = variance[stride];
      vertices.yy(to) = variance[2 * stride];
      vertices.xz(to) = variance[3 * stride];
      vertices.yz(to) = variance[4 * stride];
      vertices.zz(to) = variance[5 * stride];
      vertices.weight(to) = scratch.sum[v];
      vertices.tracks(to) = std::uint32_t(scratch.tracks[v]);
      ++to;
    }
    vertices.count(event) = std::uint32_t(to - first);
  }
};

}  // namespace trackplex::vertexing::detail
