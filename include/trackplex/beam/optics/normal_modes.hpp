// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Normal modes of coupled linear motion in two or three planes, in the form of G. Ripken (DESY
/// R1-70/04, 1970; H. Mais and G. Ripken, DESY M-82-05, 1982): eigenvectors of the one-turn matrix.
/// On the host.

#include <trackplex/beam/optics/detail/complex_numbers.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/core/stable_sort.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

namespace trackplex::beam {

/// Normal mode of a matrix of N coordinates: a particle in it has the coordinates
/// \f$ \sqrt{2I}\,\mathrm{Re}(v\,e^{i\mu n}) \f$ after n turns.
template <int N>
struct NormalMode {
  double tune = 0.;  ///< Phase advance of a turn in units of 2 pi, 0 to 1.
  /// Coordinate and slope of each plane; areas \f$ \mathrm{Im}(\bar v_q v_p) \f$ of the planes add
  /// up to 1.
  std::array<std::complex<double>, N> vector{};
};

namespace detail {

/// Square complex matrix.
template <int N>
using ComplexMatrix = std::array<std::array<std::complex<double>, N>, N>;

/// Returns the area of a vector in a plane, counted from 0. In the third plane, of s and delta,
/// the coordinate is -s: s is larger for later particles.
template <int N>
double area_in(const std::array<std::complex<double>, N>& v, int plane) {
  const double area = std::imag(std::conj(v[2 * plane]) * v[2 * plane + 1]);
  return plane == 2 ? -area : area;
}

/// Takes the last two rows and columns of a block of n, and returns the eigenvalue that is closer
/// to its last element.
template <int N>
std::complex<double> closer_eigenvalue(const ComplexMatrix<N>& m, int n) {
  const auto a = m[n - 2][n - 2], b = m[n - 2][n - 1], c = m[n - 1][n - 2], d = m[n - 1][n - 1];
  const auto half = 0.5 * (a - d), root = square_root(half * half + b * c);
  const auto middle = 0.5 * (a + d);
  return magnitude(middle + root - d) < magnitude(middle - root - d) ? middle + root
                                                                     : middle - root;
}

/// One step of the QR algorithm with a shift, on the first n rows and columns.
template <int N>
void step_of_qr(ComplexMatrix<N>& m, int n, std::complex<double> shift) {
  struct Rotation {
    int i, j;
    std::complex<double> c, s;
  };
  std::array<Rotation, N * N> rotations;
  int count = 0;
  for (int i = 0; i < n; ++i) m[i][i] -= shift;
  for (int j = 0; j < n - 1; ++j)
    for (int i = j + 1; i < n; ++i) {
      const double length = hypot(magnitude(m[j][j]), magnitude(m[i][j]));
      if (magnitude(m[i][j]) == 0. || length == 0.) continue;
      const Rotation r{i, j, m[j][j] / length, m[i][j] / length};
      for (int k = 0; k < n; ++k) {
        const auto top = m[j][k], low = m[i][k];
        m[j][k] = std::conj(r.c) * top + std::conj(r.s) * low;
        m[i][k] = r.c * low - r.s * top;
      }
      rotations[count++] = r;
    }
  for (int r = 0; r < count; ++r) {
    const auto& [i, j, c, s] = rotations[r];
    for (int k = 0; k < n; ++k) {
      const auto left = m[k][j], right = m[k][i];
      m[k][j] = left * c + right * s;
      m[k][i] = right * std::conj(c) - left * std::conj(s);
    }
  }
  for (int i = 0; i < n; ++i) m[i][i] += shift;
}

/// Returns the eigenvalues of a matrix by the QR algorithm.
template <int N>
std::array<std::complex<double>, N> eigenvalues(ComplexMatrix<N> m) {
  std::array<std::complex<double>, N> values;
  double size = 0.;
  for (const auto& row : m)
    for (const auto& element : row) size = std::max(size, magnitude(element));
  for (int n = N; n > 0; --n) {
    const auto rest = [&] {
      double sum = 0.;
      for (int k = 0; k < n - 1; ++k) sum += magnitude(m[n - 1][k]);
      return sum;
    };
    constexpr int most = 200;
    for (int i = 0; i < most && rest() > 1e-15 * size; ++i) {
      // occasionally another shift, against cycles
      const auto shift = i % 11 == 10 ? m[n - 1][n - 1] + rest() : closer_eigenvalue<N>(m, n);
      step_of_qr<N>(m, n, shift);
    }
    values[n - 1] = m[n - 1][n - 1];
  }
  return values;
}

/// Solves m x = v in place, by elimination with partial pivoting.
template <int N, class Number>
void solve(std::array<std::array<Number, N>, N> m, std::array<Number, N>& v) {
  for (int j = 0; j < N; ++j) {
    int pivot = j;
    for (int i = j + 1; i < N; ++i)
      if (magnitude(m[i][j]) > magnitude(m[pivot][j])) pivot = i;
    std::swap(m[j], m[pivot]);
    std::swap(v[j], v[pivot]);
    // inverse iteration works with a singular matrix
    if (magnitude(m[j][j]) < 1e-300) m[j][j] = 1e-300;
    for (int i = j + 1; i < N; ++i) {
      const auto factor = quotient(m[i][j], m[j][j]);
      for (int k = j; k < N; ++k) m[i][k] -= factor * m[j][k];
      v[i] -= factor * v[j];
    }
  }
  for (int j = N - 1; j >= 0; --j) {
    for (int k = j + 1; k < N; ++k) v[j] -= m[j][k] * v[k];
    v[j] = quotient(v[j], m[j][j]);
  }
}

/// Returns the eigenvector of an eigenvalue by inverse iteration, with an area of 1, or its
/// conjugate if that has an area of 1.
/// @throws UsageError if it has none: the motion is not stable
template <int N>
NormalMode<N> mode_of(const ComplexMatrix<N>& m, std::complex<double> value) {
  ComplexMatrix<N> shifted = m;
  for (int i = 0; i < N; ++i) shifted[i][i] -= value * (1. + 1e-14);
  NormalMode<N> mode;
  auto& v = mode.vector;
  for (int i = 0; i < N; ++i) v[i] = {1. / (i + 1.), 0.3 * i - 0.7};
  for (int i = 0; i < 4; ++i) {
    solve<N>(shifted, v);
    double largest = 0.;
    for (const auto& element : v) largest = std::max(largest, magnitude(element));
    for (auto& element : v) element /= largest;
  }
  double area = 0., most = 0.;
  for (int plane = 0; plane < N / 2; ++plane) {
    area += area_in<N>(v, plane);
    most += magnitude(v[2 * plane] * v[2 * plane + 1]);
  }
  // modes that grow, and their decaying partners, have no area
  if (!(std::abs(area) > 1e-6 * most) || std::abs(magnitude(value) - 1.) > 0.1)
    throw UsageError("normal modes", "the motion is not stable",
                     "an eigenvalue is " + shortest(std::real(value)) + " + " +
                         shortest(std::imag(value)) + " i",
                     "those of stable motion lie on the unit circle, off the real axis");
  if (area < 0.) value = std::conj(value);
  for (auto& element : v)
    element = (area < 0. ? std::conj(element) : element) / std::sqrt(std::abs(area));
  const double turn = phase_of(value) / (2. * std::numbers::pi);
  mode.tune = turn < 0. ? turn + 1. : turn;
  return mode;
}

}  // namespace detail

/// Computes the normal modes of a one-turn matrix of N = 4 or 6 coordinates, plane by plane
/// (coordinate, slope): for each plane the mode with most of its area there, with a real and
/// positive coordinate in it. If uncoupled planes have the same tune, the modes are mixed.
/// @throws UsageError if the motion is not stable
template <int N>
std::array<NormalMode<N>, N / 2> normal_modes(const std::array<std::array<double, N>, N>& turn) {
  detail::ComplexMatrix<N> m;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) m[i][j] = turn[i][j];
  auto values = detail::eigenvalues<N>(m);
  stable_sort(values, [](auto a, auto b) { return std::imag(a) > std::imag(b); });
  std::array<NormalMode<N>, N / 2> modes;
  for (int k = 0; k < N / 2; ++k)  // one of each pair of conjugates
    modes[k] = detail::mode_of<N>(m, values[k]);
  for (int plane = 0; plane < N / 2; ++plane) {
    const auto most = std::max_element(modes.begin() + plane, modes.end(), [&](auto& a, auto& b) {
      return detail::area_in<N>(a.vector, plane) < detail::area_in<N>(b.vector, plane);
    });
    std::swap(modes[plane], *most);
    auto& v = modes[plane].vector;
    const auto back = std::conj(v[2 * plane]) / detail::magnitude(v[2 * plane]);
    for (auto& element : v) element *= back;
  }
  return modes;
}

}  // namespace trackplex::beam
