// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>

namespace trackplex::test {

/// The folder of the project's sources. A function, since a macro in the command line of each test
/// would keep ccache from using in one checkout what it has from another.
std::filesystem::path source_folder();

}  // namespace trackplex::test
