// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

static_assert(std::endian::native == std::endian::little,
              "Binary files are read and written as they are: little endian.");

/// Numbers of a binary file, one after the other; never past its end.
class ByteReader {
 public:
  /// `field` is the part of the file that `bytes` are, `first` the byte of the file where they
  /// begin; both are for messages.
  ByteReader(std::string_view bytes, std::string name, std::string field = {},
             std::size_t first = 0)
      : bytes_(bytes), name_(std::move(name)), field_(std::move(field)), first_(first) {}

  const std::string& name() const { return name_; }
  std::size_t offset() const { return offset_; }
  std::size_t left() const { return bytes_.size() - offset_; }

  /// The place `at` in these bytes, of a part `what` of them.
  InputPlace place(std::size_t at, std::string_view what = {},
                   std::optional<std::size_t> index = {}) const {
    std::string field = field_;
    if (!field.empty() && !what.empty()) field.append(": ");
    return {name_, field.append(what), index, first_ + at};
  }

  template <class T>
  T read() {
    T value;
    require(sizeof(T));
    std::memcpy(&value, bytes_.data() + offset_, sizeof(T));
    offset_ += sizeof(T);
    return value;
  }

  template <class T, std::size_t N>
  void read_all(T (&values)[N]) {
    require(sizeof values);
    std::memcpy(values, bytes_.data() + offset_, sizeof values);
    offset_ += sizeof values;
  }

  template <class T, std::size_t N>
  void read_all(std::array<T, N>& values) {
    require(sizeof values);
    std::memcpy(values.data(), bytes_.data() + offset_, sizeof values);
    offset_ += sizeof values;
  }
  /// Gives `values` the next n numbers.
  template <class T>
  void read_all(std::vector<T>& values, std::size_t n) {
    constexpr std::size_t limit = std::numeric_limits<std::size_t>::max();
    require(n <= limit / sizeof(T) ? n * sizeof(T) : limit);
    values.resize(n);
    if (n > 0) std::memcpy(values.data(), bytes_.data() + offset_, n * sizeof(T));
    offset_ += n * sizeof(T);
  }

  /// The next n bytes, as they are; they live as long as the file's.
  std::string_view read_bytes(std::size_t n) {
    require(n);
    offset_ += n;
    return bytes_.substr(offset_ - n, n);
  }

  void skip(std::size_t n) {
    require(n);
    offset_ += n;
  }

  /// @throws InputError if anything follows `last`
  void expect_end(std::string_view last) const {
    if (left() > 0)
      throw InputError(place(offset_),
                       std::to_string(left()).append(" bytes follow ").append(last));
  }

  /// A number of things of at least `bytes_each`, as many as the file can hold.
  std::size_t read_count(const char* what, std::size_t bytes_each) {
    const std::size_t at = offset_;
    const auto count = read<std::int32_t>();
    if (count < 0 || std::size_t(count) > left() / bytes_each)
      throw InputError(place(at, what), "their number is " + std::to_string(count),
                       std::to_string(left()) + " bytes are left",
                       "the file is damaged, or of another format");
    return std::size_t(count);
  }

 private:
  void require(std::size_t n) const {
    if (n > left())
      throw InputError(
          place(offset_), "the file ends too early",
          std::to_string(n) + " bytes are wanted, " + std::to_string(left()) + " are left");
  }

  std::string_view bytes_;
  std::string name_;
  std::string field_;
  std::size_t first_;
  std::size_t offset_ = 0;
};

/// Numbers for a binary file.
class ByteWriter {
 public:
  template <class T>
  void append(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class T, std::size_t N>
  void append_all(const T (&values)[N]) {
    bytes_.append(reinterpret_cast<const char*>(values), sizeof values);
  }
  template <class T, std::size_t N>
  void append_all(const std::array<T, N>& values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), sizeof values);
  }
  template <class T>
  void append_all(const std::vector<T>& values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void append_bytes(std::string_view bytes) { bytes_.append(bytes); }
  void append_count(std::size_t count) {
    if (count > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw CapacityError("binary file", "things", count,
                          std::size_t(std::numeric_limits<std::int32_t>::max()));
    append(std::int32_t(count));
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace trackplex::io::detail
