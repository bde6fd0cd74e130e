// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/validation/efficiency.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using Catch::Matchers::WithinAbs;
using namespace trackplex::validation;

TEST_CASE("An efficiency is passed over total", "[validation]") {
  CHECK(Efficiency{3, 4}.value() == 0.75);
  CHECK(Efficiency{0, 7}.value() == 0.);
  CHECK(Efficiency{}.value() == 0.);
  Efficiency sum{1, 2};
  sum += {2, 4};
  CHECK(sum.passed == 3);
  CHECK(sum.total == 6);
}

TEST_CASE("Wilson's interval has the published values", "[validation]") {
  // 95 % intervals of R. G. Newcombe, Stat. Med. 17 (1998) 857, table I, method 3
  struct Row {
    std::uint64_t passed, total;
    double lower, upper;
  };
  for (const Row row : {Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605},
                        Row{0, 20, 0.0000, 0.1611}, Row{1, 29, 0.0061, 0.1718}}) {
    const Interval interval = wilson_interval(row.passed, row.total, 1.959964);
    CHECK_THAT(interval.lower, WithinAbs(row.lower, 5.1e-5));
    CHECK_THAT(interval.upper, WithinAbs(row.upper, 5.1e-5));
  }
}

TEST_CASE("Wilson's interval solves the equation of the score test", "[validation]") {
  for (const std::uint64_t total : {1u, 2u, 10u, 1000u, 1000000u}) {
    for (const std::uint64_t passed : {std::uint64_t{0}, total / 3, total / 2, total}) {
      const double n = static_cast<double>(total);
      const double p = static_cast<double>(passed) / n;
      for (const double z : {0.5, 1., 3.}) {
        const Interval interval = wilson_interval(passed, total, z);
        CHECK(interval.lower >= 0.);
        CHECK(interval.upper <= 1.);
        CHECK(interval.lower <= p);
        CHECK(p <= interval.upper);
        for (const double q : {interval.lower, interval.upper}) {
          if (q == 0. || q == 1.) continue;
          CHECK_THAT((p - q) * (p - q), WithinAbs(z * z * q * (1. - q) / n, 1e-12));
        }
      }
    }
  }
}

TEST_CASE("The error is not zero at the ends, and unknown without trials", "[validation]") {
  CHECK(Efficiency{0, 100}.error() > 0.);
  CHECK(Efficiency{100, 100}.error() > 0.);
  CHECK(Efficiency{}.error() == 0.5);
  CHECK_THAT((Efficiency{5000, 10000}.error()), WithinAbs(0.005, 1e-6));  // sqrt(p(1-p)/n)
}
