// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/montecarlo/chemical_elements.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace trackplex::montecarlo;

TEST_CASE("Elements are known by their symbols", "[elements]") {
  const auto check = [](const char* symbol, int z, double weight) {
    CAPTURE(symbol);
    const auto element = element_of(symbol);
    REQUIRE(element.has_value());
    CHECK(element->z == z);
    CHECK(element->a == weight);
    CHECK(element->fraction == 1.);
  };
  check("H", 1, 1.008);
  check("O", 8, 15.999);
  check("Au", 79, 196.97);
  check("U", 92, 238.03);
  for (const char* symbol : {"", "Xx", "h", "1.008"}) CHECK_FALSE(element_of(symbol).has_value());
}

TEST_CASE("Water of elements is that of numbers", "[elements]") {
  auto hydrogen = *element_of("H");
  hydrogen.fraction = 2.;
  const auto water = material_of("water", {hydrogen, *element_of("O")}, 1., FractionOf::atoms);
  const auto same = material_of("water", {{1, 1.008, 2.}, {8, 15.999, 1.}}, 1., FractionOf::atoms);
  CHECK(water.b_c == same.b_c);
  CHECK(water.chi_cc_square == same.chi_cc_square);
}
