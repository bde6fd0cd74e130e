// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/beam/elements/detail/small_arguments.hpp>
#include <trackplex/core/expm1.hpp>

#include <concepts>
#include <numbers>

namespace trackplex::beam::detail {

/// Models of a slice of a cavity.
enum class RfBody {
  matrix,         ///< map of a uniform gain of momentum
  standing_wave,  ///< map of Rosenzweig and Serafini
  kick            ///< half drift, change of energy, half drift
};

/// Coefficients of some slices of a cavity for one pass, by value in kernels.
template <std::floating_point T>
struct RfCavityCoefficients {
  explicit RfCavityCoefficients(const ReferenceParticle& reference)
      : times(reference), change(reference) {}

  ArrivalTimes<T> times;          ///< path at the entrance of the first slice
  EnergyChange<T> change;         ///< of the same reference particle
  T length, half_length;          ///< of a slice, m
  T path_step;                    ///< length of a slice times p0^-2, m
  T wave_number;                  ///< per m of delay
  T origin;                       ///< delay where the phase is that of `sine` and `cosine`, rad
  T amplitude;                    ///< largest change of gamma/p0 in a slice
  T sine, cosine;                 ///< amplitude times those of the phase there in the first slice
  T sine_step, cosine_step;       ///< of the phase that a slice adds
  T fill_rate;                    ///< 1/Q; 0: the field is constant
  T fill_phase, fill_phase_step;  ///< phase since filling began, at the origin in a slice
  T wave_focus;                   ///< of travelling waves: wave number/2, 1/m; or 0
  T dx, dy;                       ///< displacement, m
  int slices;
  bool linear;                      ///< sine as its tangent at the origin
  bool begins, ends;                ///< whether these slices are the first, and the last ones
  bool entrance_focus, exit_focus;  ///< whether ends focus
};

/// Slices of a cavity for one particle, or one in each lane.
template <class Real>
class RfCavityPass {
  using T = ScalarOf<Real>;

 public:
  using Coefficients = RfCavityCoefficients<T>;

  KOKKOS_FORCEINLINE_FUNCTION explicit RfCavityPass(const Coefficients& coefficients)
      : c(coefficients),
        sine(c.sine),
        cosine(c.cosine),
        path(c.times.path),
        fill_phase(c.fill_phase) {}

  /// All slices.
  template <RfBody Body>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const Coefficients& c, Particle<Real>& v) {
    RfCavityPass slices(c);
    slices.enter(v);
    if constexpr (Body == RfBody::matrix) {
      slices.template map<Body>(v, c.begins, c.ends);  // there is one
    } else {
      for (int k = 0; k < c.slices; ++k) {
        const bool first = c.begins && k == 0, last = c.ends && k + 1 == c.slices;
        if constexpr (Body == RfBody::kick) {
          const Real exit_focus = slices.to_centre(v, first);
          slices.from_centre(v, exit_focus, last);
        } else {
          slices.template map<Body>(v, first, last);
        }
        slices.next();
      }
    }
    slices.leave(v);
  }

  /// From the nominal axis to that of the cavity.
  KOKKOS_FORCEINLINE_FUNCTION void enter(Particle<Real>& v) const {
    if (!c.begins) return;
    v[x] = v[x] - Real(c.dx);
    v[y] = v[y] - Real(c.dy);
  }
  /// Back to the nominal axis.
  KOKKOS_FORCEINLINE_FUNCTION void leave(Particle<Real>& v) const {
    if (!c.ends) return;
    v[x] = v[x] + Real(c.dx);
    v[y] = v[y] + Real(c.dy);
  }

  /// First half of a slice with its kick; returns the strength, 1/m, of the focusing of an exit
  /// after it.
  KOKKOS_FORCEINLINE_FUNCTION Real to_centre(Particle<Real>& v, bool first) const {
    const Real half(c.half_length), one(1);
    const Centre at(*this, v);
    if (first) focus(v, -at.gain, at.g);
    v[x] = fma(half, v[xp], v[x]);
    v[y] = fma(half, v[yp], v[y]);
    const Real u1 = sqrt(fma(at.u, at.u, at.added)), sum = at.u + u1;
    const Real q = fma(v[xp], v[xp], v[yp] * v[yp]);
    const Real cross = at.u * at.g1, velocities = cross * fma(u1, at.g, cross);
    Real uz = sqrt(max(fma(at.u, at.u, fma(at.added, q, at.added)), Real(T(1e-6)) * (u1 * u1)));
    Real slope = at.u;  // over uz
    if (c.wave_focus != T(0)) uz = add_wave_focus(v, at, q, u1, slope);
    const Real inverse = one / (sum * uz);
    slope = slope * (inverse * sum);
    v[xp] = v[xp] * slope;
    v[yp] = v[yp] * slope;
    const Real way = fma(at.s, Real(c.times.p0_to_minus_2), Real(path_to_centre()));
    v[s] = at.s + way * at.added / velocities;
    v[delta] = fma(at.added, inverse * uz, v[delta]);
    return exit_focus(at);
  }

  /// Second half of a slice.
  KOKKOS_FORCEINLINE_FUNCTION void from_centre(Particle<Real>& v, const Real& exit_focus,
                                               bool last) const {
    const Real half(c.half_length);
    v[x] = fma(half, v[xp], v[x]);
    v[y] = fma(half, v[yp], v[y]);
    v[s] = fma(half, path_excess(fma(v[xp], v[xp], v[yp] * v[yp])), v[s]);
    if (last) thin_lens(v, exit_focus);
  }

  /// Whole slice, by its map.
  template <RfBody Body>
  KOKKOS_FORCEINLINE_FUNCTION void map(Particle<Real>& v, bool first, bool last) const {
    const Real half(c.half_length), one(1);
    const Centre at(*this, v);
    if (first) focus(v, -at.gain, at.g);
    const Real u1 = sqrt(fma(at.u, at.u, at.added)), sum = at.u + u1;
    const Real inverse = one / (sum * u1), per_sum = inverse * u1;
    if constexpr (Body == RfBody::matrix) {
      // log(u1/u)/(u1 - u) = 2 atanhc((u1 - u)/(u1 + u))/(u1 + u)
      const Real factor = Real(T(2) * c.length) * at.u * per_sum;
      const Real mean = atanhc(at.added * per_sum * per_sum);
      const Real slope = at.u * (inverse * sum);
      v[x] = fma(factor * v[xp], mean, v[x]);
      v[y] = fma(factor * v[yp], mean, v[y]);
      v[xp] = v[xp] * slope;
      v[yp] = v[yp] * slope;
    } else {
      standing_wave(v, at);
    }
    const Real s1 = fma(half, path_excess(fma(v[xp], v[xp], v[yp] * v[yp])), at.s);
    const Real way = fma(s1, Real(c.times.p0_to_minus_2), Real(path + c.path_step));
    const Real cross = at.u * at.g1;
    v[s] = s1 + way * at.added / (cross * fma(u1, at.g, cross));
    v[delta] = fma(at.added, per_sum, v[delta]);
    if (last) thin_lens(v, exit_focus(at));
  }

  /// Advances to the next slice.
  KOKKOS_FORCEINLINE_FUNCTION void next() {
    const T before = sine;
    sine = fma(before, c.cosine_step, cosine * c.sine_step);
    cosine = fma(cosine, c.cosine_step, -(before * c.sine_step));
    path += c.path_step;
    fill_phase += c.fill_phase_step;
  }

 private:
  /// A particle in the centre of a slice, before its energy changes.
  struct Centre {
    Real s;          ///< coordinate s
    Real u, g;       ///< p/p0 and gamma/p0
    Real amplitude;  ///< largest change of gamma/p0
    Real cos_phase;  ///< amplitude of a constant field times the cosine, for travelling waves
    Real gain, g1;   ///< change of gamma/p0, and gamma/p0 after it
    Real added;      ///< to the square of p/p0

    KOKKOS_FORCEINLINE_FUNCTION Centre(const RfCavityPass& pass, const Particle<Real>& v) {
      const Coefficients& cavity = pass.c;
      const Real q = fma(v[xp], v[xp], v[yp] * v[yp]);
      s = fma(Real(cavity.half_length), path_excess(q), v[beam::s]);
      u = Real(1) + v[delta];
      g = cavity.times.energy(u);
      const Real sum = cavity.times.sum_of_energies(u, g);
      const Real wave_number(cavity.wave_number);
      const Real path_phase =
          wave_number * Real(pass.path_to_centre()) * (v[delta] * (Real(2) + v[delta]));
      const Real scaled = fma(wave_number * s, g * sum, -path_phase);
      const Real angle = fma(scaled, Real(1) / (u * sum), -Real(cavity.origin));
      const Real sin_origin(pass.sine), cos_origin(pass.cosine);
      gain = cavity.linear ? fma(cos_origin, angle, sin_origin)
                           : wave_near_zero(angle, sin_origin, cos_origin);
      amplitude = Real(cavity.amplitude);
      if (cavity.fill_rate != T(0)) {
        const Real filled = max(angle + Real(pass.fill_phase), Real(0)) * Real(-cavity.fill_rate);
        const Real field = sqrt(-expm1(filled));
        amplitude = amplitude * field;
        gain = gain * field;
      }
      cos_phase = Real(0);
      if (cavity.wave_focus != T(0)) cos_phase = wave_near_zero(angle, cos_origin, -sin_origin);
      gain = max(gain, Real(cavity.change.lowest_energy) - g);
      g1 = g + gain;
      added = gain * fma(Real(2), g, gain);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION T path_to_centre() const { return fma(T(0.5), c.path_step, path); }

  /// Focusing of an end by a lens of strength change/(2 g l).
  KOKKOS_FORCEINLINE_FUNCTION void focus(Particle<Real>& v, const Real& gain, const Real& g) const {
    if (c.entrance_focus) thin_lens(v, gain / (g * Real(T(2) * c.length)));
  }
  KOKKOS_FORCEINLINE_FUNCTION Real exit_focus(const Centre& at) const {
    return c.exit_focus ? at.gain / (at.g1 * Real(T(2) * c.length)) : Real(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void thin_lens(Particle<Real>& v, const Real& strength) const {
    v[xp] = fma(strength, v[x], v[xp]);
    v[yp] = fma(strength, v[y], v[yp]);
  }

  /// Adds the transverse kick of a travelling wave: slopes become momenta over p0, and `slope`
  /// their factor; returns pz/p0 after the kick.
  KOKKOS_FORCEINLINE_FUNCTION Real add_wave_focus(Particle<Real>& v, const Centre& at,
                                                  const Real& q, const Real& u1,
                                                  Real& slope) const {
    const Real one(1), momentum = at.u / sqrt(one + q);
    // (1 - beta)/beta = p0^-2/(u (u + g))
    const Real strength =
        Real(c.wave_focus) * at.cos_phase * Real(c.times.p0_to_minus_2) / (at.u * (at.u + at.g));
    v[xp] = fma(strength, v[x], momentum * v[xp]);
    v[yp] = fma(strength, v[y], momentum * v[yp]);
    slope = one;
    const Real transverse = fma(v[xp], v[xp], v[yp] * v[yp]);
    return sqrt(max(fma(u1, u1, -transverse), Real(T(1e-6)) * (u1 * u1)));
  }

  /// J. Rosenzweig, L. Serafini, Phys. Rev. E 49 (1994) 1599, with alpha = log(g1/g)/(2 sqrt2 sin).
  KOKKOS_FORCEINLINE_FUNCTION void standing_wave(Particle<Real>& v, const Centre& at) const {
    constexpr double sqrt2 = std::numbers::sqrt2;
    const Real l(c.length), two_sqrt2(T(2. * sqrt2)), zero(0);
    const Real sum = at.g + at.g1;
    const Real per_amplitude = atanhc(at.gain / sum) / (sum * Real(T(sqrt2)));
    const Real alpha = at.amplitude * per_amplitude;
    const auto wave = sincos_near_zero(alpha);
    const Real way =
        two_sqrt2 * at.g * l * select(at.amplitude == zero, per_amplitude, wave.sin / at.amplitude);
    const Real r21 = -(at.amplitude * wave.sin) / (two_sqrt2 * l * at.g1);
    const Real r22 = wave.cos * (at.g / at.g1);
    const Real r11 = wave.cos, x0 = v[x], y0 = v[y];
    v[x] = fma(r11, x0, way * v[xp]);
    v[y] = fma(r11, y0, way * v[yp]);
    v[xp] = fma(r21, x0, r22 * v[xp]);
    v[yp] = fma(r21, y0, r22 * v[yp]);
  }

  const Coefficients& c;
  T sine, cosine;  ///< of the phase at the origin in this slice
  T path;          ///< at the entrance of this slice, as in `ArrivalTimes`
  T fill_phase;
};

/// Slices of a cavity.
template <class Real, RfBody Body>
struct TrackCavity {
  BunchColumns<ScalarOf<Real>> columns;
  RfCavityCoefficients<ScalarOf<Real>> coefficients;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Tile<Real> here = tile;  // which stores do not change
    const BunchColumns<ScalarOf<Real>> to = columns;
    Particle<Real> v = to.load(here);
    RfCavityPass<Real>::template pass<Body>(coefficients, v);
    to.store(here, v);
  }
};

/// First half of a slice with its kick.
template <class Real>
struct TrackToCentre {
  BunchColumns<ScalarOf<Real>> columns;
  RfCavityCoefficients<ScalarOf<Real>> coefficients;
  ScalarOf<Real>* exit_focus;  ///< of each particle

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    const RfCavityPass<Real> slice(coefficients);
    slice.enter(v);
    tile.store(exit_focus, slice.to_centre(v, coefficients.begins));
    columns.store(tile, v);
  }
};

/// Second half of a slice.
template <class Real>
struct TrackFromCentre {
  BunchColumns<ScalarOf<Real>> columns;
  RfCavityCoefficients<ScalarOf<Real>> coefficients;
  const ScalarOf<Real>* exit_focus;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    const RfCavityPass<Real> slice(coefficients);
    slice.from_centre(v, tile.load(exit_focus), coefficients.ends);
    slice.leave(v);
    columns.store(tile, v);
  }
};

}  // namespace trackplex::beam::detail
