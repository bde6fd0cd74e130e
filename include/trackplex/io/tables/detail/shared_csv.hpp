// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// CSV files that ranks read together, each a part of the lines.

#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shared_file.hpp>
#include <trackplex/io/tables/detail/csv_lines.hpp>
#include <trackplex/io/tables/detail/share_of_rows.hpp>
#include <trackplex/io/tables/detail/table_csv_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// Reads a table of numbers. With ranks, all of them call it, and each gets its share of the rows,
/// `Share(n, reduce_block, &ranks)`. Errors are those of the first damaged line.
class SharedCsvReader {
 public:
  SharedCsvReader(const SharedInput& file, const std::string& name,
                  std::span<const ColumnFormat> columns, const Ranks* ranks)
      : file_(file), ranks_(ranks), reader_(name, columns), errors_(ranks) {}

  TableOfFile read() {
    errors_.run([&] { read_head(); });
    errors_.check();
    errors_.run([&] { read_own_lines(); });
    const auto lines_before = std::size_t(sum_before(ranks_, std::int64_t(reader_.lines())));
    errors_.run([&] { refuse_damaged(lines_before); });
    errors_.check();
    TableOfFile table = reader_.take();
    for (auto& line : table.lines) line += lines_before;
    if (ranks_) deal_rows(table, *ranks_);
    return table;
  }

 private:
  /// All ranks read the head, and the first one counts its lines.
  void read_head() {
    const TableCsvReader empty = reader_;
    for (std::uint64_t n = 1 << 16; head_ == 0; n *= 2) {
      std::string text(std::size_t(std::min(n, file_.size())), '\0');
      file_.read_at(0, std::as_writable_bytes(std::span(text)));
      reader_ = empty;
      if (n >= file_.size())
        head_ = reader_.read_whole_head(text);
      else
        head_ = reader_.read_head(std::string_view(text).substr(0, text.rfind('\n') + 1));
    }
    if (ranks_ && ranks_->rank() > 0) reader_.set_lines(0);
  }

  /// Reads rows up to the first damaged one.
  void read_own_lines() {
    const std::uint64_t rank = ranks_ ? ranks_->rank() : 0, size = ranks_ ? ranks_->size() : 1;
    const std::uint64_t part = (file_.size() - head_) / size, more = (file_.size() - head_) % size;
    const auto begin = [&](std::uint64_t r) { return head_ + r * part + std::min(r, more); };
    LinesOfPart lines(file_, head_, begin(rank), begin(rank + 1));
    bool is_first = true;
    for (auto text = lines.next(); !text.empty(); text = lines.next(), is_first = false) {
      const std::size_t n_lines = reader_.lines();
      try {
        reader_.read_rows(text);
        if (is_first) reader_.expect(double(begin(rank + 1) - begin(rank)) / double(text.size()));
      } catch (const InputError&) {
        damaged_ = text;
        reader_.set_lines(n_lines);
        return;
      }
    }
  }

  /// Reads the damaged lines again, which tells the number of the line in the file.
  void refuse_damaged(std::size_t lines_before) {
    reader_.set_lines(reader_.lines() + lines_before);
    reader_.read_rows(damaged_);
  }

  const SharedInput& file_;
  const Ranks* ranks_;
  TableCsvReader reader_;
  RankErrors errors_;
  std::uint64_t head_ = 0;  ///< bytes of comments and names
  std::string damaged_;     ///< lines of which one cannot be read
};

}  // namespace trackplex::io::detail
