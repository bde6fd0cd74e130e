// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

/// @file
/// Synchrotron radiation of a whole ring at one place, as the element SREFFECTS of the accelerator
/// code elegant (M. Borland).

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class SynchrotronRadiationEffectsAction;

/// Optics of the ring in one plane at the place of `SynchrotronRadiationEffects`.
struct RingOptics {
  double beta = 0.;              ///< Beta function, m, above 0.
  double dispersion = 0.;        ///< Dispersion, m.
  double dispersion_slope = 0.;  ///< Its slope.
};

/// Damping, quantum excitation and mean loss of a turn in a ring (SREFFECTS), from equilibrium
/// values at a reference momentum. At the energy gamma of the bunch's reference particle emittances
/// are greater by (gamma/gamma_ref)^2, the momentum spread \f$\sigma_\delta\f$ by gamma/gamma_ref,
/// and the momentum change D of a turn by (gamma/gamma_ref)^3. With it, in a pass,
/// \f[ x'_\beta\to\bigl(1+(J_x-1)D\bigr)x'_\beta+\Bigl(\bigl[1-(1+J_xD)^2\bigr]
///     \frac{\varepsilon_x}{\beta_x}\Bigr)^{1/2}g,\quad
///     \delta\to(1+J_\delta D)\,\delta+D+\bigl[1-(1+J_\delta D)^2\bigr]^{1/2}\sigma_\delta\,g', \f]
/// and likewise in y, with the slopes \f$x'_\beta=x'-\eta'\delta\f$ and normal random numbers g. A
/// cavity that restores the loss damps slopes by another 1 + D, so amplitudes of betatron
/// oscillations decay by J |D|/2 per turn. Particles keep their times of arrival.
///
/// Optics that are not given are those of the bunch (in elegant, of the line): they are computed
/// from its moments at each pass, which waits for the instance. The bunch must then have an
/// emittance, and sums depend on the order of its particles, though not on backend, threads or
/// lanes. Equilibrium
/// values are given, or `with_equilibrium` computes them.
struct SynchrotronRadiationEffects {
  double x_partition = 1.;         ///< Damping partition number J_x.
  double y_partition = 1.;         ///< Damping partition number J_y.
  double momentum_partition = 2.;  ///< Damping partition number J_delta.
  double x_emittance = 0.;         ///< Equilibrium emittance in x, m rad.
  double y_emittance = 0.;         ///< Equilibrium emittance in y, m rad.
  double momentum_spread = 0.;     ///< Equilibrium rms of delta.
  double momentum_change = 0.;     ///< Mean change of delta in a turn, not above 0.
  /// Momentum beta gamma of the four values above; 0: they and the partition numbers are unknown,
  /// and `with_equilibrium` computes them for the ring.
  double reference_momentum = 0.;
  /// Ratio of the emittances. `x_emittance` is their sum, unless the ratio is 0 and `y_emittance`
  /// is not.
  double coupling = 0.;
  double fraction = 1.;    ///< Fraction of the effects of a turn applied in a pass.
  bool damping = true;     ///< Whether oscillations are damped.
  bool excitation = true;  ///< Whether there are random changes.
  bool loss = true;        ///< Whether the mean loss is included.
  double cutoff = 100.;    ///< Max |g|, above 0; larger numbers are drawn again.
  /// Whether particles move with their dispersive orbits, so that changes of delta do not excite
  /// betatron oscillations.
  bool include_offsets = true;
  std::optional<RingOptics> x_optics{};  ///< Optics in x; if empty, of the bunch.
  std::optional<RingOptics> y_optics{};  ///< Optics in y; if empty, of the bunch.

  /// @{ @brief Element interface, see element.hpp. The map is without radiation.
  static constexpr const char* family = "other";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = SynchrotronRadiationEffectsAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Effects in one plane: a factor of the distance from the dispersive orbit, or of delta, and the
/// rms of the random part.
template <class T>
struct RadiationEffect {
  T factor, sigma;
  T dispersion = T(0);  ///< 0 too where offsets are not included
  T dispersion_slope = T(0);
  T offset_slope = T(0);  ///< the slope, or 0 where offsets are not included
};

template <class Real>
struct ApplyRadiationEffects {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  const std::int64_t* ids;
  std::uint64_t seed;
  Loss here;
  RadiationEffect<T> in_x, in_y, in_delta;
  T change, cutoff, p0_to_minus_2, path;  ///< the last one times p0^-2
  bool is_random;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    Real g[3] = {Real(0), Real(0), Real(0)};
    if (is_random) draw(tile, g);
    const Real one(1), start = one + v[delta];
    damp(in_x, v[delta], g[0], v[xp]);
    damp(in_y, v[delta], g[1], v[yp]);
    const Real changed =
        fma(Real(in_delta.factor), v[delta], fma(Real(in_delta.sigma), g[2], Real(change)));
    const Real behind = max(changed, Real(T(-0.999)));  // of momenta above 0
    const Real step = behind - v[delta];
    v[delta] = behind;
    v[x] = fma(Real(in_x.dispersion), step, v[x]);
    v[xp] = fma(Real(in_x.offset_slope), step, v[xp]);
    v[y] = fma(Real(in_y.dispersion), step, v[y]);
    v[yp] = fma(Real(in_y.offset_slope), step, v[yp]);
    keep_time(start, v);
    columns.store(tile, v);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void damp(const RadiationEffect<T>& by, const Real& delta,
                                               const Real& g, Real& slope) {
    const Real orbit = Real(by.dispersion_slope) * delta;
    slope = fma(Real(by.factor), slope - orbit, fma(Real(by.sigma), g, orbit));
  }

  /// As `ClassicalRadiation`.
  KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real& u, Particle<Real>& v) const {
    const T values[] = {T(0), p0_to_minus_2, path};
    ClassicalRadiation<T>(values).keep_time(u, v);
  }

  /// Numbers beyond the cutoff are drawn again: each lane uses the first numbers of its own
  /// stream within the cutoff, independent of other lanes. After 1000 trials they are cut.
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Tile<Real>& tile, Real (&g)[3]) const {
    auto random =
        particle_random<Real>(seed, ParticleIds<Real>(tile, ids), here.turn, here.element);
    const Real most(cutoff);
    next(random, g);
    for (int trial = 0; trial < 1000; ++trial) {
      const auto beyond = abs(g[0]) > most || abs(g[1]) > most || abs(g[2]) > most;
      if (none_of(beyond)) return;
      Real other[3];
      next(random, other);
      for (int i = 0; i < 3; ++i) g[i] = select(abs(g[i]) > most, other[i], g[i]);
    }
    for (int i = 0; i < 3; ++i) g[i] = max(-most, min(most, g[i]));
  }
  KOKKOS_FORCEINLINE_FUNCTION static void next(RandomStream<Real>& random, Real (&g)[3]) {
    const auto pair = random.normal_pair();
    g[0] = pair.first;
    g[1] = pair.second;
    g[2] = random.normal();
  }
};

}  // namespace detail

/// Action of `SynchrotronRadiationEffects`. Waits for the instance if optics are not given.
template <class T, class ExecutionSpace, int Width>
class SynchrotronRadiationEffectsAction {
 public:
  /// Takes an element.
  /// @throws UsageError if it has no reference momentum
  SynchrotronRadiationEffectsAction(const ExecutionSpace&,
                                    const SynchrotronRadiationEffects& element)
      : element_(element) {
    if (element.reference_momentum == 0.)
      throw UsageError("radiation of the ring", "its equilibrium is not known", {},
                       "with_equilibrium(ring, p0) computes it from the ring");
  }

  /// Changes the momenta of a bunch.
  /// @throws UsageError if optics are not given, there is an excitation, and the bunch has no
  /// emittance
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace, const Loss& here = {0, 0}) const {
    using Real = LanesOf<T, Width>;
    const auto& e = element_;
    if (bunch.share().all == 0) return;
    const double p0 = bunch.reference.p0, inverse_square = 1. / (p0 * p0);
    const double reference_gamma = hypot(1., e.reference_momentum);
    const double ratio = hypot(1., p0) / reference_gamma, ratio2 = ratio * ratio;
    const double change = e.momentum_change * ratio * ratio2;
    const bool is_split = e.y_emittance == 0. || e.coupling != 0.;
    const double x_emittance = is_split ? e.x_emittance / (1. + e.coupling) : e.x_emittance;
    const double y_emittance = is_split ? e.coupling * x_emittance : e.y_emittance;
    std::optional<Moments> moments;
    if (!e.x_optics || !e.y_optics) moments = moments_of(exec, bunch, workspace);
    const auto effect = [&](Coordinate plane, double partition, double emittance) {
      const auto& given = plane == x ? e.x_optics : e.y_optics;
      const double variance = excited(partition * change) * emittance * ratio2;
      return transverse((partition - 1.) * change, variance,
                        given ? *given : optics_of(*moments, plane, variance > 0.));
    };
    const double spread = e.momentum_spread * ratio;
    const double by_delta = e.momentum_partition * change;
    const detail::ApplyRadiationEffects<Real> kernel{
        bunch.columns(),
        bunch.ids.data(),
        bunch.seed,
        here,
        effect(x, e.x_partition, x_emittance),
        effect(y, e.y_partition, y_emittance),
        {T(factor(by_delta)), T(std::sqrt(excited(by_delta)) * spread)},
        T(e.loss ? e.fraction * change : 0.),
        T(std::min(e.cutoff, 1e6)),
        T(inverse_square),
        T(bunch.reference.path_length * inverse_square),
        e.excitation};
    for_each_tile<Real>(exec, "Trackplex::Beam::radiation_effects", bunch.size(), kernel);
  }

 private:
  /// Factor of an oscillation with a relative change.
  double factor(double change) const {
    return element_.damping ? 1. + element_.fraction * change : 1.;
  }
  /// Variance added in a pass over the equilibrium variance.
  double excited(double change) const {
    if (!element_.excitation) return 0.;
    return element_.fraction * std::max(0., -change * (2. + change));  // 1 - (1 + change)^2
  }
  detail::RadiationEffect<T> transverse(double change, double variance,
                                        const RingOptics& optics) const {
    const bool offsets = element_.include_offsets;
    const double sigma = variance > 0. ? std::sqrt(variance / optics.beta) : 0.;
    return {T(factor(change)), T(sigma), T(offsets ? optics.dispersion : 0.),
            T(optics.dispersion_slope), T(offsets ? optics.dispersion_slope : 0.)};
  }
  static RingOptics optics_of(const Moments& moments, Coordinate plane, bool needs_beta) {
    const PlaneOptics optics = moments.betatron_optics(plane);
    if (needs_beta && !(optics.beta > 0.))
      throw UsageError("SynchrotronRadiationEffects",
                       std::string("the bunch has no emittance in ") + (plane == x ? "x" : "y") +
                           " to find its beta function from",
                       "give the optics of the ring, or track a bunch with an emittance");
    return {optics.beta, optics.dispersion, optics.dispersion_slope};
  }

  SynchrotronRadiationEffects element_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/radiation_effects.impl.hpp>
#endif
