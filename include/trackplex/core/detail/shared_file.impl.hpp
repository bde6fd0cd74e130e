// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/core/shared_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace trackplex {

namespace detail {
/// File that one process writes from the beginning.
class PlainOutput : public SharedOutput {
 public:
  explicit PlainOutput(const std::filesystem::path& path) : file_(path) {}
  void write_at(std::uint64_t, std::span<const std::byte> bytes) override {
    file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  void close() override { file_.close(); }

 private:
  OutputFile file_;
};
}  // namespace detail

TRACKPLEX_INLINE void MemoryInput::read_at(std::uint64_t offset, std::span<std::byte> to) const {
  const auto from = std::string_view(bytes_).substr(offset, to.size());
  if (from.size() < to.size()) throw InputError({"bytes"}, "they end too early");
  if (!to.empty()) std::memcpy(to.data(), from.data(), to.size());
}

TRACKPLEX_INLINE std::unique_ptr<SharedInput> open_shared(const std::filesystem::path& path,
                                                          const Ranks* ranks) {
  if (ranks) return ranks->open_file(path);
  return std::make_unique<MemoryInput>(read_file(path));
}

TRACKPLEX_INLINE std::unique_ptr<SharedOutput> create_shared(const std::filesystem::path& path,
                                                             const Ranks* ranks) {
  if (ranks) return ranks->create_file(path);
  return std::make_unique<detail::PlainOutput>(path);
}

}  // namespace trackplex
