// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Distributions as tables, in CSV, HDF5 or SDDS, with the columns
///
///   bin_lo, bin_hi, density, counts
///
/// and one row for each bin, in ascending order without gaps. The density is counts / (number of
/// histories * bin width). Metadata describe the distribution and its unit.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Distribution of a file: one entry for each bin.
struct TallyTable {
  Metadata metadata;        ///< description; a comment that is no `key: value` has an empty key
  std::vector<double> low,  ///< lower edges of the bins
      high,                 ///< upper edges of the bins
      density;              ///< probability densities, per unit of the axis
  std::vector<std::uint64_t> counts;  ///< histories in each bin

  /// Returns the number of bins.
  std::size_t size() const { return counts.size(); }
};

/// Parses the distribution in the text of a CSV file; `name` is for messages.
/// @throws InputError if a column is missing or unknown, there are no bins, bins are empty, have
/// gaps (of more than 1e-6 of their width) or overlap, or a value is negative; with line and column
TallyTable parse_tally_csv(std::string_view text, const std::string& name);

/// Reads the distribution of a .csv, .h5 or .sdds file; in HDF5, that of the table `tally`.
/// @throws InputError as parse_tally_csv(); UsageError for an .h5 file if the build has no HDF5
TallyTable read_tally(const std::filesystem::path& path, const std::string& tally);

/// Converts a tally with one axis to a table of its name. The number of histories, and those below
/// and above the axis, are appended to the metadata as `histories`, `underflow` and `overflow`.
/// @throws UsageError if the tally has several axes
Table tally_table(const montecarlo::TallyView& tally, std::uint64_t histories,
                  const Metadata& metadata);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/tally_table.impl.hpp>
#endif
