// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "svg_text.hpp"

#include <trackplex/program/axes.hpp>
#include <trackplex/program/svg.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace trackplex::program;
using Catch::Matchers::WithinRel;
using svg_text::count;
using svg_text::is_well_formed;

TEST_CASE("The check of the tests finds what is not well formed", "[svg]") {
  CHECK(is_well_formed("<?xml?><a><b c=\"1\"/><d>text</d></a>"));
  CHECK_FALSE(is_well_formed("<a><b></a></b>"));
  CHECK_FALSE(is_well_formed("<a>"));
  CHECK_FALSE(is_well_formed("<a b=\"></a>"));
}

TEST_CASE("A canvas is an SVG document of its shapes", "[svg]") {
  SvgCanvas canvas(200., 100.);
  canvas.line({0., 0.}, {10., 20.5}, {.stroke = "red", .stroke_width = 2.});
  canvas.circle({5., 5.}, 3., {.stroke = "none", .fill = "blue", .opacity = 0.5});
  canvas.rectangle({1., 2.}, 3., 4.);
  canvas.polyline(std::vector<SvgPoint>{{0., 0.}, {1., 1.}, {2., 0.}});
  canvas.text({50., 50.}, "x < y & \"z\"", {.rotation = -90.});
  canvas.begin_clip({0., 0.}, 10., 10.);
  canvas.circle({5., 5.}, 3.);
  canvas.end_clip();
  const auto svg = canvas.document();
  CAPTURE(svg);
  CHECK(is_well_formed(svg));
  CHECK(svg.starts_with("<?xml"));
  CHECK(svg.find("width=\"200\" height=\"100\" viewBox=\"0 0 200 100\"") != svg.npos);
  CHECK(svg.find("<line x1=\"0.00\" y1=\"0.00\" x2=\"10.00\" y2=\"20.50\" stroke=\"red\" "
                 "fill=\"none\" stroke-width=\"2\"/>") != svg.npos);
  CHECK(svg.find("points=\"0.00,0.00 1.00,1.00 2.00,0.00\"") != svg.npos);
  CHECK(svg.find(">x &lt; y &amp; &quot;z&quot;</text>") != svg.npos);
  CHECK(svg.find("rotate(-90 50.00 50.00)") != svg.npos);
  CHECK(count(svg, "<circle") == 2);
  CHECK(count(svg, "clip-path=\"url(#clip1)\"") == 1);
}

TEST_CASE("Ticks are round numbers inside the range", "[svg]") {
  CHECK(tick_positions(0., 10., 5) == std::vector<double>{0., 2., 4., 6., 8., 10.});
  CHECK(tick_positions(-320., 780., 8) == std::vector<double>{-200., 0., 200., 400., 600.});
  const auto small = tick_positions(0., 0.003, 3);
  REQUIRE(small.size() == 4);
  CHECK_THAT(small[1], WithinRel(0.001, 1e-14));
  CHECK_THAT(small[3], WithinRel(0.003, 1e-14));
  CHECK(tick_positions(1., 1.).empty());
}

TEST_CASE("Axes place data on the canvas, the vertical one upwards", "[svg]") {
  const Axes axes({100., 50.}, 400., 200., {0., 10., "z [mm]"}, {-1., 1., "x [mm]"});
  CHECK(axes(0., 1.).x == 100.);
  CHECK(axes(0., 1.).y == 50.);
  CHECK(axes(10., -1.).x == 500.);
  CHECK(axes(10., -1.).y == 250.);
  CHECK(axes(5., 0.).x == 300.);
  CHECK(axes(5., 0.).y == 150.);
  CHECK(axes.contains(5., 0.));
  CHECK_FALSE(axes.contains(11., 0.));
  CHECK_FALSE(axes.contains(5., -2.));

  SvgCanvas canvas(600., 300.);
  axes.draw_grid(canvas);
  axes.draw_frame(canvas);
  const auto svg = canvas.document();
  CHECK(is_well_formed(svg));
  CHECK(svg.find(">z [mm]</text>") != svg.npos);
  CHECK(svg.find(">x [mm]</text>") != svg.npos);
  CHECK(svg.find(">-0.5</text>") != svg.npos);
}

TEST_CASE("Ticks of a logarithmic axis are 1, 2 and 5 times powers of 10", "[svg]") {
  CHECK(logarithmic_ticks(0.8, 30.) == std::vector<double>{1., 2., 5., 10., 20.});
  CHECK(logarithmic_ticks(1., 100.).back() == 100.);
  CHECK(logarithmic_ticks(0., 100.).empty());
  CHECK(logarithmic_ticks(2., 1.).empty());
  const auto small = logarithmic_ticks(0.002, 0.02);
  REQUIRE(small.size() == 4);
  CHECK_THAT(small[0], WithinRel(0.002, 1e-14));
  CHECK_THAT(small[3], WithinRel(0.02, 1e-14));
}

TEST_CASE("A logarithmic axis has equal lengths for equal ratios", "[svg]") {
  const Axes axes({100., 50.}, 300., 200., {1., 1000., "events per batch", true},
                  {0., 1., "events/s"});
  CHECK_THAT(axes(1., 0.).x, WithinRel(100., 1e-14));
  CHECK_THAT(axes(10., 0.).x, WithinRel(200., 1e-14));
  CHECK_THAT(axes(100., 0.).x, WithinRel(300., 1e-14));
  CHECK_THAT(axes(1000., 0.25).x, WithinRel(400., 1e-14));
  CHECK_THAT(axes(1000., 0.25).y, WithinRel(200., 1e-14));
  SvgCanvas canvas(500., 300.);
  axes.draw_frame(canvas);
  CHECK(canvas.document().find(">500</text>") != std::string::npos);
  CHECK(canvas.document().find(">300</text>") == std::string::npos);
}
