// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Writers of bunches in pieces, each rank those of its particles.

#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shared_file.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/hdf5_reader.hpp>
#include <trackplex/hdf5/hdf5_writer.hpp>
#include <trackplex/io/tables/detail/hdf5_types.hpp>
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

/// Writes the particles of all ranks as HDF5: the first one writes, and gets the rows of the others
/// in slabs.
class BunchHdf5Writer {
 public:
  /// A slab has some chunks of a column, which are sent and written at once.
  BunchHdf5Writer(const beam::ParticleTable& particles, const Ranks* ranks,
                  int chunks_of_slab = 128)
      : particles_(particles),
        own_(gather_share(particles.size(), ranks)),
        slab_(std::int64_t(hdf5::Writer::chunk_rows) * chunks_of_slab),
        errors_(ranks) {}

  void write(const std::filesystem::path& path, const Table& empty) {
    hdf5::Handle group;
    on_first([&] {
      file_.emplace(path);
      for (const auto& [key, value] : empty.metadata) file_->set_attribute(key, value);
      group = file_->create_group(empty.name);
    });
    errors_.check();
    for (const auto& column : empty.columns) {
      std::visit([&]<class T>(const std::vector<T>&) { write<T>(column, group); }, column.values);
      errors_.check();
    }
    on_first([&] {
      group.close();
      file_->finish();
    });
    errors_.check();
  }

 private:
  template <class F>
  void on_first(const F& f) {
    if (!own_.ranks || own_.ranks->rank() == 0) errors_.run(f);
  }

  template <class T>
  void write(const Column& column, hid_t group) {
    hdf5::Handle to;
    if constexpr (std::is_arithmetic_v<T>) {
      on_first([&] {
        to = file_->create_column(group, column.name, file_type<T>(), std::size_t(own_.all));
      });
      for (std::int64_t row = 0; row < own_.all; row += slab_) {
        const auto values = gather_slab<T>(column.name, row);
        on_first([&] {
          file_->write_rows(to, hdf5::Reader::memory_type<T>(), values.data(), std::size_t(row),
                            values.size());
        });
      }
      on_first([&] {
        if (!column.unit.empty()) file_->set_attribute("unit", column.unit, to);
      });
    }
  }

  /// The values of a slab from row `row` on, on the first rank.
  template <class T>
  std::vector<T> gather_slab(const std::string& column, std::int64_t row) const {
    const std::int64_t begin = std::clamp<std::int64_t>(row - own_.first, 0, own_.n),
                       end = std::clamp<std::int64_t>(row + slab_ - own_.first, 0, own_.n);
    auto values =
        std::get<std::vector<T>>(bunch_values(particles_, column, int(begin), int(end - begin)));
    if (!own_.ranks) return values;
    std::vector<std::size_t> begins(std::size_t(own_.ranks->size()) + 1, values.size());
    begins[0] = 0;
    return exchange(*own_.ranks, std::span<const T>(values), begins);
  }

  const beam::ParticleTable& particles_;
  Share own_;
  std::int64_t slab_;
  RankErrors errors_;
  std::optional<hdf5::Writer> file_;
};

#endif

}  // namespace trackplex::io::detail
