// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Bunches as tables, in CSV or HDF5: one row for each particle. Columns, in any order:
///
///   x[m], xp[rad], y[m], yp[rad]
///   s[m], delta    total path length, and (p - p0)/p0
///   t[s], p        time of arrival, and momentum beta gamma
///   id             number of the particle; default: that of the row
///   lost_turn, lost_element   turn and element of the loss; -1: the particle is not lost
///
/// x, xp, y, yp and one of the pairs s, delta and t, p are required. With both pairs, s and delta
/// are used if BunchOptions::p0 is given, else t and p. Columns of other names are errors, since
/// nobody would notice that they are not used. In CSV the units are optional. Numbers are written
/// with the digits that read back as the same number.

#include <trackplex/beam/particle_table.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/table_file.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io {

/// Properties of a bunch that its file does not hold.
struct BunchOptions {
  double p0 = 0.;           ///< momentum beta gamma of the reference particle; 0: mean of column p
  double path_length = 0.;  ///< path length of the reference particle up to here, m
};

namespace detail {

/// Columns of a bunch. Coordinates of lost particles may be non-finite; check_finite() checks the
/// others.
inline std::span<const ColumnFormat> bunch_columns() {
  using enum ColumnType;
  static const std::array<ColumnFormat, 11> columns{{{"id", "", int64, false},
                                                     {"x", "m", float64, true, false},
                                                     {"xp", "rad", float64, true, false},
                                                     {"y", "m", float64, true, false},
                                                     {"yp", "rad", float64, true, false},
                                                     {"t", "s", float64, false, false},
                                                     {"p", "", float64, false, false},
                                                     {"s", "m", float64, false, false},
                                                     {"delta", "", float64, false, false},
                                                     {"lost_turn", "", int64, false},
                                                     {"lost_element", "", int64, false}}};
  return columns;
}

/// Checks the columns that come in pairs.
inline void check_pairs(const TableOfFile& file) {
  const auto check = [&](const char* a, const char* b, bool required) {
    for (const char* name : {a, b})
      if ((required || file.has(a) || file.has(b)) && !file.has(name))
        throw InputError({file.file}, "the column '" + std::string(name) + "' is missing", {},
                         "x, xp, y, yp and s, delta or t, p are needed");
  };
  check("s", "delta", false);
  check("t", "p", !file.has("s"));
  check("lost_turn", "lost_element", false);
}

/// A column as integers of 32 bits.
inline std::vector<std::int32_t> loss_numbers(const TableOfFile& file, std::string_view name) {
  std::vector<std::int32_t> numbers;
  const auto& values = file.values<std::int64_t>(name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::in_range<std::int32_t>(values[i]))
      file.refuse(i, name, std::to_string(values[i]) + " is no number of 32 bits");
    numbers.push_back(static_cast<std::int32_t>(values[i]));
  }
  return numbers;
}

/// Reference particle of a file: with the momentum of the options, or else the mean momentum of the
/// particles that are not lost.
inline beam::ReferenceParticle reference_of(const TableOfFile& file, const BunchOptions& options,
                                            const std::vector<beam::Loss>& losses) {
  if (!(options.p0 >= 0.) || !std::isfinite(options.p0))
    throw UsageError("BunchOptions", "the reference momentum is below 0, or not finite",
                     std::to_string(options.p0), "it is beta gamma");
  if (!std::isfinite(options.path_length))
    throw UsageError("BunchOptions", "the path length of the reference particle is not finite");
  if (options.p0 > 0.) return {options.p0, options.path_length};
  if (!file.has("p"))
    throw UsageError(file.file, "the file has delta, but no p", {},
                     "give the momentum p0 that delta is relative to");
  const auto& p = file.values<double>("p");
  std::vector<double> kept;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (losses[i].element == beam::Loss::none) kept.push_back(p[i]);
  if (kept.empty())
    throw UsageError(file.file, "a mean momentum needs particles that are not lost", {}, "give p0");
  double sum = 0.;
  for (const double value : kept) sum += value - kept[0];
  const double mean = kept[0] + sum / double(kept.size());
  if (!(mean > 0.) || !std::isfinite(mean))
    throw InputError({file.file, "p"}, "its mean is " + shortest(mean), "it is to be above 0",
                     "check the column, or give p0");
  return {mean, options.path_length};
}

/// Particles that are not lost have finite coordinates.
inline void check_finite(const TableOfFile& file, const std::vector<beam::Loss>& losses) {
  for (const auto& column : file.columns)
    if (const auto* values = std::get_if<std::vector<double>>(&column.values))
      for (std::size_t i = 0; i < values->size(); ++i)
        if (!std::isfinite((*values)[i]) && losses[i].element == beam::Loss::none)
          file.refuse(i, column.name, "it is not finite", "the particle is not lost");
}

inline void take_coordinates(const TableOfFile& file, bool use_time, beam::ParticleTable& table) {
  using namespace beam;
  const char* const names[] = {"x", "xp", "y", "yp"};
  for (const int c : {x, xp, y, yp}) table.v[c] = file.values<double>(names[c]);
  table.v[s] = file.values<double>(use_time ? "t" : "s");
  table.v[delta] = file.values<double>(use_time ? "p" : "delta");
  const ReferenceParticle& reference = table.reference;
  for (std::size_t i = 0; i < file.rows(); ++i) {
    double& path = table.v[s][i];
    double& momentum = table.v[delta][i];
    if (use_time) {
      momentum = delta_of_momentum(reference, momentum);
      path = s_of_time(reference, path, momentum);
    } else {
      path -= reference.path_length;
    }
  }
}

/// Momenta above 0; where a file has delta and p, they must be of the same reference momentum.
inline void check_momenta(const TableOfFile& file, const beam::ParticleTable& table) {
  const double p0 = table.reference.p0;
  const std::vector<double>* momenta = file.has("p") ? &file.values<double>("p") : nullptr;
  for (std::size_t i = 0; i < file.rows(); ++i) {
    if (table.losses[i].element != beam::Loss::none) continue;
    const double delta = table.v[beam::delta][i];
    if (!(delta > -1.)) file.refuse(i, "momentum", "it is not above 0");
    const double expected = p0 * (1. + delta);
    if (momenta && !(std::abs((*momenta)[i] - expected) <= 1e-9 * p0))
      file.refuse(i, "p", "momentum and delta do not belong together",
                  "p0 is " + shortest(p0) + ", so that p would be " + shortest(expected));
  }
}

inline beam::ParticleTable particles_of(const TableOfFile& file, const BunchOptions& options) {
  check_pairs(file);
  if (file.rows() > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw InputError({file.file}, "there are more particles than a bunch can have");
  beam::ParticleTable table;
  table.ids.resize(file.rows());
  std::iota(table.ids.begin(), table.ids.end(), 0);
  if (file.has("id")) table.ids = file.values<std::int64_t>("id");
  table.losses.resize(file.rows());
  if (file.has("lost_turn")) {
    const auto turns = loss_numbers(file, "lost_turn"),
               elements = loss_numbers(file, "lost_element");
    constexpr auto none = beam::Loss::none;
    for (std::size_t i = 0; i < file.rows(); ++i) {
      if ((turns[i] == none) != (elements[i] == none) || turns[i] < none || elements[i] < none)
        file.refuse(i, "lost_turn", "it does not belong to lost_element",
                    "both are -1 where the particle is not lost");
      table.losses[i] = {turns[i], elements[i]};
    }
  }
  table.reference = reference_of(file, options, table.losses);
  check_finite(file, table.losses);
  // delta of a file is relative to a momentum that the caller must know
  const bool use_time = !file.has("delta") || options.p0 == 0.;
  take_coordinates(file, use_time, table);
  check_momenta(file, table);
  return table;
}

}  // namespace detail

/// Parses the particles in the text of a CSV file; `name` is for messages. Without
/// BunchOptions::p0, the reference momentum is the mean of those that are not lost.
/// @throws InputError if the text does not follow the format, a coordinate of a particle that is
/// not lost is not finite, a momentum is not above 0, or p and delta contradict each other (to 1e-9
/// p0); with line and column
/// @throws UsageError if there is neither p0 nor a column p, or an option is not finite or negative
inline beam::ParticleTable parse_bunch_csv(std::string_view text, const std::string& name,
                                           const BunchOptions& options = {}) {
  return detail::particles_of(parse_table_csv(text, name, detail::bunch_columns()), options);
}

/// Reads the particles of a .csv or .h5 file; in the latter, those of the table `particles`.
/// @throws InputError, UsageError as parse_bunch_csv(); UsageError for another extension
inline beam::ParticleTable read_bunch(const std::filesystem::path& path,
                                      const BunchOptions& options = {}) {
  return detail::particles_of(read_table(path, "particles", detail::bunch_columns()), options);
}

/// Converts particles to a table `particles` with the columns id, x, xp, y, yp, t, p, s, delta, and
/// lost_turn, lost_element if any particle is lost. The column s is the total path length: that of
/// the reference particle plus the coordinate s.
/// @throws UsageError if the columns of `particles` differ in length
inline Table bunch_table(const beam::ParticleTable& particles) {
  using namespace beam;
  check_columns(particles);
  const bool has_lost = particles.n_lost() > 0;
  Table table{"particles", {}};
  for (const auto& format : detail::bunch_columns())
    if (has_lost || !format.name.starts_with("lost"))
      table.columns.emplace_back(format.name, format.unit, format.type);
  const auto& v = particles.v;
  const auto& reference = particles.reference;
  for (int i = 0; i < particles.size(); ++i) {
    std::vector<std::int32_t> loss;
    if (has_lost) loss = {particles.losses[i].turn, particles.losses[i].element};
    table.add_row(particles.ids[i], v[x][i], v[xp][i], v[y][i], v[yp][i],
                  time_of(reference, v[s][i], v[delta][i]), momentum_of(reference, v[delta][i]),
                  v[s][i] + reference.path_length, v[delta][i], loss);
  }
  return table;
}

/// Writes particles as a .csv or .h5 file, with the columns of bunch_table() and metadata.
/// @throws UsageError if the columns differ in length, or the name ends neither in .csv nor in .h5
/// @throws Error if the file cannot be written
inline void write_bunch(const std::filesystem::path& path, const beam::ParticleTable& particles,
                        const Metadata& metadata = {}) {
  Table table = bunch_table(particles);
  table.metadata = metadata;
  write_table(path, std::move(table));
}

}  // namespace trackplex::io
