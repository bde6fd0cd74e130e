// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/options.hpp>
#include <common/program.hpp>
#include <trackplex/io/display/display_event.hpp>
#include <trackplex/io/display/gltf_file.hpp>
#include <trackplex/io/display/phoenix_file.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::program {

/// What the options --display and --event-display ask for.
struct DisplayOptions {
  std::optional<std::size_t> event;  ///< number of the event to draw
  std::string file;                  ///< file for an event display; empty: none
};

void add_display_options(OptionGroup output, DisplayOptions& options);

/// The file of --event-display: all events, or that of --display. The frames of the detector go
/// beside it, with the ending .gltf. Without `finish`, or the event of --display, no file is left.
class DisplayFile {
 public:
  explicit DisplayFile(const DisplayOptions& options);
  DisplayFile(const DisplayFile&) = delete;
  DisplayFile& operator=(const DisplayFile&) = delete;
  ~DisplayFile();

  /// Whether the event of this number, from 0, belongs there.
  bool takes(std::size_t number) const {
    return file_ && number == options_.event.value_or(number);
  }
  void add(const io::DisplayEvent& event) {
    file_->add(event);
    is_empty_ = false;
  }

  /// Ends the file and writes what `frames()` returns, which is called only then. Warns of tracks
  /// that have no line.
  void finish(Program& program, const std::string& detector,
              const std::function<std::vector<io::GltfMesh>()>& frames);

 private:
  DisplayOptions options_;
  std::optional<io::PhoenixFile> file_;
  bool is_empty_ = true;
};

}  // namespace trackplex::program
