// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef TRACKPLEX_HAS_HDF5
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/hdf5/handle.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <vector>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::io;
using Catch::Matchers::ContainsSubstring;

namespace {

using hdf5::Handle;

constexpr double ev_per_c = constants::elementary_charge / constants::speed_of_light;

/// The quantities of the reference reader of the format (openpmd-beamphysics).
class Statistics {
 public:
  explicit Statistics(const OpenPmdParticles& particles) : from_(particles) {
    for (const double weight : from_.weight) charge_ += weight;
    for (int c = 0; c < 3; ++c) {
      momenta_[c] = from_.momentum[c];
      for (double& value : momenta_[c]) value /= ev_per_c;
    }
  }

  std::map<std::string, double> all() const {
    const auto& r = from_.position;
    const auto& p = momenta_;
    std::vector<double> gamma;
    std::size_t live = 0;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      live += from_.status[i] == 1;
      const double square = p[0][i] * p[0][i] + p[1][i] * p[1][i] + p[2][i] * p[2][i];
      gamma.push_back(std::sqrt(1. + square / (from_.mass * from_.mass)));
    }
    return {{"n_particle", double(from_.size())},
            {"n_alive", double(live)},
            {"charge", charge_},
            {"mean_x", mean(r[0])},
            {"sigma_x", sigma(r[0])},
            {"mean_px", mean(p[0])},
            {"sigma_px", sigma(p[0])},
            {"sigma_y", sigma(r[1])},
            {"mean_pz", mean(p[2])},
            {"sigma_pz", sigma(p[2])},
            {"mean_z", mean(r[2])},
            {"sigma_z", sigma(r[2])},
            {"mean_t", mean(from_.time)},
            {"sigma_t", sigma(from_.time)},
            {"norm_emit_x", emittance(r[0], p[0])},
            {"norm_emit_y", emittance(r[1], p[1])},
            {"mean_gamma", mean(gamma)}};
  }

 private:
  double mean(const std::vector<double>& a) const {
    long double sum = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (long double)from_.weight[i] * a[i];
    return double(sum / charge_);
  }
  double covariance(const std::vector<double>& a, const std::vector<double>& b) const {
    const double mean_a = mean(a), mean_b = mean(b);
    std::vector<double> products;
    for (std::size_t i = 0; i < a.size(); ++i)
      products.push_back((a[i] - mean_a) * (b[i] - mean_b));
    return mean(products);
  }
  double sigma(const std::vector<double>& a) const { return std::sqrt(covariance(a, a)); }
  double emittance(const std::vector<double>& a, const std::vector<double>& b) const {
    const double mixed = covariance(a, b);
    double squares = 0.;
    for (const double weight : from_.weight) squares += weight * weight;
    const double biased = double(1. - squares / (charge_ * charge_));  // that of numpy.cov is not
    return std::sqrt(covariance(a, a) * covariance(b, b) - mixed * mixed) / biased / from_.mass;
  }

  const OpenPmdParticles& from_;
  long double charge_ = 0.;
  std::vector<double> momenta_[3];
};

/// A file of three particles, with faults on request.
class SmallFile {
 public:
  std::string base = "/data/%T/", particles = "particles/", species = "electron";
  std::vector<std::string> groups = {"/data/7/particles"};
  bool variable_texts = false;
  double n = 3.;
  std::map<std::string, std::vector<double>> columns = {
      {"position/x", {1e-3, -2e-3, 3e-3}},   {"position/y", {0., 1e-3, 2e-3}},
      {"momentum/x", {1e4, -2e4, 0.}},       {"momentum/y", {0., 5e3, 1e4}},
      {"momentum/z", {5e7, 5.01e7, 4.99e7}}, {"time", {1e-9, 1.1e-9, 0.9e-9}}};
  std::map<std::string, double> constants = {{"position/z", 0.25}, {"weight", 2e-15}};
  std::map<std::string, std::vector<std::int64_t>> integers;
  std::map<std::string, std::vector<std::uint64_t>> whole;  ///< of type uint64
  std::map<std::string, std::optional<double>> units;       ///< none: no unitSI
  std::map<std::string, std::vector<double>> dimensions;    ///< of components and records

  std::filesystem::path write() const {
    const auto path = std::filesystem::temp_directory_path() / "trackplex_small.openpmd.h5";
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    text(file, "openPMD", "2.0.0");
    text(file, "openPMDextension", "BeamPhysics;SpeciesType");
    text(file, "basePath", base);
    text(file, "particlesPath", particles);
    for (const auto& group : groups) write(file, group);
    return path;
  }

 private:
  static Handle make_group(hid_t file, const std::string& path) {
    const Handle parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(parents, 1);
    return {H5Gcreate2(file, path.c_str(), parents, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  }
  void text(hid_t object, const char* name, const std::string& value) const {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type, variable_texts ? H5T_VARIABLE : value.size());
    const Handle to(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* const pointer = value.c_str();
    H5Awrite(to, type, variable_texts ? static_cast<const void*>(&pointer) : pointer);
  }
  static void numbers(hid_t object, const char* name, const std::vector<double>& values) {
    const hsize_t n = values.size();
    const Handle space(n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Handle to(H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
    H5Awrite(to, H5T_NATIVE_DOUBLE, values.data());
  }
  void units_of(hid_t object, const std::string& name) const {
    const auto unit = units.find(name);
    const double usual = name.starts_with("momentum") ? ev_per_c : 1.;
    if (unit == units.end())
      numbers(object, "unitSI", {usual});
    else if (unit->second)
      numbers(object, "unitSI", {*unit->second});
    if (dimensions.count(name)) numbers(object, "unitDimension", dimensions.at(name));
  }
  static Handle column(hid_t group, const std::string& name, hid_t type, std::size_t size,
                       const void* values) {
    const Handle parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(parents, 1);
    const hsize_t rows = size;
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    Handle to(H5Dcreate2(group, name.c_str(), type, space, parents, H5P_DEFAULT, H5P_DEFAULT),
              H5Dclose);
    H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    return to;
  }
  void write(hid_t file, const std::string& path) const {
    const auto group = make_group(file, path);
    text(group, "speciesType", species);
    numbers(group, "numParticles", {n});
    for (const auto& [name, values] : columns)
      units_of(column(group, name, H5T_NATIVE_DOUBLE, values.size(), values.data()), name);
    for (const auto& [name, values] : integers)
      units_of(column(group, name, H5T_NATIVE_INT64, values.size(), values.data()), name);
    for (const auto& [name, values] : whole)
      units_of(column(group, name, H5T_NATIVE_UINT64, values.size(), values.data()), name);
    for (const auto& [name, value] : constants) {
      const auto to = make_group(group, name);
      numbers(to, "value", {value});
      numbers(to, "shape", {n});
      units_of(to, name);
    }
    for (const auto& [name, powers] : dimensions)
      if (name.find('/') == name.npos && H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0 &&
          !columns.contains(name) && !constants.contains(name))
        numbers(Handle(H5Gopen2(group, name.c_str(), H5P_DEFAULT), H5Gclose), "unitDimension",
                powers);
  }
};

std::string error_of(const SmallFile& file) {
  try {
    read_bunch(file.write());
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool is_close(double a, double b, double error) { return std::abs(a - b) <= error * std::abs(b); }

}  // namespace

TEST_CASE("openPMD: files of other programs have the statistics of the reference reader") {
  const auto folder = test::data_or_skip("formats/openpmd");
  std::ifstream text(folder / "expected.json");
  const auto expected = nlohmann::json::parse(text);
  REQUIRE(expected.size() >= 3);
  for (const auto& [name, values] : expected.items()) {
    INFO(name);
    const auto particles = read_openpmd(folder / name);
    CHECK(particles.species == "electron");
    const auto all = Statistics(particles).all();
    for (const auto& [quantity, value] : values.items()) {
      INFO(quantity);
      const double wanted = value.get<double>();
      // means that cancel: of the size of the spread
      const double scale = quantity.starts_with("mean_") && all.count("sigma_" + quantity.substr(5))
                               ? std::max(std::abs(wanted), all.at("sigma_" + quantity.substr(5)))
                               : std::abs(wanted);
      CHECK(std::abs(all.at(quantity) - wanted) <= 1e-12 * scale);
    }
  }
}

TEST_CASE("openPMD: bunches of other programs can be tracked, those at a cathode are refused") {
  const auto folder = test::data_or_skip("formats/openpmd");
  const auto bmad = read_bunch(folder / "bmad_particles.h5");
  const auto raw = read_openpmd(folder / "bmad_particles.h5");
  REQUIRE(bmad.size() == 10000);
  CHECK(is_close(bmad.particle_charge, 7.7e-15, 1e-12));
  CHECK(is_close(bmad.reference.p0, *raw.momentum_offset / mass_times_light(raw.mass), 1e-15));
  double mean_s = 0.;
  for (const double s : bmad.v[beam::s]) mean_s += s / bmad.size();
  CHECK(std::abs(mean_s) < 1e-6);
  const auto p = beam::momentum_of(bmad.reference, bmad.v[beam::delta][17]) * raw.mass * ev_per_c;
  CHECK(is_close(p, std::hypot(raw.momentum[0][17], raw.momentum[1][17], raw.momentum[2][17]),
                 1e-15));
  CHECK_THROWS_WITH(read_bunch(folder / "distgen_particles.h5"),
                    ContainsSubstring("does not fly along z") && ContainsSubstring("cathode"));
}

TEST_CASE("openPMD: coordinates, numbers and charge of a small file") {
  SmallFile file;
  file.variable_texts = GENERATE(false, true);
  file.integers["id"] = {5, 6, 9};
  const double mc = 1e9 * constants::electron_mass;
  const double p0 = 5e7 / mc, path = 1e-9 * constants::speed_of_light * p0 / std::hypot(1., p0);
  const auto bunch = read_bunch(file.write(), {.p0 = p0});
  REQUIRE(bunch.size() == 3);
  CHECK(bunch.ids == std::vector<std::int64_t>{5, 6, 9});
  CHECK(bunch.particle_charge == 2e-15);
  CHECK(bunch.v[beam::x] == std::vector{1e-3, -2e-3, 3e-3});
  CHECK(is_close(bunch.v[beam::xp][1], -2e4 / 5.01e7, 1e-15));
  CHECK(is_close(bunch.v[beam::yp][2], 1e4 / 4.99e7, 1e-15));
  CHECK(is_close(bunch.reference.path_length, path, 1e-14));
  for (int i = 0; i < 3; ++i) {
    const double delta = bunch.v[beam::delta][i];
    const auto momentum = [&](const char* axis) { return file.columns.at(axis)[i]; };
    const double p =
        std::hypot(momentum("momentum/x"), momentum("momentum/y"), momentum("momentum/z"));
    CHECK(std::abs(delta - (p / 5e7 - 1.)) < 1e-15);
    CHECK(is_close(beam::time_of(bunch.reference, bunch.v[beam::s][i], delta),
                   file.columns.at("time")[i], 1e-14));
  }
  // without p0: the mean momentum
  const double p1 = std::hypot(2e4, 5e3, 5.01e7), p2 = std::hypot(1e4, 4.99e7);
  CHECK(is_close(read_bunch(file.write()).reference.p0, (std::hypot(1e4, 5e7) + p1 + p2) / 3. / mc,
                 1e-14));
}

TEST_CASE("openPMD: offsets, units, lost particles and particles of several planes") {
  SmallFile file;
  file.integers["particleStatus"] = {1, 3, 1};
  file.columns["time"][1] = std::nan("");  // of a lost particle
  const auto plain = read_bunch(file.write());
  CHECK(plain.ids == std::vector<std::int64_t>{0, 2});

  SmallFile other = file;
  other.columns["position/x"] = {0., -3., 2.};
  other.units["position/x"] = 1e-3;
  other.constants["positionOffset/x"] = 1e-3;
  other.constants["timeOffset"] = 1e-9;
  other.columns["time"] = {0., 0., -0.1e-9};
  other.columns.erase("momentum/z");
  other.columns["momentum/z"] = {0., 0.1, -0.1};
  other.units["momentum/z"] = 1e6 * ev_per_c;
  other.constants["momentumOffset/z"] = 50.;
  other.units["momentumOffset/z"] = 1e6 * ev_per_c;
  const auto same = read_bunch(other.write());
  for (int c = 0; c < beam::n_coordinates; ++c)
    for (int i = 0; i < 2; ++i) CHECK(std::abs(same.v[c][i] - plain.v[c][i]) < 1e-14);

  // a drift to the plane of the mean z: x by x' dz, time by dz/(beta_z c)
  SmallFile planes;
  planes.constants.erase("position/z");
  planes.columns["position/z"] = {0.2, 0.3, 0.25};
  const auto there = read_bunch(planes.write(), {.p0 = 100.}),
             at_once = read_bunch(SmallFile{}.write(), {.p0 = 100.});
  CHECK(is_close(there.v[beam::x][0], 1e-3 + 0.05 * 1e4 / 5e7, 1e-14));
  CHECK(is_close(there.v[beam::y][1], 1e-3 - 0.05 * 5e3 / 5.01e7, 1e-14));
  const double longer = 0.05 * std::sqrt(1. + 1e8 / 25e14);
  const double total = there.v[beam::s][0] + there.reference.path_length,
               before = at_once.v[beam::s][0] + at_once.reference.path_length;
  CHECK(std::abs(total - before - longer) < 1e-14);
}

TEST_CASE("openPMD: one of several iterations") {
  SmallFile file;
  file.base = "/screen/turn%T/";
  file.particles = "./";
  file.groups = {"/screen/turn7", "/screen/turn08"};
  const auto path = file.write();
  CHECK(read_openpmd(path, "7").place == "/screen/turn7");
  CHECK(read_openpmd(path, "08").place == "/screen/turn08");
  CHECK(read_bunch(path, {.p0 = 100., .path_length = 0., .iteration = "08"}).size() == 3);
  CHECK_THROWS_WITH(read_openpmd(path, "8"),
                    ContainsSubstring("/screen: has no iteration 8 (its iterations: turn"));
}

TEST_CASE("openPMD: one of several species, by its group or its name") {
  SmallFile file;
  file.groups = {"/data/7/particles/beam", "/data/7/particles/halo"};
  const auto path = file.write();
  CHECK(read_openpmd(path, "7", "halo").place == "/data/7/particles/halo");
  CHECK(read_bunch(path, {.p0 = 100., .species = "beam"}).size() == 3);
  CHECK_THROWS_WITH(read_openpmd(path, {}, "tail"),
                    ContainsSubstring("has no species tail (its species: beam, halo)"));
  SmallFile one;
  one.species = "anti-proton";
  CHECK(read_openpmd(one.write(), "7", "antiproton").species == "anti-proton");
  CHECK_THROWS_WITH(read_openpmd(one.write(), "7", "proton"),
                    ContainsSubstring("has no species proton (its species: anti-proton)"));
  one.base = "/";
  one.particles = "data/7/particles/";
  CHECK_THROWS_WITH(read_openpmd(one.write(), "7"), ContainsSubstring("has no iterations"));
}

TEST_CASE("openPMD: names of species in both spellings, with mass, charge and moment") {
  SmallFile file;
  file.species = GENERATE("anti-muon", "antimuon", "antimuon;");
  const auto found = read_openpmd(file.write());
  CHECK(found.species == "anti-muon");
  CHECK(found.mass == 1e9 * constants::muon_mass);
  CHECK(found.anomaly == beam::anomaly::muon);
  const auto bunch = read_bunch_file(file.write());
  CHECK(bunch.species == "anti-muon");
  CHECK(bunch.particles.anomaly == beam::anomaly::muon);
  CHECK(standard_species("antiproton") == "anti-proton");
  CHECK(standard_species("pion+") == "other:pion+");
  CHECK(standard_species("kaon") == "kaon");
  CHECK(rest_energy_of_species("other:pion-") == 1e9 * constants::pion_mass);
  CHECK(charge_of_species("anti-proton") == -1.);
  CHECK(charge_of_species("neutron") == 0.);
  CHECK(anomaly_of_species("proton") == beam::anomaly::proton);
  CHECK(!anomaly_of_species("neutron"));
  CHECK(species_of(1e9 * constants::proton_mass, -1.) == "anti-proton");
  CHECK(species_of(1e9 * constants::atomic_mass, 1.).empty());
  CHECK(species_of(1e9 * constants::neutron_mass, 0.).empty());
}

TEST_CASE("openPMD: spins, of which zeros are none") {
  SmallFile file;
  file.columns["spin/x"] = {0., 1., 0.};
  file.columns["spin/y"] = {-1., 0., 0.6};
  file.columns["spin/z"] = {0., 0., 0.8};
  const auto bunch = read_bunch(file.write(), {.p0 = GENERATE(0., 100.)});
  CHECK(bunch.has_spins);
  CHECK(bunch.spin[0] == file.columns["spin/x"]);
  CHECK(bunch.spin[1] == file.columns["spin/y"]);
  CHECK(bunch.spin[2] == file.columns["spin/z"]);
  CHECK(bunch.anomaly == beam::anomaly::electron);
  for (const char* axis : {"spin/x", "spin/y", "spin/z"}) {
    file.columns.erase(axis);
    file.constants[axis] = 0.;
  }
  CHECK(!read_bunch(file.write()).has_spins);
  file.constants["spin/y"] = 1.;
  file.integers["particleStatus"] = {3, 1, 1};
  CHECK(read_bunch(file.write()).spin[1] == std::vector{1., 1.});
  const auto bmad = test::data_or_skip("formats/openpmd") / "bmad_particles.h5";
  CHECK(!read_bunch(bmad).has_spins);
}

TEST_CASE("openPMD: integers are numbers, and ids may be unsigned") {
  SmallFile file;
  file.whole["id"] = {5, 0x7fffffffffffffff, 9};
  file.columns.erase("position/x");
  file.integers["position/x"] = {1, -2, 3};
  file.units["position/x"] = 1e-3;
  file.columns.erase("momentum/z");
  file.whole["momentum/z"] = {50000000, 50100000, 49900000};
  const auto bunch = read_bunch(file.write());
  const auto same = read_bunch(SmallFile{}.write());
  CHECK(bunch.ids == std::vector<std::int64_t>{5, 0x7fffffffffffffff, 9});
  CHECK(bunch.v[beam::x] == same.v[beam::x]);
  CHECK(bunch.v[beam::xp] == same.v[beam::xp]);
  file.whole["id"][1] = 0x8000000000000000;
  CHECK_THAT(error_of(file), ContainsSubstring("particles/id: has a number of 2^63 or more"));
}

TEST_CASE("openPMD: unitDimension of records counts as that of their components") {
  SmallFile file;
  file.dimensions["position"] = {1, 0, 0, 0, 0, 0, 0};
  file.dimensions["momentum"] = {1, 1, -1, 0, 0, 0, 0};
  CHECK(read_bunch(file.write()).size() == 3);
  file.dimensions["position"] = {0, 0, 1, 0, 0, 0, 0};
  CHECK_THAT(error_of(file),
             ContainsSubstring("particles/position: unitDimension is not that of the record (0, "));
  file.dimensions["position/x"] = {1, 0, 0, 0, 0, 0, 0};
  CHECK_THAT(error_of(file), ContainsSubstring("unitDimension is not that of the record"));
}

TEST_CASE("openPMD: faults of files have clear errors") {
  SmallFile file;
  std::string error;
  SECTION("no unitSI") {
    file.units["momentum/y"] = std::nullopt;
    error = "/data/7/particles/momentum/y: the attribute unitSI is missing";
  }
  SECTION("units of another kind") {
    file.dimensions["momentum/y"] = {1, 0, 0, 0, 0, 0, 0};
    error = "/data/7/particles/momentum/y: unitDimension is not that of the record (1, 0, 0, 0";
  }
  SECTION("a unit of 0") {
    file.units["time"] = 0.;
    error = "particles/time: unitSI is not above 0";
  }
  SECTION("two species") {
    file.groups = {"/data/7/particles/electron", "/data/7/particles/proton"};
    error =
        "/data/7/particles: has several species (electron, proton); keep or name one (--species)";
  }
  SECTION("two iterations") {
    file.groups = {"/data/7/particles", "/data/8/particles"};
    error = "/data: has several iterations (7, 8); keep or name one (--iteration)";
  }
  SECTION("several reference momenta") {
    file.columns["totalMomentumOffset"] = {5e7, 5e7, 5.1e7};
    file.units["totalMomentumOffset"] = ev_per_c;
    error = "totalMomentumOffset[2]: it is not the same for all particles";
  }
  SECTION("spins of other lengths") {
    for (const char* axis : {"spin/x", "spin/y"}) file.constants[axis] = 0.;
    file.columns["spin/z"] = {1., 0.99, 1.};
    error = "spin[1]: x, y and z are not a unit vector";
  }
  SECTION("spins that are not finite") {
    for (const char* axis : {"spin/x", "spin/y"}) file.constants[axis] = 0.;
    file.columns["spin/z"] = {1., std::nan(""), 1.};
    error = "spin[1]: x, y and z are not a unit vector";
  }
  SECTION("spins in other components") {
    file.constants["spin/theta"] = 1.;
    error = "spin/x: is missing (spins are x, y and z)";
  }
  SECTION("no group") {
    file.particles = "beam/";
    error = "/data/7: has no group beam (its members: particles)";
  }
  SECTION("a species without mass") {
    file.species = "other:kaon";
    error = "the mass of the species is not known (speciesType \"other:kaon\")";
  }
  SECTION("a column is missing") {
    file.columns.erase("momentum/x");
    error = "particles/momentum/x: is missing";
  }
  SECTION("a column is short") {
    file.columns["time"] = {1e-9, 2e-9};
    error = "particles/time: its length is not numParticles (2 instead of 3)";
  }
  SECTION("not finite") {
    file.columns["time"][1] = std::nan("");
    error = "particles/time[1]: it is not finite";
  }
  SECTION("at the cathode") {
    file.integers["particleStatus"] = {1, 1, 0};
    error = "particleStatus[2]: the particle is still at the cathode";
  }
  SECTION("backwards") {
    file.columns["momentum/z"][1] = -5e7;
    error = "momentum/z[1]: the particle does not fly along z";
  }
  SECTION("all lost") {
    file.integers["particleStatus"] = {2, 3, 2};
    error = "there is no live particle";
  }
  SECTION("a negative weight") {
    file.constants["weight"] = -1e-15;
    error = "weight[0]: it is below 0";
  }
  SECTION("unequal weights") {
    file.constants.erase("weight");
    file.columns["weight"] = {1e-15, 1e-15, 2e-15};
    error = "weight[2]: the particles have different charges";
  }
  CHECK_THAT(error_of(file), ContainsSubstring(error));
}
#endif
