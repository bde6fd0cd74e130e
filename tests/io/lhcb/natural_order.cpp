// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/io/lhcb/detail/natural_order.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using trackplex::io::detail::natural_less;

TEST_CASE("Names are ordered by the numbers in them", "[io]") {
  const std::vector<std::string> ordered = {"",
                                            "a",
                                            "a01",
                                            "a1",
                                            "a1b",
                                            "a2",
                                            "a2b0",
                                            "a2b00000000000000001",
                                            "a2b10",
                                            "a10",
                                            "a10.txt",
                                            "b7w9",
                                            "b007x",
                                            "b7x",
                                            "b8",
                                            "event_9999999999999999",
                                            "event_10000000000000000",
                                            "event_x"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      INFO(ordered[i] << " and " << ordered[j]);
      CHECK(natural_less(ordered[i], ordered[j]) == (i < j));
    }
  }
}

TEST_CASE("The order of names is strict and total", "[io]") {
  std::vector<std::string> names;
  for (const char* a : {"", "0", "00", "1", "01", "10", "x"}) {
    for (const char* b : {"", "_", "0", "x1", "x01"}) names.push_back(std::string(a) + b);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const auto& a : names) {
    for (const auto& b : names) {
      CHECK(natural_less(a, b) + natural_less(b, a) == (a != b));
      for (const auto& c : names) {
        if (natural_less(a, b) && natural_less(b, c)) CHECK(natural_less(a, c));
      }
    }
  }
}
