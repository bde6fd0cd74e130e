// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error_function.hpp>
#include <trackplex/core/expm1.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/core/random.hpp>
#include <vector>

#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T tiny = std::numeric_limits<T>::denorm_min();
template <class T>
constexpr T smallest_normal = std::numeric_limits<T>::min();
template <class T>
constexpr T largest = std::numeric_limits<T>::max();

/// The same bits; any two NaN are the same.
template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || bit_cast<IntegerOf<T>>(a) == bit_cast<IntegerOf<T>>(b);
}

/// |value - exact| in units of the last place of a T near `exact`.
template <class T>
double ulp_distance(T value, long double exact) {
  if (value != value) return infinity<double>;
  int exponent;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  const auto distance = std::fabs(static_cast<long double>(value) - exact);
  return static_cast<double>(std::ldexp(distance, std::numeric_limits<T>::digits - exponent));
}

/// Numbers from low to high > 0, equally many of each exponent, with both signs or as they are.
template <class T>
std::vector<T> samples(T low, T high, bool both_signs, int count = 200000) {
  RandomStream<T> random(1, 2);
  const int first = std::ilogb(low), last = std::ilogb(high);
  std::vector<T> x;
  for (int e = first; e <= last; ++e) {
    for (int i = 0; i < count / (last - first + 1) + 1; ++i) {
      const T a = std::clamp(std::ldexp(random.uniform(T(1), T(2)), e), low, high);
      x.push_back(both_signs && random.below(2) ? -a : a);
    }
  }
  return x;
}

template <class T, class F, class Exact>
double largest_error(const std::vector<T>& x, F f, Exact exact) {
  double error = 0;
  for (T a : x) error = std::max(error, ulp_distance(f(a), exact(static_cast<long double>(a))));
  return error;
}

/// Calls visit(name, function) for each function of one argument.
template <class Visit>
void for_each_function(Visit visit) {
  visit("rint", [](auto x) { return rint(x); });
  visit("floor", [](auto x) { return floor(x); });
  visit("ceil", [](auto x) { return ceil(x); });
  visit("sin", [](auto x) { return sin(x); });
  visit("cos", [](auto x) { return cos(x); });
  visit("sincos.sin", [](auto x) { return sincos(x).sin; });
  visit("sincos.cos", [](auto x) { return sincos(x).cos; });
  visit("sincospi.sin", [](auto x) { return sincospi(x).sin; });
  visit("sincospi.cos", [](auto x) { return sincospi(x).cos; });
  visit("tan", [](auto x) { return tan(x); });
  visit("atan", [](auto x) { return atan(x); });
  visit("exp", [](auto x) { return exp(x); });
  visit("log", [](auto x) { return log(x); });
  visit("expm1", [](auto x) { return expm1(x); });
}

/// Special arguments, and some of each exponent with both signs.
template <class T>
std::vector<T> all_arguments(int count) {
  std::vector<T> x = samples(tiny<T>, largest<T>, true, count);
  for (T a : {T(0), tiny<T>, smallest_normal<T>, T(0.5), T(1), T(1.5), T(2), T(2.5), T(100),
              largest<T>, infinity<T>, nan<T>}) {
    x.push_back(a);
    x.push_back(-a);
  }
  const auto small = samples(T(0.01), T(1000), true, count);
  x.insert(x.end(), small.begin(), small.end());
  while (x.size() % 16 != 0) x.push_back(T(0));
  return x;
}

/// FNV-1a hash of the bits of numbers, all NaN alike.
template <class T>
class Hash {
 public:
  void add(T x) {
    if (x != x) x = nan<T>;
    value_ = (value_ ^ static_cast<std::uint64_t>(bit_cast<UnsignedOf<T>>(x))) * 0x100000001b3;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

template <class T, int W>
int lanes_that_differ(const std::vector<T>& x) {
  using Real = Lanes<T, W>;
  int wrong = 0;
  const auto compare = [&](const Real& result, auto scalar, std::size_t i) {
    for (int lane = 0; lane < W; ++lane)
      wrong += !same(extract(result, lane), scalar(i + std::size_t(lane)));
  };
  for (std::size_t i = 0; i < x.size(); i += W) {
    const Real a = load<Real>(&x[i]);
    for_each_function([&](const char*, auto f) {
      compare(
          f(a), [&](std::size_t k) { return f(x[k]); }, i);
    });
    const std::size_t j = (i * 7) % x.size() / W * W;
    compare(
        atan2(a, load<Real>(&x[j])), [&](std::size_t k) { return atan2(x[k], x[j + k - i]); }, i);
  }
  return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("Elementary functions are accurate to the documented ulps", "[math]", float,
                   double) {
  using T = TestType;
  static_assert(std::numeric_limits<long double>::digits >= 64,
                "The reference of this test is a long double library.");
  constexpr bool is_float = std::is_same_v<T, float>;
  const T limit = is_float ? T(0x1p17) : T(0x1p30);
  const auto angles = samples(tiny<T>, limit, true);
  const auto near = samples(T(0.05), T(20), true);
  for (const auto& x : {angles, near}) {
    CHECK(largest_error(
              x, [](T a) { return sin(a); }, [](auto a) { return std::sin(a); }) < 1.7);
    CHECK(largest_error(
              x, [](T a) { return cos(a); }, [](auto a) { return std::cos(a); }) < 1.7);
    CHECK(largest_error(
              x, [](T a) { return tan(a); }, [](auto a) { return std::tan(a); }) < 1);
  }
  // multiples of pi/2 and their neighbours, where sine or cosine nearly vanish
  std::vector<T> critical;
  for (int k = 1; k < (is_float ? 80000 : 400000); k += (is_float ? 1 : 7)) {
    const T x = static_cast<T>(k * (std::numbers::pi_v<long double> / 2));
    critical.insert(critical.end(), {x, std::nextafter(x, T(0)), std::nextafter(x, infinity<T>)});
  }
  CHECK(largest_error(
            critical, [](T a) { return sin(a); }, [](auto a) { return std::sin(a); }) < 1.7);
  CHECK(largest_error(
            critical, [](T a) { return cos(a); }, [](auto a) { return std::cos(a); }) < 1.7);
  CHECK(largest_error(
            critical, [](T a) { return tan(a); }, [](auto a) { return std::tan(a); }) < 1);

  const auto turns = [](long double x, bool cosine) {
    const long double k = std::nearbyint(2 * x);
    const long double r = std::numbers::pi_v<long double> * (x - k / 2);
    const auto quadrant = static_cast<unsigned>(static_cast<std::int64_t>(k)) + (cosine ? 1u : 0u);
    const long double value = quadrant % 2 ? std::cos(r) : std::sin(r);
    return quadrant % 4 < 2 ? value : -value;
  };
  // below the smallest normal / pi, the result is a subnormal number with its own rounding
  const auto half_turns = samples(smallest_normal<T>, is_float ? T(0x1p20) : T(0x1p50), true);
  for (const auto& x : {half_turns, near}) {
    CHECK(largest_error(
              x, [](T a) { return sincospi(a).sin; }, [&](auto a) { return turns(a, false); }) <
          1.7);
    CHECK(largest_error(
              x, [](T a) { return sincospi(a).cos; }, [&](auto a) { return turns(a, true); }) <
          1.7);
  }

  for (const auto& x : {samples(tiny<T>, largest<T>, true), near})
    CHECK(largest_error(
              x, [](T a) { return atan(a); }, [](auto a) { return std::atan(a); }) < 1.6);

  const T overflow = is_float ? T(88.72) : T(709.78), underflow = is_float ? T(104) : T(746);
  CHECK(largest_error(
            samples(tiny<T>, overflow, true), [](T a) { return exp(a); },
            [](auto a) { return std::exp(a); }) < 1.1);
  CHECK(largest_error(
            samples(T(1), underflow, false), [](T a) { return exp(-a); },
            [](auto a) { return std::exp(-a); }) < 1.1);
  for (const auto& x : {samples(tiny<T>, overflow, true), near})
    CHECK(largest_error(
              x, [](T a) { return expm1(a); }, [](auto a) { return std::expm1(a); }) < 2.1);
  for (const auto& x : {samples(tiny<T>, largest<T>, false), samples(T(0.25), T(4), false)})
    CHECK(largest_error(
              x, [](T a) { return log(a); }, [](auto a) { return std::log(a); }) < 1);
}

TEMPLATE_TEST_CASE("Derived functions are accurate to the documented ulps", "[math]", float,
                   double) {
  using T = TestType;
  const auto check = [](const std::vector<T>& x, auto f, auto exact, double limit) {
    CHECK(largest_error(x, f, exact) < limit);
  };
  const auto small = samples(tiny<T>, T(1), true), usual = samples(T(1e-4), T(50), true);
  check(
      small, [](T a) { return asin(a); }, [](auto a) { return std::asin(a); }, 3);
  check(
      small, [](T a) { return acos(a); }, [](auto a) { return std::acos(a); }, 3);
  const auto all = samples(smallest_normal<T>, largest<T>, true);
  check(
      all, [](T a) { return cbrt(a); }, [](auto a) { return std::cbrt(a); }, 1);
  for (const auto& x : {small, usual}) {
    check(
        x, [](T a) { return cosh(a); }, [](auto a) { return std::cosh(a); }, 3);
    check(
        x, [](T a) { return sinh(a); }, [](auto a) { return std::sinh(a); }, 3);
    check(
        x, [](T a) { return tanh(a); }, [](auto a) { return std::tanh(a); }, 4);
    check(
        x, [](T a) { return acosh(T(1) + abs(a)); },
        [](auto a) { return std::acosh((long double)(T(1) + T(std::fabs(a)))); }, 4);
    check(
        x, [](T a) { return log1p(abs(a)); }, [](auto a) { return std::log1p(std::fabs(a)); }, 3);
    check(
        x, [](T a) { return log1p(T(-0.9) * std::min(abs(a), T(1))); },
        [](auto a) { return std::log1p((long double)(T(-0.9) * std::min(T(std::fabs(a)), T(1)))); },
        3);
    check(
        x, [](T a) { return hypot(a, T(3)); }, [](auto a) { return std::hypot(a, 3.L); }, 1);
  }
  for (const auto& x : {small, usual, all})
    check(
        x, [](T a) { return asinh(a); }, [](auto a) { return std::asinh(a); }, 4);
  check(
      small, [](T a) { return atanh(a); }, [](auto a) { return std::atanh(a); }, 4);
  CHECK(largest_error(
            samples(T(1), largest<T>, false), [](T a) { return acosh(a); },
            [](auto a) { return std::acosh(a); }) < 4);
  CHECK(same(cbrt(T(-0.)), T(-0.)));
  CHECK(same(tanh(T(-0.)), T(-0.)));
  CHECK(same(tanh(largest<T>), T(1)));
  CHECK(same(atanh(T(-1)), -infinity<T>));
  CHECK(std::isnan(atanh(T(1.5))));
  CHECK(std::isnan(acosh(T(0.5))));
  CHECK(std::isnan(acosh(T(-3))));
  CHECK(std::isnan(asinh(nan<T>)));
  CHECK(same(sinh(T(-0.)), T(-0.)));
  CHECK(same(asin(T(1)), T(std::numbers::pi_v<long double> / 2)));
  CHECK(std::isnan(acos(T(1.5))));
}

TEST_CASE("Powers are accurate to the documented ulps, and exact where they can be", "[math]") {
  RandomStream<double> random(5, 6);
  double error = 0., error_of_small = 0.;
  for (const double x : samples(tiny<double>, largest<double>, false)) {
    const double in_range = random.uniform(-740., 709.) / std::log(x);
    for (const double y : {in_range, random.uniform(-3., 3.), double(random.below(9)) - 4., 0.5}) {
      if (!std::isfinite(y)) continue;
      const long double exact = std::pow((long double)(x), (long double)(y));
      if (exact > largest<double> || exact < tiny<double>) continue;
      double& here = exact > 1e-288L ? error : error_of_small;
      here = std::max(here, ulp_distance(pow(x, y), exact));
    }
  }
  CHECK(error < 0.6);
  CHECK(error_of_small < 3.);
  for (const double base : {2., 3., 10., -7.}) {
    double exact = 1.;
    for (int n = 0; std::abs(exact) < 0x1p52; ++n, exact *= base) {
      CHECK(pow(base, double(n)) == exact);
      CHECK(pow(base, -double(n)) == 1. / exact);
      CHECK(pow(exact * exact, 0.5) ==
            (std::abs(exact) < 0x1p26 ? std::abs(exact) : std::sqrt(exact * exact)));
    }
  }
  CHECK(pow(4., 1.5) == 8.);
}

TEST_CASE("Special arguments of powers are those of C", "[math]") {
  const double inf = infinity<double>;
  std::vector<double> values = {0.,
                                0.5,
                                1.,
                                1.5,
                                2.,
                                3.,
                                0x1p52 + 1.,
                                0x1p53 + 2.,
                                0.1,
                                700,
                                inf,
                                tiny<double>,
                                largest<double>};
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  values.push_back(nan<double>);
  for (const double x : values)
    for (const double y : values) {
      CAPTURE(x, y);
      const double expected = std::pow(x, y), found = pow(x, y);
      if (std::isfinite(expected) && expected != 0.)
        CHECK(ulp_distance(found, (long double)(expected)) < 1.5);
      else
        CHECK(same(found, expected));
    }
}

TEST_CASE("Decimal logarithms are accurate to the documented ulps, and exact", "[math]") {
  for (const auto& x : {samples(tiny<double>, largest<double>, false), samples(0.25, 4., false)})
    CHECK(largest_error(
              x, [](double a) { return log10(a); }, [](auto a) { return std::log10(a); }) < 0.6);
  double power = 1.;
  for (int n = 0; n <= 22; ++n, power *= 10.) CHECK(log10(power) == n);
  CHECK(same(log10(0.), -infinity<double>));
  CHECK(same(log10(infinity<double>), infinity<double>));
  CHECK(std::isnan(log10(-1.)));
}

TEST_CASE("The error function is accurate to the documented ulps", "[math]") {
  for (const auto& x : {samples(smallest_normal<double>, 6., true), samples(0.1, 3., true)}) {
    CHECK(largest_error(
              x, [](double a) { return erf(a); }, [](auto a) { return std::erf(a); }) < 5.);
    CHECK(largest_error(
              x, [](double a) { return erfc(a); }, [](auto a) { return std::erfc(a); }) < 6.);
  }
  CHECK(largest_error(
            samples(1., 25.8, false), [](double a) { return erfc(a); },
            [](auto a) { return std::erfc(a); }) < 6.);
  for (const double x : {0., -0.}) CHECK(same(erf(x), x));
  CHECK(erfc(0.) == 1.);
  CHECK(erf(40.) == 1.);
  CHECK(erfc(40.) == 0.);
  CHECK(erfc(-infinity<double>) == 2.);
  CHECK(std::isnan(erf(nan<double>)));
  CHECK(std::isnan(erfc(nan<double>)));
}

TEMPLATE_TEST_CASE("atan2 is accurate to the documented ulps", "[math]", float, double) {
  using T = TestType;
  RandomStream<T> random(3, 4);
  double error = 0;
  const auto all = samples(tiny<T>, largest<T>, true);
  for (T y : all) {
    const T near =
        std::ldexp(random.uniform(T(-2), T(2)), std::ilogb(y) + int(random.below(5)) - 2);
    const T far = all[std::size_t(random.below(int(all.size())))];
    for (T x : {near, far})
      error = std::max(error, ulp_distance(atan2(y, x), std::atan2(static_cast<long double>(y),
                                                                   static_cast<long double>(x))));
  }
  CHECK(error < 1.7);
}

TEMPLATE_TEST_CASE("Rounding functions equal those of C", "[math]", float, double) {
  using T = TestType;
  int wrong = 0;
  for (T x : all_arguments<T>(100000)) {
    wrong += !same(rint(x), std::rint(x));
    wrong += !same(floor(x), std::floor(x));
    wrong += !same(ceil(x), std::ceil(x));
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("Functions without special cases give the bits of those with them", "[math]",
                   float, double) {
  using T = TestType;
  for (T x = T(0x1p-100); x < T(0x1p100); x *= T(1.01)) REQUIRE(same(log_of_normal(x), log(x)));
  for (T x = T(0); x < T(1000); x = x * T(1.001) + T(0x1p-20)) {
    const auto [sine, cosine] = sincospi_of_positive(x);
    REQUIRE(same(sine, sincospi(x).sin));
    REQUIRE(same(cosine, sincospi(x).cos));
  }
}

TEMPLATE_TEST_CASE("Special arguments of the elementary functions", "[math]", float, double) {
  using T = TestType;
  const T limit = std::is_same_v<T, float> ? T(0x1p17) : T(0x1p30);
  for (T x : {nan<T>, infinity<T>, -infinity<T>, std::nextafter(limit, infinity<T>), largest<T>}) {
    CAPTURE(x);
    CHECK(same(sin(x), nan<T>));
    CHECK(same(cos(x), nan<T>));
    CHECK(same(tan(x), nan<T>));
  }
  for (T x : {nan<T>, infinity<T>, -infinity<T>, largest<T>}) {
    CHECK(same(sincospi(x).sin, nan<T>));
    CHECK(same(sincospi(x).cos, nan<T>));
  }
  for (T x : {limit, -limit}) CHECK(std::abs(sin(x)) <= 1);
  for (T x : {T(0), T(-0.0), tiny<T>, -tiny<T>, smallest_normal<T>}) {
    CAPTURE(x);
    CHECK(same(sin(x), x));
    CHECK(same(tan(x), x));
    CHECK(same(atan(x), x));
    CHECK(same(cos(x), T(1)));
    CHECK(same(exp(x), T(1)));
    CHECK(same(expm1(x), x));
  }
  CHECK(same(sincospi(T(0)).sin, T(0)));
  CHECK(same(sincospi(T(-0.0)).sin, T(-0.0)));
  CHECK(sincospi(T(0.5)).sin == 1);
  CHECK(sincospi(T(0.5)).cos == 0);
  CHECK(sincospi(T(1)).cos == -1);
  CHECK(sincospi(T(1)).sin == 0);
  CHECK(sincospi(T(-1.5)).sin == 1);

  CHECK(same(atan(infinity<T>), std::numbers::pi_v<T> / 2));
  CHECK(same(atan(-infinity<T>), -std::numbers::pi_v<T> / 2));
  CHECK(same(atan(nan<T>), nan<T>));

  CHECK(same(exp(infinity<T>), infinity<T>));
  CHECK(same(exp(-infinity<T>), T(0)));
  CHECK(same(exp(nan<T>), nan<T>));
  const T overflow = std::log(largest<T>);  // rounded down for float, up or down for double
  CHECK(exp(std::nextafter(overflow, T(0))) < infinity<T>);
  CHECK(exp(overflow * T(1.001)) == infinity<T>);
  CHECK(exp(largest<T>) == infinity<T>);
  const T zero_below = std::log(tiny<T>) - std::numbers::ln2_v<T>;
  CHECK(exp(zero_below * T(0.9999)) == tiny<T>);
  CHECK(same(exp(zero_below * T(1.0001)), T(0)));
  CHECK(same(exp(-largest<T>), T(0)));

  CHECK(same(expm1(infinity<T>), infinity<T>));
  CHECK(same(expm1(-infinity<T>), T(-1)));
  CHECK(same(expm1(nan<T>), nan<T>));
  CHECK(same(expm1(-largest<T>), T(-1)));
  CHECK(expm1(std::nextafter(overflow, T(0))) < infinity<T>);

  CHECK(same(log(T(0)), -infinity<T>));
  CHECK(same(log(T(-0.0)), -infinity<T>));
  CHECK(same(log(T(-1)), nan<T>));
  CHECK(same(log(-tiny<T>), nan<T>));
  CHECK(same(log(-infinity<T>), nan<T>));
  CHECK(same(log(infinity<T>), infinity<T>));
  CHECK(same(log(nan<T>), nan<T>));
  CHECK(same(log(T(1)), T(0)));
}

TEMPLATE_TEST_CASE("atan2 treats zeros, infinities and NaN as C does", "[math]", float, double) {
  using T = TestType;
  std::vector<T> special;
  for (T a : {T(0), tiny<T>, smallest_normal<T>, T(1), T(3), largest<T>, infinity<T>})
    special.insert(special.end(), {a, -a});
  for (T y : special) {
    for (T x : special) {
      CAPTURE(y, x);
      const T result = atan2(y, x), expected = std::atan2(y, x);
      CHECK(std::signbit(result) == std::signbit(expected));
      CHECK(ulp_distance(result, std::atan2(static_cast<long double>(y),
                                            static_cast<long double>(x))) < 1.7);
      const bool exact = y == 0 || x == 0 || std::isinf(y) != std::isinf(x);
      if (exact) CHECK(same(result, expected));
    }
    CHECK(same(atan2(y, nan<T>), nan<T>));
    CHECK(same(atan2(nan<T>, y), nan<T>));
  }
}

TEMPLATE_TEST_CASE("Lanes of all widths give the bits of the scalar functions", "[math]", float,
                   double) {
  const auto x = all_arguments<TestType>(10000);
  CHECK(lanes_that_differ<TestType, 2>(x) == 0);
  CHECK(lanes_that_differ<TestType, 4>(x) == 0);
  CHECK(lanes_that_differ<TestType, 8>(x) == 0);
  CHECK(lanes_that_differ<TestType, 16>(x) == 0);
}

TEMPLATE_TEST_CASE("Elementary functions give the same bits with every compiler and processor",
                   "[math]", float, double) {
  Hash<TestType> hash;
  const auto x = all_arguments<TestType>(5000);
  for_each_function([&](const char*, auto f) {
    for (TestType a : x) hash.add(f(a));
  });
  for (std::size_t i = 0; i < x.size(); ++i) hash.add(atan2(x[i], x[(i * 7) % x.size()]));
  CHECK(hash.value() ==
        (std::is_same_v<TestType, float> ? 0x36fec6e1436b28e5u : 0xa4ab0b8880936648u));
}

namespace {

/// All functions at x[i].
template <class T, class Space>
struct EvaluateAll {
  static constexpr int functions = 12;
  using Arguments = Kokkos::View<T*, MemoryOf<Space>>;
  using Values = Kokkos::View<T* [functions], Kokkos::LayoutRight, MemoryOf<Space>>;
  Arguments x;
  Values out;

  KOKKOS_FUNCTION void operator()(int i) const {
    const T a = x(i);
    const auto pair = sincos(a), pair_pi = sincospi(a);
    out(i, 0) = pair.sin;
    out(i, 1) = pair.cos;
    out(i, 2) = pair_pi.sin;
    out(i, 3) = pair_pi.cos;
    out(i, 4) = tan(a);
    out(i, 5) = atan(a);
    out(i, 6) = exp(a);
    out(i, 7) = log(a);
    out(i, 8) = atan2(a, x((7 * i) % int(x.extent(0))));
    out(i, 9) = floor(a);
    out(i, 10) = ceil(a);
    out(i, 11) = expm1(a);
  }
};

template <class T, class Space>
void check_on_space() {
  const auto arguments = all_arguments<T>(10000);
  const int n = int(arguments.size());
  const auto fill = [&](const auto& exec, auto x) {
    const auto mirror = Kokkos::create_mirror_view(x);
    for (int i = 0; i < n; ++i) mirror(i) = arguments[std::size_t(i)];
    copy_array(exec, x, mirror);
    exec.fence();
    return x;
  };
  const Space space;
  using OnSpace = EvaluateAll<T, Space>;
  const OnSpace evaluate{fill(space, typename OnSpace::Arguments("Trackplex::Test::arguments", n)),
                         typename OnSpace::Values("Trackplex::Test::values", n)};
  for_each_item(space, "Trackplex::Test::math", n, evaluate);
  const auto values = Kokkos::create_mirror_view(evaluate.out);
  deep_copy(space, values, evaluate.out);
  space.fence();

  using OnHost = EvaluateAll<T, HostExecutor>;
  const OnHost host{
      fill(HostExecutor(), typename OnHost::Arguments("Trackplex::Test::arguments", n)),
      typename OnHost::Values("Trackplex::Test::values", n)};
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    host(i);
    for (int k = 0; k < host.functions; ++k) wrong += !same(values(i, k), host.out(i, k));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Elementary functions are the same on every space", "[math]",
                        EnabledSpaces) {
  check_on_space<float, TestType>();
  check_on_space<double, TestType>();
}

}  // namespace trackplex::test
