// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/progress.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace trackplex::program;

TEST_CASE("Durations are minutes and seconds, with hours where there are any", "[progress]") {
  CHECK(duration_text(0.) == "0:00");
  CHECK(duration_text(7.4) == "0:07");
  CHECK(duration_text(59.6) == "1:00");
  CHECK(duration_text(754.) == "12:34");
  CHECK(duration_text(3723.) == "1:02:03");
}

TEST_CASE("A bar in the middle shows counts, rate and the time left", "[progress]") {
  CHECK(progress_line("reading", 25, 100, 5.) ==
        "reading [=======                       ] 25/100  5/s  ETA 0:15");
}

TEST_CASE("A bar at the start has no rate to tell from", "[progress]") {
  CHECK(progress_line("reading", 0, 100, 0.) ==
        "reading [" + std::string(30, ' ') + "] 0/100  0/s  ETA -:--");
}

TEST_CASE("A full bar tells the time it took", "[progress]") {
  CHECK(progress_line("reading", 8, 8, 64.) ==
        "reading [" + std::string(30, '=') + "] 8/8  0.125/s  in 1:04");
}

TEST_CASE("Nothing to do and too much done are full bars", "[progress]") {
  CHECK(progress_line("a", 0, 0, 0.).find(std::string(30, '=')) != std::string::npos);
  CHECK(progress_line("a", 9, 8, 1.).starts_with("a [" + std::string(30, '=') + "] 9  "));
  CHECK(progress_line("a", 9, 0, 1.).starts_with("a [" + std::string(30, '=') + "] 9  "));
}
