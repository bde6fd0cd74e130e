// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef TRACKPLEX_HAS_HDF5
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/hdf5/hdf5_reader.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>
#include <trackplex/io/openpmd/openpmd_writer.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::io;
using Catch::Matchers::ContainsSubstring;

namespace {

using hdf5::Handle;

constexpr const char* group_of_particles = "/data/1/particles";

std::filesystem::path file_of_test() {
  return std::filesystem::temp_directory_path() / "trackplex_writer.openpmd.h5";
}

/// Particles with digits in all coordinates, behind a long line.
beam::ParticleTable some_particles(int n) {
  beam::ParticleTable table(n, 195.3);
  table.reference.path_length = 1234.5678;
  table.particle_charge = -1.7e-15;
  const double sizes[] = {1e-3, 2e-4, 3e-4, 1e-4, 5e-4, 2e-2};
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < beam::n_coordinates; ++c)
      table.v[c][i] = sizes[c] * std::sin(1. + 12.9898 * i + 78.233 * c);
    table.ids[i] = 1000000007LL * i;
  }
  return table;
}

void add_spins(beam::ParticleTable& table) {
  table.set_spins(0., 0., 1.);
  table.anomaly = 1.79284734;
  for (int i = 0; i < table.size(); ++i) {
    table.spin[0][i] = std::sin(0.1 * i);
    table.spin[2][i] = std::cos(0.1 * i);
  }
}

/// Fails unless all bits are the same.
void check_same(const beam::ParticleTable& a, const beam::ParticleTable& b) {
  for (int c = 0; c < beam::n_coordinates; ++c) CHECK(a.v[c] == b.v[c]);
  CHECK(a.reference.p0 == b.reference.p0);
  CHECK(a.reference.path_length == b.reference.path_length);
  CHECK(a.particle_charge == b.particle_charge);
  CHECK(a.anomaly == b.anomaly);
  CHECK(a.has_spins == b.has_spins);
  for (int c = 0; c < beam::n_spin_components; ++c) CHECK(a.spin[c] == b.spin[c]);
  CHECK(a.ids == b.ids);
}

bool is_within_ulps(double a, double b, double n) {
  return std::abs(a - b) <= n * std::numeric_limits<double>::epsilon() * std::abs(b);
}

/// Momenta and times of arrival that agree to some ulps.
void check_close(const beam::ParticleTable& a, const beam::ParticleTable& b) {
  REQUIRE(a.size() == b.size());
  CHECK(a.v[beam::x] == b.v[beam::x]);
  CHECK(a.v[beam::y] == b.v[beam::y]);
  for (int i = 0; i < a.size(); ++i) {
    const double delta = a.v[beam::delta][i], other = b.v[beam::delta][i];
    CHECK(is_within_ulps(a.v[beam::xp][i], b.v[beam::xp][i], 4.));
    CHECK(is_within_ulps(a.v[beam::yp][i], b.v[beam::yp][i], 4.));
    CHECK(is_within_ulps(momentum_of(a.reference, delta), momentum_of(b.reference, other), 4.));
    CHECK(is_within_ulps(time_of(a.reference, a.v[beam::s][i], delta),
                         time_of(b.reference, b.v[beam::s][i], other), 4.));
  }
}

Handle open_for_changes(const std::filesystem::path& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
}

/// What an object of a file lacks, by its path.
std::string problems_of(hid_t object, const std::string& name) {
  std::string problems;
  for (int i = 0; i < int(H5Aget_num_attrs(object)); ++i) {
    const Handle attribute(
        H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, hsize_t(i), 0, 0), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tis_variable_str(type) > 0) problems += name + ": a text of variable length\n";
  }
  const bool is_component = H5Iget_type(object) == H5I_DATASET || H5Aexists(object, "value") > 0;
  for (const char* required : {"unitSI", "unitDimension"})
    if (is_component && H5Aexists(object, required) <= 0) problems += name + ": no " + required;
  return problems;
}

}  // namespace

TEST_CASE("openPMD: a bunch that is written is read back to the bit") {
  const auto path = file_of_test();
  for (const int n : {0, 1, 1000, 40000}) {
    CAPTURE(n);
    auto particles = some_particles(n);
    if (n == 1000) add_spins(particles);
    write_bunch(path, particles, {{"program", "test"}});
    CHECK(is_openpmd(path));
    check_same(read_bunch(path), particles);
    check_same(read_bunch(path, {.p0 = particles.reference.p0}), particles);
  }
  const auto particles = some_particles(100);
  CHECK_THROWS_WITH(write_table(path, bunch_table(particles)),
                    ContainsSubstring("only particles of bunches"));
  write_openpmd(path, particles);
  const auto bytes = [&] {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto first = bytes();
  write_openpmd(path, particles);
  CHECK(bytes() == first);
}

TEST_CASE("openPMD: records agree to some ulps with the coordinates") {
  const auto path = file_of_test();
  const auto particles = some_particles(1000);
  write_bunch(path, particles);
  const double p0 = particles.reference.p0, length = particles.reference.path_length;
  // another reference particle: from the records
  check_close(read_bunch(path, {.p0 = 1.25 * p0, .path_length = length}), particles);
  {
    const Handle file = open_for_changes(path);
    REQUIRE(H5Ldelete(file, "/data/1/particles/trackplex", H5P_DEFAULT) >= 0);
  }
  const auto records = read_bunch(path, {.p0 = 0., .path_length = length});
  check_close(records, particles);
  CHECK(is_within_ulps(records.reference.p0, p0, 2.));
  CHECK(records.particle_charge == 1.7e-15);
  CHECK(records.ids == particles.ids);
}

TEST_CASE("openPMD: what the records of a written file are") {
  const auto path = file_of_test();
  auto particles = some_particles(50);
  add_spins(particles);
  particles.losses[7] = {3, 12};
  particles.v[beam::x][7] = std::numeric_limits<double>::infinity();
  OpenPmdOptions options;
  options.species = "proton";
  options.iteration = "17";
  options.metadata = {{"program", "test"}, {"input", "{}"}};
  write_openpmd(path, particles, options);
  const auto found = read_openpmd(path);
  CHECK(found.place == "/data/17/particles");
  CHECK(found.species == "proton");
  REQUIRE(found.size() == 49);
  CHECK(found.ids[7] == particles.ids[8]);
  CHECK(found.status == std::vector<std::int64_t>(49, 1));
  CHECK(found.weight == std::vector<double>(49, 1.7e-15));
  CHECK(found.position[2] == std::vector<double>(49, 0.));
  const double mass = 1e9 * constants::proton_mass, p0 = particles.reference.p0;
  const double unit = constants::elementary_charge / constants::speed_of_light;
  CHECK(is_within_ulps(*found.momentum_offset, p0 * mass * unit, 2.));
  const double tx = particles.v[beam::xp][3], ty = particles.v[beam::yp][3];
  const double pz =
      p0 * (1. + particles.v[beam::delta][3]) * mass * unit / std::sqrt(1. + tx * tx + ty * ty);
  CHECK(is_within_ulps(found.momentum[2][3], pz, 6.));
  CHECK(is_within_ulps(found.momentum[0][3], pz * tx, 6.));
  CHECK(is_within_ulps(
      found.time[3],
      beam::time_of(particles.reference, particles.v[beam::s][3], particles.v[beam::delta][3]),
      4.));
  const hdf5::Reader file(path);
  const auto group = file.group("/data/17/particles");
  CHECK(file.numbers(group, "numParticles") == std::vector{49.});
  CHECK(file.numbers(group, "totalCharge") == std::vector{49 * 1.7e-15});
  CHECK(file.numbers(group, "chargeUnitSI") == std::vector{1.});
  CHECK(file.attribute(file.group("/trackplex/metadata"), "input") == "{}");
  CHECK(file.numbers(file.group(group, "sPosition"), "value") ==
        std::vector{particles.reference.path_length});
}

TEST_CASE("openPMD: texts have fixed lengths, and all components units") {
  const auto path = file_of_test();
  auto particles = some_particles(3);
  add_spins(particles);
  write_bunch(path, particles, {{"program", "test"}});
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::pair<std::string, int> found;
  const auto visit = [](hid_t root, const char* name, const H5O_info_t*, void* to) -> herr_t {
    auto& [problems, number] = *static_cast<std::pair<std::string, int>*>(to);
    const Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
    problems += problems_of(object, name);
    ++number;
    return 0;
  };
  REQUIRE(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &found) >= 0);
  CHECK(found.first.empty());
  CHECK(found.second == 31);
}

TEST_CASE("openPMD: records have components of their unit, and shapes are unsigned") {
  const auto path = file_of_test();
  auto particles = some_particles(7);
  add_spins(particles);
  write_openpmd(path, particles, {.species = "antiproton", .metadata = {{"program", "test"}}});
  const hdf5::Reader file(path);
  const auto group = file.group(group_of_particles);
  CHECK(file.attribute(group, "speciesType") == "anti-proton");
  CHECK(file.columns(file.group(group, "trackplex")) ==
        std::vector<std::string>{"xp", "yp", "delta"});
  CHECK(file.numbers(file.column(group, "trackplexPath"), "unitDimension") ==
        std::vector{1., 0., 0., 0., 0., 0., 0.});
  for (const auto& name : file.columns(group)) {
    CAPTURE(name);
    if (!file.has_group(group, name)) continue;
    const auto record = file.group(group, name);
    const auto dimension = file.numbers(record, "unitDimension");
    REQUIRE(dimension);
    for (const auto& axis : file.columns(record)) {
      const Handle component(H5Oopen(record, axis.c_str(), H5P_DEFAULT), H5Oclose);
      CHECK(file.numbers(component, "unitDimension") == dimension);
    }
  }
  const auto constant = file.group(group, "weight");
  const Handle shape(H5Aopen(constant, "shape", H5P_DEFAULT), H5Aclose),
      type(H5Aget_type(shape), H5Tclose);
  CHECK(H5Tequal(type, H5T_STD_U64LE) > 0);
  const auto read = read_bunch_file(path);
  check_same(read.particles, particles);
  CHECK(read.species == "anti-proton");
}

TEST_CASE("openPMD: older files have s with the other coordinates") {
  const auto path = file_of_test();
  const auto particles = some_particles(100);
  write_bunch(path, particles, {}, nullptr, "muon");
  {
    const Handle file = open_for_changes(path);
    const Handle group(H5Gopen2(file, group_of_particles, H5P_DEFAULT), H5Gclose);
    REQUIRE(H5Lmove(group, "trackplexPath", group, "trackplex/s", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  check_same(read_bunch(path), particles);
  CHECK(read_bunch_file(path).species == "muon");
}

TEST_CASE("openPMD: iterations of one file") {
  const auto path = file_of_test();
  auto first = some_particles(100), second = some_particles(20000), third = some_particles(0);
  second.reference.path_length = 2000.;
  add_spins(second);
  const auto write = [&] {
    write_openpmd(path, first, {.iteration = "0", .metadata = {{"program", "test"}}});
    write_openpmd(path, second, {.iteration = "10", .is_next = true});
    write_openpmd(path, third, {.iteration = "9", .is_next = true});
  };
  write();
  const std::string bytes = read_file(path);
  write();
  CHECK(read_file(path) == bytes);
  const auto read = [&](const std::string& iteration) {
    return read_bunch(path, {.p0 = 0., .path_length = 0., .iteration = iteration});
  };
  check_same(read("0"), first);
  check_same(read("10"), second);
  check_same(read("9"), third);
  const hdf5::Reader file(path);
  CHECK(file.attribute(file.group("/trackplex/metadata"), "program") == "test");
  CHECK(file.numbers(file.group("/data/10"), "time") > file.numbers(file.group("/data/0"), "time"));
  CHECK_THROWS_WITH(read_bunch(path), ContainsSubstring("several iterations (0, 10, 9)"));
  CHECK_THROWS_WITH(read("1"), ContainsSubstring("has no iteration 1 (its iterations: 0, 10, 9)"));
}

TEST_CASE("openPMD: iterations that cannot be added") {
  const auto path = file_of_test();
  const auto particles = some_particles(5);
  write_openpmd(path, particles);
  CHECK_THROWS_WITH(write_openpmd(path, particles, {.is_next = true}),
                    ContainsSubstring("the file has an iteration of this name (1)"));
  check_same(read_bunch(path), particles);  // it is as it was
  const auto missing = std::filesystem::temp_directory_path() / "trackplex_missing.openpmd.h5";
  CHECK_THROWS_AS(write_openpmd(missing, particles, {.is_next = true}), Error);
  CHECK(!std::filesystem::exists(missing));
}

TEST_CASE("openPMD: spins and their moment without the coordinates, or of another momentum") {
  const auto path = file_of_test();
  auto particles = some_particles(100);
  add_spins(particles);
  particles.anomaly = 0.5;
  write_bunch(path, particles);
  const auto other = read_bunch(path, {.p0 = 300.});
  CHECK(other.has_spins);
  CHECK(other.anomaly == 0.5);
  for (int c = 0; c < beam::n_spin_components; ++c) CHECK(other.spin[c] == particles.spin[c]);
  {
    const Handle file = open_for_changes(path);
    REQUIRE(H5Ldelete(file, "/data/1/particles/trackplex", H5P_DEFAULT) >= 0);
  }
  const auto records = read_bunch(path);
  CHECK(records.has_spins);
  CHECK(records.anomaly == beam::anomaly::electron);
  for (int c = 0; c < beam::n_spin_components; ++c) CHECK(records.spin[c] == particles.spin[c]);
}

TEST_CASE("openPMD: changes by other programs of what has a copy") {
  const auto path = file_of_test();
  auto particles = some_particles(5);
  add_spins(particles);
  write_bunch(path, particles);
  const std::string group = group_of_particles;
  std::string error = "it contradicts position/z, momentum, time, weight or particleStatus";
  const auto change = [&](const std::string& name, const char* attribute, double factor) {
    const Handle file = open_for_changes(path);
    const Handle object(H5Oopen(file, (group + name).c_str(), H5P_DEFAULT), H5Oclose);
    double value = 0.;
    {
      const Handle old(H5Aopen(object, attribute, H5P_DEFAULT), H5Aclose);
      REQUIRE(H5Aread(old, H5T_NATIVE_DOUBLE, &value) >= 0);
    }
    value *= factor;
    REQUIRE(H5Adelete(object, attribute) >= 0);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle changed(
        H5Acreate2(object, attribute, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    REQUIRE(H5Awrite(changed, H5T_NATIVE_DOUBLE, &value) >= 0);
  };
  SECTION("weights, within rounding") {
    change("/weight", "value", 1. + 1e-15);
    check_same(read_bunch(path), particles);
    error.clear();
  }
  SECTION("weights") { change("/weight", "value", 2.); }
  SECTION("the reference momentum") {
    change("/totalMomentumOffset", "value", 1.01);
    error = "its referenceMomentum is not that of totalMomentumOffset; delete the group trackplex";
  }
  SECTION("the charge") { change("/trackplex", "particleCharge", -0.5); }
  SECTION("a moment that is not finite") {
    change("/trackplex", "anomaly", std::numeric_limits<double>::infinity());
    error = "the attribute anomaly is not finite";
  }
  SECTION("spins") {
    const double value = GENERATE(0.5, std::numeric_limits<double>::quiet_NaN());
    const Handle file = open_for_changes(path);
    const Handle column(H5Dopen2(file, (group + "/spin/y").c_str(), H5P_DEFAULT), H5Dclose);
    const std::array<double, 5> values{0., 0., 0., value, 0.};
    REQUIRE(H5Dwrite(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    error = "spin[3]: x, y and z are not a unit vector";
  }
  if (error.empty()) return;
  CHECK_THROWS_WITH(read_bunch(path), ContainsSubstring(error));
}

TEST_CASE("openPMD: only its files have iterations and species") {
  const auto path = std::filesystem::temp_directory_path() / "trackplex_writer.csv";
  write_bunch(path, some_particles(5));
  CHECK_THROWS_WITH(read_bunch(path, {.p0 = 200., .iteration = "1"}),
                    ContainsSubstring("only files of openPMD have iterations and species (1)"));
  CHECK_THROWS_WITH(read_bunch(path, {.p0 = 200., .species = "proton"}),
                    ContainsSubstring("only files of openPMD"));
  CHECK(read_bunch_file(path, {.p0 = 195.3}).species.empty());
}

TEST_CASE("openPMD: coordinates that contradict records, and bunches that cannot be written") {
  const auto path = file_of_test();
  const auto particles = some_particles(5);
  write_bunch(path, particles);
  {
    const Handle file = open_for_changes(path);
    const std::string name = std::string(group_of_particles).append("/momentum/z");
    const Handle column(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    std::array<double, 5> values{};
    REQUIRE(H5Dread(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    values[2] *= 1. + 1e-9;
    REQUIRE(H5Dwrite(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  }
  CHECK_THROWS_WITH(read_bunch(path),
                    ContainsSubstring("/data/1/particles/trackplex[2]: it contradicts position/z, "
                                      "momentum, time, weight or particleStatus; delete"));
  OpenPmdOptions options;
  options.species = "kaon";
  CHECK_THROWS_WITH(write_openpmd(path, particles, options),
                    ContainsSubstring("the mass of the species is not known (kaon)"));
  options = {};
  options.iteration = "1/../2";
  CHECK_THROWS_WITH(write_openpmd(path, particles, options),
                    ContainsSubstring("the iteration is no whole number"));
  auto other = particles;
  other.reference.p0 = 0.;
  CHECK_THROWS_WITH(write_bunch(path, other), ContainsSubstring("momentum is not above 0"));
  CHECK_THROWS_AS(write_bunch("/no_such_folder/a.openpmd.h5", particles), Error);
}
#endif
