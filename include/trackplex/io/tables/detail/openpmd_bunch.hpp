// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Particles of openPMD files as rows of a bunch.

#include <trackplex/beam/bunch/species.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Rows of the live particles of a file, with what else it tells.
struct OpenPmdBunch {
  TableOfFile table;
  double p0 = 0.;               ///< reference momentum beta gamma: of the file, else the mean
  double mean_time = 0.;        ///< s (seconds)
  double particle_charge = 0.;  ///< C
  double anomaly = 0.;          ///< anomalous magnetic moment
};

/// Converts the live particles of a file to the columns of a bunch in one plane: that of their mean
/// z, to which the others drift.
class OpenPmdBunchReader {
 public:
  OpenPmdBunchReader(const std::filesystem::path& path, OpenPmdParticles particles)
      : path_(path.string()), from_(std::move(particles)) {}

  OpenPmdBunch read() {
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (from_.status[i] == 0)
        refuse("particleStatus", i, "the particle is still at the cathode", "its status is 0");
      if (from_.status[i] == 1) live_.push_back(i);
    }
    if (live_.empty())
      throw InputError({path_, from_.place}, "there is no live particle", "none has the status 1");
    check_particles();
    const double plane = mean(from_.position[2]);
    const double unit = mass_times_light(from_.mass);
    for (const std::size_t i : live_) append(i, plane, unit);
    bunch_.table.name = "particles";
    bunch_.table.file = path_;
    add("x", x_), add("xp", xp_), add("y", y_), add("yp", yp_), add("t", t_), add("p", p_);
    add("id", ids_);
    if (from_.has_spins) add("Sx", spin_[0]), add("Sy", spin_[1]), add("Sz", spin_[2]);
    bunch_.mean_time = mean_of(t_);
    bunch_.p0 = from_.momentum_offset.value_or(0.) / unit;
    if (!(bunch_.p0 > 0.) || !std::isfinite(bunch_.p0)) bunch_.p0 = mean_of(p_);
    bunch_.particle_charge = from_.weight[live_[0]];
    bunch_.anomaly = from_.anomaly;
    return std::move(bunch_);
  }

 private:
  [[noreturn]] void refuse(const std::string& record, std::size_t i, std::string_view problem,
                           std::string_view why = {}, std::string_view suggestion = {}) const {
    throw InputError({path_, from_.place + "/" + record, i}, problem, why, suggestion);
  }

  void check_particles() const {
    const auto check = [&](const std::string& record, const std::vector<double>& values) {
      for (const std::size_t i : live_)
        if (!std::isfinite(values[i]))
          refuse(record, i, "it is not finite", "the particle is live");
    };
    const std::string axes[] = {"x", "y", "z"};
    for (int c = 0; c < 3; ++c) {
      check("position/" + axes[c], from_.position[c]);
      check("momentum/" + axes[c], from_.momentum[c]);
    }
    check("time", from_.time);
    if (from_.has_spins)
      for (const std::size_t i : live_)
        if (!beam::is_unit_spin(from_.spin[0][i], from_.spin[1][i], from_.spin[2][i]))
          refuse("spin", i, "x, y and z are not a unit vector");
    const double charge = from_.weight[live_[0]];
    for (const std::size_t i : live_) {
      const double px = from_.momentum[0][i], py = from_.momentum[1][i], pz = from_.momentum[2][i];
      if (!(pz > std::sqrt(px * px + py * py)))
        refuse("momentum/z", i, "the particle does not fly along z",
               "its direction is 45 degrees or more from the axis, as at a cathode",
               "track the bunch with a program for guns first");
      if (!(std::abs(from_.weight[i] - charge) <= 1e-9 * charge))
        refuse("weight", i, "the particles have different charges",
               shortest(from_.weight[i]) + " C and " + shortest(charge) + " C",
               "a bunch has particles of one charge");
    }
  }

  static double mean_of(const std::vector<double>& values) {
    double sum = 0.;
    for (const double value : values) sum += value - values[0];
    return values[0] + sum / double(values.size());
  }
  double mean(const std::vector<double>& values) const {
    std::vector<double> of_live;
    for (const std::size_t i : live_) of_live.push_back(values[i]);
    return mean_of(of_live);
  }

  /// Appends a particle, in the plane z = `plane`; `unit` is m c, kg m/s.
  void append(std::size_t i, double plane, double unit) {
    const double px = from_.momentum[0][i] / unit, py = from_.momentum[1][i] / unit,
                 pz = from_.momentum[2][i] / unit;
    const double square = px * px + py * py + pz * pz;
    const double drift = plane - from_.position[2][i];
    xp_.push_back(px / pz);
    yp_.push_back(py / pz);
    x_.push_back(from_.position[0][i] + drift * xp_.back());
    y_.push_back(from_.position[1][i] + drift * yp_.back());
    t_.push_back(from_.time[i] + drift * std::sqrt(1. + square) / (pz * constants::speed_of_light));
    p_.push_back(std::sqrt(square));
    ids_.push_back(from_.ids[i]);
    if (from_.has_spins)
      for (int c = 0; c < 3; ++c) spin_[c].push_back(from_.spin[c][i]);
  }

  template <class T>
  void add(const std::string& name, std::vector<T>& values) {
    const auto format = std::ranges::find(bunch_columns(), name, &ColumnFormat::name);
    bunch_.table.columns.emplace_back(format->name, format->unit, format->type).values = values;
  }

  std::string path_;
  OpenPmdParticles from_;
  std::vector<std::size_t> live_;
  std::vector<double> x_, xp_, y_, yp_, t_, p_, spin_[3];
  std::vector<std::int64_t> ids_;
  OpenPmdBunch bunch_;
};

}  // namespace trackplex::io::detail
