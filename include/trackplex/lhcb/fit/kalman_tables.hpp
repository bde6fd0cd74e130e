// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <array>
#include <string>
#include <vector>

/// @file
/// Parameters of LHCb's parametrised Kalman filter, with the signs of a magnet that points down.
/// Lengths in mm, q/p in 1/MeV, slopes dx/dz and dy/dz. T is the scalar of a kernel; the host has
/// double. io::read_kalman_tables() reads them from files.

namespace trackplex::lhcb {

/// Noise of a step: factors of its standard deviations, and correlations.
template <class T>
struct KalmanNoise {
  T x = 0,                ///< standard deviation of x, over |q/p| and, inside a detector, |dz|
      y = 0,              ///< the same of y
      tx = 0,             ///< standard deviation of dx/dz over |q/p|
      ty = 0;             ///< standard deviation of dy/dz over |q/p|
  T correlation_x = 0,    ///< of x and dx/dz
      correlation_y = 0;  ///< of y and dy/dz
};

/// Steps in the VELO in one direction: \f$ \Delta t_x = g\,q/p,\ g = b\,\Delta z\,(z_<+z_0) \f$
/// with the smaller \f$ z_< \f$ of both z; the slope of the path in x is the mean of both slopes.
template <class T>
struct KalmanVelo {
  T bend = 0,               ///< b, MeV/mm^2
      z_zero = 0;           ///< z0, mm
  T noise_t = 0,            ///< standard deviation of both slopes at q/p = 0
      noise_t_per_qop = 0,  ///< its increase with |q/p|, MeV
      noise_x = 0,          ///< standard deviations of x and y, over those of the slopes and |dz|
      correlation = 0;      ///< of x and dx/dz, and of y and dy/dz
};

/// Step from the VELO to the UT, see KalmanTransport::to_ut().
template <class T>
struct KalmanToUt {
  T ty_bend = 0,                                    ///< change of ty over |y|/y q/p tx, MeV
      y_fraction = 0;                               ///< part of the path in y with the first slope
  T kick = 0, kick_z = 0, kick_ty2 = 0;             ///< polynomial of the kick in z and ty, MeV
  T magnet_z = 0, magnet_z_z = 0, magnet_z_z2 = 0,  ///< polynomial of the z of the kick in z, mm
      magnet_z_ty2 = 0;                             ///< and in ty, mm
  KalmanNoise<T> noise{};                           ///< noise
};

/// Step from layer to layer in the UT or the SciFi, see KalmanTransport::in_ut().
template <class T>
struct KalmanLayer {
  T x_fraction = 0,        ///< part of the path in x with the first slope
      y_fraction = 0;      ///< part of the path in y with the first slope
  T bend = 0,              ///< change of tx over q/p dz, MeV/mm
      bend3 = 0,           ///< the same over (q/p)^3 dz
      bend_y2 = 0;         ///< the same over y^2 q/p dz
  T ty_bend = 0;           ///< change of ty over |y|/y q/p tx (UT) or (q/p)^2 y (SciFi)
  KalmanNoise<T> noise{};  ///< noise
};

/// Corrections of the step from the UT to the SciFi, polynomials of q/p, and its noise.
template <class T>
struct KalmanToScifi {
  T qop = 0, qop2 = 0;          ///< relative change of q/p: c + c2 |q/p|
  T x1 = 0, x2 = 0, x3 = 0;     ///< change of x, over powers of q/p
  T y1 = 0;                     ///< change of y over q/p
  T tx1 = 0, tx2 = 0, tx3 = 0;  ///< change of tx, over powers of q/p
  T ty1 = 0;                    ///< change of ty over q/p
  KalmanNoise<T> noise{};       ///< noise, not over |dz|
};

/// Step to the leaning plane of the first SciFi layer, with \f$ w=\Delta z\,q/p \f$.
template <class T>
struct KalmanToPlane {
  T bend = 0, bend3 = 0;  ///< change of tx over w and w^3
  T x_fraction = 0;       ///< part of the path in x with the first slope
  T ty_bend = 0;          ///< change of ty over w^2
};

/// Grid of the polynomials of the step from the UT to the SciFi, without its cells. A cell has the
/// `terms` coefficients x[9] tx[9] x10[7] x01[7] tx10[7] tx01[7] y[7] ty[7] y10[5] y01[5] ty10[5]
/// ty01[5] of the powers of min_p q/p.
template <class T>
struct KalmanGrid {
  static constexpr int terms = 80;             ///< coefficients of a cell
  T z_begin = 0, z_end = 0;                    ///< z of both ends, mm
  T min_p = 0;                                 ///< momentum of the powers, MeV
  T tx_qop = 0, tx_qop_x2 = 0, tx_qop_y2 = 0;  ///< expected tx - x/z over q/p, in (x/z)^2, (y/z)^2
  T ty_qop_xy = 0;                             ///< expected ty - y/z over q/p (x/z) (y/z)
  T max_tx = 0, max_ty = 0;                    ///< largest |x/z| and |y/z| of the cells
  T slope_unit = 0;                            ///< unit of the differences from the expected slopes
  int nx = 0, ny = 0;                          ///< number of cells in x and y
};

/// Parameters of the parametrised Kalman filter on the host.
struct KalmanTables {
  static constexpr int ut_steps = 3;      ///< steps inside the UT
  static constexpr int scifi_steps = 22;  ///< 11 steps inside the SciFi, of y > 0 and y < 0 each

  std::array<KalmanVelo<double>, 2> velo{};              ///< downstream, upstream
  KalmanToUt<double> to_ut{};                            ///< from the VELO to the UT
  std::array<KalmanLayer<double>, ut_steps> ut{};        ///< (step)
  KalmanToScifi<double> to_scifi{};                      ///< from the UT to the SciFi
  KalmanToPlane<double> to_plane{};                      ///< to the first layer of the SciFi
  std::array<KalmanLayer<double>, scifi_steps> scifi{};  ///< (2 step + (y < 0))
  std::array<double, 4> ut_z{};                          ///< z of the layers of the UT, mm
  std::array<double, 12> scifi_z{};                      ///< z of the layers of the SciFi at y = 0
  std::array<double, 12> scifi_dzdy{};                   ///< dz/dy of these layers
  KalmanGrid<double> grid{};                             ///< grid of the step to the SciFi
  std::vector<double> cells;                             ///< (x, y, term), flat: coefficients
};

/// Checks that all numbers are finite and the grid is possible; `name` is for messages.
/// @throws InputError that says what is impossible
void check_kalman_tables(const KalmanTables& tables, const std::string& name);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/fit/detail/kalman_tables.impl.hpp>
#endif
