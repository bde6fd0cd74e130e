// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Bunches as text: a line with the names of the columns, separated by commas, and one line for
/// each particle. Columns, in any order:
///
///   x, xp, y, yp   m and rad
///   s, delta       whole way travelled, m, and (p - p0)/p0
///   t, p           time of arrival, s, and momentum beta gamma
///   id             number of the particle (else that of the line)
///   lost_turn, lost_element   where the particle was lost; -1: it was not
///
/// x, xp, y, yp and one of the pairs s, delta and t, p must be there; of both, s and delta are
/// taken. Columns of other names are errors: nobody would notice that they are not used. Numbers
/// are written with the digits that read back as the same number.

#include <trackplex/beam/particle_table.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/bunch_csv_reader.hpp>

#include <cmath>
#include <filesystem>

namespace trackplex::io {

/// Properties of a bunch that its file does not hold.
struct BunchCsvOptions {
  double p0 = 0.;           ///< momentum of the reference particle; 0: mean of the column p
  double path_length = 0.;  ///< way of the reference particle up to here, m
};

namespace detail {

/// The reference particle of a file: of its mean momentum if the caller does not know another.
inline beam::ReferenceParticle reference_of(const BunchCsvReader& csv,
                                            const BunchCsvOptions& options) {
  if (!(options.p0 >= 0.) || !std::isfinite(options.p0))
    throw UsageError("BunchCsvOptions", "the reference momentum is below 0, or not finite",
                     std::to_string(options.p0), "it is beta gamma");
  if (!std::isfinite(options.path_length))
    throw UsageError("BunchCsvOptions", "the path length of the reference particle is not finite");
  if (options.p0 > 0.) return {options.p0, options.path_length};
  if (!csv.has("p"))
    throw UsageError(csv.name(), "the file has delta, but no p", {},
                     "give the momentum p0 that delta is relative to");
  const auto& p = csv.column("p");
  double sum = 0.;
  for (const double value : p) sum += value - p[0];
  if (p.empty()) throw UsageError(csv.name(), "a mean momentum needs particles", {}, "give p0");
  const double mean = p[0] + sum / double(p.size());
  if (!(mean > 0.) || !std::isfinite(mean))
    throw InputError({csv.name(), "p"}, "its mean is " + shortest(mean), "it is to be above 0",
                     "check the column, or give p0");
  return {mean, options.path_length};
}

inline void take_coordinates(const BunchCsvReader& csv, bool use_time, beam::ParticleTable& table) {
  using namespace beam;
  const char* const names[] = {"x", "xp", "y", "yp"};
  for (const int c : {x, xp, y, yp}) table.v[c] = csv.column(names[c]);
  table.v[s] = csv.column(use_time ? "t" : "s");
  table.v[delta] = csv.column(use_time ? "p" : "delta");
  const ReferenceParticle& reference = table.reference;
  for (std::size_t i = 0; i < csv.n_rows(); ++i) {
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
inline void check_momenta(const BunchCsvReader& csv, const beam::ParticleTable& table) {
  const double p0 = table.reference.p0;
  const std::vector<double>* momenta = csv.has("p") ? &csv.column("p") : nullptr;
  for (std::size_t i = 0; i < csv.n_rows(); ++i) {
    if (table.losses[i].turn != beam::Loss::none) continue;
    const double delta = table.v[beam::delta][i];
    if (!(delta > -1.)) csv.refuse(i, "momentum", "it is not above 0");
    const double expected = p0 * (1. + delta);
    if (momenta && !(std::abs((*momenta)[i] - expected) <= 1e-9 * p0))
      csv.refuse(i, "p", "momentum and delta do not belong together",
                 "p0 is " + shortest(p0) + ", so that p would be " + shortest(expected));
  }
}

}  // namespace detail

/// The particles of a file's text; `name` is for messages.
/// @throws InputError where it is not what the format says, with the line
/// @throws UsageError if there is no p0 and no column p
inline beam::ParticleTable parse_bunch_csv(std::string_view text, const std::string& name,
                                           const BunchCsvOptions& options = {}) {
  const detail::BunchCsvReader csv(text, name);
  beam::ParticleTable table;
  table.reference = detail::reference_of(csv, options);
  table.ids = csv.integers("id");
  table.losses.resize(csv.n_rows());
  if (csv.has("lost_turn")) {
    const auto turns = csv.integers("lost_turn"), elements = csv.integers("lost_element");
    for (std::size_t i = 0; i < csv.n_rows(); ++i) table.losses[i] = {turns[i], elements[i]};
  }
  csv.check_finite(table.losses);
  // delta of a file is relative to a momentum that the caller must know
  const bool use_time = !csv.has("delta") || options.p0 == 0.;
  detail::take_coordinates(csv, use_time, table);
  detail::check_momenta(csv, table);
  return table;
}

/// @throws InputError, UsageError
inline beam::ParticleTable read_bunch_csv(const std::filesystem::path& path,
                                          const BunchCsvOptions& options = {}) {
  return parse_bunch_csv(detail::read_text_file(path), path.string(), options);
}

/// The table as text: id,x,xp,y,yp,t,p,s,delta, and lost_turn,lost_element if any was lost. s is
/// the whole way: the reference particle's path length and the coordinate s.
/// @throws UsageError if the table's columns differ in length
inline std::string bunch_csv(const beam::ParticleTable& table) {
  using namespace beam;
  check_columns(table);
  const bool has_lost = table.n_lost() > 0;
  std::string text = "id,x,xp,y,yp,t,p,s,delta";
  text += has_lost ? ",lost_turn,lost_element\n" : "\n";
  text.reserve(text.size() + std::size_t(table.size()) * 180);
  const auto& v = table.v;
  for (int i = 0; i < table.size(); ++i) {
    detail::append_number(text, table.ids[i]);
    for (const double value :
         {v[x][i], v[xp][i], v[y][i], v[yp][i], time_of(table.reference, v[s][i], v[delta][i]),
          momentum_of(table.reference, v[delta][i]), v[s][i] + table.reference.path_length,
          v[delta][i]}) {
      text += ',';
      text += shortest(value);
    }
    if (has_lost)
      for (const auto number : {table.losses[i].turn, table.losses[i].element}) {
        text += ',';
        detail::append_number(text, number);
      }
    text += '\n';
  }
  return text;
}

/// @throws UsageError if the table's columns differ in length
/// @throws Error where the file cannot be written
inline void write_bunch_csv(const std::filesystem::path& path, const beam::ParticleTable& table) {
  detail::write_file(path, bunch_csv(table));
}

}  // namespace trackplex::io
