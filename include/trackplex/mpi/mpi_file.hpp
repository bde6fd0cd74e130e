// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files that ranks read and write together, with MPI's file functions. Each rank opens a file by
/// itself and writes parts that no other rank writes, so that no rank waits for another.

#include <trackplex/core/shared_file.hpp>
#include <trackplex/mpi/mpi_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace trackplex::mpi {

namespace detail {

/// An open MPI file. Errors name the rank in a communicator, the call and the file.
class File {
 public:
  File(MPI_Comm communicator, const std::filesystem::path& path, int mode)
      : communicator_(communicator), name_(path.string()) {
    check(MPI_File_open(MPI_COMM_SELF, name_.c_str(), mode, MPI_INFO_NULL, &file_),
          "MPI_File_open");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    int is_ended = 0;
    MPI_Finalized(&is_ended);
    if (file_ != MPI_FILE_NULL && !is_ended) MPI_File_close(&file_);
  }

  std::uint64_t size() const {
    MPI_Offset n = 0;
    check(MPI_File_get_size(file_, &n), "MPI_File_get_size");
    return std::uint64_t(n);
  }

  /// Calls MPI_File_read_at or MPI_File_write_at for parts that MPI can count.
  template <class Access, class Byte>
  void in_pieces(Access access, const char* call, std::uint64_t offset,
                 std::span<Byte> bytes) const {
    constexpr std::size_t max_piece = std::size_t(1) << 30;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(max_piece, bytes.size()))) {
      const int n = int(std::min(max_piece, bytes.size()));
      MPI_Status status;
      int n_done = 0;
      check(access(file_, MPI_Offset(offset), bytes.data(), n, MPI_BYTE, &status), call);
      check(MPI_Get_count(&status, MPI_BYTE, &n_done), call);
      if (n_done != n) throw Error(name_, "ends too early", call);
      offset += std::uint64_t(n);
    }
  }

  void close() {
    check(MPI_File_sync(file_), "MPI_File_sync");
    check(MPI_File_close(&file_), "MPI_File_close");
  }

 private:
  void check(int code, const std::string& call) const {
    detail::check(code, (call + " of '" + name_ + "'").c_str(), communicator_);
  }

  MPI_Comm communicator_;
  std::string name_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace detail

/// File for reading, open on a rank.
class InputFile : public SharedInput {
 public:
  /// Opens a file.
  /// @throws Error with rank, call and file
  InputFile(MPI_Comm communicator, const std::filesystem::path& path)
      : file_(communicator, path, MPI_MODE_RDONLY), size_(file_.size()) {}

  std::uint64_t size() const override { return size_; }
  void read_at(std::uint64_t offset, std::span<std::byte> to) const override {
    file_.in_pieces(MPI_File_read_at, "MPI_File_read_at", offset, to);
  }

 private:
  detail::File file_;
  std::uint64_t size_;
};

/// File for writing, open on a rank.
class OutputFile : public SharedOutput {
 public:
  /// Opens a file, or creates it.
  /// @throws Error with rank, call and file
  OutputFile(MPI_Comm communicator, const std::filesystem::path& path)
      : file_(communicator, path, MPI_MODE_WRONLY | MPI_MODE_CREATE) {}

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    file_.in_pieces(MPI_File_write_at, "MPI_File_write_at", offset, bytes);
  }
  void close() override { file_.close(); }

 private:
  detail::File file_;
};

}  // namespace trackplex::mpi
