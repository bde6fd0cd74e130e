// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/core/unroll.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace trackplex {

/// Complex numbers in two arrays.
struct ComplexArray {
  double* re;
  double* im;
};

namespace detail {

template <class Real>
struct Complex {
  Real re, im;

  friend KOKKOS_FORCEINLINE_FUNCTION Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Complex operator*(const Complex& a, const Complex& b) {
    return {fma(a.re, b.re, -(a.im * b.im)), fma(a.re, b.im, a.im * b.re)};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Complex operator*(const Real& a, const Complex& b) {
    return {a * b.re, a * b.im};
  }
  /// Times -i.
  KOKKOS_FORCEINLINE_FUNCTION Complex turned_back() const { return {im, -re}; }
};

/// exp(-2 pi i j/n) for 0 <= j < n, from an angle of at most pi/4.
inline Complex<double> root_of_unity(std::int64_t j, std::int64_t n) {
  const std::int64_t quarter = 4 * j / n, rest = 4 * j - quarter * n;
  const bool mirrored = 2 * rest > n;
  const auto [sine, cosine] =
      trackplex::sincospi(double(mirrored ? n - rest : rest) / (2. * double(n)));
  const double c = mirrored ? sine : cosine, s = mirrored ? cosine : sine;
  const Complex<double> turned[] = {{c, -s}, {-s, -c}, {-c, s}, {s, c}};
  return turned[quarter];
}

/// Appends exp(-2 pi i j k/n) for j = 0 to count - 1: cosines, then minus sines.
inline void append_roots(std::vector<double>& table, int n, int count, int k) {
  const auto root = [&](int j) { return root_of_unity(std::int64_t(j) * k % n, n); };
  for (int j = 0; j < count; ++j) table.push_back(root(j).re);
  for (int j = 0; j < count; ++j) table.push_back(root(j).im);
}

/// The transform of R numbers in place.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void transform_few(Complex<Real> (&z)[2]) {
  const auto a = z[0];
  z[0] = a + z[1];
  z[1] = a - z[1];
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void transform_few(Complex<Real> (&z)[3]) {
  const Real half(0.5), sine(0x1.bb67ae8584caap-1);  // sin(2 pi/3)
  const auto sum = z[1] + z[2];
  const auto turned = (sine * (z[1] - z[2])).turned_back();
  const auto middle = z[0] - half * sum;
  z[0] = z[0] + sum;
  z[1] = middle + turned;
  z[2] = middle - turned;
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void transform_few(Complex<Real> (&z)[4]) {
  const auto a = z[0] + z[2], b = z[0] - z[2], c = z[1] + z[3];
  const auto d = (z[1] - z[3]).turned_back();
  z[0] = a + c;
  z[1] = b + d;
  z[2] = a - c;
  z[3] = b - d;
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void transform_few(Complex<Real> (&z)[5]) {
  const Real c1(0x1.3c6ef372fe95p-2), c2(-0x1.9e3779b97f4a8p-1);  // cos(2 pi/5), cos(4 pi/5)
  const Real s1(0x1.e6f0e134454ffp-1), s2(0x1.2cf2304755a5ep-1);  // sin(2 pi/5), sin(4 pi/5)
  const auto sum1 = z[1] + z[4], sum2 = z[2] + z[3];
  const auto difference1 = z[1] - z[4], difference2 = z[2] - z[3];
  const auto even1 = z[0] + c1 * sum1 + c2 * sum2, even2 = z[0] + c2 * sum1 + c1 * sum2;
  const auto odd1 = (s1 * difference1 + s2 * difference2).turned_back();
  const auto odd2 = (s2 * difference1 - s1 * difference2).turned_back();
  z[0] = z[0] + sum1 + sum2;
  z[1] = even1 + odd1;
  z[2] = even2 + odd2;
  z[3] = even2 - odd2;
  z[4] = even1 - odd1;
}

/// One pass: with l = m / stride, the sums over j of x[b + j m/radix] exp(-2 pi i j k/radix), times
/// exp(-2 pi i p k/l), go to place q + stride (radix p + k); b = q + stride p, q < stride.
struct FftPass {
  int radix, stride;
  int shift;     ///< binary logarithm of the stride; -1 if it is no power of two
  int twiddles;  ///< in the table: for k = 1 to radix - 1, those of all p
  int roots;     ///< in the table: roots of the radix, if there is no formula for it
};

/// The transform of m complex numbers: its passes, and their execution. With several lines, number
/// j of line l is at j lines + l, and all lines are transformed at once.
class FftPasses {
 public:
  FftPasses() = default;
  /// Appends its roots of unity to the table.
  FftPasses(int m, std::vector<double>& table, int lines = 1) : m_(m * lines) {
    for (int stride = 1; stride < m;) {
      const int l = m / stride, radix = radix_for(l);
      FftPass& pass = passes_[n_++] = {radix, stride * lines, -1, int(table.size()), 0};
      if (std::has_single_bit(unsigned(pass.stride)))
        pass.shift = std::countr_zero(unsigned(pass.stride));
      for (int k = 1; k < radix; ++k) append_roots(table, l, l / radix, k);
      pass.roots = int(table.size());
      if (radix > max_written) append_roots(table, radix, radix, 1);
      stride *= radix;
    }
  }

  /// Transforms the numbers in `from` with as much scratch memory at `to`; the result is in one of
  /// the two and visible to the team.
  template <class Team>
  KOKKOS_FUNCTION ComplexArray run(const Team& team, const double* table, ComplexArray from,
                                   ComplexArray to) const {
    for (int i = 0; i < n_; ++i) {
      run_pass(team, passes_[i], table, from, to);
      team.barrier();
      const ComplexArray done = to;
      to = from;
      from = done;
    }
    return from;
  }

 private:
  static constexpr int max_written = 5;

  static int radix_for(int l) {
    for (const int radix : {4, 2, 3, 5})
      if (l % radix == 0) return radix;
    int factor = 7;
    while (l % factor != 0) factor += 2;
    return factor;
  }

  template <class Team>
  KOKKOS_FUNCTION void run_pass(const Team& team, const FftPass& pass, const double* table,
                                ComplexArray from, ComplexArray to) const {
    using Real = typename Team::Real;
    if (pass.radix > max_written) return any_pass(team, pass, table, from, to);
    // All lanes of a tile have one p, or each has its own and a neighbour's place.
    if (pass.stride % width_of<Real> == 0 || pass.stride == 1) {
      written_pass<Real>(team, pass, table, from, to);
    } else {
      written_pass<double>(team, pass, table, from, to);
    }
  }

  template <class Real, class Team>
  KOKKOS_FUNCTION void written_pass(const Team& team, const FftPass& pass, const double* table,
                                    ComplexArray from, ComplexArray to) const {
    if (pass.radix == 2) pass_of<2, Real>(team, pass, table, from, to);
    if (pass.radix == 3) pass_of<3, Real>(team, pass, table, from, to);
    if (pass.radix == 4) pass_of<4, Real>(team, pass, table, from, to);
    if (pass.radix == 5) pass_of<5, Real>(team, pass, table, from, to);
  }

  template <int Radix, class Real, class Team>
  KOKKOS_FUNCTION void pass_of(const Team& team, const FftPass& pass, const double* table,
                               ComplexArray from, ComplexArray to) const {
    if (pass.stride % width_of<Real> == 0) {
      pass_of_whole_tiles<Radix, Real>(team, pass, table, from, to);
    } else {
      first_pass<Radix, Real>(team, pass, table, from, to);
    }
  }

  /// With a stride of 1.
  template <int Radix, class Real, class Team>
  KOKKOS_FUNCTION void first_pass(const Team& team, const FftPass& pass, const double* table,
                                  ComplexArray from, ComplexArray to) const {
    const int n = m_ / Radix;
    const double* const twiddles = table + pass.twiddles;
    team.template for_each<Real>(n, [=](const Tile<Real>& tile) TRACKPLEX_INLINE_LAMBDA {
      Complex<Real> z[Radix];
      for (int k = 0; k < Radix; ++k)
        z[k] = {tile.load(from.re + k * n), tile.load(from.im + k * n)};
      transform_few(z);
      const double* roots = twiddles;
      for (int k = 0; k < Radix; ++k) {
        if (k > 0) {
          z[k] = z[k] * Complex<Real>{tile.load(roots), tile.load(roots + n)};
          roots += 2 * n;
        }
        for (int lane = 0; lane < tile.count; ++lane) {
          to.re[(tile.first + lane) * Radix + k] = extract(z[k].re, lane);
          to.im[(tile.first + lane) * Radix + k] = extract(z[k].im, lane);
        }
      }
    });
  }

  /// With a stride of whole tiles.
  template <int Radix, class Real, class Team>
  KOKKOS_FUNCTION void pass_of_whole_tiles(const Team& team, const FftPass& pass,
                                           const double* table, ComplexArray from,
                                           ComplexArray to) const {
    const int n = m_ / Radix, stride = pass.stride, n_p = n / stride, log2_stride = pass.shift;
    const double* const twiddles = table + pass.twiddles;
    team.template for_each<Real>(n, [=](const Tile<Real>& tile) TRACKPLEX_INLINE_LAMBDA {
      const int first = tile.first, p = log2_stride >= 0 ? first >> log2_stride : first / stride;
      Complex<Real> z[Radix];
      for (int k = 0; k < Radix; ++k)
        z[k] = {load<Real>(from.re + first + k * n), load<Real>(from.im + first + k * n)};
      transform_few(z);
      const double* roots = twiddles + p;
      const int place = first + stride * (Radix - 1) * p;
      for (int k = 0; k < Radix; ++k) {
        if (k > 0) {
          z[k] = z[k] * Complex<Real>{Real(roots[0]), Real(roots[n_p])};
          roots += 2 * n_p;
        }
        store(to.re + place + stride * k, z[k].re);
        store(to.im + place + stride * k, z[k].im);
      }
    });
  }

  /// Sums of as many terms as the radix has, one item for each.
  template <class Team>
  KOKKOS_FUNCTION void any_pass(const Team& team, const FftPass& pass, const double* table,
                                ComplexArray from, ComplexArray to) const {
    const int radix = pass.radix, n = m_ / radix, stride = pass.stride, n_p = n / stride;
    team.template for_each<double>(m_, [&](const Tile<double>& item) {
      const int k = item.first / n, b = item.first - k * n, p = b / stride;
      Complex<double> sum{from.re[b], from.im[b]};
      for (int j = 1, jk = k; j < radix; ++j) {
        const double* const root = table + pass.roots + jk;
        sum = sum + Complex<double>{from.re[b + j * n], from.im[b + j * n]} *
                        Complex<double>{root[0], root[radix]};
        jk = jk + k < radix ? jk + k : jk + k - radix;
      }
      if (k > 0) {
        const double* const twiddle = table + pass.twiddles + 2 * n_p * (k - 1) + p;
        sum = sum * Complex<double>{twiddle[0], twiddle[n_p]};
      }
      const int at = b + stride * ((radix - 1) * p + k);
      to.re[at] = sum.re;
      to.im[at] = sum.im;
    });
  }

  int m_ = 0;  ///< of all lines
  int n_ = 0;
  Kokkos::Array<FftPass, 20> passes_{};  // 3^12 is beyond the longest
};

}  // namespace detail
}  // namespace trackplex
