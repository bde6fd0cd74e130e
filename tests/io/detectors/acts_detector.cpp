// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <string>
#include <trackplex/io/detectors/trackml_detector.hpp>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

namespace {

const std::string head =
    "geometry_id,volume_id,boundary_id,layer_id,module_id,cx,cy,cz,rot_xu,rot_xv,rot_xw,rot_yu,"
    "rot_yv,rot_yw,rot_zu,rot_zv,rot_zw,bounds_type,bound_param0,bound_param1,bound_param2,"
    "bound_param3,bound_param4,bound_param5,bound_param6\n";
const std::string boundary =
    "360569445166350336,5,1,0,0,0,0,-3001,1,0,0,0,1,0,0,0,1,3,0,20.4,3.14159274,0,-1,-1,-1\n";
const std::string rectangle =
    "504403295704449025,7,0,2,1,100,5,-1502.5,0,1,0,1,0,0,0,0,-1,6,-8,-30,10,40,-1,-1,-1\n";
const std::string trapezoid =
    "864691265894088705,12,0,2,1,300,20,-2948.5,0,-1,0,-1,0,0,0,0,-1,7,16,24,78,-1,-1,-1,-1\n";

DetectorDescription parse(const std::string& text) {
  return io::parse_acts_detector(text, "surfaces.csv");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

/// Whether a module of the same layer, of another description, has the same frame.
bool has_frame(const DetectorDescription& detector, const Module& wanted) {
  const auto& layer = detector.layers[std::size_t(wanted.layer)];
  const auto near = [](const Vector3<double>& a, const Vector3<double>& b, double tolerance) {
    return dot(a - b, a - b) < tolerance * tolerance;
  };
  const auto first = detector.modules.begin() + layer.first_module;
  return std::any_of(first, first + layer.n_modules, [&](const Module& module) {
    return near(module.frame.centre, wanted.frame.centre, 1e-3) &&
           near(module.frame.u, wanted.frame.u, 1e-4) && near(module.frame.v, wanted.frame.v, 1e-4);
  });
}

}  // namespace

TEST_CASE("modules of ACTS are read in cm, surfaces between them are skipped", "[io]") {
  const auto detector = parse(head + boundary + trapezoid + rectangle);
  REQUIRE(detector.modules.size() == 2);
  REQUIRE(detector.layers.size() == 2);
  CHECK(detector.layers[0].name == "volume 7 layer 2");
  const auto& first = detector.modules[0];
  CHECK(first.bounds.size == std::array{0.9, 0.9, 3.5});
  // the middle of the rectangle, at u = 1 mm and v = 5 mm, u along y and v along x
  CHECK_THAT(first.frame.centre(0), WithinAbs(10.5, 1e-12));
  CHECK_THAT(first.frame.centre(1), WithinAbs(0.6, 1e-12));
  CHECK(first.identifier == 504403295704449025);
  CHECK(first.identifier == module_identifier(7, 2, 1));
  CHECK(detector.modules[1].bounds.kind == BoundsKind::trapezoid);
  CHECK(detector.modules[1].bounds.size == std::array{1.6, 2.4, 7.8});
  CHECK(parse(head + boundary).layers.empty());
}

TEST_CASE("faults of a table of ACTS are named with line and column", "[io]") {
  const auto refuse = [](const std::string& text, const char* message) {
    test::check_refused([&] { parse(text); }, message);
  };
  refuse(head + boundary + replaced(rectangle, "-1,6,", "1,6,"), "surfaces.csv: line 3, rot_xu");
  refuse(head + replaced(rectangle, "-1,6,", "-1,9,"),
         "line 2, bounds_type: modules of other types");
  refuse(head + replaced(rectangle, "-1,6,", "-1,-6,"),
         "line 2, bounds_type: -6 is no such number");
  refuse(head + replaced(rectangle, "10,40", "-8,40"),
         "line 2, bound_param0: the bounds enclose no");
  refuse(head + rectangle + rectangle, "line 3, module_id: the module is there twice");
}

TEST_CASE("the detector of ACTS is that of TrackML, with reversed axes at negative z",
          "[io][data]") {
  const auto acts =
      io::read_acts_detector(test::data_or_skip("acts-trackml/trackml-detector.csv.gz"));
  const auto trackml = io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz"));
  REQUIRE(acts.modules.size() == 18728);
  REQUIRE(acts.layers.size() == trackml.layers.size());
  int trapezoids = 0;
  int same_barrel = 0, same_disk = 0;
  for (std::size_t l = 0; l < acts.layers.size(); ++l) {
    const auto& a = acts.layers[l];
    const auto& t = trackml.layers[l];
    CHECK(a.name == t.name);
    CHECK(a.kind == t.kind);
    CHECK(a.n_modules == t.n_modules);
    CHECK_THAT(a.position, WithinAbs(t.position, 1e-4));
    CHECK_THAT(a.low, WithinAbs(t.low, 0.05));
    CHECK_THAT(a.high, WithinAbs(t.high, 0.05));
  }
  for (const auto& module : acts.modules) {
    trapezoids += module.bounds.kind == BoundsKind::trapezoid;
    const bool is_barrel = acts.layers[std::size_t(module.layer)].kind == LayerKind::barrel;
    (is_barrel ? same_barrel : same_disk) += has_frame(trackml, module);
  }
  CHECK(trapezoids == 3216);
  CHECK(same_barrel == 14000);  // all
  CHECK(same_disk == 2364);     // those at z > 0; at z < 0, u and v are reversed
}

TEST_CASE("true hits of ACTS are in the planes and bounds of their modules", "[io][data]") {
  const auto detector =
      io::read_acts_detector(test::data_or_skip("acts-trackml/trackml-detector.csv.gz"));
  const auto path = test::data_or_skip("acts-trackml/hits.csv.gz");
  using enum io::ColumnType;
  std::vector<io::ColumnFormat> format{
      {"particle_id", "", int64}, {"geometry_id", "", int64}, {"index", "", int64}};
  for (const char* const name : {"tx", "ty", "tz", "tt", "tpx", "tpy", "tpz", "te", "deltapx",
                                 "deltapy", "deltapz", "deltae"})
    format.push_back({name, ""});
  const auto hits =
      io::parse_table_csv(io::detail::read_plain_or_gzip(path), path.string(), format);
  const ModuleNumbers numbers(detector);
  REQUIRE(hits.rows() == 12095);
  std::size_t inside = 0;
  double farthest = 0.;
  for (std::size_t i = 0; i < hits.rows(); ++i) {
    const int n = numbers.find(std::uint64_t(hits.values<std::int64_t>("geometry_id")[i]));
    REQUIRE(n >= 0);
    const auto& module = detector.modules[std::size_t(n)];
    const auto cm = [&](const char* name) { return hits.values<double>(name)[i] / 10.; };
    const auto local = to_local(module.frame, {cm("tx"), cm("ty"), cm("tz")});
    farthest = std::max(farthest, std::abs(local(2)));
    inside += module.bounds.contains(local(0), local(1));
  }
  CHECK(inside == 12095);
  CHECK(farthest < 2e-5);  // cm
}
