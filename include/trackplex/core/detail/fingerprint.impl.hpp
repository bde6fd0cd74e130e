// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>

#include <cstdio>
#include <string>

namespace trackplex {

TRACKPLEX_INLINE std::string Fingerprint::hex() const {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(state_));
  return text;
}

}  // namespace trackplex
