// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex {

/// Base of every exception that Trackplex throws on the host. The messages follow one grammar:
/// `where: problem (why); suggestion`, where everything but the problem may be missing.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  Error(std::string_view where, std::string_view problem, std::string_view why = {},
        std::string_view suggestion = {})
      : std::runtime_error(message(where, problem, why, suggestion)) {}

 private:
  static std::string message(std::string_view where, std::string_view problem, std::string_view why,
                             std::string_view suggestion) {
    std::string text;
    if (!where.empty()) text.append(where).append(": ");
    text.append(problem);
    if (!why.empty()) text.append(" (").append(why).append(")");
    if (!suggestion.empty()) text.append("; ").append(suggestion);
    return text;
  }
};

/// The caller asked for something impossible: a parameter out of range, inputs that do not belong
/// together. `where` names the function, option or parameter.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A place in an input: the file (or the name of a buffer), the field inside it, the index of the
/// element of that field, the offset in bytes from the start.
struct InputPlace {
  std::string file;
  std::string field{};
  std::optional<std::size_t> index{};
  std::optional<std::size_t> offset{};

  /// `file: field[index], byte offset`, as far as known.
  std::string to_string() const {
    std::string text = file;
    if (!field.empty()) text.append(text.empty() ? "" : ": ").append(field);
    if (index) text.append("[").append(std::to_string(*index)).append("]");
    if (offset) text.append(text.empty() ? "byte " : ", byte ").append(std::to_string(*offset));
    return text;
  }
};

/// An input is damaged or is not what it should be.
class InputError : public Error {
 public:
  InputError(InputPlace place, std::string_view problem, std::string_view why = {},
             std::string_view suggestion = {})
      : Error(place.to_string(), problem, why, suggestion), place_(std::move(place)) {}

  const InputPlace& place() const noexcept { return place_; }

 private:
  InputPlace place_;
};

/// Something does not fit into a container or index type of fixed size.
class CapacityError : public Error {
 public:
  CapacityError(std::string_view where, std::string_view what, std::size_t needed,
                std::size_t capacity, std::string_view suggestion = {})
      : Error(where, std::to_string(needed).append(" ").append(what).append(" do not fit"),
              "capacity " + std::to_string(capacity), suggestion),
        needed_(needed),
        capacity_(capacity) {}

  std::size_t needed() const noexcept { return needed_; }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  std::size_t needed_;
  std::size_t capacity_;
};

}  // namespace trackplex
