// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <trackplex/core/bessel.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <vector>

using namespace trackplex;

namespace {

/// 1 - x K1(x) for x <= 1, by the series of K1.
long double small_deficit(long double x) {
  const long double euler = 0.577215664901532860606512090082402431L;
  long double power = 0.5L, sum = 0.L, harmonic = 0.L;  // power: (x/2)^2k / (2 k! (k + 1)!)
  for (int k = 0; k < 30; ++k) {
    const long double digammas = 2.L * (harmonic - euler) + 1.L / (k + 1);
    sum += power * (0.5L * digammas - std::log(0.5L * x));
    harmonic += 1.L / (k + 1);
    power *= 0.25L * x * x / ((k + 1.L) * (k + 2.L));
  }
  return x * x * sum;
}

long double x_k1(long double x) {
  return x <= 1.L ? 1.L - small_deficit(x) : x * std::cyl_bessel_k(1.L, x);
}

template <class T>
double ulps(T value, long double exact) {
  int exponent;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  return double(std::ldexp(std::fabs(value - exact), std::numeric_limits<T>::digits - exponent));
}

template <class T>
std::vector<T> arguments() {
  std::vector<T> x;
  for (T a = T(1e-12); a < T(1); a *= T(1.0013)) x.push_back(a);
  for (T a = T(0.9); a < T(1.1); a += T(0.0003)) x.push_back(a);
  for (T a = T(1); a < T(80); a *= T(1.0007)) x.push_back(a);
  return x;
}

template <class T, int Width>
void check_lanes() {
  using Real = LanesOf<T, Width>;
  const auto x = arguments<T>();
  for (std::size_t first = 0; first + 3 * Width <= x.size(); first += Width) {
    // some lanes from elsewhere, so that both branches are taken
    Real a = load<Real>(x.data() + first);
    insert(a, Width - 1, x[x.size() - 1 - first]);
    const Real k1 = bessel_k1(a), product = x_bessel_k1(a), deficit = one_minus_x_bessel_k1(a);
    for (int lane = 0; lane < Width; ++lane) {
      const T one = extract(a, lane);
      REQUIRE(extract(k1, lane) == trackplex::bessel_k1(one));
      REQUIRE(extract(product, lane) == trackplex::x_bessel_k1(one));
      REQUIRE(extract(deficit, lane) == trackplex::one_minus_x_bessel_k1(one));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("K1 in units of the last place", "[core]", float, double) {
  using T = TestType;
  double k1 = 0., product = 0., deficit = 0.;
  for (const T x : arguments<T>()) {
    const long double exact = x_k1(x);
    const long double exact_deficit = x <= T(1) ? small_deficit(x) : 1.L - exact;
    k1 = std::max(k1, ulps(trackplex::bessel_k1(x), exact / x));
    product = std::max(product, ulps(trackplex::x_bessel_k1(x), exact));
    deficit = std::max(deficit, ulps(trackplex::one_minus_x_bessel_k1(x), exact_deficit));
  }
  CAPTURE(k1, product, deficit);
  CHECK(product <= 5.);
  CHECK(deficit <= 6.);
  CHECK(k1 <= 5.);
}

TEST_CASE("K1 has the values of the tables", "[core]") {
  CHECK(ulps(trackplex::bessel_k1(0.1), 9.853844780870605574377L) <= 5.);
  CHECK(ulps(trackplex::bessel_k1(1.), 0.6019072301972345747375L) <= 5.);
  CHECK(ulps(trackplex::bessel_k1(2.), 0.1398658818165224272846L) <= 5.);
  CHECK(ulps(trackplex::bessel_k1(10.), 1.864877345382558459682e-5L) <= 5.);
  CHECK(ulps(trackplex::bessel_k1(100.), 4.679853735636909286563e-45L) <= 5.);
}

TEMPLATE_TEST_CASE("K1 at its ends", "[core]", float, double) {
  using T = TestType;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  CHECK(trackplex::bessel_k1(T(0)) == infinity);
  CHECK(trackplex::x_bessel_k1(T(0)) == T(1));
  CHECK(trackplex::one_minus_x_bessel_k1(T(0)) == T(0));
  CHECK(trackplex::one_minus_x_bessel_k1(std::numeric_limits<T>::denorm_min()) == T(0));
  for (const T x : {T(1000), std::numeric_limits<T>::max(), infinity}) {
    CHECK(trackplex::bessel_k1(x) == T(0));
    CHECK(trackplex::one_minus_x_bessel_k1(x) == T(1));
  }
  for (const T x : {T(-1), T(-1e-3), -infinity, nan}) {
    CHECK(std::isnan(trackplex::bessel_k1(x)));
    CHECK(std::isnan(trackplex::x_bessel_k1(x)));
    CHECK(std::isnan(trackplex::one_minus_x_bessel_k1(x)));
  }
}

TEST_CASE("K1 does not depend on the lanes", "[core]") {
  check_lanes<float, 4>();
  check_lanes<float, 16>();
  check_lanes<double, 2>();
  check_lanes<double, 8>();
}
