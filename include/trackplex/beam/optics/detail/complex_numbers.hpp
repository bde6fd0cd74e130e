// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

/// @file
/// Functions of complex numbers, with the same bits everywhere: the functions of C++ call the C
/// library, and quotients call the compiler's. Sums, products and conjugates are those of C++.

namespace trackplex::beam::detail {

/// Returns the square of the magnitude.
inline double squared_magnitude(const std::complex<double>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}

/// Returns the magnitude without overflow.
inline double magnitude(double x) { return std::abs(x); }
inline double magnitude(const std::complex<double>& z) {
  const double a = std::abs(z.real()), b = std::abs(z.imag());
  const double larger = std::max(a, b), smaller = std::min(a, b);
  if (larger == 0.) return 0.;
  const double ratio = smaller / larger;
  return larger * std::sqrt(1. + ratio * ratio);
}

/// Returns the phase, -pi to pi.
inline double phase_of(const std::complex<double>& z) { return atan2(z.imag(), z.real()); }

/// Returns a / b, after R. L. Smith, Communications of the ACM 5 (1962) 435.
inline double quotient(double a, double b) { return a / b; }
inline std::complex<double> quotient(const std::complex<double>& a, const std::complex<double>& b) {
  if (std::abs(b.real()) >= std::abs(b.imag())) {
    const double ratio = b.imag() / b.real(), size = b.real() + ratio * b.imag();
    return {(a.real() + a.imag() * ratio) / size, (a.imag() - a.real() * ratio) / size};
  }
  const double ratio = b.real() / b.imag(), size = b.imag() + ratio * b.real();
  return {(a.real() * ratio + a.imag()) / size, (a.imag() * ratio - a.real()) / size};
}

/// Returns the square root whose real part is not negative.
inline std::complex<double> square_root(const std::complex<double>& z) {
  const double half = std::sqrt(0.5 * (magnitude(z) + std::abs(z.real())));
  if (half == 0.) return 0.;
  const double other = 0.5 * std::abs(z.imag()) / half;
  if (z.real() >= 0.) return {half, std::copysign(other, z.imag())};
  return {other, std::copysign(half, z.imag())};
}

}  // namespace trackplex::beam::detail
