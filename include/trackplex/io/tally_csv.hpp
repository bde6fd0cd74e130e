// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Distributions as text: lines that begin with # say what it is, then the header
///
///   bin_lo,bin_hi,density,counts
///
/// and one line for each bin, in order, the next one beginning where the last one ends. The density
/// is counts / (all histories x width of the bin). Edges and densities have 12 digits.

#include <trackplex/io/detail/tally_csv_reader.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <filesystem>

namespace trackplex::io {

/// The distribution in a file's text; `name` is for messages.
/// @throws InputError where it is not what the format says, with the line
inline TallyTable parse_tally_csv(std::string_view text, const std::string& name) {
  return detail::TallyCsvReader(text, name).read();
}

/// @throws InputError
inline TallyTable read_tally_csv(const std::filesystem::path& path) {
  return parse_tally_csv(detail::read_text_file(path), path.string());
}

namespace detail {
/// With 12 digits at most: 0.07 instead of 0.07000000000000001.
inline void append_rounded(std::string& text, double value) {
  char digits[32];
  const auto format = std::chars_format::general;
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value, format, 12).ptr);
}
}  // namespace detail

/// A tally on one axis as text. The comment, and how many histories are in all, below and beyond
/// the axis, are its first line.
/// @throws UsageError if the tally has not one axis, or the comment more than one line
inline std::string tally_csv(const montecarlo::TallyView& tally, std::uint64_t histories,
                             const std::string& comment) {
  if (tally.description.axes.size() != 1)
    throw UsageError("tally_csv", "the tally has not one axis", tally.description.name);
  if (comment.find_first_of("\r\n") != comment.npos)
    throw UsageError("tally_csv", "the comment has more than one line");
  std::string text = "# " + comment + (comment.empty() ? "" : "; ") +
                     "histories=" + std::to_string(histories) +
                     "; underflow=" + std::to_string(tally.underflow()) +
                     "; overflow=" + std::to_string(tally.overflow()) + "\n" +
                     std::string(detail::tally_header) + "\n";
  const auto& axis = tally.description.axes.front().range;
  const double per_count =
      histories == 0 ? 0. : axis.bins / ((axis.high - axis.low) * double(histories));
  for (int i = 0; i < axis.bins; ++i) {
    const std::uint64_t count = tally.bins()[std::size_t(i)];
    for (const double value : {axis.edge(i), axis.edge(i + 1), double(count) * per_count}) {
      detail::append_rounded(text, value);
      text += ',';
    }
    detail::append_number(text, count);
    text += '\n';
  }
  return text;
}

/// @throws UsageError as `tally_csv`
/// @throws Error where the file cannot be written
inline void write_tally_csv(const std::filesystem::path& path, const montecarlo::TallyView& tally,
                            std::uint64_t histories, const std::string& comment) {
  detail::write_file(path, tally_csv(tally, histories, comment));
}

}  // namespace trackplex::io
