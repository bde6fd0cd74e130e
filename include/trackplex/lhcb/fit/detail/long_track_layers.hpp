// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/material_effects.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/lhcb/fit/detail/long_track_hits.hpp>
#include <trackplex/lhcb/fit/long_field_input.hpp>

namespace trackplex::lhcb::detail {

/// Layers of a tile of long tracks for `kalman::fit`, in cm, from the most downstream one upstream:
/// the SciFi, two planes of material, the UT, two planes of material, the hits of the VELO. Tracks
/// cross all layers of SciFi and UT, with a hit or without.
/// @tparam Input a LongFieldInput
template <class Number, class Input>
struct LongTrackLayers {
  using Real = Number;
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Hit = kalman::ModuleHit<Real, 2>;
  using Material = kalman::LayerConstants<Real>;
  using Setup = LongFieldSetup<T>;
  static constexpr T cm_per_mm = T(0.1);

  const LongTrackHits<Real, Input>& hits;

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return first_velo + hits.longest; }
  KOKKOS_FORCEINLINE_FUNCTION Mask crosses(int i) const {
    return i < first_velo ? hits.mask : hits.mask && Integer(I(i - first_velo)) < hits.length;
  }
  KOKKOS_FORCEINLINE_FUNCTION Mask present(int i) const {
    return crosses(i) && hit(i).dimension > Integer(I(0));
  }
  KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> surface(int i) const {
    return hit(i).surface();
  }
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int i, const kalman::Parameters<Real>& at) const {
    return kalman::measure_in_module(hit(i), at);
  }
  KOKKOS_FORCEINLINE_FUNCTION Material material(int i) const {
    const Setup& setup = hits.input;
    return of_thickness(i < first_plane_2   ? setup.scifi
                        : i < first_ut      ? setup.plane[plane_of(i)]
                        : i < first_plane_0 ? setup.ut
                        : i < first_velo    ? setup.plane[plane_of(i)]
                                            : setup.velo);
  }
  /// Material from the last hit of each track to the beam.
  KOKKOS_FORCEINLINE_FUNCTION Material to_beam() const {
    return of_thickness(static_cast<const Setup&>(hits.input).to_beam);
  }

 private:
  static constexpr int first_plane_2 = scifi_layers, first_ut = first_plane_2 + 2,
                       first_plane_0 = first_ut + ut_layers, first_velo = first_plane_0 + 2;

  KOKKOS_FORCEINLINE_FUNCTION static int plane_of(int i) {
    return i < first_ut ? first_plane_2 + 3 - i : first_plane_0 + 1 - i;
  }
  /// Without energy loss.
  KOKKOS_FORCEINLINE_FUNCTION Material of_thickness(T radiation_lengths) const {
    return {Real(radiation_lengths), Real(T(0)), static_cast<const Setup&>(hits.input).properties};
  }

  KOKKOS_FORCEINLINE_FUNCTION Hit hit(int i) const {
    const Setup& setup = hits.input;
    if (i < first_plane_2) {
      const int layer = scifi_layers - 1 - i;
      return strip(hits.scifi(layer, setup.scifi_z[layer]), T(scifi_dzdy));
    }
    if (i >= first_velo) return velo_hit(Integer(I(i - first_velo)));
    if (i >= first_ut && i < first_plane_0) {
      const int layer = first_plane_0 - 1 - i;
      return strip(hits.ut(layer, setup.ut_z[layer]), T(0));
    }
    return across(Real(T(0)), Real(T(0)), Real(setup.plane_z[plane_of(i)]), T(0));
  }

  /// Hit h of the VELO; tracks with fewer hits stay at their last one.
  KOKKOS_FORCEINLINE_FUNCTION Hit velo_hit(const Integer& h) const {
    const auto last = hits.length - Integer(I(1));
    const auto point = hits.velo(select(h < last, h, last), hits.mask);
    auto hit = across(point.x, point.y, point.z, hits.input.errors.velo_variance);
    hit.dimension = Integer(I(2));
    return hit;
  }
  /// Point (mm) on a plane of constant z.
  KOKKOS_FORCEINLINE_FUNCTION static Hit across(const Real& x, const Real& y, const Real& z,
                                                T variance) {
    const Real zero(T(0)), one(T(1)), mm(cm_per_mm), square(cm_per_mm * cm_per_mm * variance);
    return {{{mm * x, mm * y, mm * z}},
            {{one, zero, zero}},
            {{zero, one, zero}},
            {{square, zero, square}},
            Integer(I(0))};
  }
  /// Strip or fibre along (dx/dy, 1, dz/dy); the plane contains the x axis. It measures across.
  KOKKOS_FORCEINLINE_FUNCTION static Hit strip(const LongTrackStrip<Real>& of, T dzdy) {
    const T a = of.dxdy, b = T(1) + dzdy * dzdy;
    const T per_v = T(1) / sqrt(a * a + b), per_u = per_v / sqrt(b);
    const Real zero(T(0)), mm(cm_per_mm);
    const Real square = select(of.has_hit, Real(cm_per_mm * cm_per_mm) * of.variance, Real(T(1)));
    return {{{mm * of.x, zero, mm * of.z}},
            {{Real(per_u * b), Real(-(per_u * a)), Real(-(per_u * a * dzdy))}},
            {{Real(per_v * a), Real(per_v), Real(per_v * dzdy)}},
            {{square, zero, square}},
            select(of.has_hit, Integer(I(1)), Integer(I(0)))};
  }
};

}  // namespace trackplex::lhcb::detail
