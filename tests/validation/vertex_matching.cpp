// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/validation/vertex_matching.hpp>
#include <trackplex/validation/vertex_validation.hpp>
#include <vector>

using namespace trackplex;
using Catch::Approx;
using validation::match_vertices;
using validation::TrueVertex;

namespace {

vertexing::Vertex vertex_at(double z) {
  return {{0.01, -0.02, z}, {0.0004, 0., 0.0001, 0., 0., 0.01}, 10., 9};
}

}  // namespace

TEST_CASE("Vertices belong to the nearest true vertex", "[validation]") {
  const std::vector<TrueVertex> truth = {
      {{0., 0., -30.}, 12}, {{0., 0., 5.}, 4}, {{0.03, 0., 6.}, 30}, {{0., 0., 80.}, 3}};
  const std::vector<vertexing::Vertex> found = {vertex_at(-29.9), vertex_at(6.2), vertex_at(5.9),
                                                vertex_at(50.), vertex_at(80.1)};
  const auto result = match_vertices(found, truth);
  CHECK(result.reconstructible == 3);
  CHECK(result.found == 2);           // those at -30 and 6
  CHECK(result.duplicates == 1);      // at 5.9
  CHECK(result.false_vertices == 1);  // at 50
  REQUIRE(result.matches.size() == 3);
  CHECK(result.matches[1].found == 1);
  CHECK(result.matches[1].truth == 2);
  CHECK(result.matches[1].residuals[0] == Approx(-0.02));
  CHECK(result.matches[1].pulls[0] == Approx(-1.));
  CHECK(result.matches[1].pulls[1] == Approx(-2.));
  CHECK(result.matches[1].pulls[2] == Approx(2.));
  CHECK(result.matches[2].truth == 3);  // of too few tracks, but not false
}

TEST_CASE("Vertices far from all true ones are false", "[validation]") {
  const std::vector<TrueVertex> truth = {{{0., 0., 0.}, 5}};
  CHECK(match_vertices(std::vector{vertex_at(0.49)}, truth).found == 1);
  const auto far = match_vertices(std::vector{vertex_at(0.51)}, truth);
  CHECK(far.found == 0);
  CHECK(far.false_vertices == 1);
  CHECK(match_vertices(std::vector{vertex_at(0.)}, {}).false_vertices == 1);
  CHECK(match_vertices({}, truth).reconstructible == 1);
  CHECK(match_vertices({}, truth, 6).reconstructible == 0);
}

TEST_CASE("Comparisons of vertices of many events are summed", "[validation]") {
  const std::vector<TrueVertex> truth = {{{0., 0., -30.}, 12}, {{0., 0., 5.}, 4}};
  validation::VertexValidation all;
  CHECK(all.sums().reconstructible == 0);
  all.add(std::vector{vertex_at(-29.9), vertex_at(50.)}, truth);
  all.add(std::vector{vertex_at(5.1), vertex_at(5.2)}, truth);
  CHECK(all.events() == 2);
  CHECK(all.sums().reconstructible == 4);
  CHECK(all.sums().found == 2);
  CHECK(all.sums().false_vertices == 1);
  CHECK(all.sums().duplicates == 1);
  REQUIRE(all.residuals(2).size() == 2);
  CHECK(all.residuals(2)[1] == Approx(0.1));
  CHECK(all.residuals(0)[0] == Approx(0.01));
  CHECK(all.pulls(2)[0] == Approx(1.));
}

TEST_CASE("Half widths contain 68 % of the values", "[validation]") {
  CHECK(validation::half_width_68({}) == 0.);
  CHECK(validation::half_width_68({3.}) == 0.);
  std::vector<double> values;
  for (int i = 1000; i >= 0; --i) values.push_back(7. + 0.001 * i);
  CHECK(validation::half_width_68(values) == Approx(0.34).margin(0.002));
}
