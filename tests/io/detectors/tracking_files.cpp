// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of detectors, events and fields as today's programs write them, in
// tests/io/detectors/tracking: of ACTS and traccc, and of TrackML, also as pandas writes it.
#include <trackplex/core/files.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/acts_geometry_id.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/io/detectors/trackml_events.hpp>
#include <trackplex/io/detectors/trackml_particles.hpp>
#include <trackplex/io/tables/field_map_table.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "support/refusals.hpp"
#include "support/source_folder.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::filesystem::path tracking(const std::string& name) {
  return test::source_folder() / "tests/io/detectors/tracking" / name;
}
std::string text_of(const std::string& name) { return read_file(tracking(name)); }

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

geometry::DetectorDescription acts_detector() {
  return io::read_acts_detector(tracking("acts_det_pitch.csv"));
}

tracks::DetectorEvents acts_event(const std::string& hits, const std::string& particles,
                                  const geometry::DetectorDescription& detector) {
  tracks::DetectorEvents events(detector);
  io::parse_acts_event(detector, {hits, particles, "hits.csv", "particles.csv"}, 1, events);
  return events;
}

io::TrackmlEventTexts trackml_texts(const std::string& hits, const std::string& others = "tml_ok") {
  return {{hits, text_of(hits)},
          {"particles.csv", text_of(others + "-particles.csv")},
          {"truth.csv", text_of(others + "-truth.csv")}};
}

tracks::DetectorEvents trackml_event(const io::TrackmlEventTexts& texts) {
  const auto detector = io::read_trackml_detector(tracking("tml_detectors.csv"));
  tracks::DetectorEvents events(detector);
  io::TrackmlEventReader(detector).parse(texts, events);
  return events;
}

/// A file in the folder of temporary files, with its text.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("trackplex_field_" + name)) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a detector of today's ACTS has pitches, thicknesses and packed numbers", "[io]") {
  const auto detector = acts_detector();
  REQUIRE(detector.modules.size() == 6);
  REQUIRE(detector.layers.size() == 3);
  for (const auto& module : detector.modules) {
    CHECK_THAT(module.pitch_u, WithinRel(0.005, 1e-12));
    CHECK_THAT(module.pitch_v, WithinRel(0.005, 1e-12));
    CHECK_THAT(module.thickness, WithinRel(0.015, 1e-12));
  }
  CHECK(detector.layers[1].name == "volume 8 layer 4");
  CHECK(io::geometry_id_packing(detector) == io::GeometryIdPacking::module_20);
  CHECK(detector.modules[0].identifier == 576460889742377216u);
  CHECK(io::repacked(detector.modules[0].identifier, io::GeometryIdPacking::module_28) ==
        geometry::module_identifier(8, 2, 1));
  CHECK(io::repacked(geometry::module_identifier(8, 2, 1), io::GeometryIdPacking::module_20) ==
        detector.modules[0].identifier);
  const auto without = io::read_acts_detector(tracking("acts_det_ok.csv"));
  CHECK(without.modules[0].pitch_u == 0.);
  CHECK(without.modules[0].thickness == 0.);
  const auto unknown = io::parse_acts_detector(
      changed(text_of("acts_det_pitch.csv"), "0.15,0.05,0.05", "-1,-1,-1"), "detector.csv");
  CHECK(unknown.modules[0].pitch_u == 0.);
  CHECK(unknown.modules[0].thickness == 0.);
}

TEST_CASE("numbers of volumes, layers and modules that a table lacks are those of its ids",
          "[io]") {
  // Without the four columns behind geometry_id
  const auto text = text_of("acts_det_ok.csv");
  std::string less;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at) + 1;
    auto line = text.substr(at, end - at);
    const auto first = line.find(',');
    auto rest = first;
    for (int i = 0; i < 4; ++i) rest = line.find(',', rest + 1);
    less += line.substr(0, first) + line.substr(rest);
    at = end;
  }
  const auto detector = io::parse_acts_detector(less, "detector.csv"),
             expected = io::read_acts_detector(tracking("acts_det_ok.csv"));
  REQUIRE(detector.modules.size() == expected.modules.size());
  for (std::size_t l = 0; l < expected.layers.size(); ++l)
    CHECK(detector.layers[l].name == expected.layers[l].name);
}

TEST_CASE("annuli and rings of ACTS have their middle along v", "[io]") {
  const auto detector = io::read_acts_detector(tracking("acts_det_annulus.csv"));
  const auto& module = detector.modules[0];
  CHECK(module.bounds.kind == geometry::BoundsKind::annulus);
  CHECK_THAT(module.bounds.size[0], WithinRel(3., 1e-12));
  CHECK_THAT(module.bounds.size[1], WithinRel(9., 1e-12));
  CHECK_THAT(module.bounds.size[2], WithinRel(0.2, 1e-12));
  CHECK_THAT(module.frame.v(0), WithinAbs(1., 1e-12));
  CHECK_THAT(module.frame.u(1), WithinAbs(-1., 1e-12));
  CHECK_THAT(module.frame.normal()(2), WithinAbs(1., 1e-12));
  const auto turned = io::parse_acts_detector(
      changed(text_of("acts_det_annulus.csv"), "30,90,-0.2,0.2,0,0,0", "30,90,0.1,0.3,0.5,0,0"),
      "detector.csv");
  CHECK_THAT(turned.modules[0].frame.v(1), WithinAbs(std::sin(0.7), 1e-12));
  CHECK_THAT(turned.modules[0].bounds.size[2], WithinRel(0.1, 1e-12));
  const auto ring = io::parse_acts_detector(
      changed(text_of("acts_det_annulus.csv"), "11,30,90,-0.2,0.2,0,0,0",
              "3,30,90,3.14159265358979312,0,-1,-1,-1"),
      "detector.csv", {.overlap_tolerance = 100.});  // the next module is in the ring
  CHECK(ring.modules[0].bounds.size[2] == std::numbers::pi);
  test::check_refused(
      [] {
        io::parse_acts_detector(
            changed(text_of("acts_det_annulus.csv"), "-0.2,0.2,0,0,0", "-0.2,0.2,0,5,0"),
            "detector.csv");
      },
      "detector.csv: line 2, bound_param5 and bound_param6: the sides of an annulus meet beside");
}

TEST_CASE("barcodes of ACTS are one number or five columns", "[io]") {
  const auto detector = acts_detector();
  const auto packed = acts_event(text_of("acts_hits.csv"), text_of("acts_particles.csv"), detector);
  REQUIRE(packed.hits.u.size() == 6);
  CHECK(packed.n_hits == std::vector<std::int32_t>{3, 3});
  // Those of the packed numbers
  const auto five = [](std::string text) {
    for (const auto& [from, to] :
         {std::pair("1,0,1,0,0,", "1,0,4,0,0,"), {"1,0,2,0,0,", "1,0,5,0,0,"}})
      while (text.find(from) != text.npos) text = changed(text, from, to);
    return text;
  };
  const auto hits = text_of("acts_hits.csv"), particles = text_of("acts_particles.csv"),
             today_hits = text_of("acts44_hits.csv"),
             today_particles = text_of("acts44_particles.csv");
  for (const auto& [of_hits, of_particles] : {std::pair(today_hits, today_particles),
                                              {five(today_hits), particles},
                                              {hits, five(today_particles)}}) {
    CAPTURE(of_hits, of_particles);
    const auto events = acts_event(of_hits, of_particles, detector);
    CHECK(events.particle_of_hit == packed.particle_of_hit);
    CHECK(events.hits.u == packed.hits.u);
    CHECK(events.n_hits == packed.n_hits);
  }
  test::check_refused(
      [&] {
        acts_event(changed(text_of("acts44_hits.csv"), "particle_id_gen", "generation"),
                   text_of("acts_particles.csv"), detector);
      },
      "hits.csv: the number of the particle is missing (there is no column particle_id_gen)");
  test::check_refused(
      [&] {
        acts_event(text_of("acts44_hits.csv"),
                   changed(text_of("acts44_particles.csv"), "1,0,2,0,0,13", "1,0,1,0,0,13"),
                   detector);
      },
      "particles.csv: line 3, particle_id: the particle is there twice");
}

TEST_CASE("ids of modules may be in either packing", "[io]") {
  auto old = acts_detector();
  for (auto& module : old.modules)
    module.identifier = io::repacked(module.identifier, io::GeometryIdPacking::module_28);
  CHECK(io::geometry_id_packing(old) == io::GeometryIdPacking::module_28);
  const auto events = acts_event(text_of("acts_hits.csv"), text_of("acts_particles.csv"), old);
  CHECK(events.hits.module ==
        acts_event(text_of("acts_hits.csv"), text_of("acts_particles.csv"), acts_detector())
            .hits.module);
  auto bare = io::read_acts_detector(tracking("acts_det_ok.csv"));
  io::copy_pitches(io::read_trackml_detector(tracking("tml_detectors.csv")), bare);
  CHECK(bare.modules[0].pitch_v == 0.005625);
  test::check_refused(
      [&] {
        acts_event(changed(text_of("acts_hits.csv"), "576460889742377216", "576460889742379999"),
                   text_of("acts_particles.csv"), old);
      },
      "hits.csv: line 2, geometry_id: the detector has no such module");
}

TEST_CASE("one odd particle costs no more than itself", "[io]") {
  const auto detector = acts_detector();
  const auto hits = text_of("acts_hits.csv");
  const auto beam = acts_event(hits, text_of("acts_particles_beam.csv"), detector);
  CHECK(beam.particles.size() == 2);
  CHECK(beam.particles_left_out == 1);
  CHECK(beam.n_hits == std::vector<std::int32_t>{3, 3});
  const auto particles = text_of("acts_particles.csv");
  for (const std::string odd :
       {"0,0,1.0,0.105658,1\n", "0,0,0,0.105658,1\n", "nan,0.01,1.0,0.105658,1\n",
        "0.5,inf,1.0,0.105658,1\n", "0.5,,1.0,0.105658,1\n", "NA,0.01,1.0,0.105658,1\n",
        "0.5,0.01,1.0,0.105658,\n", "0.5,0.01,1.0,0.105658,0.333\n", "0.5,0.01,1.0,0.105658,nan\n",
        "0.5,0.01,1.0,0.105658,1000\n", "1e-200,0,1.0,0.105658,1\n"}) {
    CAPTURE(odd);
    const auto events =
        acts_event(hits, changed(particles, "0.5,0.01,1.0,0.105658,1\n", odd), detector);
    CHECK(events.particles.size() == 1);
    CHECK(events.particles_left_out == 1);
    CHECK(events.n_hits == std::vector<std::int32_t>{3});
    CHECK(std::count(events.particle_of_hit.begin(), events.particle_of_hit.end(), -1) == 3);
  }
  auto texts = trackml_texts("tml_ok-hits.csv");
  texts.particles.text = changed(texts.particles.text, "0.5,0.01,1.0", "0,0,7000");
  const auto trackml = trackml_event(texts);
  CHECK(trackml.particles.size() == 1);
  CHECK(trackml.particles_left_out == 1);
  CHECK(trackml.n_hits == std::vector<std::int32_t>{3});
  CHECK(std::count(trackml.particle_of_hit.begin(), trackml.particle_of_hit.end(), -1) == 3);
  CHECK(io::parse_trackml_particles(texts.particles.text, "particles.csv").size() == 1);
  for (const std::string odd : {"-1", "1.5", "", "1e10"}) {
    CAPTURE(odd);
    auto others = trackml_texts("tml_ok-hits.csv");
    others.particles.text = changed(others.particles.text, "1.0,1,3\n", "1.0,1," + odd + "\n");
    CHECK(trackml_event(others).particles_left_out == 1);
  }
}

TEST_CASE("one odd hit costs no more than itself", "[io]") {
  const auto detector = acts_detector();
  const auto particles = text_of("acts_particles.csv");
  const auto expected = acts_event(text_of("acts_hits.csv"), particles, detector);
  for (const std::string odd : {"nan", "", "inf", "None"}) {
    CAPTURE(odd);
    const auto events =
        acts_event(changed(text_of("acts_hits.csv"), ",42,1.5,100,", "," + odd + ",1.5,100,"),
                   particles, detector);
    CHECK(events.hits_left_out == 1);
    CHECK(events.particles.size() == 2);
    REQUIRE(events.hits.u.size() + 1 == expected.hits.u.size());
    for (std::size_t hit = 0, other = 0; hit < events.hits.u.size(); ++hit, ++other) {
      if (expected.hits.added[other] == 0) ++other;
      CHECK(events.hits.added[hit] == expected.hits.added[other]);
      CHECK(events.hits.u[hit] == expected.hits.u[other]);  // the same random numbers
      CHECK(events.particle_of_hit[hit] == expected.particle_of_hit[other]);
    }
  }

  auto texts = trackml_texts("tml_ok-hits.csv");
  const auto all = trackml_event(texts);
  texts.hits.text = changed(texts.hits.text, "1,42,1.5,100", "1,42,,100");
  const auto one_less = trackml_event(texts);
  CHECK(one_less.hits_left_out == 1);
  REQUIRE(one_less.hits.u.size() + 1 == all.hits.u.size());
  for (std::size_t hit = 0, other = 0; hit < one_less.hits.u.size(); ++hit, ++other) {
    if (all.hits.added[other] == 0) ++other;
    CHECK(one_less.hits.u[hit] == all.hits.u[other]);
    CHECK(one_less.particle_of_hit[hit] == all.particle_of_hit[other]);
    CHECK(one_less.weight[hit] == all.weight[other]);
  }

  const auto measurements = text_of("acts_measurements.csv");
  for (const std::string odd : {"-0.0002,0.0002", "0.0002,0", "nan,0.0002", "0.0002,", "inf,1"}) {
    CAPTURE(odd);
    tracks::DetectorEvents events(detector);
    io::parse_acts_measurements(detector, changed(measurements, "0.0002,0.0002", odd), "m.csv",
                                events);
    CHECK(events.hits.u.size() == 2);
    CHECK(events.hits_left_out == 1);
  }
  for (const std::string odd : {"0", "-3", "", "nan"}) {
    CAPTURE(odd);
    tracks::DetectorEvents events(detector);
    io::parse_acts_cells(
        detector, text_of("traccc_cells.csv") + "576460889742377216,0,103,200,0," + odd + "\n",
        "cells.csv", events);
    CHECK(events.hits.u.size() == 3);
    CHECK(events.hits_left_out == 1);
  }
}

TEST_CASE("files as pandas writes them are read", "[io]") {
  const auto detector = acts_detector();
  const auto floats =
      acts_event(text_of("acts_hits.csv"), text_of("acts_particles_float_q.csv"), detector);
  CHECK(floats.particles[0].charge == 1);
  CHECK(floats.particles[1].charge == -1);
  const auto expected = trackml_event(trackml_texts("tml_ok-hits.csv"));
  for (const std::string kind : {"tml_pandas", "tml_extra"}) {
    CAPTURE(kind);
    const auto events = trackml_event(trackml_texts(kind + "-hits.csv", kind));
    CHECK(events.hits.u == expected.hits.u);
    CHECK(events.hits.module == expected.hits.module);
    CHECK(events.particle_of_hit == expected.particle_of_hit);
  }
  auto texts = trackml_texts("tml_ok-hits.csv");
  texts.hits.text = changed(texts.hits.text, "1,42,1.5,100,8,2,1", "1.0,42,1.5,100,8.0,2.0,1.0");
  CHECK(trackml_event(texts).hits.u == expected.hits.u);
  texts.hits.text = changed(texts.hits.text, "8.0,2.0", "8.5,2.0");
  test::check_refused([&] { trackml_event(texts); }, "line 2, volume_id: '8.5' is no integer");
}

TEST_CASE("hits of TrackML that are off their modules, or there twice, are refused", "[io]") {
  test::check_refused([] { trackml_event(trackml_texts("tml_off_module-hits.csv")); },
                      "line 2, x, y and z: the hit is 5 mm off the plane of its module");
  const auto refuse = [](const std::string& from, const std::string& to, const char* message) {
    auto texts = trackml_texts("tml_ok-hits.csv");
    texts.hits.text = changed(texts.hits.text, from, to);
    test::check_refused([&] { trackml_event(texts); }, message);
  };
  refuse("44,1.5,200", "4000,1.5,200",
         "line 3, x, y and z: the hit is outside of its module, 3955 and 1.5 mm from its centre");
  refuse("42,1.5,100", "4.2,0.15,10", "-90 mm off the plane of its module");  // in cm
  auto twice = trackml_texts("tml_duplicate_id-hits.csv");
  test::check_refused([&] { trackml_event(twice); }, "hit_id: ");
  twice.truth = {};
  test::check_refused([&] { trackml_event(twice); }, "is there twice");
}

TEST_CASE("measurements of ACTS are hits with their variances", "[io]") {
  const auto detector = acts_detector();
  tracks::DetectorEvents events(detector);
  const auto text = text_of("acts_measurements.csv");
  io::parse_acts_measurements(detector, text, "measurements.csv", events);
  REQUIRE(events.events() == 1);
  REQUIRE(events.hits.u.size() == 3);
  CHECK(events.particle_of_hit.empty());
  CHECK_THAT(events.hits.u[0], WithinAbs(-0.3, 1e-12));
  CHECK_THAT(events.hits.v[0], WithinAbs(0.15, 1e-12));
  CHECK_THAT(events.hits.variance_u[0], WithinRel(2e-6, 1e-12));
  io::parse_acts_measurements(detector, changed(text, "6,-3,1.5", "2,-3,1.5"), "measurements.csv",
                              events);
  CHECK(events.hits.variance_v[3] == 0.);  // a strip
  const auto refuse = [&](const std::string& from, const std::string& to, const char* message) {
    test::check_refused(
        [&] {
          io::parse_acts_measurements(detector, changed(text, from, to), "measurements.csv",
                                      events);
        },
        message);
  };
  refuse("6,-3,1.5", "4,-3,1.5", "line 2, local_key: the first coordinate is not measured");
  refuse("6,-3,1.5", "6,-300,1.5", "line 2, local0 and local1: the measurement is more than 1 mm");
  refuse("576460889742377216", "7", "line 2, geometry_id: the detector has no such module");
  CHECK(events.events() == 2);
  auto with_truth = acts_event(text_of("acts_hits.csv"), text_of("acts_particles.csv"), detector);
  test::check_refused<UsageError>(
      [&] { io::parse_acts_measurements(detector, text, "measurements.csv", with_truth); },
      "earlier events have truth");
  // The middle of a rectangle need not be the origin of its coordinates
  const auto shifted = io::parse_acts_detector(
      changed(text_of("acts_det_pitch.csv"), "6,-40,-40,40,40", "6,-20,-30,60,50"), "detector.csv");
  tracks::DetectorEvents others(shifted);
  io::parse_acts_measurements(shifted, text, "measurements.csv", others);
  const auto at =
      geometry::to_global(shifted.modules[0].frame, {others.hits.u[0], others.hits.v[0], 0.});
  CHECK_THAT(at(0), WithinAbs(4.5 - 0.3, 1e-12));
  CHECK_THAT(at(1), WithinAbs(0.15, 1e-12));
}

TEST_CASE("cells of traccc become hits, measurement by measurement", "[io]") {
  const auto detector = acts_detector();
  tracks::DetectorEvents events(detector);
  const auto text = text_of("traccc_cells.csv");
  io::parse_acts_cells(detector, text, "cells.csv", events);
  REQUIRE(events.hits.u.size() == 3);
  CHECK_THAT(events.hits.u[0], WithinAbs(102.5 * 0.005 - 4., 1e-12));
  CHECK_THAT(events.hits.v[0], WithinAbs(200.5 * 0.005 - 4., 1e-12));
  CHECK_THAT(events.hits.variance_u[0], WithinRel(0.005 * 0.005 / 12., 1e-12));
  io::parse_acts_cells(detector, text + "576460889742377216,0,103,200,0,0.3\n", "cells.csv",
                       events);
  REQUIRE(events.hits.u.size() == 6);  // one has two cells
  CHECK_THAT(events.hits.u[3], WithinAbs(103.25 * 0.005 - 4., 1e-12));
  test::check_refused(
      [&] {
        io::parse_acts_cells(detector, changed(text, "102,200", "1602,200"), "cells.csv", events);
      },
      "line 2, channel0 and channel1: the cell is outside of its module");
  test::check_refused<UsageError>(
      [&] {
        const auto bare = io::read_acts_detector(tracking("acts_det_ok.csv"));
        tracks::DetectorEvents others(bare);
        io::parse_acts_cells(bare, text, "cells.csv", others);
      },
      "see copy_pitches");
}

TEST_CASE("maps of fields are read in the units that they, or their users, say", "[io]") {
  const auto grid = io::read_field_grid(tracking("acts_field_xyz.dat"));
  CHECK(grid.x.first == -10.);
  CHECK(grid.z.last == 20.);
  CHECK(grid.z.nodes == 3);
  CHECK(grid.tesla[5][2] == 2.);
  const auto round = tracking("acts_field_rz.dat");
  test::check_refused([&] { io::read_axisymmetric_field_grid(round); },
                      "it does not say the unit of lengths");
  test::check_refused(
      [&] { io::read_axisymmetric_field_grid(round, {.length = "mm", .field = {}}); },
      "it does not say the unit of fields");
  test::check_refused<UsageError>(
      [&] { io::read_axisymmetric_field_grid(round, {.length = "inch", .field = "T"}); },
      "'inch' is no unit of lengths");
  const auto in_mm = io::read_axisymmetric_field_grid(round, {.length = "mm", .field = "T"});
  CHECK(in_mm.z.first == -20.);
  CHECK(in_mm.tesla[0][1] == 2.);
  const auto in_m = io::read_axisymmetric_field_grid(round, {.length = "m", .field = "kGauss"});
  CHECK(in_m.z.first == -20000.);
  CHECK_THAT(in_m.tesla[0][1], WithinRel(0.2, 1e-15));
}

TEST_CASE("maps of fields of many kinds", "[io]") {
  const auto read = [](const std::string& text, const io::FieldUnits& units = {}) {
    const TemporaryFile file("rz.txt", text);
    return io::read_axisymmetric_field_grid(file.path(), units);
  };
  const std::string rows = "0 -1 0 3\n0 1 0 3\n2 -1 0 3\n2 1 0 3\n";
  const auto check = [&](const std::string& text, double cm, double tesla,
                         const io::FieldUnits& units = {}) {
    CAPTURE(text);
    const auto grid = read(text, units);
    CHECK_THAT(grid.r.last, WithinRel(2. * cm, 1e-14));
    CHECK(grid.z.nodes == 2);
    CHECK_THAT(grid.tesla[0][1], WithinRel(3. * tesla, 1e-14));
  };
  check("# r(m) z(m) Br(T) Bz(T)\n" + rows, 100., 1.);
  check("r [cm]  z [cm]  Br [kG]  Bz [kG]\n" + rows, 1., 0.1);
  check("! units: mm, Gauss\n" + rows, 0.1, 1e-4);
  check("2 2\n1 R [CM]\n2 Z [CM]\n3 BR [GAUSS]\n4 BZ [GAUSS]\n0\n" + rows, 1., 1e-4);
  check("r[m],z[m],Br[T],Bz[T]\n0,-1,0,3\n0,1,0,3\n2,-1,0,3\n2,1,0,3\n", 100., 1.);
  check("z[m] r[m] Bz[T] Br[T]\n-1 0 3 0\n1 0 3 0\n-1 2 3 0\n1 2 3 0\n", 100., 1.);
  check("% with |B|\n0 -1 0 3 3\n0 1 0 3 3\n2 -1 0 3 3\n2 1 0 3 3\n", 0.1, 1e-3,
        {.length = "mm", .field = "mT"});
  check("0. -1.D0 0 3.0E+0\n0 1 0 +3\n\n2 -1 0 3\n# middle\n2 1 0 3\n", 1., 1.,
        {.length = "cm", .field = "Tesla"});
  check("r,z,Br,Bz\n0,-1,0,3\n0,1,0,3\n2,-1,0,3\n2,1,0,3\n", 1., 1.);  // of this library
  // The names say where the columns are, whatever is between them
  check("# x r[m] |B|[T] Bz[T] z[m] Br[T]\n9 0 3 3 -1 0\n9 0 3 3 1 0\n9 2 3 3 -1 0\n9 2 3 3 1 0\n",
        100., 1.);
  check("\xef\xbb\xbf# z_m r_m B_z_T B_r_T\r\n-1 0 3 0\r\n1 0 3 0\r\n-1 2 3 0\r\n1 2 3 0\r\n", 100.,
        1.);
  check("z/mm\tr/mm\tBz/kG\tBr/kG\n-1\t0\t3\t0\n1\t0\t3\t0\n-1\t2\t3\t0\n1\t2\t3\t0\n", 0.1, 0.1);
  check("r z Br Bz\nmm mm T T\n" + rows, 0.1, 1.);
  check("* Lengths are in metres, fields in Tesla (units)\n" + rows, 100., 1.);
  check("! Br and Bz on a grid of r and z, units: m, T\n" + rows, 100., 1.);
  check("4 3 2 1\n1 R [METRE]\n2 Z [METRE]\n3 BR [TESLA]\n4 BZ [TESLA]\n0\n" + rows, 100., 1.);
  check("0 -1 0 3 # corner\n0 1 0 3 ! corner\n2 -1 0 3 // and so on\n2 1 0 3 % end\n", 1., 1.,
        {.length = "cm", .field = "T"});
  // As pandas writes it, with an index
  for (const std::string head : {",r[m],z[m],Br[T],Bz[T]\n", "units: m T\n"})
    check(head + "0,0,-1,0,3\n1,0,1,0,3\n2,2,-1,0,3\n3,2,1,0,3\n", 100., 1.);
  check(" r[m] z[m] Br[T] Bz[T]\n1 0 -1 0 3\n2 0 1 0 3\n3 2 -1 0 3\n4 2 1 0 3\n", 100., 1.);
  const io::FieldUnits units{.length = "cm", .field = "T"};
  test::check_refused([&] { read("z r Bz Brad\n" + rows, units); },
                      "line 1: not all columns are known by their names (a map has the columns r z "
                      "Br Bz)");
  test::check_refused([&] { read("0 -1 0 3 0 0\n", units); }, "a line of 6 numbers (a node has 4");
  test::check_refused([&] { read(rows + "2 1 0\n" + rows, units); },
                      "line 5: a line of 3 numbers (lines before have 4 numbers)");
  test::check_refused([&] { read(rows + "end of file\n" + rows, units); }, "words among numbers");
  test::check_refused([&] { read("1 2 3\n", units); }, "a line of 3 numbers (a node has 4");
  test::check_refused([&] { read("no numbers\n", units); }, "there are no numbers");
  test::check_refused([&] { read(rows + "0 1 0 3\n", units); }, "a grid has one row for each node");
  test::check_refused([&] { read("# r[mm] z[cm] Br[T] Bz[T]\n" + rows); },
                      "it has two units of lengths");
  test::check_refused([&] { io::read_field_grid("/none/map.txt"); }, "/none/map.txt");
}

TEST_CASE("maps that were computed have small radial fields on the axis", "[io]") {
  const auto grid = io::read_axisymmetric_field_grid(tracking("field_axis.csv"));
  const geometry::AxisymmetricFieldMap<double, Kokkos::HostSpace> map(HostExecutor(), grid);
  for (const double z : {100., 199.}) {
    const auto b = map(0., 0., z), near = map(1e-3, 0., z);
    CHECK((b(0) == 0. && b(1) == 0.));
    CHECK_THAT(near(0), WithinAbs(0., 1e-6));
    CHECK(b(2) == 1.5);
  }
  auto large = grid;
  large.tesla[2][0] = 2e-3;
  test::check_refused<UsageError>(
      [&] { geometry::AxisymmetricFieldMap<double, Kokkos::HostSpace>(HostExecutor(), large); },
      "B_r is not 0 on the z axis (z = 200 cm: 0.002 T, more than 0.001 of the largest "
      "field, 1.5");
}
