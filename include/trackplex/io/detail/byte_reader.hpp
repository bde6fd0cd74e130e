// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

static_assert(std::endian::native == std::endian::little,
              "Binary files are read and written as they are: little endian.");

/// Numbers of a binary file, one after the other; never past its end.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::size_t offset() const { return offset_; }
  std::size_t left() const { return bytes_.size() - offset_; }

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

  void skip(std::size_t n) {
    require(n);
    offset_ += n;
  }

  /// A number of things of at least `bytes_each`, as many as the file can hold.
  std::size_t read_count(const char* what, std::size_t bytes_each) {
    const std::size_t at = offset_;
    const auto count = read<std::int32_t>();
    if (count < 0 || std::size_t(count) > left() / bytes_each)
      throw InputError({name_, what, {}, at}, "their number is " + std::to_string(count),
                       std::to_string(left()) + " bytes are left",
                       "the file is damaged, or of another format");
    return std::size_t(count);
  }

 private:
  void require(std::size_t n) const {
    if (n > left())
      throw InputError(
          {name_, {}, {}, offset_}, "the file ends too early",
          std::to_string(n) + " bytes are wanted, " + std::to_string(left()) + " are left");
  }

  std::string_view bytes_;
  std::string name_;
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
  void append_count(std::size_t count) {
    if (count > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw CapacityError("binary file", "things", count,
                          std::size_t(std::numeric_limits<std::int32_t>::max()));
    append(std::int32_t(count));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace trackplex::io::detail
