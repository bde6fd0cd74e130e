// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and fits tracks: in any detector of modules or, as kalman_fit and cylinder_tracker, in one
// of cylinders. These names are links to the program, or its first argument.
#include "modes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace detector_tracker {

std::string is_a_mode(const std::string& name) {
  return fmt::format(
      "A mode of detector_tracker: {0} is a link to it, the same as detector_tracker {0}.", name);
}

}  // namespace detector_tracker

int main(int argc, char* argv[]) {
  struct Mode {
    std::string_view name;
    int (*main)(int, char*[]);
  };
  constexpr Mode modes[] = {{"kalman_fit", detector_tracker::kalman_fit},
                            {"cylinder_tracker", detector_tracker::cylinder_tracker}};
  for (const auto& [name, mode] : modes) {
    if (argc > 0 && std::filesystem::path(argv[0]).filename() == name) return mode(argc, argv);
    if (argc > 1 && argv[1] == name) return mode(argc - 1, argv + 1);
  }
  return detector_tracker::detectors(argc, argv);
}
