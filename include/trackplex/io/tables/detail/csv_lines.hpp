// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shared_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// The lines of a text file that begin in a part of it, in pieces.
class LinesOfPart {
 public:
  /// Bytes that are read at once.
  static constexpr std::size_t piece = std::size_t(1) << 22;

  /// Of the lines that begin at bytes from `begin` to before `end`; one begins at `start`, before
  /// or at `begin`.
  LinesOfPart(const SharedInput& file, std::uint64_t start, std::uint64_t begin, std::uint64_t end)
      : file_(file), at_(begin), end_(end) {
    if (begin > start) skip_line();
  }

  /// Reads further lines, each as a whole; empty: there are no more. The text is valid until the
  /// next call.
  std::string_view next() {
    text_.erase(0, used_);
    used_ = text_.rfind('\n') + 1;  // 0: none
    while (used_ == 0 && at_ < end_) {
      read(end_);
      used_ = text_.rfind('\n') + 1;
    }
    if (at_ >= end_ && used_ < text_.size()) read_to_end_of_line();
    return std::string_view(text_).substr(0, used_);
  }

 private:
  /// Reads a piece, up to a byte.
  void read(std::uint64_t end) {
    const auto n = std::size_t(std::min<std::uint64_t>(piece, end - at_));
    text_.resize(text_.size() + n);
    file_.read_at(at_, std::as_writable_bytes(std::span(text_)).last(n));
    at_ += n;
  }

  /// The part begins inside of a line, or behind the end of one.
  void skip_line() {
    --at_;
    std::size_t newline = text_.npos;
    while (newline == text_.npos && at_ < end_) {
      text_.clear();
      read(end_);
      newline = text_.find('\n');
    }
    used_ = std::min(newline, text_.size() - 1) + 1;
  }

  /// The last line ends behind the part.
  void read_to_end_of_line() {
    std::size_t newline = text_.npos;
    while (newline == text_.npos && at_ < file_.size()) {
      const std::size_t before = text_.size();
      read(std::min<std::uint64_t>(at_ + max_line, file_.size()));
      newline = text_.find('\n', before);
    }
    text_.resize(std::min(newline, text_.size() - 1) + 1);
    used_ = text_.size();
  }

  static constexpr std::size_t max_line = 4096;  // of most files

  const SharedInput& file_;
  std::uint64_t at_, end_;  ///< next byte, and the end of the part
  std::string text_;
  std::size_t used_ = 0;  ///< of the text
};

}  // namespace trackplex::io::detail
