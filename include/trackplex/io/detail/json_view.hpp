// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/json_values.hpp>

// The parser is the compiled library's, which chooses instructions when it runs. What its header
// has for those of x86 is another interface, which nvcc does not compile.
#ifndef SIMDJSON_IMPLEMENTATION_ICELAKE
#define SIMDJSON_IMPLEMENTATION_ICELAKE 0
#endif
#ifndef SIMDJSON_IMPLEMENTATION_HASWELL
#define SIMDJSON_IMPLEMENTATION_HASWELL 0
#endif
#ifndef SIMDJSON_IMPLEMENTATION_WESTMERE
#define SIMDJSON_IMPLEMENTATION_WESTMERE 0
#endif
#include <simdjson.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace trackplex::io::detail {

/// A value of a document that simdjson has parsed, with as much of the interface of Json as readers
/// need. It lives as long as the document.
class JsonView {
 public:
  explicit JsonView(simdjson::dom::element value) : value_(value) {}

  bool is_array() const { return value_.is_array(); }
  bool is_object() const { return value_.is_object(); }
  bool is_string() const { return value_.is_string(); }
  bool is_boolean() const { return value_.is_bool(); }
  bool is_number() const { return is_number_integer() || value_.is_double(); }
  bool is_number_integer() const {
    const auto type = value_.type();
    return type == simdjson::dom::element_type::INT64 ||
           type == simdjson::dom::element_type::UINT64;
  }
  bool is_number_unsigned() const { return value_.type() == simdjson::dom::element_type::UINT64; }

  const char* type_name() const {
    if (is_array()) return "array";
    if (is_object()) return "object";
    if (is_string()) return "string";
    if (is_boolean()) return "boolean";
    return is_number() ? "number" : "null";
  }

  /// The value, which is of this type.
  template <class T>
  T get() const {
    if constexpr (std::is_same_v<T, std::string>) {
      return std::string(std::string_view(value_.get_string().value_unsafe()));
    } else {
      return value_.get<T>().value_unsafe();
    }
  }

  /// The text of a number.
  std::string dump() const {
    if (is_number_unsigned()) return Json(get<std::uint64_t>()).dump();
    return is_number_integer() ? Json(get<std::int64_t>()).dump() : Json(get<double>()).dump();
  }

  /// Of an array.
  class Iterator {
   public:
    explicit Iterator(simdjson::dom::array::iterator at) : at_(at) {}
    JsonView operator*() const { return JsonView(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    simdjson::dom::array::iterator at_;
  };
  Iterator begin() const { return Iterator(array().begin()); }
  Iterator end() const { return Iterator(array().end()); }
  /// At most 2^24 - 1.
  std::size_t size() const { return array().size(); }

  /// The value if it is a number, in one look.
  bool get_if(double& number) const { return value_.get(number) == simdjson::SUCCESS; }
  bool get_if(std::int64_t& number) const {
    return value_.type() == simdjson::dom::element_type::INT64 &&
           value_.get(number) == simdjson::SUCCESS;
  }

  simdjson::dom::object object() const { return value_.get_object().value_unsafe(); }

 private:
  simdjson::dom::array array() const { return value_.get_array().value_unsafe(); }

  simdjson::dom::element value_;
};

/// A member of an object, or nothing; `where` is the object's place.
template <class Where>
std::optional<JsonView> find_member(const JsonView& object, std::string_view key,
                                    const Where& where) {
  std::optional<JsonView> found;
  for (const auto field : object.object()) {
    if (field.key != key) continue;
    if (found) throw_two_fields(where, key);
    found = JsonView(field.value);
  }
  return found;
}

// Most values are as they should be: only for others it takes time to find out what is wrong.

template <class Where>
double as_number(const JsonView& value, const Where& where,
                 double limit = std::numeric_limits<double>::max()) {
  double number = 0.;
  if (value.get_if(number) && std::abs(number) <= limit) return number;
  return as_number<JsonView>(value, where, limit);
}

template <class Where>
std::int64_t as_integer(const JsonView& value, const Where& where, std::int64_t lowest,
                        std::int64_t highest) {
  std::int64_t number = 0;
  if (value.get_if(number) && number >= lowest && number <= highest) return number;
  return as_integer<JsonView>(value, where, lowest, highest);
}

/// A document that simdjson has parsed. It takes what most documents are: not, for example,
/// integers of more than 64 bits or a thousand arrays inside each other.
class JsonDocument {
 public:
  /// The document in `text`; nothing where that is not valid JSON, or unusual.
  std::optional<JsonView> parse(std::string_view text) {
    simdjson::dom::element root;
    if (parser_.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return {};
    return JsonView(root);
  }

 private:
  simdjson::dom::parser parser_;
};

}  // namespace trackplex::io::detail
