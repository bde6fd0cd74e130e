// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <random>
#include <string>
#include <trackplex/core/error.hpp>

namespace trackplex::test {

/// `read()` throws an error of this kind with this text in its message.
template <class Exception = InputError, class Read>
void check_refused(const Read& read, const std::string& part_of_message) {
  CHECK_THROWS_AS(read(), Exception);
  CHECK_THROWS_WITH(read(), Catch::Matchers::ContainsSubstring(part_of_message));
}

/// Every part of `whole` from its begin on but itself is refused.
template <class Parse>
void check_cut_off_anywhere(const std::string& whole, const Parse& parse) {
  CHECK_NOTHROW(parse(whole));
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);  // its own allocation: reads beyond are found
    try {
      parse(cut);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  CHECK(accepted == 0);
}

/// Whatever bytes are changed, `parse` gives a value or an InputError.
template <class Parse>
void check_changed_anywhere(const std::string& whole, const Parse& parse, int times) {
  std::mt19937 random(1);
  int refused = 0;
  for (int n = 0; n < times; ++n) {
    std::string bytes = whole;
    for (unsigned k = random() % 4; k < 4; ++k) bytes[random() % bytes.size()] = char(random());
    try {
      parse(bytes);
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
}

/// `bytes` with a number of the type T at `at`.
template <class T>
std::string with_number(std::string bytes, std::size_t at, T number) {
  REQUIRE(at + sizeof number <= bytes.size());
  std::memcpy(bytes.data() + at, &number, sizeof number);
  return bytes;
}

}  // namespace trackplex::test
