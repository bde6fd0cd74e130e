// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnetic fields on the nodes of regular grids, on the host: the data of field maps
/// (geometry/field_map.hpp). Functions here sample them from a field;
/// io/tables/field_map_table.hpp reads them from a file.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/surface.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::geometry {

/// Axis of a regular grid.
struct GridAxis {
  double first,  ///< coordinate of the first node, cm
      last;      ///< coordinate of the last node, cm
  int nodes;     ///< number of nodes, at least 2

  /// Returns the spacing of the nodes, cm.
  double cell() const { return (last - first) / (nodes - 1); }
  /// Returns the coordinate of a node, cm.
  double node(int i) const { return i + 1 == nodes ? last : first + i * cell(); }
};

/// Field on a grid in x, y and z.
struct FieldGrid {
  GridAxis x,  ///< axis along x
      y,       ///< axis along y
      z;       ///< axis along z
  std::vector<std::array<double, 3>>
      tesla;  ///< B_x, B_y, B_z of the nodes, T; z runs fastest, then y

  /// Returns the number of nodes.
  std::size_t size() const { return std::size_t(x.nodes) * y.nodes * z.nodes; }
  /// Returns the place of a node in `tesla`.
  std::size_t index(int i, int j, int k) const {
    return (std::size_t(i) * y.nodes + j) * z.nodes + k;
  }
};

/// Field that is symmetric about the z axis, on a grid in r and z.
struct AxisymmetricFieldGrid {
  GridAxis r,                                ///< axis of the distance from the z axis
      z;                                     ///< axis along z
  std::vector<std::array<double, 2>> tesla;  ///< B_r, B_z of the nodes, T; z runs fastest

  /// Returns the number of nodes.
  std::size_t size() const { return std::size_t(r.nodes) * z.nodes; }
  /// Returns the place of a node in `tesla`.
  std::size_t index(int i, int j) const { return std::size_t(i) * z.nodes + j; }
};

/// Samples a field on the nodes of a grid.
/// @param x axis along x
/// @param y axis along y
/// @param z axis along z
/// @param field `field(x, y, z)` returns B (T) as a `Vector3<double>`
template <class Field>
FieldGrid sample_field(const GridAxis& x, const GridAxis& y, const GridAxis& z,
                       const Field& field) {
  FieldGrid grid{x, y, z, {}};
  grid.tesla.reserve(grid.size());
  for (int i = 0; i < x.nodes; ++i)
    for (int j = 0; j < y.nodes; ++j)
      for (int k = 0; k < z.nodes; ++k) {
        const Vector3<double> b = field(x.node(i), y.node(j), z.node(k));
        grid.tesla.push_back({b(0), b(1), b(2)});
      }
  return grid;
}

/// Samples a field that is symmetric about the z axis on the nodes of a grid.
/// @param r axis of the distance from the z axis
/// @param z axis along z
/// @param field `field(r, z)` returns B_r and B_z (T) as an array, such as `FiniteSolenoid`
template <class Field>
AxisymmetricFieldGrid sample_axisymmetric_field(const GridAxis& r, const GridAxis& z,
                                                const Field& field) {
  AxisymmetricFieldGrid grid{r, z, {}};
  grid.tesla.reserve(grid.size());
  for (int i = 0; i < r.nodes; ++i)
    for (int j = 0; j < z.nodes; ++j) grid.tesla.push_back(field(r.node(i), z.node(j)));
  return grid;
}

namespace detail {
template <class Grid>
void check_values(const Grid& grid) {
  if (grid.tesla.size() != grid.size())
    throw UsageError("field grid", "a field at each node is needed",
                     std::to_string(grid.tesla.size()) + " of " + std::to_string(grid.size()));
  for (const auto& b : grid.tesla)
    for (const double component : b)
      if (!std::isfinite(component)) throw UsageError("field grid", "a field is not finite");
}
}  // namespace detail

/// Checks a grid.
/// @throws UsageError if an axis has no cells, or values are missing or not finite
void check_field_grid(const FieldGrid& grid);
/// Largest |B_r| on the z axis of a computed map, which is not quite 0 there: part of its largest
/// |B|.
inline constexpr double max_axis_field = 1e-3;
/// Checks a grid.
/// @throws UsageError if an axis has no cells, r is negative, values are missing or not finite, or
/// B_r on the z axis is above `max_axis_field`
void check_field_grid(const AxisymmetricFieldGrid& grid);

/// Field of a solenoid in the region without currents and iron, of any shape that is symmetric
/// about the z axis and about z = 0: a series of harmonic fields. Host code, to sample a map from.
/// \f[ B_z = \sum_k a_k \cos\kappa_k z\,I_0(\kappa_k r),\qquad
///     B_r = \sum_k a_k \sin\kappa_k z\,I_1(\kappa_k r),\qquad \kappa_k = k\pi/L \f]
/// B is linear in the coefficients, so linear least squares fits measured fields.
/// @tparam N number of coefficients
template <int N>
struct SolenoidSeries {
  double half_period;                  ///< L, cm: larger than the region
  std::array<double, N> coefficients;  ///< a_0 to a_(N - 1), T

  /// Returns B_r and B_z (T) at r >= 0 and z (cm).
  std::array<double, 2> operator()(double r, double z) const {
    std::array<double, 2> field{0., coefficients[0]};
    for (int k = 1; k < N; ++k) {
      const auto wave = sincospi(k * z / half_period);
      const auto [i0, i1] = bessel_i01(k * std::numbers::pi / half_period * r);
      field[0] += coefficients[std::size_t(k)] * wave.sin * i1;
      field[1] += coefficients[std::size_t(k)] * wave.cos * i0;
    }
    return field;
  }

 private:
  /// I_0 and I_1, by their power series.
  static std::array<double, 2> bessel_i01(double x) {
    const double square = 0.25 * x * x;
    double term0 = 1., term1 = 0.5 * x, sum0 = term0, sum1 = term1;
    for (int m = 1; term0 > 1e-17 * sum0; ++m) {
      term0 *= square / (m * m);
      term1 *= square / (m * (m + 1));
      sum0 += term0;
      sum1 += term1;
    }
    return {sum0, sum1};
  }
};

/// Finite solenoid: a thin cylindrical sheet of current about the z axis, centred at z = 0. Host
/// code, to sample a map from.
///
/// The exact field in complete elliptic integrals, after N. Derby, S. Olbert, Am. J. Phys. 78
/// (2010) 229.
struct FiniteSolenoid {
  double tesla;        ///< field in the middle of an infinitely long solenoid, T
  double radius;       ///< of the sheet, cm; the field is singular at its ends
  double half_length;  ///< of the sheet, cm

  /// Returns B_r and B_z (T) at r >= 0 and z (cm).
  std::array<double, 2> operator()(double r, double z) const;

 private:
  static constexpr double pi = std::numbers::pi;

  /// Integral of (c cos^2 + s sin^2) / ((cos^2 + p sin^2) sqrt(cos^2 + k^2 sin^2)) from 0 to pi/2,
  /// p >= 0, by R. Bulirsch, Numer. Math. 13 (1969) 305.
  static double elliptic_integral(double k, double p, double c, double s);
};

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/field_grid.impl.hpp>
#endif
