// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/species.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/openpmd/detail/openpmd_species.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/hdf5_reader.hpp>
#include <trackplex/io/openpmd/detail/openpmd_group.hpp>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE double rest_energy_of_species(const std::string& species) {
  const beam::Species* const known = detail::find_openpmd_species(species);
  return known ? known->mass : 0.;
}

TRACKPLEX_INLINE double charge_of_species(const std::string& species) {
  const beam::Species* const known = detail::find_openpmd_species(species);
  return known ? known->charge : 0.;
}

TRACKPLEX_INLINE std::optional<double> anomaly_of_species(const std::string& species) {
  const beam::Species* const known = detail::find_openpmd_species(species);
  return known ? known->anomaly : std::nullopt;
}

TRACKPLEX_INLINE std::string standard_species(const std::string& species) {
  const beam::Species* const known = detail::find_openpmd_species(species);
  return known ? detail::openpmd_name(*known) : species;
}

TRACKPLEX_INLINE std::string species_of(double mass, double charge) {
  const beam::Species* const known = beam::find_species(mass, charge);
  return known && charge != 0. ? detail::openpmd_name(*known) : std::string();
}

TRACKPLEX_INLINE double mass_times_light(double mass) {
  return mass * constants::elementary_charge / constants::speed_of_light;
}

#ifdef TRACKPLEX_HAS_HDF5
namespace detail {

/// Powers of metre, kilogram, second and ampere in a unit.
using OpenPmdDimension = std::array<double, 4>;

/// Reader of the particle group of an openPMD file.
class OpenPmdReader {
 public:
  OpenPmdReader(const std::filesystem::path& path, std::string iteration, std::string species)
      : file_(path), iteration_(std::move(iteration)), species_(std::move(species)) {}

  OpenPmdParticles read() {
    OpenPmdGroup found = OpenPmdGroupFinder(file_, iteration_, species_).find();
    group_ = std::move(found.group);
    particles_.place = std::move(found.place);
    read_head();
    if (!species_.empty() && !found.is_of_species &&
        standard_species(species_) != particles_.species)
      refuse("", "has no species " + species_, "its species: " + particles_.species);
    const OpenPmdDimension length{1, 0, 0, 0}, momentum{1, 1, -1, 0}, time{0, 0, 1, 0};
    const char* const axes[] = {"x", "y", "z"};
    for (int c = 0; c < 3; ++c) {
      particles_.position[c] = with_offset("position", axes[c], length);
      particles_.momentum[c] = with_offset("momentum", axes[c], momentum);
    }
    particles_.time = with_offset("time", "", time);
    read_weights();
    read_integers("particleStatus", particles_.status);
    read_integers("id", particles_.ids);
    read_momentum_offset(momentum);
    read_spins();
    if (file_.has_group(group_, own_record)) read_own();
    return std::move(particles_);
  }

 private:
  [[noreturn]] void refuse(const std::string& record, std::string_view problem,
                           std::string_view why = {}, std::string_view suggestion = {}) const {
    const std::string& group = particles_.place;
    throw InputError({file_.name(), record.empty() ? group : group + "/" + record}, problem, why,
                     suggestion);
  }

  /// Number in an attribute of an object; none if there is no such attribute.
  std::optional<double> number(hid_t object, const std::string& name) const {
    const auto numbers = file_.numbers(object, name);
    if (!numbers) return std::nullopt;
    if (numbers->size() != 1) refuse(name, "is no single number");
    return numbers->front();
  }

  void read_head() {
    const auto species = file_.attribute(group_, "speciesType");
    if (!species) refuse("", "the attribute speciesType is missing");
    particles_.species = standard_species(*species);
    particles_.mass = rest_energy_of_species(*species);
    if (particles_.mass == 0.)
      refuse("", "the mass of the species is not known", "speciesType \"" + *species + "\"",
             "known: " + openpmd_names());
    particles_.anomaly = anomaly_of_species(*species).value_or(0.);
    const auto n = number(group_, "numParticles");
    if (!n) refuse("", "the attribute numParticles is missing");
    if (!(*n >= 0.) || *n > 0x7fffffff || *n != std::floor(*n))
      refuse("numParticles", "it is no number of particles", shortest(*n));
    size_ = std::size_t(*n);
    constexpr std::size_t columns = 10;
    file_.check_memory(size_, columns * sizeof(double), particles_.place);  // constant ones, too
  }

  void check_length(const std::string& record, double n) const {
    if (n != double(size_))
      refuse(record, "its length is not numParticles",
             shortest(n) + " instead of " + std::to_string(size_));
  }

  /// unitSI of a component, whose unitDimension is checked.
  double unit_of(hid_t object, const std::string& record, const OpenPmdDimension& dimension) const {
    const auto unit = number(object, "unitSI");
    if (!unit)
      refuse(record, "the attribute unitSI is missing", "it is the factor to SI units",
             "let the program that wrote the file write it");
    if (!(*unit > 0.) || !std::isfinite(*unit))
      refuse(record, "unitSI is not above 0, or not finite", shortest(*unit));
    check_dimension(object, record, dimension);
    return *unit;
  }

  /// Checks unitDimension of a record or component, if there is one.
  void check_dimension(hid_t object, const std::string& record,
                       const OpenPmdDimension& dimension) const {
    const auto powers = file_.numbers(object, "unitDimension");
    if (!powers) return;
    bool fits = powers->size() == 7, is_zero = true;
    for (std::size_t i = 0; i < powers->size(); ++i) {
      const double power = (*powers)[i];
      fits = fits && power == (i < dimension.size() ? dimension[i] : 0.);
      is_zero = is_zero && power == 0.;
    }
    if (!fits && !(is_zero && record == "weight")) {
      std::string text;
      for (const double power : *powers) text += (text.empty() ? "" : ", ") + shortest(power);
      refuse(record, "unitDimension is not that of the record", text);
    }
  }

  /// Constant of a group, which has the attributes value and shape.
  double constant_of(hid_t group, const std::string& record) const {
    const auto value = number(group, "value");
    if (!value) refuse(record, "is a group without the attribute value");
    if (const auto shape = number(group, "shape")) check_length(record, *shape);
    return *value;
  }

  /// Values of a component of a record in SI units; none if there is no such component. A record
  /// without components has the empty `axis`.
  std::optional<std::vector<double>> component(const std::string& record, const std::string& axis,
                                               const OpenPmdDimension& dimension) const {
    if (!file_.has(group_, record)) return std::nullopt;
    if (!axis.empty()) {
      const auto group = file_.group(group_, record);
      if (!file_.has(group, axis)) return std::nullopt;
      if (record != own_record) check_dimension(group, record, dimension);  // older ones have s
    }
    const std::string name = axis.empty() ? record : record + "/" + axis;
    if (file_.has_group(group_, name)) {
      const auto group = file_.group(group_, name);
      const double value = constant_of(group, name) * unit_of(group, name, dimension);
      return std::vector<double>(size_, value);
    }
    const auto column = file_.column(group_, name);
    const double unit = unit_of(column, name, dimension);
    const std::string path = particles_.place + "/" + name;
    check_length(name, double(file_.length(column, path)));
    auto values = read_numbers(column, path);
    for (double& value : values) value *= unit;
    return values;
  }
  std::vector<double> read_numbers(hid_t column, const std::string& path) const {
    if (!file_.is_integer(column)) return file_.read<double>(column, path, 0, size_);
    const auto integers = file_.read<std::int64_t>(column, path, 0, size_);
    return {integers.begin(), integers.end()};
  }

  std::vector<double> with_offset(const std::string& record, const std::string& axis,
                                  const OpenPmdDimension& dimension) const {
    auto values = component(record, axis, dimension);
    if (!values) refuse(axis.empty() ? record : record + "/" + axis, "is missing");
    if (const auto offset = component(record + "Offset", axis, dimension))
      for (std::size_t i = 0; i < size_; ++i) (*values)[i] += (*offset)[i];
    return std::move(*values);
  }

  void read_weights() {
    if (auto weight = component("weight", "", {0, 0, 1, 1})) {
      particles_.weight = std::move(*weight);
    } else {
      const auto charge = number(group_, "totalCharge"), unit = number(group_, "chargeUnitSI");
      if (!charge || !unit)
        refuse("weight", "is missing", {}, "totalCharge with chargeUnitSI would do");
      particles_.weight.assign(size_, *charge * *unit / double(size_));
    }
    for (std::size_t i = 0; i < size_; ++i)
      if (!(particles_.weight[i] >= 0.) || !std::isfinite(particles_.weight[i]))
        throw InputError({file_.name(), particles_.place + "/weight", i},
                         "it is below 0, or not finite", shortest(particles_.weight[i]) + " C",
                         "weights are absolute values of charges");
  }

  /// Reads an optional record of integers; without it the status is 1, and the number that of the
  /// row.
  void read_integers(const std::string& record, std::vector<std::int64_t>& values) const {
    if (!file_.has(group_, record)) {
      values.assign(size_, 1);
      if (record == "id") std::iota(values.begin(), values.end(), 0);
    } else if (file_.has_group(group_, record)) {
      const double value = constant_of(file_.group(group_, record), record);
      if (value != std::floor(value) || !(std::abs(value) < 0x1p53))
        refuse(record, "is no integer", shortest(value));
      values.assign(size_, std::int64_t(value));
    } else {
      const auto column = file_.column(group_, record);
      const std::string path = particles_.place + "/" + record;
      check_length(record, double(file_.length(column, path)));
      values = file_.read<std::int64_t>(column, path, 0, size_);
    }
  }

  void read_momentum_offset(const OpenPmdDimension& momentum) {
    const auto offset = component("totalMomentumOffset", "", momentum);
    if (!offset || size_ == 0) return;
    for (std::size_t i = 1; i < size_; ++i)
      if ((*offset)[i] != offset->front())
        throw InputError({file_.name(), particles_.place + "/totalMomentumOffset", i},
                         "it is not the same for all particles", {},
                         "a bunch has one reference particle");
    particles_.momentum_offset = offset->front();
  }

  /// Reads spins; those of programs that write zeros are none.
  void read_spins() {
    if (!file_.has_group(group_, "spin")) return;
    const char* const axes[] = {"x", "y", "z"};
    bool is_zero = size_ > 0;
    for (int c = 0; c < 3; ++c) {
      auto values = component("spin", axes[c], {});
      if (!values) refuse(std::string("spin/") + axes[c], "is missing", "spins are x, y and z");
      for (const double value : *values) is_zero = is_zero && value == 0.;
      particles_.spin[c] = std::move(*values);
    }
    particles_.has_spins = !is_zero;
    if (is_zero)
      for (auto& values : particles_.spin) values.clear();
  }

  // Coordinates of `write_openpmd` ----------------------------------------------------------------

  static constexpr const char* own_record = "trackplex";
  static constexpr const char* own_path = "trackplexPath";

  double own_number(const std::string& name) const {
    const auto value = number(file_.group(group_, own_record), name);
    if (!value) refuse(own_record, "the attribute " + name + " is missing");
    if (!std::isfinite(*value))
      refuse(own_record, "the attribute " + name + " is not finite", shortest(*value));
    return *value;
  }
  std::vector<double> own_column(const char* record, const char* name, double power = 0.) const {
    auto values = component(record, name, {power, 0., 0., 0.});
    if (!values) refuse(*name ? std::string(record) + "/" + name : record, "is missing");
    return std::move(*values);
  }

  void read_own() {
    beam::ParticleTable& own = particles_.own.emplace();
    own.reference = {own_number("referenceMomentum"), own_number("referencePath")};
    own.particle_charge = own_number("particleCharge");
    own.anomaly = particles_.anomaly = own_number("anomaly");
    own.v[beam::x] = particles_.position[0];
    own.v[beam::y] = particles_.position[1];
    own.v[beam::xp] = own_column(own_record, "xp");
    own.v[beam::yp] = own_column(own_record, "yp");
    own.v[beam::s] = file_.has(group_, own_path) ? own_column(own_path, "", 1.)
                                                 : own_column(own_record, "s", 1.);  // older files
    own.v[beam::delta] = own_column(own_record, "delta");
    own.has_spins = particles_.has_spins;
    for (int c = 0; c < beam::n_spin_components; ++c) own.spin[c] = particles_.spin[c];
    own.ids = particles_.ids;
    own.losses.resize(size_);
    check_own(own);
  }

  /// Other programs may have changed records, but not this one.
  void check_own(const beam::ParticleTable& own) const {
    constexpr double rounding = 1e-12;
    constexpr const char* remedy = "delete the group trackplex after a change of the others";
    const double charge = std::abs(own.particle_charge);
    const double unit = mass_times_light(particles_.mass), p0 = unit * own.reference.p0;
    if (std::abs(particles_.momentum_offset.value_or(p0) - p0) > rounding * p0)
      refuse(own_record, "its referenceMomentum is not that of totalMomentumOffset", {}, remedy);
    for (std::size_t i = 0; i < size_; ++i) {
      const double p = unit * beam::momentum_of(own.reference, own.v[beam::delta][i]);
      const double px = particles_.momentum[0][i], py = particles_.momentum[1][i],
                   pz = particles_.momentum[2][i];
      const double time = beam::time_of(own.reference, own.v[beam::s][i], own.v[beam::delta][i]),
                   way = own.reference.path_length / constants::speed_of_light;
      if (own.has_spins && !beam::is_unit_spin(own.spin[0][i], own.spin[1][i], own.spin[2][i]))
        throw InputError({file_.name(), particles_.place + "/spin", i},
                         "x, y and z are not a unit vector");
      const bool agrees =
          std::abs(particles_.weight[i] - charge) <= rounding * charge &&
          particles_.position[2][i] == particles_.position[2][0] &&
          std::abs(std::sqrt(px * px + py * py + pz * pz) - p) <= rounding * p &&
          std::abs(px - own.v[beam::xp][i] * pz) <= rounding * p &&
          std::abs(py - own.v[beam::yp][i] * pz) <= rounding * p &&
          std::abs(particles_.time[i] - time) <= rounding * (std::abs(time) + std::abs(way)) &&
          particles_.status[i] == 1;
      if (!agrees)
        throw InputError({file_.name(), particles_.place + "/" + own_record, i},
                         "it contradicts position/z, momentum, time, weight or particleStatus", {},
                         remedy);
    }
  }

  hdf5::Reader file_;
  std::string iteration_, species_;
  hdf5::Handle group_;
  std::size_t size_ = 0;
  OpenPmdParticles particles_;
};

}  // namespace detail

TRACKPLEX_INLINE bool is_openpmd(const std::filesystem::path& path) {
  const hdf5::QuietErrors quiet;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return file && (H5Aexists(file, "openPMD") > 0 || H5Aexists(file, "basePath") > 0);
}

TRACKPLEX_INLINE OpenPmdParticles read_openpmd(const std::filesystem::path& path,
                                               const std::string& iteration,
                                               const std::string& species) {
  return detail::OpenPmdReader(path, iteration, species).read();
}

#else

TRACKPLEX_INLINE bool is_openpmd(const std::filesystem::path&) { return false; }

TRACKPLEX_INLINE OpenPmdParticles read_openpmd(const std::filesystem::path& path,
                                               const std::string&, const std::string&) {
  throw UsageError(path.string(), "this build has no HDF5", {}, "name a .csv");
}

#endif

}  // namespace trackplex::io
