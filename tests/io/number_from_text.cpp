// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/detail/number_from_text.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace {

using trackplex::io::detail::number_from_text;
using trackplex::io::detail::NumberText;

template <class Number>
void check_number(const std::string& text, Number expected) {
  Number value{7};
  INFO(text);
  CHECK(number_from_text(text, value) == NumberText::number);
  CHECK(value == expected);
}

template <class Number>
void check_kind(const std::string& text, NumberText kind) {
  Number value{7};
  INFO(text);
  CHECK(number_from_text(text, value) == kind);
  CHECK(value == Number{7});
}

TEST_CASE("numbers of text have one sign and end with it", "[io]") {
  check_number("+1.5e3", 1500.);
  check_number("-.5", -0.5);
  check_number<std::int64_t>("+12", 12);
  for (const char* text : {"", "+", "+-1", "++1", "1 ", " 1", "1m", "0x10", "1e", "1,5"})
    check_kind<double>(text, NumberText::no_number);
  check_kind<std::int64_t>("1.5", NumberText::no_number);
  check_kind<std::uint64_t>("-1", NumberText::no_number);
}

TEST_CASE("numbers too large for a type are told from those too small, which are 0", "[io]") {
  const std::string zeros(400, '0');
  for (const std::string text :
       {"1e309", "-1e309", "+1E+400", "1e99999999999999999999", "0.001e400"})
    check_kind<double>(text, NumberText::too_large);
  check_kind<double>("1" + zeros, NumberText::too_large);
  check_kind<double>("1" + zeros + "e-20", NumberText::too_large);
  check_kind<float>("1e39", NumberText::too_large);
  check_kind<std::int64_t>("9223372036854775808", NumberText::too_large);

  for (const std::string text : {"1e-400", "+1E-400", "1e-99999999999999999999", "1000e-400"})
    check_number(text, 0.);
  check_number("0." + zeros + "1", 0.);
  check_number("0." + zeros + "1e20", 0.);
  check_number("1e-46", 0.F);
  check_number("5e-324", std::numeric_limits<double>::denorm_min());
  double value = 7.;
  CHECK(number_from_text("-1e-400", value) == NumberText::number);
  CHECK((value == 0. && std::signbit(value)));
}

}  // namespace
