// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <type_traits>

namespace trackplex::test {

/// 64-bit FNV-1a over the bytes of what it is fed: the fingerprint of a complete output.
class Hash {
 public:
  template <class T>
    requires(std::is_arithmetic_v<T>)
  Hash& add(const T& value) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof(T); ++i) state_ = (state_ ^ bytes[i]) * 0x100000001b3u;
    return *this;
  }
  template <class Range>
    requires(!std::is_arithmetic_v<Range>)
  Hash& add(const Range& values) {
    add(std::uint64_t(std::size(values)));
    for (const auto& value : values) add(value);
    return *this;
  }

  std::string hex() const {
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(state_));
    return text;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace trackplex::test
