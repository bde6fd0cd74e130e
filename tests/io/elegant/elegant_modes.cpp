// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <filesystem>
#include <string>
#include <trackplex/beam/collective/longitudinal_modes.hpp>
#include <trackplex/beam/collective/transverse_modes.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using Catch::Matchers::WithinRel;

namespace {

std::filesystem::path folder_of_modes() {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_modes";
  std::filesystem::create_directories(folder);
  return folder;
}

/// The element of a lattice in the folder of modes.
beam::ElementKind read_mode(const std::string& element) {
  return io::parse_elegant_lattice("e: " + element + "\nl: LINE=(e)\n",
                                   (folder_of_modes() / "m.lte").string())
      .expand()
      .at(0)
      .kind;
}

void write_modes(const std::string& name, const std::string& columns, const std::string& rows) {
  std::string header = "SDDS1\n";
  for (std::size_t at = 0; at < columns.size();) {
    const auto end = columns.find(';', at);
    header += "&column name=" + columns.substr(at, end - at) + " type=double &end\n";
    at = end + 1;
  }
  write_file(folder_of_modes() / name, header + "&data mode=ascii no_row_counts=1 &end\n" + rows);
}

void refuse_mode(const std::string& element, const std::string& message) {
  CAPTURE(element);
  test::check_refused([&] { return read_mode(element); }, message);
}

}  // namespace

TEST_CASE("elegant's element RFMODE is read", "[io]") {
  const auto kind = read_mode(
      "RFMODE, RA=2e6, Q=4e4, FREQ=352e6, BETA=3, BIN_SIZE=1e-12, N_BINS=500, INITIAL_V=1e5, "
      "INITIAL_PHASE=0.5, INITIAL_T=1e-9, INTERPOLATE=1, RIGID_UNTIL_PASS=5, "
      "DETUNED_UNTIL_PASS=2, RAMP_PASSES=10, PASS_INTERVAL=4, LONG_RANGE_ONLY=1, N_CAVITIES=16, "
      "CHARGE=1e-9, RECORD=\"%s.rec\", FEEDBACK_RECORD=\"x\", ALLOW_UNBINNED_PARTICLES=1");
  const auto* cavity = kind.as<beam::LongitudinalModes>();
  REQUIRE(cavity);
  REQUIRE(cavity->modes.size() == 1);
  const beam::LongitudinalMode& mode = cavity->modes[0];
  CHECK(mode.resonator.frequency == 352e6);
  CHECK(mode.resonator.quality == 4e4);
  CHECK(mode.resonator.shunt == 1e6);
  CHECK(mode.resonator.coupling == 3.);
  CHECK(mode.voltage == 1e5);
  CHECK(mode.phase == 0.5);
  CHECK(cavity->initial_time == 1e-9);
  CHECK(cavity->bin_size == 1e-12);
  CHECK(cavity->bins == 500);
  CHECK(cavity->interpolate);
  CHECK(cavity->allow_outside);
  CHECK(cavity->turns.first == 2);
  CHECK(cavity->turns.first_kick == 5);
  CHECK(cavity->turns.ramp == 10);
  CHECK(cavity->turns.interval == 4);
  CHECK(cavity->turns.earlier_only);
  CHECK(!cavity->turns.forget);
  CHECK(cavity->cavities == 16.);
  CHECK(cavity->charge == 1e-9);
  CHECK(cavity->preload_charge == 0.);
  // Bins are at most a tenth of the period, in the same range
  const auto fine =
      read_mode("RFMODE, RS=1e6, Q=4e4, FREQ=1e10, BIN_SIZE=5.1e-11, N_BINS=7, SINGLE_PASS=1");
  cavity = fine.as<beam::LongitudinalModes>();
  REQUIRE(cavity);
  CHECK(cavity->bins == 36);
  CHECK_THAT(cavity->bin_size, WithinRel(3.57e-10 / 36., 1e-14));
  CHECK(cavity->modes[0].resonator.shunt == 1e6);
  CHECK(cavity->turns.forget);
  CHECK(!cavity->allow_outside);
  // Without a charge a preload does nothing, as for elegant
  const std::string preload = "RFMODE, RS=1e6, Q=4e4, FREQ=1e9, BIN_SIZE=1e-11, PRELOAD=1";
  const auto empty = read_mode(preload), charged = read_mode(preload + ", CHARGE=2e-9");
  CHECK(empty.as<beam::LongitudinalModes>()->preload_charge == 0.);
  CHECK(charged.as<beam::LongitudinalModes>()->preload_charge == 2e-9);
  const auto loaded = read_mode(preload +
                                ", CHARGE=2e-9, PRELOAD_CHARGE=3e-9, PRELOAD_FACTOR=0.5, "
                                "PRELOAD_HARMONIC=1296");
  cavity = loaded.as<beam::LongitudinalModes>();
  CHECK(cavity->preload_charge == 3e-9);
  CHECK(cavity->preload_factor == 0.5);
  CHECK(cavity->preload_harmonic == 1296);
}

TEST_CASE("elegant's element TRFMODE is read", "[io]") {
  const auto kind = read_mode(
      "TRFMODE, RS=1e7, Q=100, FREQ=1e10, BIN_SIZE=2.51e-11, N_BINS=30, PLANE=\"y\", DX=1e-3, "
      "DY=2e-3, XFACTOR=2, YFACTOR=3, RIGID_UNTIL_PASS=1");
  const auto* cavity = kind.as<beam::TransverseModes>();
  REQUIRE(cavity);
  CHECK(!cavity->modes.at(0).in_x);
  CHECK(cavity->modes[0].in_y);
  CHECK(cavity->modes[0].resonator.shunt == 1e7);
  CHECK(cavity->bins == 75);
  CHECK_THAT(cavity->bin_size, WithinRel(1e-11, 1e-14));
  CHECK(cavity->dx == 1e-3);
  CHECK(cavity->dy == 2e-3);
  CHECK(cavity->x_factor == 2.);
  CHECK(cavity->y_factor == 3.);
  CHECK(cavity->turns.first_kick == 1);
  CHECK(cavity->allow_outside);
}

TEST_CASE("elegant's files of modes are read", "[io]") {
  write_modes("z.sdds", "Frequency units=Hz;Q;ShuntImpedance units=Ohms;beta;Other;",
              "1e9 4e4 1e6 1 0\n2e9 3e4 2e6 0 0\n3e9 2e4 3e6 2 0\n");
  const auto kind = read_mode(
      "FRFMODE, FILENAME=\"z.sdds\", BIN_SIZE=1e-12, N_BINS=100, FACTOR=2, CUTOFF=2.5e9, "
      "OUTPUT_FILE=\"%s.modes\"");
  const auto* cavity = kind.as<beam::LongitudinalModes>();
  REQUIRE(cavity);
  REQUIRE(cavity->modes.size() == 2);
  CHECK(cavity->modes[1].resonator.frequency == 2e9);
  CHECK(cavity->modes[1].resonator.quality == 3e4);
  CHECK(cavity->modes[1].resonator.shunt == 4e6);
  CHECK(cavity->modes[0].resonator.coupling == 1.);
  const auto none = read_mode("FRFMODE, FILENAME=\"z.sdds\", BIN_SIZE=1e-12, CUTOFF=1");
  CHECK(none.as<beam::Marker>());
  write_modes("t.sdds", "Frequency;Q;ShuntImpedance units=$gW$r/m;ShuntImpedanceSymm;xMode;",
              "1e9 4e4 1e6 7e6 1\n2e9 3e4 2e6 8e6 0\n");
  const auto dipoles = read_mode(
      "FTRFMODE, FILENAME=\"t.sdds\", USE_SYMM_DATA=1, BIN_SIZE=1e-12, DX=1e-3, YFACTOR=2");
  const auto* deflector = dipoles.as<beam::TransverseModes>();
  REQUIRE(deflector);
  REQUIRE(deflector->modes.size() == 2);
  CHECK(deflector->modes[0].in_x);
  CHECK(!deflector->modes[1].in_x);
  CHECK(deflector->modes[1].in_y);
  CHECK(deflector->modes[1].resonator.shunt == 8e6);
  CHECK(deflector->modes[1].resonator.coupling == 0.);
  CHECK(deflector->dx == 1e-3);
  CHECK(deflector->y_factor == 2.);
}

TEST_CASE("modes that elegant has and this library does not are refused", "[io]") {
  const std::string good = "RFMODE, RA=1e6, Q=4e4, FREQ=1e9, BIN_SIZE=1e-12";
  CHECK_NOTHROW(read_mode(good));
  refuse_mode(good + ", RS=1e6", "RA is twice RS");
  refuse_mode(good + ", BINLESS=1", "give BIN_SIZE and N_BINS");
  refuse_mode(good + ", DRIVE_FREQUENCY=1e9", "take RFCA");
  refuse_mode(good + ", FREQ_WAVEFORM=\"f.sdds=t+f\"", "change in time");
  refuse_mode(good + ", Q_WAVEFORM=\"f.sdds=t+f\"", "change in time");
  refuse_mode(good + ", BUNCHED_BEAM_MODE=2", "there is one bunch");
  refuse_mode(good + ", PASS_INTERVAL=0", "one pass is the least");
  refuse_mode(good + ", SINGLE_PASS=1, LONG_RANGE_ONLY=1", "nothing would act");
  refuse_mode(good + ", N_BINS=1", "two bins at least");
  refuse_mode(good + ", BETA=1e5", "Q/(1 + BETA) is above 1/2");
  refuse_mode("RFMODE, RA=1e6, Q=4e4, FREQ=1e9", "BIN_SIZE");
  refuse_mode("RFMODE, RA=1e6, Q=4e4, BIN_SIZE=1e-12", "FREQ");
  refuse_mode("RFMODE, RA=1e6, Q=4e4, FREQ=1e9, BIN_SIZE=1, N_BINS=20", "shorter range");
  refuse_mode("TRFMODE, RA=1e6, Q=4e4, FREQ=1e9, BIN_SIZE=1e-12, PLANE=\"z\"", "x, y or both");
  refuse_mode("TRFMODE, RA=1e6, FREQ=1e9, BIN_SIZE=1e-12, BETA=1", "ZLONGIT or TRWAKE");
  refuse_mode("FRFMODE, BIN_SIZE=1e-12", "without a file");
  refuse_mode("FTRFMODE, FILENAME=\"missing.sdds\", BIN_SIZE=1e-12", "missing.sdds");
  write_modes("units.sdds", "Frequency units=GHz;Q;ShuntImpedance;", "1 4e4 1e6\n");
  refuse_mode("FRFMODE, FILENAME=\"units.sdds\", BIN_SIZE=1e-12", "unit is none of a mode");
  write_modes("column.sdds", "Frequency;Q;", "1e9 4e4\n");
  refuse_mode("FRFMODE, FILENAME=\"column.sdds\", BIN_SIZE=1e-12", "ShuntImpedance");
  write_modes("q.sdds", "Frequency;Q;ShuntImpedance;", "1e9 4e4 1e6\n1e9 0.5 1e6\n");
  refuse_mode("FRFMODE, FILENAME=\"q.sdds\", BIN_SIZE=1e-12", "mode 2 does not ring");
  write_modes("empty.sdds", "Frequency;Q;ShuntImpedance;", "");
  refuse_mode("FRFMODE, FILENAME=\"empty.sdds\", BIN_SIZE=1e-12", "the file has no page");
}
