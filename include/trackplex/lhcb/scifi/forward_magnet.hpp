// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/scifi/forward_tables.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// z of the middle of the magnet, where lines of the search change their slope, mm.
inline constexpr double forward_z_magnet = 5212.38;
/// z downstream of the UT where the search begins, mm.
inline constexpr double forward_z_begin = 2642.;
/// Mean change of dx/dz from the VELO to the UT over q/p, MeV: that of the windows of Compass,
/// see FindUtWindows, from a kick at ut_z_kink.
inline constexpr double forward_ut_kick = 35.3;
/// z of the origin of the curves x(z) in the SciFi, mm.
inline constexpr double forward_z_middle = 8520.;

/// ForwardTables in the memory space of the kernels.
template <class T, class MemorySpace>
struct ForwardMagnet {
  static constexpr int stations = 3;                           ///< number of stations
  static constexpr int y_powers = 3 * ForwardTables::y_terms;  ///< numbers of a layer in y_table
  Kokkos::View<T*, MemorySpace> deflection_table;  ///< as ForwardTables::deflection, MeV
  Kokkos::View<T*, MemorySpace> y_table;           ///< as ForwardTables::y
  T kick[6] = {};                                  ///< as ForwardTables::kick, MeV

  /// Change of dx/dz from the UT to a station over q/p, MeV:
  /// \f$ \sum_{ij} d_{sij}\,t_x^i t_y^j \f$ with the slopes in the UT.
  template <class Real>
  KOKKOS_FUNCTION Real deflection(int station, const Real& tx, const Real& ty) const {
    constexpr int n = ForwardTables::powers;
    const T* const c = deflection_table.data() + station * n * n;
    Real sum(T(0));
    for (int i = n - 1; i >= 0; --i) {
      Real of_ty(c[i * n + n - 1]);
      for (int j = n - 2; j >= 0; --j) of_ty = fma(of_ty, ty, Real(c[i * n + j]));
      sum = fma(sum, tx, of_ty);
    }
    return sum;
  }

  /// Distance in y, in a layer, of a track from its line in the UT, where it is dx off that line,
  /// mm: \f$ C_1\,\Delta x + C_2\,\Delta x^2 + C_3\,\Delta x^3 \f$, where \f$ C_1/t_x \f$,
  /// \f$ C_2 \f$ and \f$ C_3/t_x \f$ are sums of \f$ t_y, t_x^2 t_y, t_y^3, t_x^4 t_y,
  /// t_x^2 t_y^3, t_y^5 \f$.
  template <class Real>
  KOKKOS_FUNCTION Real y_shift(int layer, const Real& tx, const Real& ty, const Real& dx) const {
    constexpr int n = ForwardTables::y_terms;
    const T* const c = y_table.data() + layer * y_powers;
    const Real tx2 = tx * tx, ty2 = ty * ty;
    const Real term[n] = {ty, tx2 * ty, ty2 * ty, tx2 * tx2 * ty, tx2 * ty2 * ty, ty2 * ty2 * ty};
    Real sum[3];
    for (int k = 0; k < 3; ++k) {
      sum[k] = Real(c[k * n]) * term[0];
      for (int i = 1; i < n; ++i) sum[k] = fma(Real(c[k * n + i]), term[i], sum[k]);
    }
    return dx * fma(dx, fma(dx * tx, sum[2], sum[1]), tx * sum[0]);
  }

  /// q/p of a track with the slopes tx, ty in the VELO and the slope `after` = dx/dz in the SciFi,
  /// 1/MeV, if the magnet points down; else -q/p:
  /// \f[ \frac qp=\frac{t-t_x}{k P},\quad P=\sqrt{\frac{1+t_x^2+t_y^2}{1+t_x^2}},\quad
  ///     k=k_0+k_1 t^2+k_2 t^4+k_3 t\,t_x+k_4 t_y^2+k_5 t_y^4. \f]
  template <class Real>
  KOKKOS_FUNCTION Real qop(const Real& tx, const Real& ty, const Real& after) const {
    return (after - tx) / bend_per_qop(tx, ty, after);
  }

  /// Change of dx/dz from the VELO to the SciFi over q/p, MeV: k P of qop().
  template <class Real>
  KOKKOS_FUNCTION Real bend_per_qop(const Real& tx, const Real& ty, const Real& after) const {
    const Real after2 = after * after, ty2 = ty * ty, one(T(1));
    const Real of_x = fma(fma(Real(kick[2]), after2, Real(kick[1])), after2, Real(kick[0]));
    const Real of_y = fma(Real(kick[5]), ty2, Real(kick[4])) * ty2;
    const Real strength = fma(Real(kick[3]) * after, tx, of_x + of_y);
    const Real transverse = fma(tx, tx, one);
    return strength * sqrt((transverse + ty2) / transverse);
  }
};

/// Copies the tables to the memory space of the kernels. Waits for the instance.
/// @throws UsageError if a table does not have the size that ForwardTables defines
template <class T, class ExecutionSpace>
ForwardMagnet<T, typename ExecutionSpace::memory_space> forward_magnet(
    const ExecutionSpace& exec, const ForwardTables& tables) {
  using Magnet = ForwardMagnet<T, typename ExecutionSpace::memory_space>;
  const auto require = [](const std::vector<double>& values, int size, const char* name) {
    if (values.size() != std::size_t(size))
      throw UsageError(
          "forward_magnet",
          std::string("the table ") + name + " has " + std::to_string(values.size()) + " values",
          std::to_string(size) + " are wanted");
  };
  require(tables.deflection, Magnet::stations * ForwardTables::powers * ForwardTables::powers,
          "deflection");
  require(tables.y, scifi_layers * Magnet::y_powers, "y");
  require(tables.kick, 6, "kick");
  Magnet magnet;
  magnet.deflection_table =
      to_device<T>(exec, "Trackplex::Lhcb::forward_deflection", tables.deflection);
  magnet.y_table = to_device<T>(exec, "Trackplex::Lhcb::forward_y", tables.y);
  for (int i = 0; i < 6; ++i) magnet.kick[i] = T(1000. * tables.kick[std::size_t(i)]);
  return magnet;
}

}  // namespace trackplex::lhcb
