// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/display_file.hpp>

#include <filesystem>
#include <system_error>

namespace trackplex::program {

void add_display_options(OptionGroup output, DisplayOptions& options) {
  output.number("--display", options.event, "I", 0, max_count,
                "Add a plot of event I, from 0, to the report");
  output.output("--event-display", options.file,
                "Write all events, or that of --display, as .json for scripts/show_event, and the "
                "detector beside it as .gltf",
                {".json"});
}

DisplayFile::DisplayFile(const DisplayOptions& options) : options_(options) {
  if (!options.file.empty()) file_.emplace(options.file);
}

DisplayFile::~DisplayFile() {
  if (!file_) return;
  file_.reset();
  std::error_code error;
  if (std::filesystem::is_regular_file(options_.file, error))  // not a pipe or a device
    std::filesystem::remove(options_.file, error);
}

void DisplayFile::finish(Program& program, const std::string& detector,
                         const std::function<std::vector<io::GltfMesh>()>& frames) {
  if (!file_ || (options_.event && is_empty_)) return;
  file_->finish();
  if (file_->left_out() > 0)
    program.warn("{} tracks of fewer than two points are not in the event display",
                 file_->left_out());
  file_.reset();
  std::filesystem::path path = options_.file;
  if (path.extension() == ".json")
    io::write_gltf(path.replace_extension(".gltf"), detector, frames());
}

}  // namespace trackplex::program
