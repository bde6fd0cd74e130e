// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/fingerprint.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

using trackplex::Fingerprint;

TEST_CASE("A fingerprint is FNV-1a: known answers", "[fingerprint]") {
  CHECK(Fingerprint().hex() == "cbf29ce484222325");
  CHECK(Fingerprint().add('a').hex() == "af63dc4c8601ec8c");
  Fingerprint foobar;
  for (const char c : {'f', 'o', 'o', 'b', 'a', 'r'}) foobar.add(c);
  CHECK(foobar.hex() == "85944171f73967e8");
  CHECK(foobar.value() == 0x85944171f73967e8u);
}

TEST_CASE("A fingerprint tells bits, order and lengths apart", "[fingerprint]") {
  const auto of = [](const std::vector<double>& values) {
    return Fingerprint().add(values).value();
  };
  CHECK(of({1., 2.}) == of({1., 2.}));
  CHECK(of({0.}) != of({-0.}));
  CHECK(of({1., 2.}) != of({2., 1.}));
  CHECK(of({}) != of({0.}));
  CHECK(Fingerprint().add(1.).value() != Fingerprint().add(1.f).value());
}
