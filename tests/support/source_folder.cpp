// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_folder.hpp"

namespace trackplex::test {

std::filesystem::path source_folder() { return TRACKPLEX_SOURCE_DIR; }

}  // namespace trackplex::test
