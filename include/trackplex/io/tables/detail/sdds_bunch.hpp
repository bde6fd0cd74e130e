// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Particles in SDDS files, with the columns of elegant.

#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shared_file.hpp>
#include <trackplex/io/sdds/sdds_table.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>
#include <trackplex/io/tables/detail/share_of_rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// Column of particles in elegant's files.
struct SddsBunchColumn {
  std::string_view name;        ///< in SDDS files
  std::string_view units;       ///< in SDDS files
  std::string_view bunch_name;  ///< among bunch_columns()
};
inline constexpr std::string_view sdds_momentum_units = "m$be$nc";
/// Columns of a file, at the end those of spins if it has them.
inline std::span<const SddsBunchColumn> sdds_bunch_columns(bool has_spins) {
  static constexpr std::array<SddsBunchColumn, 10> columns{{{"x", "m", "x"},
                                                            {"xp", "", "xp"},
                                                            {"y", "m", "y"},
                                                            {"yp", "", "yp"},
                                                            {"t", "s", "t"},
                                                            {"p", sdds_momentum_units, "p"},
                                                            {"particleID", "", "id"},
                                                            {"Sx", "", "Sx"},
                                                            {"Sy", "", "Sy"},
                                                            {"Sz", "", "Sz"}}};
  return std::span(columns).first(has_spins ? 10 : 7);
}

/// Particles of a file, with what its parameters tell.
struct SddsBunch {
  TableOfFile table;
  double p0 = 0.;       ///< reference momentum; 0: not known
  double charge = 0.;   ///< of all particles, C
  std::size_t all = 0;  ///< number of particles, of which a rank has a share
};

/// Reader of particles: the rows of all pages, which elegant takes as one bunch.
class SddsBunchReader {
 public:
  explicit SddsBunchReader(SddsReader& reader) : reader_(reader) {
    bunch_.table.name = "particles";
    bunch_.table.file = reader.file();
  }

  SddsBunch read() {
    while (auto page = reader_.next()) append(*page);
    if (bunch_.table.columns.empty()) throw InputError({reader_.file()}, "the file has no page");
    bunch_.all = bunch_.table.rows();
    if (const auto p0 = number("pCentral"); p0 && *p0 > 0. && std::isfinite(*p0)) bunch_.p0 = *p0;
    return std::move(bunch_);
  }

 private:
  /// Number that a parameter has in the first page; none if there is no such parameter.
  std::optional<double> number(std::string_view parameter) const {
    const auto found = std::ranges::find(parameters_, parameter, &Column::name);
    if (found == parameters_.end()) return std::nullopt;
    return std::get<std::vector<double>>(found->values).front();
  }

  void append(const SddsPage& page) {
    const auto former = std::exchange(parameters_, numbers_of(page));
    for (const std::string_view name : {"pCentral", "Pass"})
      for (const auto& other : former)
        if (other.name == name && number(name) != std::get<std::vector<double>>(other.values)[0])
          throw InputError({reader_.file(), page.table.name},
                           std::string(name) + " is not that of the page before",
                           "all pages are one bunch", "keep one page");
    if (const auto charge = number("Charge")) {
      if (!(*charge >= 0.) || !std::isfinite(*charge))
        throw InputError({reader_.file(), page.table.name}, "the charge is below 0, or not finite",
                         shortest(*charge) + " C");
      bunch_.charge += *charge;
    }
    for (const auto& column : sdds_bunch_columns(true)) append(page.table, column);
    auto& lines = bunch_.table.lines;
    lines.insert(lines.end(), page.table.lines.begin(), page.table.lines.end());
  }

  /// Parameters that are numbers, as columns of one.
  std::vector<Column> numbers_of(const SddsPage& page) const {
    std::vector<Column> numbers;
    for (std::size_t i = 0; i < page.parameters.size(); ++i)
      std::visit(
          [&]<class T>(const std::vector<T>& list) {
            if constexpr (std::is_arithmetic_v<T>)
              numbers.emplace_back(reader_.header().parameters[i].name, "", ColumnType::float64)
                  .push_back(list.front());
          },
          page.parameters[i]);
    return numbers;
  }

  void append(const TableOfFile& page, const SddsBunchColumn& column) {
    const auto found = std::ranges::find(page.columns, column.name, &Column::name);
    const InputPlace place{page.file};
    if (found == page.columns.end()) {
      if (column.bunch_name == "id" || is_spin(column.bunch_name)) return;
      throw InputError(place, "the column '" + std::string(column.name) + "' is missing", {},
                       "x, xp, y, yp, t and p are needed");
    }
    const auto format = std::ranges::find(bunch_columns(), column.bunch_name, &ColumnFormat::name);
    if (!found->unit.empty() && found->unit != column.units && found->unit != format->unit)
      throw InputError(place, "the column '" + found->name + "' is in [" + found->unit + "]",
                       "expected [" + std::string(column.units) + "]", "convert it");
    Column values = converted(page, *found, *format);
    auto& columns = bunch_.table.columns;
    const auto to = std::ranges::find(columns, values.name, &Column::name);
    if (to == columns.end()) {
      columns.push_back(std::move(values));
    } else {
      std::visit(
          [&]<class T>(std::vector<T>& list) {
            const auto& more = std::get<std::vector<T>>(values.values);
            list.insert(list.end(), more.begin(), more.end());
          },
          to->values);
    }
  }

  SddsReader& reader_;
  SddsBunch bunch_;
  std::vector<Column> parameters_;  ///< of the last page
};

/// Keeps the rows of a rank.
inline void keep_own_rows(TableOfFile& table, const Ranks* ranks) {
  if (!ranks) return;
  const RowsOfRank rows = share_of_rows(table.rows(), ranks);
  for (auto& column : table.columns)
    std::visit([&](auto& list) { keep_rows(list, rows); }, column.values);
  keep_rows(table.lines, rows);
  table.first_row = rows.first;
}

/// Header of a file of particles, and the parameters of its page.
inline std::pair<SddsHeader, SddsPage> sdds_bunch_head(const beam::ParticleTable& particles,
                                                       std::int64_t all, const Metadata& metadata,
                                                       std::optional<int> pass) {
  SddsHeader header{.text = "particles of Trackplex", .contents = "phase space"};
  SddsPage page;
  const auto add = [&](SddsField field, ColumnValues value) {
    header.parameters.push_back(std::move(field));
    page.parameters.push_back(std::move(value));
  };
  using enum SddsType;
  add({"pCentral", float64, std::string(sdds_momentum_units)}, std::vector{particles.reference.p0});
  add({"Charge", float64, "C"}, std::vector{particles.particle_charge * double(all)});
  add({"Particles", SddsType::int64}, std::vector{all});
  if (pass) add({"Pass", int32}, std::vector{std::int64_t(*pass)});
  for (const auto& [key, value] : metadata) add({key, string}, std::vector<std::string>{value});
  for (const auto& column : sdds_bunch_columns(particles.has_spins))
    header.columns.push_back({std::string(column.name),
                              column.bunch_name == "id" ? SddsType::int64 : float64,
                              std::string(column.units)});
  return {header, page};
}

/// Table of those of n particles from `first` on that are not lost.
inline Table sdds_bunch_rows(const beam::ParticleTable& particles, int first, int n) {
  Table table;
  const auto* const losses = particles.losses.data() + first;
  for (const auto& column : sdds_bunch_columns(particles.has_spins)) {
    auto values = bunch_values(particles, column.bunch_name, first, n);
    std::visit(
        [&](auto& list) {
          std::size_t i = 0;
          std::erase_if(list, [&](const auto&) { return losses[i++].element != beam::Loss::none; });
        },
        values);
    table.columns.emplace_back(std::string(column.name), "", ColumnType(values.index())).values =
        std::move(values);
  }
  return table;
}

/// Writes the particles of all ranks that are not lost as binary SDDS; the first rank writes the
/// head.
inline void write_bunch_sdds(const std::filesystem::path& path,
                             const beam::ParticleTable& particles, const Metadata& metadata,
                             const Ranks* ranks, std::optional<int> pass = {}) {
  RankErrors errors(ranks);
  const std::int64_t own = particles.size() - particles.n_lost();
  const std::int64_t all = sum_over(ranks, own), before = sum_before(ranks, own);
  const std::pair<SddsHeader, SddsPage> parts = sdds_bunch_head(particles, all, metadata, pass);
  std::optional<SddsWriter> writer;
  std::string head;
  errors.run([&] {
    writer.emplace(parts.first, SddsFormat{});
    writer->append_header(head);
    writer->append_page_head(head, parts.second, all);
  });
  errors.check();
  const auto file = create_shared(path, ranks);
  errors.run([&] {
    if (!ranks || ranks->rank() == 0) file->write_at(0, std::as_bytes(std::span(head)));
    constexpr int piece = 1 << 14;
    auto offset =
        head.size() + std::uint64_t(before) * 8 * sdds_bunch_columns(particles.has_spins).size();
    for (int first = 0; first < particles.size(); first += piece) {
      std::string rows;
      writer->append_rows(
          rows, sdds_bunch_rows(particles, first, std::min(piece, particles.size() - first)));
      file->write_at(offset, std::as_bytes(std::span(rows)));
      offset += rows.size();
    }
    file->close();
  });
  errors.check();
}

}  // namespace trackplex::io::detail
