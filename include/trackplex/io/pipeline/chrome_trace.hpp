// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/trace.hpp>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace trackplex::io {

/// Returns a trace in Chrome's trace event format, for chrome://tracing and Perfetto: one process,
/// a thread for each lane, complete events ("X") with times in microseconds. `program` names the
/// process.
nlohmann::ordered_json chrome_trace(const Trace& trace, const std::string& program);

/// Writes a trace to a file in that format.
/// @throws Error if the file cannot be written
void write_chrome_trace(const std::filesystem::path& file, const Trace& trace,
                        const std::string& program);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/pipeline/detail/chrome_trace.impl.hpp>
#endif
