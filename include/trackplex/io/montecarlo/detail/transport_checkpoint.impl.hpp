// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/montecarlo/detail/transport_checkpoint_reader.hpp>
#include <trackplex/io/montecarlo/detail/transport_checkpoint_writer.hpp>
#include <trackplex/io/montecarlo/transport_checkpoint.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::io {

TRACKPLEX_INLINE std::string transport_checkpoint_text(
    const montecarlo::TransportDescription& description,
    const montecarlo::TransportCounts& counts) {
  return detail::checkpoint_json({description, counts}).dump(1) + "\n";
}

TRACKPLEX_INLINE void write_transport_checkpoint(
    const std::filesystem::path& path, const montecarlo::TransportDescription& description,
    const montecarlo::TransportCounts& counts) {
  replace_file(path, transport_checkpoint_text(description, counts));
}

TRACKPLEX_INLINE TransportCheckpoint parse_transport_checkpoint(std::string_view text,
                                                                const std::string& name) {
  return detail::TransportCheckpointReader(text, name).read();
}

TRACKPLEX_INLINE TransportCheckpoint read_transport_checkpoint(const std::filesystem::path& path) {
  return parse_transport_checkpoint(read_file(path), path.string());
}

TRACKPLEX_INLINE montecarlo::TransportCounts resume_transport(
    const std::filesystem::path& path, const montecarlo::TransportDescription& description) {
  auto checkpoint = read_transport_checkpoint(path);
  detail::check_same_simulation(checkpoint.description, description, path.string());
  return std::move(checkpoint.counts);
}

}  // namespace trackplex::io
