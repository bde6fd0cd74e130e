// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/openpmd/detail/openpmd_species.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>
#include <trackplex/io/openpmd/openpmd_writer.hpp>
#include <trackplex/version.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/shared_columns.hpp>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

#ifdef TRACKPLEX_HAS_HDF5
namespace detail {

/// The particles of a table that are not lost.
inline beam::ParticleTable without_lost(const beam::ParticleTable& from) {
  beam::ParticleTable kept = from;
  const auto keep = [&](auto& values) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (from.losses[i].element == beam::Loss::none) values[n++] = values[i];
    values.resize(n);
  };
  for (auto& values : kept.v) keep(values);
  for (auto& values : kept.spin) keep(values);
  keep(kept.ids);
  keep(kept.losses);
  return kept;
}

/// Unit of a record: its factor to SI, and its powers of m, kg, s, A, K, mol and cd.
struct OpenPmdUnit {
  double si;
  std::array<double, 7> powers;
};

/// Writer of the particle group of an openPMD file.
class OpenPmdWriter {
 public:
  OpenPmdWriter(const beam::ParticleTable& live, const OpenPmdOptions& options, const Ranks* ranks)
      : from_(live), options_(options), file_(live.size(), ranks) {}

  void write(const std::filesystem::path& path) {
    using enum hdf5::Writer::Mode;
    file_.create(path, options_.is_next ? extend : replace);
    file_.write([&](const hdf5::Writer& to) {
      if (!options_.is_next) {
        write_root(to);
        write_metadata(to);
      }
      enter_particles(to);
    });
    write_coordinates();
    write_reference();
    if (from_.has_spins) write_spins();
    write_own();
    particles_.close();
    file_.finish();
  }

 private:
  static constexpr OpenPmdUnit none{1., {}}, metre{1., {1}}, second{1., {0, 0, 1}},
      coulomb{1., {0, 0, 1, 1}};
  static constexpr OpenPmdUnit ev_per_c{constants::elementary_charge / constants::speed_of_light,
                                        {1, 1, -1}};

  /// Texts are outside of the base path, where the standard allows what it does not know.
  void write_metadata(const hdf5::Writer& to) const {
    const hdf5::Handle own = to.create_group("trackplex"),
                       metadata = to.create_group("metadata", own);
    for (const auto& [key, text] : options_.metadata) to.set_attribute(key, text, metadata);
  }

  double mass() const { return rest_energy_of_species(options_.species); }  ///< eV
  double charge() const { return std::abs(from_.particle_charge); }

  static void write_root(const hdf5::Writer& to) {
    const std::pair<const char*, const char*> texts[] = {
        {"openPMD", "2.0.0"},
        {"openPMDextension", "BeamPhysics;SpeciesType"},
        {"basePath", "/data/%T/"},
        {"particlesPath", "particles/"},
        {"iterationEncoding", "groupBased"},
        {"iterationFormat", "/data/%T/"},
        {"software", "Trackplex"},
        {"softwareVersion", TRACKPLEX_VERSION_STRING}};
    for (const auto& [name, text] : texts) to.set_attribute(name, std::string(text));
  }

  void enter_particles(const hdf5::Writer& to) {
    const hdf5::Handle data = options_.is_next ? to.open_group("data") : to.create_group("data");
    if (to.has(data, options_.iteration))
      throw UsageError("openPMD", "the file has an iteration of this name", options_.iteration);
    const hdf5::Handle iteration = to.create_group(options_.iteration, data);
    to.set_attribute("time", reference_time(), iteration);
    to.set_attribute("dt", 0., iteration);
    to.set_attribute("timeUnitSI", 1., iteration);
    particles_ = to.create_group("particles", iteration);
    const double all = charge() * double(file_.rows());
    to.set_attribute("speciesType", standard_species(options_.species), particles_);
    to.set_attribute("numParticles", file_.rows(), particles_);
    to.set_attribute("totalCharge", all, particles_);
    to.set_attribute("chargeLive", all, particles_);
    to.set_attribute("chargeUnitSI", 1., particles_);
  }

  double reference_time() const {
    return beam::detail::light_path_of(from_.reference) / constants::speed_of_light;
  }

  // Records ---------------------------------------------------------------------------------------

  static void set_unit(const hdf5::Writer& to, hid_t object, const OpenPmdUnit& unit) {
    to.set_attribute("unitSI", unit.si, object);
    set_dimension(to, object, unit);
  }
  static void set_dimension(const hdf5::Writer& to, hid_t object, const OpenPmdUnit& unit) {
    to.set_attribute("unitDimension", std::span<const double>(unit.powers), object);
    to.set_attribute("timeOffset", 0., object);
  }

  /// Group of a record with components.
  hdf5::Handle record(const std::string& name, const OpenPmdUnit& unit) {
    hdf5::Handle group;
    file_.write([&](const hdf5::Writer& to) {
      group = to.create_group(name, particles_);
      set_dimension(to, group, unit);
    });
    return group;
  }

  /// Writes a column of numbers value(particle).
  template <class Value>
  void column(hid_t group, const std::string& name, const OpenPmdUnit& unit, const Value& value) {
    const auto values = [&](int first, int n) {
      std::vector<decltype(value(0))> rows(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) rows[i] = value(first + i);
      return rows;
    };
    file_.write_column(group, name, values,
                       [&](const hdf5::Writer& to, hid_t written) { set_unit(to, written, unit); });
  }

  /// Writes what all particles have in common.
  template <class Number>
  void constant(hid_t group, const std::string& name, const OpenPmdUnit& unit, Number value) {
    file_.write([&](const hdf5::Writer& to) {
      const hdf5::Handle component = to.create_group(name, group);
      const std::uint64_t shape[] = {std::uint64_t(file_.rows())};
      to.set_attribute("value", value, component);
      to.set_attribute("shape", std::span<const std::uint64_t>(shape), component);
      set_unit(to, component, unit);
    });
  }

  void write_coordinates() {
    using namespace beam;
    const auto& v = from_.v;
    const auto position = record("position", metre);
    column(position, "x", metre, [&](int i) { return v[x][i]; });
    column(position, "y", metre, [&](int i) { return v[y][i]; });
    constant(position, "z", metre, 0.);
    // of the component along an axis, whose slope is given, in eV/c
    const auto momentum_along = [&](int i, double slope) {
      const double p = mass() * momentum_of(from_.reference, v[delta][i]);
      return p * slope / std::sqrt(1. + v[xp][i] * v[xp][i] + v[yp][i] * v[yp][i]);
    };
    const auto momentum = record("momentum", ev_per_c);
    column(momentum, "x", ev_per_c, [&](int i) { return momentum_along(i, v[xp][i]); });
    column(momentum, "y", ev_per_c, [&](int i) { return momentum_along(i, v[yp][i]); });
    column(momentum, "z", ev_per_c, [&](int i) { return momentum_along(i, 1.); });
    column(particles_, "time", second, [&](int i) {
      return delay(from_.reference, v[s][i], v[delta][i]) / constants::speed_of_light;
    });
    column(particles_, "totalMomentum", ev_per_c,
           [&](int i) { return mass() * from_.reference.p0 * v[delta][i]; });
    column(particles_, "id", none, [&](int i) { return from_.ids[i]; });
  }

  void write_reference() {
    constant(particles_, "timeOffset", second, reference_time());
    constant(particles_, "totalMomentumOffset", ev_per_c, mass() * from_.reference.p0);
    constant(particles_, "sPosition", metre, from_.reference.path_length);
    constant(particles_, "weight", coulomb, charge());
    constant(particles_, "particleStatus", none, std::int64_t(1));
  }

  void write_spins() {
    const auto spin = record("spin", none);
    const char* const axes[] = {"x", "y", "z"};
    for (int c = 0; c < beam::n_spin_components; ++c)
      column(spin, axes[c], none, [&](int i) { return from_.spin[c][i]; });
  }

  void write_own() {
    using namespace beam;
    const auto own = record("trackplex", none);
    file_.write([&](const hdf5::Writer& to) {
      to.set_attribute("referenceMomentum", from_.reference.p0, own);
      to.set_attribute("referencePath", from_.reference.path_length, own);
      to.set_attribute("particleCharge", from_.particle_charge, own);
      to.set_attribute("anomaly", from_.anomaly, own);
    });
    column(own, "xp", none, [&](int i) { return from_.v[xp][i]; });
    column(own, "yp", none, [&](int i) { return from_.v[yp][i]; });
    column(own, "delta", none, [&](int i) { return from_.v[delta][i]; });
    column(particles_, "trackplexPath", metre, [&](int i) { return from_.v[s][i]; });
  }

  const beam::ParticleTable& from_;
  const OpenPmdOptions& options_;
  hdf5::SharedColumns file_;
  hdf5::Handle particles_;  ///< on the first rank
};

inline void check_openpmd(const beam::ParticleTable& particles, const OpenPmdOptions& options) {
  check_columns(particles);
  const std::string where = "openPMD";
  if (rest_energy_of_species(options.species) == 0.)
    throw UsageError(where, "the mass of the species is not known", options.species,
                     "known: " + openpmd_names());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (options.iteration.empty() || !std::ranges::all_of(options.iteration, is_digit))
    throw UsageError(where, "the iteration is no whole number", options.iteration);
  const double p0 = particles.reference.p0;
  if (!(p0 > 0.) || !std::isfinite(p0))
    throw UsageError(where, "the reference momentum is not above 0", shortest(p0));
}

}  // namespace detail

TRACKPLEX_INLINE void write_openpmd(const std::filesystem::path& path,
                                    const beam::ParticleTable& particles,
                                    const OpenPmdOptions& options, const Ranks* ranks) {
  RankErrors errors(ranks);
  errors.run([&] { detail::check_openpmd(particles, options); });
  errors.check();
  const auto write = [&](const beam::ParticleTable& live) {
    detail::OpenPmdWriter(live, options, ranks).write(path);
  };
  if (particles.n_lost() > 0)
    write(detail::without_lost(particles));
  else
    write(particles);
}

#else

TRACKPLEX_INLINE void write_openpmd(const std::filesystem::path& path, const beam::ParticleTable&,
                                    const OpenPmdOptions&, const Ranks*) {
  throw UsageError(path.string(), "this build has no HDF5", {}, "name a .csv");
}

#endif

}  // namespace trackplex::io
