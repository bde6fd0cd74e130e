// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/lhcb/velo/phi.hpp>

using namespace trackplex;
constexpr double pi = std::numbers::pi;

TEMPLATE_TEST_CASE("16-bit phi follows atan2 monotonically around the circle", "[search]", float,
                   double) {
  using Phi = lhcb::Phi16<TestType>;
  int previous = -40000;
  for (int i = -3140; i <= 3140; ++i) {
    const double angle = i * 0.001;
    const auto key = int(Phi::of(TestType(20. * std::cos(angle)), TestType(20. * std::sin(angle))));
    REQUIRE(key >= previous);
    REQUIRE(std::abs(key * pi / 32768. - angle) < 0.072);
    previous = key;
  }
  CHECK(Phi::of(TestType(1), TestType(0)) == 0);
  CHECK(Phi::of(TestType(0), TestType(1)) == 16384);
  CHECK(Phi::of(TestType(0), TestType(-1)) == -16384);
  CHECK(Phi::of(TestType(-1), TestType(0)) == -32768);  // pi wraps around
  CHECK(Phi::of(TestType(0), TestType(0)) == 8192);     // defined, if meaningless
}

TEST_CASE("differences of 16-bit phi wrap around", "[search]") {
  using Phi = lhcb::Phi16<float>;
  CHECK(Phi::wrap(32767 - (-32768)) == -1);
  CHECK(Phi::wrap(-32768 - 32767) == 1);
  CHECK(Phi::wrap(100 - 200) == -100);
  CHECK(Phi::width(0.045f) == 469);
  CHECK(Phi::bin<6>(-32768, 0) == 0);
  CHECK(Phi::bin<6>(32767, 0) == 63);
  CHECK(Phi::bin<6>(-1, 0) == 31);
}

TEST_CASE("phi in radians has its branch cut away from each side", "[search]") {
  using Phi = lhcb::PhiRadians<double>;
  CHECK(Phi::of(-1., -1e-9, std::int64_t(0)) > 3.14);
  CHECK(Phi::of(-1., 1e-9, std::int64_t(0)) < 3.15);
  CHECK(Phi::of(1., -1e-9, std::int64_t(1)) < 0.);
  for (const std::int64_t side : {0, 1}) {
    std::int64_t previous = 0;
    for (int i = 0; i < 1000; ++i) {
      const double phi = (side == 0 ? 0. : -pi) + i * 0.002 * pi;
      const auto bin = Phi::bin<5>(phi, side);
      REQUIRE(bin >= previous);
      REQUIRE(bin < 32);
      previous = bin;
    }
    CHECK(previous == 31);
    CHECK(Phi::bin<5>(-100., side) == 0);
    CHECK(Phi::bin<5>(100., side) == 31);
  }
}

TEST_CASE("all lanes of phi equal the scalar", "[search]") {
  using Real = Lanes<float, 8>;
  for (int i = 0; i < 1000; ++i) {
    Real x(0.f), y(0.f);
    for (int lane = 0; lane < 8; ++lane) {
      insert(x, lane, 30.f * std::cos(0.1f * float(i * 8 + lane)));
      insert(y, lane, 30.f * std::sin(0.1f * float(i * 8 + lane)));
    }
    const auto keys = lhcb::Phi16<float>::of(x, y);
    const auto radians = lhcb::PhiRadians<float>::of(x, y, IntegerOf<Real>(0));
    for (int lane = 0; lane < 8; ++lane) {
      REQUIRE(extract(keys, lane) == lhcb::Phi16<float>::of(extract(x, lane), extract(y, lane)));
      REQUIRE(extract(radians, lane) ==
              lhcb::PhiRadians<float>::of(extract(x, lane), extract(y, lane), 0));
    }
  }
}
