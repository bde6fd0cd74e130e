// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <string>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

namespace {

const std::string head =
    ",volume_id,layer_id,module_id,cx,cy,cz,rot_xu,rot_xv,rot_xw,rot_yu,rot_yv,rot_yw,rot_zu,"
    "rot_zv,rot_zw,module_t,module_minhu,module_maxhu,module_hv,pitch_u,pitch_v\n";
const std::string barrel_module =
    "0,8,2,2,-31,-7,-450,0.2,-0,0.98,-0.98,0,0.2,0,-1,0,0.15,8.4,8.4,36,0.05,0.05625\n";
const std::string disk_module =
    "1,7,2,1,-66,-5,-1502.5,0,-1,0,-1,0,0,0,0,-1,0.15,4,8,36,0.05,0.05625\n";

DetectorDescription parse(const std::string& text) {
  return io::parse_trackml_detector(text, "detectors.csv");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a detector of TrackML is read in cm, in the order of volumes and layers", "[io]") {
  const auto exact = replaced(
      barrel_module, "0.2,-0,0.98,-0.98,0,0.2",
      "0.198669,-0,0.980067,-0.980067,0,0.198669");  // rounded as in the files of the challenge
  const auto detector = parse(head + exact + disk_module);
  REQUIRE(detector.modules.size() == 2);
  REQUIRE(detector.layers.size() == 2);
  CHECK(detector.layers[0].name == "volume 7 layer 2");
  CHECK(detector.layers[0].kind == LayerKind::disk);
  CHECK(detector.layers[0].position == -150.25);
  CHECK(detector.layers[1].kind == LayerKind::barrel);
  CHECK(detector.layers[1].low == -48.6);
  const auto& disk = detector.modules[0];
  CHECK(disk.bounds.kind == BoundsKind::trapezoid);
  CHECK(disk.bounds.size == std::array{0.4, 0.8, 3.6});
  CHECK(disk.thickness == 0.03);
  CHECK(disk.pitch_u == 0.005);
  CHECK(disk.identifier == module_identifier(7, 2, 1));
  CHECK(disk.frame.centre(0) == -6.6);
  CHECK(disk.frame.v(0) == -1.);
  CHECK(disk.frame.u(1) == -1.);
  const auto& barrel = detector.modules[1];
  CHECK(barrel.bounds.kind == BoundsKind::rectangle);
  CHECK_THAT(dot(barrel.frame.u, barrel.frame.u), WithinAbs(1., 1e-15));
}

TEST_CASE("faults of a table of TrackML are named with line and column", "[io]") {
  const auto refuse = [](const std::string& text, const char* message) {
    test::check_refused([&] { parse(text); }, message);
  };
  refuse(head + disk_module + barrel_module, "detectors.csv: line 3, rot_xu to rot_zw: the axis u");
  refuse(head + replaced(disk_module, "0,-1,0,-1,0,0,0,0,-1", "0,-1,0,-1,0,0,0,0,1"),
         "left-handed");
  refuse(head + replaced(disk_module, "1,7,2,1", "1,7,5000,1"),
         "line 2, layer_id: 5000 is no such");
  refuse(head + replaced(disk_module, "1,7,2,1", "1,-7,2,1"), "line 2, volume_id");
  refuse(head + replaced(disk_module, "4,8,36", "4,8,0"),
         "line 2, module_hv: the bounds enclose no");
  refuse(head + replaced(disk_module, "-1502.5", "x"), "line 2, cz: 'x' is no number");
  refuse(head + replaced(disk_module, "-1502.5", "nan"), "line 2, cz: it is not finite");
  refuse(head + disk_module + disk_module, "line 3, module_id: the module is there twice");
  refuse(replaced(head, ",pitch_v", "") + disk_module, "line 1: the column 'pitch_v' is missing");
  const auto other = replaced(disk_module, "1,7,2,1", "2,7,2,2");
  test::check_refused<UsageError>([&] { parse(head + disk_module + other); },
                                  "it overlaps module 1");
  CHECK_NOTHROW(io::parse_trackml_detector(head + disk_module + other, "", {.overlaps = false}));
}

TEST_CASE("the detector of TrackML has its modules and layers, and no faults", "[io][data]") {
  const auto path = test::data_or_skip("trackml/detectors.csv.gz");
  const auto detector = io::read_trackml_detector(path);
  CHECK(detector.modules.size() == 18728);
  CHECK(detector.layers.size() == 48);
  const auto count = [&](LayerKind kind) {
    return std::count_if(detector.layers.begin(), detector.layers.end(),
                         [&](const Layer& layer) { return layer.kind == kind; });
  };
  CHECK(count(LayerKind::barrel) == 10);
  CHECK(count(LayerKind::disk) == 38);
  CHECK(std::count_if(detector.modules.begin(), detector.modules.end(), [](const Module& module) {
          return module.bounds.kind == BoundsKind::trapezoid;
        }) == 3216);
  const auto& first_barrel = detector.layers[7];
  CHECK(first_barrel.name == "volume 8 layer 2");
  CHECK_THAT(first_barrel.position, WithinAbs(3.2, 1e-4));
  CHECK_THAT(first_barrel.low, WithinAbs(-49.1, 1e-9));
  CHECK(first_barrel.n_modules == 224);
}

TEST_CASE("hits of TrackML are on their modules", "[io][data]") {
  const auto detector = io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz"));
  const auto path = test::data_or_skip("trackml/event000000001-hits.csv.gz");
  using enum io::ColumnType;
  const std::vector<io::ColumnFormat> format{{"hit_id", "", int64},
                                             {"x", "mm"},
                                             {"y", "mm"},
                                             {"z", "mm"},
                                             {"volume_id", "", int64},
                                             {"layer_id", "", int64},
                                             {"module_id", "", int64}};
  const auto hits =
      io::parse_table_csv(io::detail::read_plain_or_gzip(path), path.string(), format);
  const ModuleNumbers numbers(detector);
  REQUIRE(hits.rows() == 5527);
  std::size_t found = 0, inside = 0;
  for (std::size_t i = 0; i < hits.rows(); ++i) {
    const auto integer = [&](const char* name) {
      return std::uint64_t(hits.values<std::int64_t>(name)[i]);
    };
    const auto cm = [&](const char* name) { return hits.values<double>(name)[i] / 10.; };
    const int module =
        numbers.find(integer("volume_id"), integer("layer_id"), integer("module_id"));
    if (module < 0) continue;
    ++found;
    const auto& [frame, bounds] = std::pair(detector.modules[std::size_t(module)].frame,
                                            detector.modules[std::size_t(module)].bounds);
    const auto local = to_local(frame, {cm("x"), cm("y"), cm("z")});
    inside += std::abs(local(2)) < 1e-3 && bounds.contains(local(0), local(1));
  }
  CHECK(found == 5527);
  CHECK(inside == 5527);
}
