// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/fit/detail/kalman_grid.hpp>
#include <trackplex/lhcb/fit/detail/kalman_noise.hpp>
#include <trackplex/lhcb/fit/detail/kalman_signs.hpp>
#include <trackplex/lhcb/fit/kalman_state.hpp>
#include <trackplex/lhcb/fit/kalman_tables.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <cstddef>
#include <vector>

namespace trackplex::lhcb {

/// Transport of states through LHCb by KalmanTables, in the memory space of the kernels: each step
/// returns the state after it, its derivatives and the noise. Signs are those of the magnet.
template <class T, class MemorySpace>
struct KalmanTransport {
  KalmanVelo<T> velo_steps[2];                        ///< downstream, upstream
  KalmanToUt<T> to_ut_step;                           ///< from the VELO to the UT
  KalmanToScifi<T> corrections;                       ///< of the step from the UT to the SciFi
  KalmanToPlane<T> plane_step;                        ///< to the first layer of the SciFi
  Kokkos::View<KalmanLayer<T>*, MemorySpace> layers;  ///< steps of the UT, then those of the SciFi
  T ut_z[ut_layers];                                  ///< z of the layers of the UT, mm
  T scifi_z[scifi_layers];                            ///< z of the layers of the SciFi at y = 0, mm
  T scifi_dzdy[scifi_layers];                         ///< dz/dy of these layers
  detail::KalmanCells<T, MemorySpace> cells;          ///< polynomials from the UT to the SciFi

  /// Moves a state to z in the VELO.
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> in_velo(const KalmanState<Real>& s, const Real& z) const {
    const Real dz = z - s.z;
    const auto down = dz > Real(T(0));
    const auto choose = [&](T KalmanVelo<T>::*member) {
      return select(down, Real(velo_steps[0].*member), Real(velo_steps[1].*member));
    };
    const Real g =
        choose(&KalmanVelo<T>::bend) * dz * (min(z, s.z) + choose(&KalmanVelo<T>::z_zero));
    const Real half(T(0.5));
    auto step = detail::no_bend(s, z);
    step.state.tx = fma(s.qop, g, s.tx);
    step.state.x = fma(half * (s.tx + step.state.tx), dz, s.x);
    step.d[0][3] = half * dz * g;
    step.d[2][3] = g;
    const Real of_slope = velo_noise(down, s.qop);
    const Real of_point = choose(&KalmanVelo<T>::noise_x) * of_slope * abs(dz);
    const Real correlation = choose(&KalmanVelo<T>::correlation);
    detail::set_noise(step, of_point, of_point, of_slope, of_slope, correlation, correlation);
    return step;
  }

  /// Standard deviation of the slopes of a step in the VELO, downstream where `down` is set.
  template <class Real>
  KOKKOS_FUNCTION Real velo_noise(const MaskOf<Real>& down, const Real& qop) const {
    const auto &a = velo_steps[0], &b = velo_steps[1];
    return fma(select(down, Real(a.noise_t_per_qop), Real(b.noise_t_per_qop)), abs(qop),
               select(down, Real(a.noise_t), Real(b.noise_t)));
  }

  /// Moves a state from the VELO to z in the UT: a kick c q/p of sine of the angle in x where the
  /// magnet's effect begins, \f$ z_m(z, t_y) \f$, and a small change of dy/dz.
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> to_ut(const KalmanState<Real>& s, const Real& z) const {
    const auto& p = to_ut_step;
    const Real one(T(1)), two(T(2)), dz = z - s.z, q = s.qop;
    const Real bend = detail::side_of(s.y) * Real(p.ty_bend);
    const Real ty2 = s.ty * s.ty;
    const Real ty = fma(bend * q, s.tx, s.ty);
    const Real after = (one - Real(p.y_fraction)) * dz;
    const Real c = fma(Real(p.kick_ty2), ty2, fma(Real(p.kick_z), s.z, Real(p.kick)));
    const Real n2 = one + s.tx * s.tx + ty2, n = sqrt(n2);
    const Real a = s.tx / n - q * c, cos2 = one - a * a, flat2 = fma(ty, ty, one);
    const Real per_sine = sqrt(flat2 / cos2);
    const Real z_m =
        fma(Real(p.magnet_z_ty2), ty2,
            fma(fma(Real(p.magnet_z_z2), s.z, Real(p.magnet_z_z)), s.z, Real(p.magnet_z)));
    auto step = detail::no_bend(s, z);
    step.state.ty = ty;
    step.state.y = s.y + Real(p.y_fraction) * dz * s.ty + after * ty;
    step.state.tx = a * per_sine;
    step.state.x = s.x + (z_m - s.z) * s.tx + (z - z_m) * step.state.tx;
    step.d[3][1] = bend * q;
    step.d[3][3] = bend * s.tx;
    step.d[1][1] = after * step.d[3][1];
    step.d[1][3] = after * step.d[3][3];
    const Real by_a = per_sine / cos2, by_ty = step.state.tx * ty / flat2, n3 = n2 * n;
    step.d[2][1] = fma(by_a, (one + ty2) / n3, by_ty * step.d[3][1]);
    step.d[2][2] = by_ty - by_a * (s.tx * s.ty / n3 + two * q * Real(p.kick_ty2) * s.ty);
    step.d[2][3] = fma(-by_a, c, by_ty * step.d[3][3]);
    const Real rest = z - z_m;
    step.d[0][1] = fma(rest, step.d[2][1], z_m - s.z);
    step.d[0][2] =
        fma(rest, step.d[2][2], (s.tx - step.state.tx) * two * Real(p.magnet_z_ty2) * s.ty);
    step.d[0][3] = rest * step.d[2][3];
    detail::set_noise_of_qop(step, p.noise, abs(q), abs(dz));
    return step;
  }

  /// Moves a state from layer `layer - 1` of the UT to z in `layer`:
  /// \f$ \Delta t_x=\Delta z\,(b\,q+b_3 q^3+b_y y^2 q) \f$ with q = q/p; the paths have the slopes
  /// f t + (1 - f) t' of both ends.
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> in_ut(const KalmanState<Real>& s, int layer,
                                         const Real& z) const {
    const auto& p = layers(std::size_t(layer - 1));
    auto step = bend_x(s, p, p, MaskOf<Real>(false), z);
    const Real bend = detail::side_of(s.y) * Real(p.ty_bend), by_tx = bend * s.qop;
    step.state.ty = fma(by_tx, step.state.tx, s.ty);
    step.d[3][0] = by_tx * step.d[2][0];
    step.d[3][1] = by_tx;
    step.d[3][3] = fma(by_tx, step.d[2][3], bend * step.state.tx);
    add_path_of_y(step, s, Real(p.y_fraction));
    return step;
  }

  /// Moves a state to z in layer `layer` of the SciFi from the layer before, as in_ut().
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> in_scifi(const KalmanState<Real>& s, int layer,
                                            const Real& z) const {
    const auto below = s.y < Real(T(0));
    const std::size_t first = KalmanTables::ut_steps + 2 * std::size_t(layer - 1);
    const auto &p = layers(first), &lower = layers(first + 1);
    auto step = bend_x(s, p, lower, below, z);
    const Real bend = select(below, Real(lower.ty_bend), Real(p.ty_bend)) * s.qop;
    step.state.ty = fma(bend * s.qop, s.y, s.ty);
    step.d[3][0] = bend * s.qop;
    step.d[3][3] = Real(T(2)) * bend * s.y;
    add_path_of_y(step, s, select(below, Real(lower.y_fraction), Real(p.y_fraction)));
    return step;
  }

  /// z where a track meets a leaning plane: z = z0 + dz/dy y.
  template <class Real>
  KOKKOS_FUNCTION static Real plane_z(const KalmanState<Real>& s, const Real& z0,
                                      const Real& dzdy) {
    return fma(dzdy, s.y - s.ty * s.z, z0) / (Real(T(1)) - dzdy * s.ty);
  }

  /// Moves a state from the beginning of the grid, where the UT ends, to its end, the z of the
  /// SciFi, by its polynomials: linear in the distance from a reference state, which is `s` with
  /// the q/p `reference`.
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> to_scifi(const KalmanState<Real>& s,
                                            const Real& reference) const {
    const auto& p = corrections;
    const Real one(T(1)), two(T(2)), three(T(3)), q = reference, size = abs(q);
    const Real scale = fma(Real(p.qop2), size, one + Real(p.qop));
    auto step = cells(s, q * scale);
    const Real by_q = fma(Real(p.qop2), size, scale);  // of the scaled q/p
    for (int i = 0; i < 4; ++i) step.d[i][3] = step.d[i][3] * by_q;
    const auto add = [&](int i, Real& value, T c1, T c2, T c3) {
      value = fma(fma(fma(Real(c3), q, Real(c2)), q, Real(c1)), q, value);
      step.d[i][3] += fma(fma(three * Real(c3), q, two * Real(c2)), q, Real(c1));
    };
    add(0, step.state.x, p.x1, p.x2, p.x3);
    add(1, step.state.y, p.y1, T(0), T(0));
    add(2, step.state.tx, p.tx1, p.tx2, p.tx3);
    add(3, step.state.ty, p.ty1, T(0), T(0));
    const Real off = s.qop - q;
    step.state.x = fma(step.d[0][3], off, step.state.x);
    step.state.y = fma(step.d[1][3], off, step.state.y);
    step.state.tx = fma(step.d[2][3], off, step.state.tx);
    step.state.ty = fma(step.d[3][3], off, step.state.ty);
    detail::set_noise_of_qop(step, p.noise, abs(s.qop), one);
    return step;
  }

  /// Moves a state from the end of the grid to z in the first layer of the SciFi, without noise.
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> to_plane(const KalmanState<Real>& s, const Real& z) const {
    const auto& p = plane_step;
    const Real one(T(1)), half(T(0.5)), dz = z - s.z, w = s.qop * dz;
    const Real after = (one - Real(p.x_fraction)) * dz;
    auto step = detail::no_bend(s, z);
    const Real bend = fma(Real(p.bend3) * w, w, Real(p.bend)) * w;
    step.state.tx = s.tx + bend;
    step.state.x = fma(after, bend, step.state.x);
    step.d[2][3] = fma(Real(T(3)) * Real(p.bend3) * w, w, Real(p.bend)) * dz;
    step.d[0][3] = after * step.d[2][3];
    const Real bend_y = Real(p.ty_bend) * w * w;
    step.state.ty = s.ty + bend_y;
    step.state.y = fma(half * dz, bend_y, step.state.y);
    step.d[3][3] = Real(T(2)) * Real(p.ty_bend) * w * dz;
    step.d[1][3] = half * dz * step.d[3][3];
    detail::set_noise_of_qop(step, KalmanNoise<T>{}, Real(T(0)), Real(T(0)));
    return step;
  }

 private:
  /// The step in x from layer to layer and its noise, by the parameters q in the lanes of the mask.
  template <class Real>
  KOKKOS_FUNCTION static KalmanStep<Real> bend_x(const KalmanState<Real>& s,
                                                 const KalmanLayer<T>& p, const KalmanLayer<T>& q,
                                                 const MaskOf<Real>& mask, const Real& z) {
    const auto choose = [&](T a, T b) { return select(mask, Real(b), Real(a)); };
    const Real dz = z - s.z, qop2 = s.qop * s.qop;
    const Real bend = fma(choose(p.bend_y2, q.bend_y2), s.y * s.y, choose(p.bend, q.bend));
    const Real bend3 = choose(p.bend3, q.bend3);
    const Real after = (Real(T(1)) - choose(p.x_fraction, q.x_fraction)) * dz;
    const Real change = dz * fma(bend3, qop2, bend) * s.qop;
    auto step = detail::no_bend(s, z);
    step.state.tx = s.tx + change;
    step.state.x = fma(after, change, step.state.x);
    step.d[2][0] = Real(T(2)) * dz * choose(p.bend_y2, q.bend_y2) * s.y * s.qop;
    step.d[2][3] = dz * fma(Real(T(3)) * bend3, qop2, bend);
    step.d[0][0] = after * step.d[2][0];
    step.d[0][3] = after * step.d[2][3];
    const Real size = abs(s.qop), path = abs(dz) * size;
    const auto &a = p.noise, &b = q.noise;
    detail::set_noise(step, path * choose(a.x, b.x), path * choose(a.y, b.y),
                      size * choose(a.tx, b.tx), size * choose(a.ty, b.ty),
                      choose(a.correlation_x, b.correlation_x),
                      choose(a.correlation_y, b.correlation_y));
    return step;
  }

  /// The path in y by the slopes of both ends.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void add_path_of_y(KalmanStep<Real>& step,
                                                        const KalmanState<Real>& s,
                                                        const Real& fraction) {
    const Real after = (Real(T(1)) - fraction) * (step.state.z - s.z);
    step.state.y = fma(after, step.state.ty - s.ty, step.state.y);
    step.d[1][0] = fma(after, step.d[3][0], step.d[1][0]);
    step.d[1][1] = after * step.d[3][1];
    step.d[1][3] = after * step.d[3][3];
  }
};

/// Copies the parameters to the memory space of the kernels, with the signs of a magnet of this
/// polarity: -1 down, +1 up. Waits for the instance.
/// @throws InputError if the tables are impossible, UsageError if the polarity is
template <class T, class ExecutionSpace>
KalmanTransport<T, typename ExecutionSpace::memory_space> kalman_transport(
    const ExecutionSpace& exec, const KalmanTables& of_magnet_down, double polarity) {
  if (polarity != -1. && polarity != 1.)
    throw UsageError("fit of long tracks", "unknown polarity of the magnet",
                     "-1 is down, +1 is up");
  check_kalman_tables(of_magnet_down, "parameters of the Kalman filter");
  const auto tables = polarity < 0. ? of_magnet_down : detail::of_magnet_up(of_magnet_down);
  using detail::rounded;
  KalmanTransport<T, typename ExecutionSpace::memory_space> to;
  for (int i = 0; i < 2; ++i) to.velo_steps[i] = rounded<T>(tables.velo[std::size_t(i)]);
  to.to_ut_step = rounded<T>(tables.to_ut);
  to.corrections = rounded<T>(tables.to_scifi);
  to.plane_step = rounded<T>(tables.to_plane);
  std::vector<KalmanLayer<T>> layers;
  for (const auto& layer : tables.ut) layers.push_back(rounded<T>(layer));
  for (const auto& layer : tables.scifi) layers.push_back(rounded<T>(layer));
  to.layers = to_device<KalmanLayer<T>>(exec, "Trackplex::Lhcb::kalman_layers", layers);
  for (int i = 0; i < ut_layers; ++i) to.ut_z[i] = T(tables.ut_z[std::size_t(i)]);
  for (int i = 0; i < scifi_layers; ++i) {
    to.scifi_z[i] = T(tables.scifi_z[std::size_t(i)]);
    to.scifi_dzdy[i] = T(tables.scifi_dzdy[std::size_t(i)]);
  }
  to.cells.grid = rounded<T>(tables.grid);
  to.cells.sign = T(-polarity);
  to.cells.coefficients = to_device<T>(exec, "Trackplex::Lhcb::kalman_cells", tables.cells);
  return to;
}

}  // namespace trackplex::lhcb
