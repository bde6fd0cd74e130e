// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/kalman_files.hpp>

#include "support/data.hpp"
#include "support/refusals.hpp"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>

using namespace trackplex;
using test::check_refused;

namespace {

/// Value i of set s of a file is f + 100 s + i, where f is the number of the file.
std::string kalman_sets_text(const char* name, int file, int sets, int values) {
  std::string text;
  for (int s = 0; s < sets; ++s) {
    text += std::string(name) + "_" + std::to_string(s) + "_300:";
    for (int i = 0; i < values; ++i) text += " " + std::to_string(file + 100 * s + i);
    text += s % 2 == 0 ? " \n" : "\n\n";
  }
  return text;
}

const std::string kalman_grid_header = "100 200 1500 1 2 3 4 0.3 0.25 0 0.005\n3 4 1 1 7 9 5 7\n";

/// Coefficient i of a cell is i + 0.5, plus 100 times the number of the cell.
std::string kalman_grid_text() {
  std::string text = kalman_grid_header;
  for (int cell = 0; cell < 12; ++cell)
    for (int i = 0; i < 80; ++i)
      text += std::to_string(100 * cell + i) + (i % 9 == 8 ? ".5\n" : ".5 ");
  return text;
}

/// A grid of 3 x 3 cells whose coefficients are all 2, compressed by xz.
constexpr std::string_view xz_grid(
    "\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x1c\x00\x00\x00\x10\xcf\x58"
    "\xcc\xe0\x05\xd6\x00\x39\x5d\x00\x18\x8c\x2c\x40\x35\x0c\x94\x74\xca\xc8\x79\x89\xca\xb2\x0f"
    "\x29\xbd\x60\x7c\xd2\xf6\x55\xf4\x62\x4e\xec\x93\x97\xe2\x66\xd4\x43\xe4\x8b\x37\xd9\x14\x23"
    "\x39\x7e\xaf\x82\x15\x68\x15\x39\x3b\x80\x51\xd6\xd1\x88\xb3\x36\x47\xd4\x00\x00\x00\x00\x00"
    "\x7f\xd6\xdd\x10\x00\x01\x51\xd7\x0b\x00\x00\x00\xc7\x2b\x53\xe8\x3e\x30\x0d\x8b\x02\x00\x00"
    "\x00\x00\x01\x59\x5a",
    120);

/// KalmanFolder of parameters, removed at the end.
class KalmanFolder {
 public:
  KalmanFolder() {
    std::filesystem::remove_all(path);
    make_folder(path);
    int file = 0;
    for (const auto& [name, sets, values] :
         {std::tuple("predictV", 2, 8), std::tuple("predictVUT", 2, 22),
          std::tuple("predictUT", 6, 18), std::tuple("predictUTTF", 1, 20),
          std::tuple("predictTFT", 1, 9), std::tuple("predictT", 44, 18),
          std::tuple("UTLayer", 1, 4), std::tuple("TLayer", 2, 12)})
      write(std::string("params_") + name + ".txt",
            kalman_sets_text(name, 1000 * ++file, sets, values));
    write("grid.tab", kalman_grid_text());
  }
  ~KalmanFolder() { std::filesystem::remove_all(path); }

  void write(const std::string& name, std::string_view bytes) const {
    write_file(path / name, bytes);
  }
  void refuse(const std::string& problem) const {
    check_refused([&] { io::read_kalman_tables(path); }, problem);
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "trackplex_kalman_files";
};

bool same_number(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

TEST_CASE("Parameters of the Kalman filter are read from a folder", "[io]") {
  const KalmanFolder folder;
  const auto t = io::read_kalman_tables(folder.path);
  CHECK(same_number(t.velo[0].bend, 1004. * 1e-5));
  CHECK(same_number(t.velo[1].z_zero, 1105. * 1000.));
  CHECK(same_number(t.velo[1].noise_t, 1101. * 1e-5));
  CHECK(same_number(t.velo[1].correlation, 1107.));
  CHECK(same_number(t.to_ut.kick_ty2, 2010. * 100.));
  CHECK(same_number(t.to_ut.magnet_z_z2, 2018. * 1e-5));
  CHECK(same_number(t.to_ut.noise.correlation_y, 2021.));
  CHECK(same_number(t.ut[2].bend, 3205. * 0.1));
  CHECK(same_number(t.ut[2].noise.ty, 3215.));
  CHECK(same_number(t.to_scifi.x3, 4011. * 1e10));
  CHECK(same_number(t.to_scifi.noise.y, 4016. * 100.));
  CHECK(same_number(t.to_scifi.qop2, 4019.));
  CHECK(same_number(t.to_plane.bend3, 5006. * 1e4));
  CHECK(same_number(t.scifi[21].bend_y2, 8107. * 1e-7));
  CHECK(same_number(t.scifi[21].noise.x, 8102.));
  CHECK(t.ut_z[3] == 7003.);
  CHECK(t.scifi_z[11] == 8011.);
  CHECK(same_number(t.scifi_dzdy[11], 1. / 8111.));
  CHECK(t.grid.nx == 3);
  CHECK(t.grid.ny == 4);
  CHECK(t.grid.max_ty == 0.25);
  CHECK(t.grid.slope_unit == 0.005);
  REQUIRE(t.cells.size() == 12 * 80);
  const std::size_t last = 11 * 80;
  // x00 tx00 x10 x01 tx10 tx01 y00 ty00 y10 y01 ty10 ty01: those of slopes in 1e-3
  for (const int i : {0, 8, 18, 31, 46, 52, 60, 69})
    CHECK(t.cells[last + std::size_t(i)] == 1100.5 + i);
  for (const int i : {9, 17, 32, 45, 53, 59, 70, 79})
    CHECK(same_number(t.cells[last + std::size_t(i)], 1e-3 * (1100.5 + i)));
}

TEST_CASE("Damaged parameters of the Kalman filter are refused with their place", "[io]") {
  const KalmanFolder folder;
  const auto refused_as = [&](const std::string& file, const std::string& text,
                              const std::string& problem) {
    const auto good = read_file(folder.path / file);
    folder.write(file, text);
    folder.refuse(problem);
    folder.write(file, good);
  };
  const char* const velo = "params_predictV.txt";
  refused_as(velo, "VParams_0_300: 1 2\n", "it has no set 1");
  refused_as(velo, "VParams_0_300: 1\nVParams_0_300: 2\n", "line 2: it has set 0 twice");
  refused_as(velo, "VParams_0_300: 1 two\n", "line 1: 'two' is no number");
  refused_as(velo, "VParams_0_300: 1 nan\n", "'nan' is not finite");
  refused_as(velo, "VParams_0_300: 1 1e999\n", "'1e999' is too large");
  for (const char* key : {"VParams_0_300", "300:", "_0_300x", "VParams_x_300:", "V_300:"})
    refused_as(velo, std::string("\n") + key + " 1\n", "line 2: '" + std::string(key) + "' is no");
  std::string many = "VParams_0_300:";
  for (int i = 0; i < 33; ++i) many += " 1";
  refused_as(velo, many, "too many values");
  refused_as("params_TLayer.txt", "TLayer_0_300: 1\nTLayer_1_300: 1\n", "is not finite");
  const auto grid = kalman_grid_text();
  refused_as("grid.tab", grid.substr(0, grid.size() - 20), "a coefficient is missing");
  refused_as("grid.tab", grid + " 1", "text after the last cell");
  refused_as("grid.tab", "100 200", "a number of the header is missing");
  const auto changed = [&](const std::string& from, const std::string& to) {
    auto text = grid;
    return text.replace(text.find(from), from.size(), to);
  };
  refused_as("grid.tab", changed("7 9 5 7", "7 9 5 8"), "another number of coefficients");
  refused_as("grid.tab", changed("3 4 1 1", "3 0 1 1"), "number of cells in y is impossible");
  refused_as("grid.tab", changed("3 4 1 1", "3.5 4 1 1"), "number of cells in x is impossible");
  refused_as("grid.tab", changed("100 200", "300 200"), "z of the grid is impossible");
  test::check_changed_anywhere(
      grid,
      [](const std::string& text) {
        lhcb::KalmanTables tables;
        io::parse_kalman_grid(text, "grid", tables);
      },
      200);
  folder.write("other.tab", grid);
  folder.refuse("several files of polynomials (grid.tab, other.tab)");
  for (const char* file : {"other.tab", "grid.tab"}) std::filesystem::remove(folder.path / file);
  folder.refuse("no file *.tab or *.tab.xz");
  std::filesystem::remove(folder.path / velo);
  folder.refuse("params_predictV.txt: cannot be opened");
}

TEST_CASE("Polynomials compressed by xz are read, or refused with a remedy", "[io]") {
  const KalmanFolder folder;
  folder.write("grid.tab.xz", "damaged, but the unpacked file is read");
  CHECK(io::read_kalman_tables(folder.path).grid.ny == 4);
  std::filesystem::remove(folder.path / "grid.tab");
  folder.write("grid.tab.xz", xz_grid);
  if (!io::has_lzma) return folder.refuse("xz -dk");
  const auto t = io::read_kalman_tables(folder.path);
  REQUIRE(t.cells.size() == 9 * 80);
  CHECK(t.cells[0] == 2.);
  CHECK(same_number(t.cells.back(), 2e-3));
  folder.write("grid.tab.xz", xz_grid.substr(0, 60));
  folder.refuse("grid.tab.xz, byte 60: it cannot be decompressed (it ends early)");
  folder.write("grid.tab.xz", "this is no xz file, which its first bytes tell");
  folder.refuse("it is no xz file");
  for (const std::size_t at : {std::size_t(14), std::size_t(40), xz_grid.size() - 20}) {
    std::string damaged(xz_grid);
    damaged[at] = char(damaged[at] ^ 0x55);
    folder.write("grid.tab.xz", damaged);
    folder.refuse("it cannot be decompressed");
  }
}

TEST_CASE("The published parameters are read", "[io][data]") {
  const auto folder = test::data_or_skip("lhcb-scifi") / "geometry" / "kalman";
  if (!io::has_lzma) return check_refused([&] { io::read_kalman_tables(folder); }, "xz -dk");
  const auto t = io::read_kalman_tables(folder);
  CHECK(t.grid.nx == 60);
  CHECK(t.grid.ny == 50);
  CHECK(t.grid.z_end == 7826.);
  CHECK(t.cells[0] == 2444.167345);
  CHECK(t.scifi_z[4] == 8508.);
}
