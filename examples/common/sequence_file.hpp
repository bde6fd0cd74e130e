// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>

#include <span>
#include <string>
#include <vector>

/// @file
/// Which algorithms a sequence runs, in a file: `{"sequence": ["stage_hits", "sort_by_phi", ...]}`.

namespace trackplex::program {

/// The names in the text of such a file; `file` is its name, for messages.
/// @throws InputError with the place where it is something else
std::vector<std::string> parse_sequence(const std::string& text, const std::string& file);

/// @throws InputError where the file cannot be read or is no such file
std::vector<std::string> read_sequence_file(const std::string& path);

/// A file that parse_sequence() reads.
std::string sequence_file_text(std::span<const std::string> names);

/// A table of the compiled steps with what each reads and makes, and the default order as a file to
/// start from.
std::string listing_text(const SequenceListing& listing);

}  // namespace trackplex::program
