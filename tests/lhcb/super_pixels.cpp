// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/lhcb/detail/super_pixels.hpp>

#include "vp_banks.hpp"

using namespace trackplex;
using namespace trackplex::lhcb::detail;

namespace {

std::set<test::Pixel> pixels_of(int pattern, int column = 0, int row = 0) {
  std::set<test::Pixel> pixels;
  for (int bit = 0; bit < 8; ++bit)
    if (pattern >> bit & 1) pixels.insert({column + bit / 4, row + bit % 4});
  return pixels;
}

int count_connected(std::set<test::Pixel> pixels) {
  int n = 0;
  for (; !pixels.empty(); ++n) test::take_connected(pixels, *pixels.begin());
  return n;
}

/// Checks the whole part of sum / n, and its rest to one rounding.
template <class Real>
void require_mean(int sum, int n) {
  using Integer = IntegerOf<Real>;
  using T = ScalarOf<Real>;
  const Mean<Real> mean{Integer(sum), Integer(n)};
  const int whole = int(extract(mean.whole, 0));
  const T rest = extract(mean.rest, 0);
  if (whole != sum / n || rest != T(sum % n) / T(n)) {
    CAPTURE(sum, n);
    REQUIRE(whole == sum / n);
    REQUIRE(rest == T(sum % n) / T(n));
  }
}

}  // namespace

TEST_CASE("patterns of super-pixels fall into components", "[lhcb]") {
  for (int pattern = 0; pattern < 256; ++pattern) {
    CAPTURE(pattern);
    const int upper = upper_component(pattern), lower = pattern ^ upper;
    const auto pixels = pixels_of(pattern);
    REQUIRE((pattern & upper) == upper);
    REQUIRE(count_components(pattern) == count_connected(pixels));
    REQUIRE(count_connected(pixels_of(upper)) == (upper != 0));
    REQUIRE(count_connected(pixels_of(lower)) == (pattern != 0));
    const auto row = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (pattern != 0) {
      const auto lowest = *std::min_element(pixels.begin(), pixels.end(), row);
      REQUIRE(pixels_of(lower).count(lowest) == 1);
    }
  }
}

TEST_CASE("the pixels that neighbouring super-pixels touch with", "[lhcb]") {
  const int row = 5, place = 100 * super_pixel_rows + row;
  for (const int back : {1, 63, 64, 65})
    for (int pattern = 1; pattern < 256; ++pattern)
      for (int bit = 0; bit < 8; ++bit) {
        const int touched = TouchedPixels<int>(place << 8 | pattern).at(back);
        const int there = place - back;
        auto pixels =
            pixels_of(1 << bit, 2 * (there / super_pixel_rows), 4 * (there % super_pixel_rows));
        const auto own = pixels_of(pattern, 200, 4 * row);
        pixels.insert(own.begin(), own.end());
        const bool touches = count_connected(pixels) <= count_connected(own);
        CAPTURE(back, pattern, bit);
        REQUIRE(((touched >> bit & 1) != 0) == touches);
      }
}

TEST_CASE("sums over the pixels of a super-pixel", "[lhcb]") {
  for (const int column : {0, 57, 383})
    for (const int row : {0, 11, 63})
      for (int pattern = 1; pattern < 256; ++pattern) {
        const PixelSums<int> sums(207 << super_pixel_sensor_shift |
                                  column << super_pixel_column_shift |
                                  row << super_pixel_place_shift | pattern);
        int n = 0, columns = 0, rows = 0;
        for (const auto& [c, r] : pixels_of(pattern, 2 * column, 4 * row)) {
          ++n;
          columns += c;
          rows += r;
        }
        REQUIRE(std::tuple(sums.n, sums.columns, sums.rows) == std::tuple(n, columns, rows));
      }
}

TEMPLATE_TEST_CASE("means of many pixels are exact next to whole numbers", "[lhcb]", float, double,
                   (Lanes<float, 8>), (Lanes<double, 4>)) {
  constexpr int all = lhcb::velo_pixel_columns * lhcb::velo_pixel_rows;
  for (int n = 1; n <= all; n += 1 + n / 100)
    for (const int whole : {0, 1, 100, 255, 256, 511, 700, 767})
      for (const int rest : {0, 1, 2, n / 2, n - 2, n - 1})
        if (rest >= 0 && rest < n) require_mean<TestType>(whole * n + rest, n);
}
