// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Values out of a JSON document, each with an error that says where it stands. `where` is a
/// callable that gives the InputPlace: the text of a place is made only when it is needed. `Value`
/// is Json, or JsonView of json_view.hpp.

namespace trackplex::io::detail {

using Json = nlohmann::json;

/// The place of a field, or of one element of it, as the functions below want it. The file's name
/// must outlive it.
struct FieldPlace {
  const std::string& file;
  std::string field{};
  std::optional<std::size_t> index{};

  InputPlace operator()() const { return {file, field, index}; }
};

template <class Where>
[[noreturn]] void throw_two_fields(const Where& where, std::string_view key) {
  throw InputError(where(), std::string("has two fields \"").append(key).append("\""), {},
                   "leave out one of them");
}

/// Throws where an object of a document has two fields of one name, of which only one would count.
class UniqueKeys {
 public:
  explicit UniqueKeys(const std::string& file) : file_(file) {}

  bool operator()(int /*depth*/, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      throw_two_fields([&] { return InputPlace{file_}; }, parsed.get<std::string>());
    return true;
  }

 private:
  const std::string& file_;
  std::vector<std::set<std::string>> keys_;  ///< of each object that is open
};

/// The document in `text`, or an InputError with the byte where it stops making sense, or the field
/// that an object has twice.
inline Json parse_json(std::string_view text, const std::string& file) {
  const auto reason = [](const Json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception.name.number] text"
    const auto end = what.find("] ");
    return std::string(end == what.npos ? what : what.substr(end + 2));
  };
  try {
    return Json::parse(text.begin(), text.end(), UniqueKeys(file));
  } catch (const Json::parse_error& error) {
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    if (offset >= text.size()) {
      throw InputError({file, {}, {}, text.size()}, "the JSON text ends too early", reason(error),
                       "is the file truncated?");
    }
    throw InputError({file, {}, {}, offset}, "not valid JSON", reason(error));
  } catch (const Json::out_of_range& error) {  // "number overflow parsing '1e999'"
    const std::string why = reason(error);
    const auto quote = why.find('\'');
    const auto length = why.rfind('\'') - quote - 1;
    const auto offset = quote == why.npos ? text.npos : text.find(why.substr(quote + 1, length));
    InputPlace place{file};
    if (offset != text.npos) place.offset = offset;
    throw InputError(place, "a number is too large for a double", why);
  }
}

/// A view is passed on by value: it is one of a value that lives longer.
template <class Value>
using ValueOrView = std::conditional_t<std::is_same_v<Value, Json>, const Json&, Value>;

template <class Value, class Where>
[[noreturn]] void throw_wrong_type(const Value& value, const Where& where,
                                   std::string_view expected) {
  throw InputError(where(), std::string("is of type ").append(value.type_name()),
                   std::string("expected ").append(expected));
}

template <class Value, class Where>
ValueOrView<Value> as_array(const Value& value, const Where& where) {
  if (!value.is_array()) throw_wrong_type(value, where, "an array");
  return value;
}

template <class Value, class Where>
ValueOrView<Value> as_object(const Value& value, const Where& where) {
  if (!value.is_object()) throw_wrong_type(value, where, "an object");
  return value;
}

/// A member of an object, or null; `where` is the object's place.
template <class Where>
const Json* find_member(const Json& object, std::string_view key, const Where&) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// A member of an object; `where` is the object's place.
template <class Value, class Where>
ValueOrView<Value> member(const Value& object, std::string_view key, const Where& where) {
  const auto found = find_member(object, key, where);
  if (!found)
    throw InputError(where(), std::string("has no field \"").append(key).append("\""), {},
                     "is this another kind of file?");
  return *found;
}

/// A finite number in [-limit, limit].
template <class Value, class Where>
double as_number(const Value& value, const Where& where,
                 double limit = std::numeric_limits<double>::max()) {
  if (!value.is_number()) throw_wrong_type(value, where, "a finite number");
  const double number = value.template get<double>();
  if (!(std::abs(number) <= limit)) {  // NaN too
    throw InputError(where(), value.dump() + " is out of range",
                     "absolute value at most " + Json(limit).dump());
  }
  return number;
}

/// An integer in [lowest, highest]; a number such as 1.0 is none.
template <class Value, class Where>
std::int64_t as_integer(const Value& value, const Where& where, std::int64_t lowest,
                        std::int64_t highest) {
  if (!value.is_number()) throw_wrong_type(value, where, "an integer");
  if (!value.is_number_integer()) throw InputError(where(), value.dump() + " is not an integer");
  const bool too_large =
      value.is_number_unsigned() &&
      value.template get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  const auto number = too_large ? highest : value.template get<std::int64_t>();
  if (too_large || number < lowest || number > highest) {
    throw InputError(where(), value.dump() + " is out of range",
                     "allowed: " + std::to_string(lowest) + " to " + std::to_string(highest));
  }
  return number;
}

/// 0, 1, false or true.
template <class Value, class Where>
bool as_flag(const Value& value, const Where& where) {
  if (value.is_boolean()) return value.template get<bool>();
  return as_integer(value, where, 0, 1) == 1;
}

}  // namespace trackplex::io::detail
