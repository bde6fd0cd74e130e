// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

/// @file
/// Exceptions of the host.

namespace trackplex {

/// Base of every exception that Trackplex throws on the host. The messages follow one grammar,
/// `where: problem (why); suggestion`, in which everything but the problem is optional.
class Error : public std::runtime_error {
 public:
  /// Takes the complete message.
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  /// Composes the message from its parts; empty parts are skipped.
  Error(std::string_view where, std::string_view problem, std::string_view why = {},
        std::string_view suggestion = {})
      : std::runtime_error(message(where, problem, why, suggestion)) {}

 private:
  static std::string message(std::string_view where, std::string_view problem, std::string_view why,
                             std::string_view suggestion);
};

/// Wrong use: a parameter out of range, inputs that do not match. `where` names the function,
/// option or parameter.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Place in an input, as far as known.
struct InputPlace {
  std::string file;                     ///< File, or name of a buffer.
  std::string field{};                  ///< Field inside it.
  std::optional<std::size_t> index{};   ///< Index of the element of the field.
  std::optional<std::size_t> offset{};  ///< Offset from the start of the file, bytes.

  /// Returns `file: field[index], byte offset`, as far as known.
  std::string to_string() const;
};

/// Damaged or unexpected input.
class InputError : public Error {
 public:
  /// Composes the message from its parts, beginning with the place.
  InputError(InputPlace place, std::string_view problem, std::string_view why = {},
             std::string_view suggestion = {});

  /// Returns the place of the fault.
  const InputPlace& place() const noexcept { return place_; }

 private:
  InputPlace place_;
};

/// Excess over the capacity of a container or an index type.
class CapacityError : public Error {
 public:
  /// Composes the message "`where`: `needed` `what` do not fit (capacity `capacity`);
  /// `suggestion`".
  CapacityError(std::string_view where, std::string_view what, std::size_t needed,
                std::size_t capacity, std::string_view suggestion = {});

  std::size_t needed() const noexcept { return needed_; }      ///< Number of elements.
  std::size_t capacity() const noexcept { return capacity_; }  ///< Number that fits.

 private:
  std::size_t needed_;
  std::size_t capacity_;
};

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/error.impl.hpp>
#endif
