// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/counted.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/lhcb/velo/line_fit.hpp>

using namespace trackplex;

namespace {
template <class Real>
Real polynomial(Real x) {
  return fma(x, fma(x, Real(3), Real(2)), Real(1)) / (x - Real(1));
}
}  // namespace

TEST_CASE("operations are counted by kind", "[core]") {
  using Real = Counted<float>;
  float result = 0.f;
  const auto counts = count_operations([&] {
    const Real y = polynomial(Real(3.f));
    result = select(y > Real(0), sqrt(y), -y).value;
  });
  CHECK(counts == OperationCounts{.add = 1,
                                  .multiply = 0,
                                  .fma = 2,
                                  .divide = 1,
                                  .sqrt = 1,
                                  .compare = 1,
                                  .select = 1,
                                  .sign = 1});
  CHECK(counts.flops() == 7);
  CHECK(counts.arithmetic() == 5);
  CHECK(result == std::sqrt(polynomial(3.f)));
}

TEST_CASE("counts nest and start at zero", "[core]") {
  OperationCounts inner;
  const auto outer = count_operations([&] {
    Counted<double> x(1.);
    x += x;
    inner = count_operations([&] { x *= x; });
    x -= Counted<double>(1.);
  });
  CHECK(inner == OperationCounts{.multiply = 1});
  CHECK(outer == OperationCounts{.add = 2});
  CHECK(count_operations([] {}) == OperationCounts{});
}

TEST_CASE("a counted kernel computes what the plain one does", "[core]") {
  lhcb::LineFit<float> plain;
  lhcb::LineFit<Counted<float>> counted;
  const auto fit = [](auto& f) {
    f.add_to_mean(1.f, 2.f, 0.f, true);
    f.add_to_mean(2.f, 3.f, 10.f, true);
    f.finish_mean();
    f.add_to_slope(1.f, 2.f, 0.f, true);
    f.add_to_slope(2.f, 3.f, 10.f, true);
    f.finish_slope();
  };
  fit(plain);
  const auto counts = count_operations([&] { fit(counted); });
  CHECK(counted.tx.value == plain.tx);
  CHECK(counted.z0.value == plain.z0);
  CHECK(counts.divide == 2);
  CHECK(counts.fma == 6);

  CHECK(atan2(Counted<float>(1.f), Counted<float>(2.f)).value == atan2(1.f, 2.f));
  CHECK(exp(Counted<double>(0.3)).value == exp(0.3));
}
