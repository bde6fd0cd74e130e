// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Writers of bunches in pieces, each rank those of its particles.

#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shared_file.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/shared_columns.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// Rows of particles as CSV, in pieces of bounded memory.
class BunchText {
 public:
  /// Pieces are kept from the first pass to the second, up to some bytes.
  BunchText(const beam::ParticleTable& particles, const Table& empty,
            std::size_t max_kept = std::size_t(256) << 20)
      : particles_(particles), rows_(empty), max_kept_(max_kept) {}

  /// Calls f(text) for the pieces in their order.
  template <class F>
  void for_each_piece(const F& f) {
    constexpr int piece = 1 << 14;
    std::size_t i = 0;
    for (int first = 0; first < particles_.size(); ++i) {
      const int n = std::min(piece, particles_.size() - first);
      if (i < kept_.size())
        f(kept_[i]);
      else
        f(text_of(first, n));
      first += n;
    }
  }

  /// Number of bytes. Keeps the first pieces, which need not be formatted again.
  std::size_t count_bytes() {
    std::size_t bytes = 0;
    std::vector<std::string> kept;
    for_each_piece([&](const std::string& text) {
      bytes += text.size();
      if (bytes <= max_kept_) kept.push_back(text);
    });
    kept_ = std::move(kept);
    return bytes;
  }

 private:
  std::string text_of(int first, int n) {
    set_bunch_rows(particles_, first, n, rows_);
    return csv_rows(rows_);
  }

  const beam::ParticleTable& particles_;
  Table rows_;
  std::size_t max_kept_;
  std::vector<std::string> kept_;
};

/// Writes the particles of all ranks as CSV; the first one writes the head.
inline void write_bunch_csv(const std::filesystem::path& path, const Table& empty,
                            const beam::ParticleTable& particles, const Ranks* ranks) {
  const auto file = create_shared(path, ranks);
  const std::string head = csv_head(empty);
  BunchText text(particles, empty);
  RankErrors errors(ranks);
  std::size_t n_bytes = 0;
  errors.run([&] {
    if (ranks) n_bytes = text.count_bytes();
  });
  auto offset = head.size() + std::uint64_t(sum_before(ranks, std::int64_t(n_bytes)));
  errors.run([&] {
    if (!ranks || ranks->rank() == 0) file->write_at(0, std::as_bytes(std::span(head)));
    text.for_each_piece([&](const std::string& piece) {
      file->write_at(offset, std::as_bytes(std::span(piece)));
      offset += piece.size();
    });
    file->close();
  });
  errors.check();
}

#ifdef TRACKPLEX_HAS_HDF5

/// Writes the particles of all ranks as a table of an HDF5 file.
inline void write_bunch_hdf5(const std::filesystem::path& path, const Table& empty,
                             const beam::ParticleTable& particles, const Ranks* ranks,
                             int chunks_of_slab = 128) {
  hdf5::SharedColumns file(particles.size(), ranks, chunks_of_slab);
  file.create(path);
  hdf5::Handle group;
  file.write([&](const hdf5::Writer& to) {
    for (const auto& [key, value] : empty.metadata) to.set_attribute(key, value);
    group = to.create_group(empty.name);
  });
  const auto write = [&]<class T>(const Column& column, const std::vector<T>&) {
    if constexpr (std::is_arithmetic_v<T>)
      file.write_column(
          group, column.name,
          [&](int first, int n) {
            return std::get<std::vector<T>>(bunch_values(particles, column.name, first, n));
          },
          [&](const hdf5::Writer& to, hid_t written) {
            if (!column.unit.empty()) to.set_attribute("unit", column.unit, written);
          });
  };
  for (const auto& column : empty.columns)
    std::visit([&](const auto& values) { write(column, values); }, column.values);
  group.close();
  file.finish();
}

#endif

}  // namespace trackplex::io::detail
