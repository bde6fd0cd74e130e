// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// UtMagnetTables in the memory space of the kernels.
template <class T, class MemorySpace>
struct UtMagnet {
  Kokkos::View<T*, MemorySpace> deflection_table;  ///< as UtMagnetTables::deflection
  Kokkos::View<T*, MemorySpace> bdl_table;         ///< as UtMagnetTables::bdl, T m
  int bdl_nodes[3] = {};                           ///< as UtMagnetTables::bdl_nodes
  T bdl_low[3] = {},                               ///< as UtMagnetTables::bdl_low
      bdl_step[3] = {};                            ///< as UtMagnetTables::bdl_step

  /// Ratio of the deflection of a track of slope ty at the middle of the UT to that at a layer: the
  /// value of the nearest node in |ty|, the last one beyond the table.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real deflection(const Real& ty, int layer) const {
    using Integer = IntegerOf<Real>;
    const Integer node = min(convert<Integer>(fma(abs(ty), Real(T(100)), Real(T(0.5)))),
                             Integer(UtMagnetTables::deflection_nodes - 1));
    return gather<Real>(deflection_table.data() + layer, node * Integer(ut_layers),
                        MaskOf<Real>(true));
  }

  /// Field integral from the VELO to the UT along a track, T m. Interpolated linearly from the node
  /// below in ty, in the z where the line is at y = 0 (at x = 0 if |ty| <= 0.001), and in the z of
  /// the state, each of them only inside the table.
  template <class Real>
  KOKKOS_FUNCTION Real bdl(const SpaceLine<Real>& velo) const {
    using Integer = IntegerOf<Real>;
    using I = ScalarOf<Integer>;
    const auto steep = abs(velo.ty) > Real(T(0.001));
    const Real z_origin = velo.z - select(steep, velo.y / velo.ty, velo.x / velo.tx);
    const Real variable[3] = {velo.ty, z_origin, velo.z};
    const int stride[3] = {1, bdl_nodes[0], bdl_nodes[0] * bdl_nodes[1]};
    Integer cell = 0, next[3];
    Real beyond[3];
    for (int i = 0; i < 3; ++i) {
      const Real low = Real(bdl_low[i]), step = Real(bdl_step[i]);
      const Real high = fma(step, Real(T(bdl_nodes[i] - 1)), low);
      const Real inside = max(low, min(variable[i], high));
      const Integer node =
          min(convert<Integer>((inside - low) / step), Integer(I(bdl_nodes[i] - 1)));
      const Integer last = min(node + Integer(1), Integer(I(bdl_nodes[i] - 1)));
      const auto is_inside = low <= variable[i] && variable[i] <= high;
      next[i] = (last - node) * Integer(I(stride[i]));
      beyond[i] =
          select(is_inside, (variable[i] - fma(step, convert<Real>(node), low)) / step, Real(0));
      cell += node * Integer(I(stride[i]));
    }
    const Real value = at<Real>(cell);
    Real sum = value;
    for (int i = 0; i < 3; ++i) sum = fma(at<Real>(cell + next[i]) - value, beyond[i], sum);
    return sum;
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real at(const IntegerOf<Real>& cell) const {
    return gather<Real>(bdl_table.data(), cell, MaskOf<Real>(true));
  }
};

/// Copies the tables to the memory space of the kernels. Waits for the instance.
/// @throws UsageError if a table does not have the size that UtMagnetTables defines
template <class T, class ExecutionSpace>
UtMagnet<T, typename ExecutionSpace::memory_space> ut_magnet(const ExecutionSpace& exec,
                                                             const UtMagnetTables& tables) {
  constexpr auto nodes = UtMagnetTables::bdl_nodes;
  const auto upload = [&](const std::vector<float>& values, std::size_t size,
                          const std::string& label) {
    if (values.size() != size)
      throw UsageError(label, "the table has " + std::to_string(values.size()) + " values",
                       std::to_string(size) + " are wanted");
    return to_device<T>(exec, label, values);
  };
  UtMagnet<T, typename ExecutionSpace::memory_space> magnet;
  magnet.deflection_table =
      upload(tables.deflection, std::size_t(UtMagnetTables::deflection_nodes * ut_layers),
             "Trackplex::Lhcb::ut_deflection");
  magnet.bdl_table =
      upload(tables.bdl, std::size_t(nodes[0] * nodes[1] * nodes[2]), "Trackplex::Lhcb::ut_bdl");
  for (int i = 0; i < 3; ++i) {
    magnet.bdl_nodes[i] = nodes[i];
    magnet.bdl_low[i] = T(UtMagnetTables::bdl_low[i]);
    magnet.bdl_step[i] = T(UtMagnetTables::bdl_step[i]);
  }
  return magnet;
}

}  // namespace trackplex::lhcb
