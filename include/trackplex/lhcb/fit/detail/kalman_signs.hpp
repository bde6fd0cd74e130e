// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fit/kalman_tables.hpp>

namespace trackplex::lhcb::detail {

/// Changes the sign of values.
template <class... T>
void change_signs(T&... values) {
  ((values = -values), ...);
}

/// Tables with the signs of a magnet that points up; q/p in the grid changes its sign, too.
inline KalmanTables of_magnet_up(KalmanTables tables) {
  for (auto& velo : tables.velo) change_signs(velo.bend);
  auto& to_ut = tables.to_ut;
  change_signs(to_ut.ty_bend, to_ut.kick, to_ut.kick_z, to_ut.kick_ty2);
  for (auto& layer : tables.ut) change_signs(layer.bend, layer.bend3, layer.bend_y2, layer.ty_bend);
  auto& p = tables.to_scifi;
  change_signs(p.x1, p.x3, p.y1, p.tx1, p.tx3, p.ty1);
  change_signs(tables.to_plane.bend, tables.to_plane.bend3);
  for (auto& layer : tables.scifi) change_signs(layer.bend, layer.bend3, layer.bend_y2);
  return tables;
}

/// Noise in the scalar of a kernel; likewise the other parameters.
template <class T>
KalmanNoise<T> rounded(const KalmanNoise<double>& p) {
  return {T(p.x), T(p.y), T(p.tx), T(p.ty), T(p.correlation_x), T(p.correlation_y)};
}
template <class T>
KalmanVelo<T> rounded(const KalmanVelo<double>& p) {
  return {T(p.bend),    T(p.z_zero),     T(p.noise_t), T(p.noise_t_per_qop),
          T(p.noise_x), T(p.correlation)};
}
template <class T>
KalmanToUt<T> rounded(const KalmanToUt<double>& p) {
  return {T(p.ty_bend),  T(p.y_fraction), T(p.kick),        T(p.kick_z),       T(p.kick_ty2),
          T(p.magnet_z), T(p.magnet_z_z), T(p.magnet_z_z2), T(p.magnet_z_ty2), rounded<T>(p.noise)};
}
template <class T>
KalmanLayer<T> rounded(const KalmanLayer<double>& p) {
  return {T(p.x_fraction), T(p.y_fraction), T(p.bend),          T(p.bend3),
          T(p.bend_y2),    T(p.ty_bend),    rounded<T>(p.noise)};
}
template <class T>
KalmanToScifi<T> rounded(const KalmanToScifi<double>& p) {
  return {T(p.qop),
          T(p.qop2),
          T(p.x1),
          T(p.x2),
          T(p.x3),
          T(p.y1),
          T(p.tx1),
          T(p.tx2),
          T(p.tx3),
          T(p.ty1),
          rounded<T>(p.noise)};
}
template <class T>
KalmanToPlane<T> rounded(const KalmanToPlane<double>& p) {
  return {T(p.bend), T(p.bend3), T(p.x_fraction), T(p.ty_bend)};
}
template <class T>
KalmanGrid<T> rounded(const KalmanGrid<double>& p) {
  return {T(p.z_begin),   T(p.z_end),  T(p.min_p),  T(p.tx_qop),     T(p.tx_qop_x2), T(p.tx_qop_y2),
          T(p.ty_qop_xy), T(p.max_tx), T(p.max_ty), T(p.slope_unit), p.nx,           p.ny};
}

}  // namespace trackplex::lhcb::detail
