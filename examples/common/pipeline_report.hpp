// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/table.hpp>
#include <trackplex/pipeline/statistics.hpp>

#include <cstddef>
#include <span>
#include <string>

/// @file
/// Report of a run of the pipeline as JSON, and this as text.

namespace trackplex::program {

/// "256 MiB", "1.5 GiB", "17 B": about, with three digits.
std::string byte_size_text(std::size_t bytes);

/// "end_of_input", ...
const char* ending_name(pipeline::Ending ending);

/// Everything, with all failures. Times are in seconds, and of algorithms in microseconds per event
/// of all that they worked on; memory is in bytes.
Json pipeline_json(const pipeline::Statistics& statistics,
                   std::span<const pipeline::Failure> failures);

/// A line each for the first failures, and how many more there are; empty where none.
std::string failures_text(std::span<const pipeline::Failure> failures, std::size_t shown = 5);

/// A summary and the tables of threads and algorithms.
std::string pipeline_text(const Json& pipeline);

}  // namespace trackplex::program
