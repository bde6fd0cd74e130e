// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/bytes.hpp>
#include <trackplex/core/error.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::pipeline {

/// File of the outcomes of events, in event order, from which a killed run is resumed. An outcome
/// is any bytes. The file begins with a description of the run; each record has its number and
/// checksums.
///
/// Outcomes survive the end of the process immediately, and a crash of the system once they are
/// on disk: after at most `sync_interval` while outcomes are added, and when the journal is closed.
/// The file records how much is on disk. Later records that the system has lost are dropped, with
/// all records after them, and so is a record that a kill has cut off: their events are processed
/// again. Any other damage is refused, and so are the journal of another run and a journal in use
/// by another process.
class Journal {
 public:
  static constexpr std::uint32_t version = 2;              ///< Version of the format.
  static constexpr std::chrono::seconds sync_interval{5};  ///< Time from one sync to the next.

  /// Opens the journal, or begins a new one if there is none, or an empty file.
  /// @param path         of the file
  /// @param description  of everything that the outcomes depend on
  /// @throws InputError if it is damaged or belongs to another run, Error if it cannot be written
  Journal(std::filesystem::path path, std::string description)
      : path_(std::move(path)), description_(std::move(description)) {
    while (header_of(description_).size() % sizeof(Mark) != 0) description_ += '\n';
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail("cannot be written");
    try {
      open();
    } catch (...) {
      ::close(file_);
      throw;
    }
  }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  /// Closes the file, once it is on disk.
  ~Journal() {
    try {
      sync();
    } catch (const Error&) {  // what is on disk is known
    }
    ::close(file_);
  }

  /// Number of outcomes in it.
  std::size_t size() const { return n_; }
  /// Bytes at its end that were dropped: from records that were cut off or lost in a crash.
  std::size_t dropped_bytes() const { return dropped_; }

  /// Calls `f(std::span<const std::byte>)` for the outcomes that it contained when it was opened,
  /// in order.
  template <class F>
  void replay(const F& f) const {
    std::uint64_t at = begin_;
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < found_; ++i) {
      read_record(at, i, bytes);
      f(std::span<const std::byte>(bytes));
    }
  }

  /// Appends the outcome of the next event; waits for the disk from time to time.
  /// @throws Error if it cannot be written
  void add(std::span<const std::byte> outcome) {
    Head head{n_, outcome.size(), 0, checksum(outcome, n_)};
    head.check = head.sum();
    ByteWriter record;
    record.add(head).append(outcome);
    write_at(end_, record.bytes());
    end_ += record.bytes().size();
    ++n_;
    if (Clock::now() >= last_sync_ + sync_interval) sync();
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Precedes each outcome.
  struct Head {
    std::uint64_t number, bytes;
    std::uint64_t check;     ///< of this head
    std::uint64_t contents;  ///< checksum of the outcome

    std::uint64_t sum() const {
      const std::uint64_t words[] = {number, bytes, contents};
      return checksum(std::as_bytes(std::span(words)));
    }
  };

  /// After the header: the end of the part that is on disk. The header is a multiple of its size,
  /// so that it lies in one sector and is written completely or not at all.
  struct Mark {
    std::uint64_t synced, check;
  };

  static constexpr char magic[] = "trackplex journal\n";

  void open() {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw Error(path_.string(), "another process uses this journal");
    struct stat status;
    if (::fstat(file_, &status) != 0) fail("cannot be read");
    if (!S_ISREG(status.st_mode)) throw Error(path_.string(), "is no file that can be resumed");
    size_ = std::uint64_t(status.st_size);
    const auto header = header_of(description_);
    end_ = begin_ = header.size() + sizeof(Mark);
    if (!has_header(header) || size_ < begin_) {
      truncate(0);
      write_at(0, header);
      mark(begin_);
      sync();
      return;
    }
    read_mark();
    std::vector<std::byte> bytes;
    while (read_record(end_, found_, bytes)) ++found_;
    n_ = found_;
    dropped_ = std::size_t(size_ - end_);
    if (dropped_ > 0) truncate(end_);
  }

  /// Writes all records to disk.
  void sync() {
    if (::fdatasync(file_) != 0) fail("cannot be written");
    last_sync_ = Clock::now();
    mark(end_);
  }
  void mark(std::uint64_t synced) {
    synced_ = synced;
    const Mark mark{synced, checksum(std::as_bytes(std::span(&synced, 1)))};
    write_at(begin_ - sizeof mark, std::as_bytes(std::span(&mark, 1)));
  }
  void read_mark() {
    Mark mark;
    read_at(begin_ - sizeof mark, std::as_writable_bytes(std::span(&mark, 1)));
    if (mark.check != checksum(std::as_bytes(std::span(&mark.synced, 1))))
      refuse(begin_ - sizeof mark, "the header is damaged");
    synced_ = mark.synced;
  }

  static std::vector<std::byte> header_of(const std::string& description) {
    std::vector<std::byte> header;
    const auto append = [&](const void* data, std::size_t n) {
      const auto* const bytes = static_cast<const std::byte*>(data);
      header.insert(header.end(), bytes, bytes + n);
    };
    const std::uint64_t length = description.size();
    append(magic, sizeof magic - 1);
    append(&version, sizeof version);
    append(&length, sizeof length);
    append(description.data(), description.size());
    const auto sum = checksum(header);
    append(&sum, sizeof sum);
    return header;
  }

  /// Whether the file begins with the header; false: it is empty, or the header was cut off.
  /// @throws InputError if it begins with something else
  bool has_header(const std::vector<std::byte>& header) const {
    std::vector<std::byte> begin(std::size_t(std::min<std::uint64_t>(size_, header.size())));
    read_at(0, begin);
    if (std::equal(begin.begin(), begin.end(), header.begin())) return size_ >= header.size();
    constexpr std::size_t at_version = sizeof magic - 1, at_length = at_version + sizeof version,
                          at_text = at_length + sizeof(std::uint64_t);
    if (begin.size() < at_text || std::memcmp(begin.data(), magic, at_version) != 0)
      refuse(0, "this is no journal");
    std::uint32_t of_file = 0;
    std::memcpy(&of_file, begin.data() + at_version, sizeof of_file);
    if (of_file != version)
      refuse(at_version, "the journal is of another version of the format",
             std::to_string(of_file) + " instead of " + std::to_string(version));
    std::uint64_t length = 0, sum = 0;
    std::memcpy(&length, begin.data() + at_length, sizeof length);
    if (length > size_ || at_text + length + sizeof sum > size_)
      refuse(at_length, "the header is damaged");
    std::vector<std::byte> whole(at_text + std::size_t(length));
    std::vector<std::byte> check(sizeof sum);
    read_at(0, whole);
    read_at(whole.size(), check);
    std::memcpy(&sum, check.data(), sizeof sum);
    if (sum != checksum(whole)) refuse(at_text, "the header is damaged");
    const std::string text(reinterpret_cast<const char*>(whole.data()) + at_text,
                           std::size_t(length));
    std::size_t first = 0;
    while (first < text.size() && first < description_.size() && text[first] == description_[first])
      ++first;
    const auto part = [&](const std::string& of) {
      const auto end_before = of.rfind('\n', first == 0 ? 0 : first - 1);
      const auto from = end_before == std::string::npos ? 0 : end_before + 1;
      const auto line = of.substr(from, std::min(of.find('\n', from), from + 200) - from);
      return line.empty() ? "nothing" : "'" + line + "'";
    };
    refuse(at_text, "the journal is of another run",
           part(text) + " instead of " + part(description_));
  }

  /// Reads the record at an offset and moves the offset past it; false: the file ends before, or
  /// the record was lost.
  /// @throws InputError if it is damaged
  bool read_record(std::uint64_t& at, std::size_t number, std::vector<std::byte>& bytes) const {
    Head head;
    if (size_ - at < sizeof head) return false;
    read_at(at, std::as_writable_bytes(std::span(&head, 1)));
    if (head.check != head.sum() || head.number != number)
      return lost(at, "the head of record " + std::to_string(number) + " is damaged");
    if (size_ - at - sizeof head < head.bytes) return false;
    bytes.resize(std::size_t(head.bytes));
    read_at(at + sizeof head, bytes);
    if (head.contents != checksum(bytes, number))
      return lost(at + sizeof head, "record " + std::to_string(number) + " is damaged");
    at += sizeof head + head.bytes;
    return true;
  }

  /// Returns false for a record that was not on disk.
  bool lost(std::uint64_t at, const std::string& problem) const {
    if (at < synced_) refuse(at, problem);
    return false;
  }

  void read_at(std::uint64_t at, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      const auto n = ::pread(file_, bytes.data(), bytes.size(), off_t(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0)
        throw InputError({path_.string(), {}, {}, at}, "cannot be read", std::strerror(errno));
      bytes = bytes.subspan(std::size_t(n));
      at += std::uint64_t(n);
    }
  }
  void write_at(std::uint64_t at, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const auto n = ::pwrite(file_, bytes.data(), bytes.size(), off_t(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("cannot be written");
      bytes = bytes.subspan(std::size_t(n));
      at += std::uint64_t(n);
    }
  }
  void truncate(std::uint64_t size) const {
    if (::ftruncate(file_, off_t(size)) != 0) fail("cannot be written");
  }

  [[noreturn]] void refuse(std::uint64_t offset, const std::string& problem,
                           const std::string& why = {}) const {
    throw InputError({path_.string(), {}, {}, std::size_t(offset)}, problem, why,
                     "name another file, or remove it to begin anew");
  }
  [[noreturn]] void fail(const char* problem) const {
    throw Error(path_.string(), problem, std::strerror(errno));
  }

  std::filesystem::path path_;
  std::string description_;
  int file_ = -1;
  std::uint64_t size_ = 0;             ///< bytes, when it was opened
  std::uint64_t begin_ = 0, end_ = 0;  ///< of the records
  std::uint64_t synced_ = 0;           ///< end of the part that is on disk
  Clock::time_point last_sync_ = Clock::now();
  std::size_t found_ = 0, n_ = 0, dropped_ = 0;
};

}  // namespace trackplex::pipeline
