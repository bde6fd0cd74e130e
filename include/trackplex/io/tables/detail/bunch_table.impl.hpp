// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/species.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shared_file.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/file_kind.hpp>
#include <trackplex/io/openpmd/openpmd_writer.hpp>
#include <trackplex/io/sdds/sdds_file_reader.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>
#include <trackplex/io/tables/detail/openpmd_bunch.hpp>
#include <trackplex/io/tables/detail/sdds_bunch.hpp>
#include <trackplex/io/tables/detail/shared_csv.hpp>
#include <trackplex/io/tables/detail/write_bunch.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/table_hdf5.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io {

namespace detail {

inline constexpr const char* spin_columns[beam::n_spin_components] = {"Sx", "Sy", "Sz"};

/// Checks the columns that come in pairs.
inline void check_pairs(const TableOfFile& file) {
  const auto check = [&](const char* a, const char* b, bool required) {
    for (const char* name : {a, b})
      if ((required || file.has(a) || file.has(b)) && !file.has(name))
        throw InputError({file.file}, "the column '" + std::string(name) + "' is missing", {},
                         name[0] == 'S' ? "spins have the components Sx, Sy and Sz"
                                        : "x, xp, y, yp and s, delta or t, p are needed");
  };
  check("s", "delta", false);
  check("t", "p", !file.has("s"));
  check("lost_turn", "lost_element", false);
  check("Sx", "Sy", false);
  check("Sy", "Sz", false);
}

/// A value of a column as an integer of 32 bits.
inline std::int32_t loss_number(const TableOfFile& file, std::size_t row, const char* column,
                                std::int64_t value) {
  if (!std::in_range<std::int32_t>(value))
    file.refuse(row, column, std::to_string(value) + " is no number of 32 bits");
  return std::int32_t(value);
}

inline std::vector<beam::Loss> losses_of(const TableOfFile& file) {
  std::vector<beam::Loss> losses(file.rows());
  if (!file.has("lost_turn")) return losses;
  constexpr auto none = beam::Loss::none;
  const auto& turns = file.values<std::int64_t>("lost_turn");
  const auto& elements = file.values<std::int64_t>("lost_element");
  for (std::size_t i = 0; i < file.rows(); ++i) {
    const auto turn = loss_number(file, i, "lost_turn", turns[i]),
               element = loss_number(file, i, "lost_element", elements[i]);
    if ((turn == none) != (element == none) || turn < none || element < none)
      file.refuse(i, "lost_turn", "it does not belong to lost_element",
                  "both are -1 where the particle is not lost");
    losses[i] = {turn, element};
  }
  return losses;
}

/// Mean momentum of the particles that are not lost, from sums of blocks of rows that do not depend
/// on ranks; none without particles.
inline std::optional<double> mean_momentum(const std::vector<double>& p,
                                           const std::vector<beam::Loss>& losses,
                                           const Ranks* ranks) {
  struct BlockSum {
    double sum = 0.;
    std::int64_t n = 0;
  };
  const auto is_kept = [](const beam::Loss& loss) { return loss.element == beam::Loss::none; };
  const auto first = std::size_t(std::ranges::find_if(losses, is_kept) - losses.begin());
  std::vector<double> shifts;
  if (first < losses.size()) shifts.push_back(p[first]);
  shifts = gather_all(ranks, shifts);
  if (shifts.empty()) return std::nullopt;
  std::vector<BlockSum> blocks((p.size() + reduce_block - 1) / reduce_block);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!is_kept(losses[i])) continue;
    blocks[i / reduce_block].sum += p[i] - shifts[0];
    ++blocks[i / reduce_block].n;
  }
  BlockSum all;
  for (const BlockSum& block : gather_all(ranks, blocks)) {
    all.sum += block.sum;
    all.n += block.n;
  }
  return shifts[0] + all.sum / double(all.n);
}

/// Reference particle of a file: with the momentum of the options, or else the mean momentum of the
/// particles that are not lost.
inline beam::ReferenceParticle reference_of(const TableOfFile& file, const BunchOptions& options,
                                            const std::vector<beam::Loss>& losses,
                                            const Ranks* ranks) {
  if (!(options.p0 >= 0.) || !std::isfinite(options.p0))
    throw UsageError("BunchOptions", "the reference momentum is below 0, or not finite",
                     shortest(options.p0), "it is beta gamma");
  if (!std::isfinite(options.path_length))
    throw UsageError("BunchOptions", "the path length of the reference particle is not finite");
  if (options.p0 > 0.) return {options.p0, options.path_length};
  if (!file.has("p") && options.p0_of_delta > 0.) return {options.p0_of_delta, options.path_length};
  if (!file.has("p"))
    throw UsageError(file.file, "the file has delta, but no p", {},
                     "give the momentum p0 that delta is relative to (beamline --momentum)");
  const auto mean = mean_momentum(file.values<double>("p"), losses, ranks);
  if (!mean)
    throw UsageError(file.file,
                     "there are no particles that are not lost, whose momentum has a mean", {},
                     "give the reference momentum p0 (beamline --momentum)");
  if (!(*mean > 0.) || !std::isfinite(*mean))
    throw InputError({file.file, "p"}, "its mean is " + shortest(*mean), "it is to be above 0",
                     "check the column, or give p0 (beamline --momentum)");
  return {*mean, options.path_length};
}

/// Moves the values of a column out of a table.
template <class T>
std::vector<T> take_column(TableOfFile& file, std::string_view name) {
  for (auto& column : file.columns)
    if (column.name == name) return std::exchange(std::get<std::vector<T>>(column.values), {});
  return file.values<T>(name);  // throws
}

/// Moves the coordinates out of a table.
inline void take_coordinates(TableOfFile& file, bool use_time, beam::ParticleTable& table) {
  using namespace beam;
  const char* const names[] = {"x", "xp", "y", "yp"};
  for (const int c : {x, xp, y, yp}) table.v[c] = take_column<double>(file, names[c]);
  table.v[s] = take_column<double>(file, use_time ? "t" : "s");
  table.v[delta] = take_column<double>(file, use_time ? "p" : "delta");
  const ReferenceParticle& reference = table.reference;
  for (std::size_t i = 0; i < table.v[s].size(); ++i) {
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

/// Particles that are not lost have finite coordinates and momenta above 0; where a file has delta
/// and p, they must be of the same reference momentum.
inline void check_rows(const TableOfFile& file, bool use_time,
                       const beam::ReferenceParticle& reference,
                       const std::vector<beam::Loss>& losses) {
  const double p0 = reference.p0;
  const std::vector<double>* momenta = file.has("p") ? &file.values<double>("p") : nullptr;
  const std::vector<double>* deltas = use_time ? nullptr : &file.values<double>("delta");
  const std::vector<double>* spin[beam::n_spin_components] = {};
  if (file.has("Sx"))
    for (int c = 0; c < beam::n_spin_components; ++c)
      spin[c] = &file.values<double>(spin_columns[c]);
  for (std::size_t i = 0; i < file.rows(); ++i) {
    if (losses[i].element != beam::Loss::none) continue;
    for (const auto& column : file.columns)
      if (const auto* values = std::get_if<std::vector<double>>(&column.values))
        if (!std::isfinite((*values)[i]))
          file.refuse(i, column.name, "it is not finite", "the particle is not lost");
    if (spin[0] && !beam::is_unit_spin((*spin[0])[i], (*spin[1])[i], (*spin[2])[i]))
      file.refuse(i, "Sx", "Sx, Sy and Sz are not a unit vector");
    const double delta =
        use_time ? beam::delta_of_momentum(reference, (*momenta)[i]) : (*deltas)[i];
    if (!(delta > -1.)) file.refuse(i, "momentum", "it is not above 0");
    const double expected = p0 * (1. + delta);
    if (momenta && !(std::abs((*momenta)[i] - expected) <= 1e-9 * p0))
      file.refuse(i, "p", "momentum and delta do not belong together",
                  "p0 is " + shortest(p0) + ", so that p would be " + shortest(expected));
  }
}

inline void check_number(const TableOfFile& file) {
  if (file.rows() > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw InputError({file.file}, "there are more particles than a bunch can have");
}

inline beam::ParticleTable particles_of(TableOfFile file, const BunchOptions& options,
                                        const Ranks* ranks) {
  check_pairs(file);
  RankErrors errors(ranks);
  beam::ParticleTable table;
  errors.run([&] {
    check_number(file);
    table.losses = losses_of(file);
  });
  errors.check();
  table.reference = reference_of(file, options, table.losses, ranks);
  // delta of a file is relative to a momentum that the caller must know
  const bool use_time = !file.has("delta") || (options.p0 == 0. && file.has("p"));
  errors.run([&] { check_rows(file, use_time, table.reference, table.losses); });
  errors.check();
  if (file.has("id")) {
    table.ids = take_column<std::int64_t>(file, "id");
  } else {
    table.ids.resize(file.rows());
    std::iota(table.ids.begin(), table.ids.end(), std::int64_t(file.first_row));
  }
  table.has_spins = file.has("Sx");
  for (int c = 0; c < beam::n_spin_components && table.has_spins; ++c)
    table.spin[c] = take_column<double>(file, spin_columns[c]);
  take_coordinates(file, use_time, table);
  return table;
}

inline beam::ParticleTable read_bunch_csv(const SharedInput& file, const std::string& name,
                                          const BunchOptions& options, const Ranks* ranks) {
  return particles_of(SharedCsvReader(file, name, bunch_columns(), ranks).read(), options, ranks);
}

/// Particles of an SDDS file, of which all ranks read the whole and keep their share.
template <class Read>
beam::ParticleTable read_bunch_sdds(const Read& read, BunchOptions options, const Ranks* ranks) {
  RankErrors errors(ranks);
  SddsBunch bunch;
  errors.run([&] {
    bunch = read();
    keep_own_rows(bunch.table, ranks);
  });
  errors.check();
  if (options.p0 == 0.) options.p0 = bunch.p0;
  auto particles = particles_of(std::move(bunch.table), options, ranks);
  if (bunch.all > 0) particles.particle_charge = bunch.charge / double(bunch.all);
  return particles;
}

/// Replaces the particles of all ranks by the share of one.
inline void keep_own_particles(beam::ParticleTable& table, const Ranks* ranks) {
  const RowsOfRank rows = share_of_rows(std::size_t(table.size()), ranks);
  for (auto& values : table.v) keep_rows(values, rows);
  for (auto& values : table.spin) keep_rows(values, rows);
  keep_rows(table.losses, rows);
  keep_rows(table.ids, rows);
}

/// Particles of `write_openpmd` as they were; none if the file has none, or options ask for another
/// reference particle.
inline std::optional<beam::ParticleTable> own_particles(OpenPmdParticles& from,
                                                        const BunchOptions& options) {
  if (!from.own) return std::nullopt;
  const auto& reference = from.own->reference;
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const bool fits = (options.p0 == 0. || options.p0 == reference.p0) &&
                    (options.path_length == 0. || options.path_length == reference.path_length) &&
                    std::ranges::all_of(from.position[0], is_finite) &&
                    std::ranges::all_of(from.position[1], is_finite);
  return fits ? std::move(from.own) : std::nullopt;
}

/// Particles of an openPMD file, of which all ranks read the whole and keep their share.
inline BunchOfFile read_bunch_openpmd(const std::filesystem::path& path, BunchOptions options,
                                      const Ranks* ranks) {
  RankErrors errors(ranks);
  OpenPmdBunch bunch;
  std::optional<beam::ParticleTable> own;
  std::string species;
  errors.run([&] {
    OpenPmdParticles particles = read_openpmd(path, options.iteration, options.species);
    species = particles.species;
    own = own_particles(particles, options);
    if (own) return keep_own_particles(*own, ranks);
    bunch = OpenPmdBunchReader(path, std::move(particles)).read();
    keep_own_rows(bunch.table, ranks);
  });
  errors.check();
  const auto of_species = [&](beam::ParticleTable table) -> BunchOfFile {
    table.reference.set_particle(rest_energy_of_species(species), charge_of_species(species));
    return {std::move(table), species};
  };
  if (own) return of_species(std::move(*own));
  if (options.p0 == 0.) options.p0 = bunch.p0;
  if (options.path_length == 0.)
    options.path_length = bunch.mean_time * constants::speed_of_light * options.p0 /
                          std::sqrt(1. + options.p0 * options.p0);
  auto particles = particles_of(std::move(bunch.table), options, ranks);
  particles.particle_charge = bunch.particle_charge;
  particles.anomaly = bunch.anomaly;
  return of_species(std::move(particles));
}

}  // namespace detail

TRACKPLEX_INLINE beam::ParticleTable parse_bunch_csv(std::string_view text, const std::string& name,
                                                     const BunchOptions& options) {
  return detail::read_bunch_csv(MemoryInput(std::string(text)), name, options, nullptr);
}

TRACKPLEX_INLINE beam::ParticleTable parse_bunch_sdds(std::string_view bytes,
                                                      const std::string& name,
                                                      const BunchOptions& options) {
  const auto read = [&] {
    SddsReader reader(bytes, name);
    return detail::SddsBunchReader(reader).read();
  };
  return detail::read_bunch_sdds(read, options, nullptr);
}

TRACKPLEX_INLINE BunchOfFile read_bunch_file(const std::filesystem::path& path,
                                             const BunchOptions& options, const Ranks* ranks) {
  const auto kind = detail::kind_of_file(path);
  if (kind == detail::FileKind::hdf5 && on_any(ranks, is_openpmd(path)))
    return detail::read_bunch_openpmd(path, options, ranks);
  if (!options.iteration.empty() || !options.species.empty())
    throw UsageError(path.string(), "only files of openPMD have iterations and species",
                     options.iteration.empty() ? options.species : options.iteration);
  if (kind == detail::FileKind::hdf5)
    return {detail::particles_of(read_table_hdf5(path, "particles", detail::bunch_columns(), ranks),
                                 options, ranks)};
  if (kind == detail::FileKind::sdds) {
    const auto read = [&] {
      SddsFileReader reader(path);
      return detail::SddsBunchReader(*reader).read();
    };
    return {detail::read_bunch_sdds(read, options, ranks)};
  }
  return {detail::read_bunch_csv(*open_shared(path, ranks), path.string(), options, ranks)};
}

TRACKPLEX_INLINE beam::ParticleTable read_bunch(const std::filesystem::path& path,
                                                const BunchOptions& options, const Ranks* ranks) {
  return read_bunch_file(path, options, ranks).particles;
}

TRACKPLEX_INLINE Table bunch_table(const beam::ParticleTable& particles) {
  check_columns(particles);
  Table table = detail::empty_bunch_table(particles.n_lost() > 0, {}, particles.has_spins);
  detail::set_bunch_rows(particles, 0, particles.size(), table);
  return table;
}

TRACKPLEX_INLINE void write_bunch(const std::filesystem::path& path,
                                  const beam::ParticleTable& particles, const Metadata& metadata,
                                  const Ranks* ranks, const std::string& species) {
  if (const auto problem = problem_of_table_name(path); !problem.empty())
    throw UsageError("", problem);
  RankErrors errors(ranks);
  errors.run([&] { check_columns(particles); });
  errors.check();
  const Table empty = detail::empty_bunch_table(on_any(ranks, particles.n_lost() > 0), metadata,
                                                particles.has_spins);
  check_table(empty);
  if (path.extension() == ".sdds")
    return detail::write_bunch_sdds(path, particles, metadata, ranks);
  if (detail::has_openpmd_name(path)) {
    OpenPmdOptions options;
    options.species = species;
    options.metadata = metadata;
    return write_openpmd(path, particles, options, ranks);
  }
#ifdef TRACKPLEX_HAS_HDF5
  if (path.extension() == ".h5") return detail::write_bunch_hdf5(path, empty, particles, ranks);
#endif
  detail::write_bunch_csv(path, empty, particles, ranks);
}

}  // namespace trackplex::io
