// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/enabled_spaces.hpp>

namespace trackplex::test {

/// The execution spaces of this build, for `TEMPLATE_LIST_TEST_CASE`: one source tests them all.
using trackplex::EnabledSpaces;

}  // namespace trackplex::test
