// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files that the ranks of a group read and write together, each rank its own parts. Without
/// ranks they are plain files.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace trackplex {

/// File for reading.
class SharedInput {
 public:
  virtual ~SharedInput() = default;

  virtual std::uint64_t size() const = 0;  ///< Number of bytes.
  /// Reads bytes from `offset` on, as many as `to` has; each rank calls it by itself.
  /// @throws Error if they cannot be read
  virtual void read_at(std::uint64_t offset, std::span<std::byte> to) const = 0;
};

/// File for writing.
class SharedOutput {
 public:
  virtual ~SharedOutput() = default;

  /// Writes bytes from `offset` on; each rank calls it by itself, in the order of offsets, for
  /// bytes that no other rank writes.
  /// @throws Error if they cannot be written
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Writes everything out and closes the file, which is complete when all ranks have closed it.
  /// @throws Error if something could not be written
  virtual void close() = 0;
};

/// Bytes in memory as a file.
class MemoryInput : public SharedInput {
 public:
  explicit MemoryInput(std::string bytes) : bytes_(std::move(bytes)) {}  ///< File with these bytes.

  std::uint64_t size() const override { return bytes_.size(); }
  void read_at(std::uint64_t offset, std::span<std::byte> to) const override;

 private:
  std::string bytes_;
};

/// Opens a file on all ranks; without ranks, reads it (see `read_file`).
/// @throws InputError if a process cannot open or read it
std::unique_ptr<SharedInput> open_shared(const std::filesystem::path& path, const Ranks* ranks);

/// Creates a file on all ranks, or empties an existing one; without ranks, bytes must be written in
/// order (see `OutputFile`).
/// @throws Error if it cannot be created
std::unique_ptr<SharedOutput> create_shared(const std::filesystem::path& path, const Ranks* ranks);

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/shared_file.impl.hpp>
#endif
