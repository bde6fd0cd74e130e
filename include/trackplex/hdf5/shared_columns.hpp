// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Columns of HDF5 files that ranks write together.

#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/hdf5/hdf5_writer.hpp>
#include <trackplex/hdf5/number_types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::hdf5 {

/// File of columns that have rows of all ranks: the first rank writes, and gets the rows of the
/// others in slabs. The bytes do not depend on ranks. All ranks call all members in the same order,
/// and an error on one is an error on all.
class SharedColumns {
 public:
  /// `own_rows`: number of rows of this rank, after those of the ranks before it. A slab has some
  /// chunks of a column, which are sent and written at once.
  SharedColumns(int own_rows, const Ranks* ranks, int chunks_of_slab = 128)
      : own_(gather_share(own_rows, ranks)),
        slab_(std::int64_t(Writer::chunk_rows) * chunks_of_slab),
        errors_(ranks) {}

  /// Returns the number of rows of all ranks.
  std::int64_t rows() const { return own_.all; }

  /// Creates or opens the file. @throws Error as Writer
  void create(const std::filesystem::path& path, Writer::Mode mode = Writer::Mode::replace) {
    on_first([&] { file_.emplace(path, mode); });
  }
  /// Calls f(const Writer&) on the first rank. @throws what f throws, on all ranks
  template <class F>
  void write(const F& f) {
    on_first([&] { f(std::as_const(*file_)); });
  }
  /// Writes a column into a group, which is open on the first rank; `values(first, n)` returns a
  /// std::vector of n rows of this rank. Calls set_attributes(const Writer&, hid_t column) there.
  template <class Values, class Attributes>
  void write_column(hid_t group, const std::string& name, const Values& values,
                    const Attributes& set_attributes) {
    using Number = typename decltype(values(0, 0))::value_type;
    Handle column;
    on_first([&] {
      column = file_->create_column(group, name, file_type<Number>(), std::size_t(own_.all));
    });
    for (std::int64_t row = 0; row < own_.all; row += slab_) {
      const std::vector<Number> slab = gather_slab<Number>(values, row);
      on_first([&] {
        file_->write_rows(column, memory_type<Number>(), slab.data(), std::size_t(row),
                          slab.size());
      });
    }
    on_first([&] { set_attributes(std::as_const(*file_), hid_t(column)); });
  }
  /// Closes the file, of which everything else is closed. @throws Error as Writer::finish()
  void finish() {
    on_first([&] { file_->finish(); });
  }

 private:
  template <class F>
  void on_first(const F& f) {
    if (!own_.ranks || own_.ranks->rank() == 0) errors_.run(f);
    errors_.check();
  }

  /// The values of a slab from row `row` on, on the first rank.
  template <class Number, class Values>
  std::vector<Number> gather_slab(const Values& values, std::int64_t row) const {
    const std::int64_t begin = std::clamp<std::int64_t>(row - own_.first, 0, own_.n),
                       end = std::clamp<std::int64_t>(row + slab_ - own_.first, 0, own_.n);
    auto own = values(int(begin), int(end - begin));
    if (!own_.ranks) return own;
    std::vector<std::size_t> begins(std::size_t(own_.ranks->size()) + 1, own.size());
    begins[0] = 0;
    return exchange(*own_.ranks, std::span<const Number>(own), begins);
  }

  Share own_;
  std::int64_t slab_;
  RankErrors errors_;
  std::optional<Writer> file_;
};

}  // namespace trackplex::hdf5
