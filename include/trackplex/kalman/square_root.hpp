// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Square roots of covariances and information matrices, P = S Sᵀ, and their updates. A root has
/// half the exponents of P, and the covariance computed from it is positive: single precision then
/// suffices for covariances whose elements differ by more than their rounding (G. Bierman,
/// "Factorization Methods for Discrete Sequential Estimation", 1977).

#include <trackplex/core/unroll.hpp>
#include <trackplex/kalman/update.hpp>

namespace trackplex::kalman {

namespace detail {

/// Lower triangle of N rows.
template <class Real, int N>
using LowerTriangle = Matrix<Real, N, N, Pattern<N, N>::lower_triangle()>;

/// Element (i, j) of a lower triangle, j <= i.
template <class Real, int N>
KOKKOS_FORCEINLINE_FUNCTION Real& lower(LowerTriangle<Real, N>& l, int i, int j) {
  return l.elements[i * (i + 1) / 2 + j];
}
template <class Real, int N>
KOKKOS_FORCEINLINE_FUNCTION const Real& lower(const LowerTriangle<Real, N>& l, int i, int j) {
  return l.elements[i * (i + 1) / 2 + j];
}

/// Cholesky factor of a positive semidefinite matrix: columns whose pivot is below the rounding are
/// 0.
template <class Real, int N>
KOKKOS_FUNCTION LowerTriangle<Real, N> semidefinite_root(const Symmetric<Real, N>& a) {
  using T = ScalarOf<Real>;
  const Real tolerance = Real(T(N) * trackplex::detail::FloatFormat<T>::epsilon);
  LowerTriangle<Real, N> l;
  for (int j = 0; j < N; ++j) {
    Real pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot = fma(-lower(l, j, k), lower(l, j, k), pivot);
    const auto positive = pivot > tolerance * a(j, j);
    const Real root = sqrt(select(positive, pivot, Real(1)));
    const Real reciprocal = select(positive, Real(1) / root, Real(0));
    lower(l, j, j) = select(positive, root, Real(0));
    for (int i = j + 1; i < N; ++i) {
      Real rest = a(i, j);
      for (int k = 0; k < j; ++k) rest = fma(-lower(l, i, k), lower(l, j, k), rest);
      lower(l, i, j) = rest * reciprocal;
    }
  }
  return l;
}

/// Triangular root L of W Wᵀ, and z with L z = W b, by the modified Gram-Schmidt method on the
/// rows of W, whose rounding is that of each row (N. J. Higham, "Accuracy and Stability of
/// Numerical Algorithms", section 19.8). Rows of nearly no length count as 0.
/// @param w rows, overwritten
/// @param b right-hand side, overwritten
template <class Real, int N, int K>
KOKKOS_FUNCTION void triangularize(Matrix<Real, N, K>& w, Vector<Real, K>& b,
                                   LowerTriangle<Real, N>& l, Vector<Real, N>& z) {
  const auto dot = [](const Real* x, const Real* y) {
    Real even = x[0] * y[0], odd = x[1] * y[1];  // two chains take half the time of one
    for (int k = 2; k + 1 < K; k += 2) {
      even = fma(x[k], y[k], even);
      odd = fma(x[k + 1], y[k + 1], odd);
    }
    if constexpr (K % 2 == 1) even = fma(x[K - 1], y[K - 1], even);
    return even + odd;
  };
  const auto subtract = [](Real* x, const Real& factor, const Real* y) {
    for (int k = 0; k < K; ++k) x[k] = fma(-factor, y[k], x[k]);
  };
  trackplex::detail::for_each_index<N>([&]<int j>() TRACKPLEX_INLINE_LAMBDA {
    Real* const row = w.elements + j * K;
    const Real square = dot(row, row);
    const auto positive = square > Real(ScalarOf<Real>(1e-30));
    const Real root = sqrt(select(positive, square, Real(1)));
    const Real reciprocal = select(positive, Real(1) / root, Real(0));
    for (int k = 0; k < K; ++k) row[k] *= reciprocal;
    lower(l, j, j) = select(positive, root, Real(0));
    trackplex::detail::for_each_index<N - 1 - j>([&]<int n>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int i = j + 1 + n;
      Real* const other = w.elements + i * K;
      const Real along = dot(other, row);
      lower(l, i, j) = along;
      subtract(other, along, row);
    });
    z(j) = dot(b.elements, row);
    subtract(b.elements, z(j), row);
  });
}

/// Copies a matrix into the block that begins at (row, first).
template <class Real, int N, int K, int R, int C>
KOKKOS_FORCEINLINE_FUNCTION void put_block(Matrix<Real, N, K>& to, int row, int first,
                                           const Matrix<Real, R, C>& from) {
  for (int i = 0; i < R; ++i)
    for (int c = 0; c < C; ++c) to(row + i, first + c) = from(i, c);
}

/// P = S Sᵀ.
template <class Real, int K>
KOKKOS_FORCEINLINE_FUNCTION Covariance<Real> square(const Matrix<Real, 6, K>& root) {
  return symmetric_product(root, transposed(root));
}

/// Measurement in units of its errors: A = C⁻¹ H and e = C⁻¹ r with V = C Cᵀ.
template <class Real, int M>
struct Whitened {
  Matrix<Real, M, 6> projection;  ///< A
  Vector<Real, M> residual;       ///< e
  MaskOf<Real> regular = true;    ///< lanes with a positive definite V

  KOKKOS_FORCEINLINE_FUNCTION Whitened(const Matrix<Real, M, 6>& h, const Vector<Real, M>& r,
                                       const Symmetric<Real, M>& v) {
    const auto c = semidefinite_root(v);
    for (int i = 0; i < M; ++i) {
      regular = regular && lower(c, i, i) > Real(0);
      const Real reciprocal = Real(1) / lower(c, i, i);
      residual(i) = r(i);
      for (int p = 0; p < 6; ++p) projection(i, p) = h(i, p);
      for (int k = 0; k < i; ++k) {
        residual(i) = fma(-lower(c, i, k), residual(k), residual(i));
        for (int p = 0; p < 6; ++p)
          projection(i, p) = fma(-lower(c, i, k), projection(k, p), projection(i, p));
      }
      residual(i) *= reciprocal;
      for (int p = 0; p < 6; ++p) projection(i, p) *= reciprocal;
    }
  }
  /// Sets the lanes outside the mask to 0.
  KOKKOS_FORCEINLINE_FUNCTION void restrict_to(const MaskOf<Real>& mask) {
    for (auto& element : projection.elements) element = select(mask, element, Real(0));
    for (auto& element : residual.elements) element = select(mask, element, Real(0));
  }
};

/// Kalman update of a root, one whitened measurement after the other (J. E. Potter, see P.
/// Kaminski, A. Bryson, S. Schmidt, IEEE Trans. Autom. Control 16 (1971) 727): with f = Sᵀ aᵀ and
/// alpha = 1 + fᵀ f,
/// \f[ X\leftarrow X+Sf\,\frac e\alpha,\qquad
///     S\leftarrow S-\frac{Sf\,f^T}{\alpha+\sqrt\alpha},\qquad
///     \chi^2\leftarrow\chi^2+\frac{e^2}\alpha. \f]
/// @param x parameters, and s the root of their covariance: changed in the lanes of `where` with a
/// regular V and a chi2 of at most `max_chi2`
template <class Real, int M>
KOKKOS_FUNCTION UpdateResult<Real> update_root(Parameters<Real>& x, Matrix<Real, 6, 6>& s,
                                               const Whitened<Real, M>& measurement,
                                               const MaskOf<Real>& where, const Real& max_chi2) {
  auto f = measurement.projection * s;
  auto e = measurement.residual;
  auto x_updated = x;
  auto s_updated = s;
  Real chi2 = Real(0);
  for (int m = 0; m < M; ++m) {
    const auto inner = [&](int n) {
      Real sum = f(m, 0) * f(n, 0);
      for (int p = 1; p < 6; ++p) sum = fma(f(m, p), f(n, p), sum);
      return sum;
    };
    const Real alpha = Real(1) + inner(m);
    const Real pull = e(m) / alpha, factor = Real(1) / (alpha + sqrt(alpha));
    chi2 = fma(e(m), pull, chi2);
    for (int p = 0; p < 6; ++p) {
      Real sf = s_updated(p, 0) * f(m, 0);
      for (int q = 1; q < 6; ++q) sf = fma(s_updated(p, q), f(m, q), sf);
      x_updated(p) = fma(sf, pull, x_updated(p));
      for (int q = 0; q < 6; ++q) s_updated(p, q) = fma(-(factor * sf), f(m, q), s_updated(p, q));
    }
    for (int n = m + 1; n < M; ++n) {
      const Real product = inner(n);
      e(n) = fma(-product, pull, e(n));
      for (int p = 0; p < 6; ++p) f(n, p) = fma(-(factor * product), f(m, p), f(n, p));
    }
  }
  const auto updated = where && measurement.regular && chi2 <= max_chi2;
  assign_where(updated, x_updated, x);
  assign_where(updated, s_updated, s);
  return {chi2, updated};
}

}  // namespace detail

}  // namespace trackplex::kalman
