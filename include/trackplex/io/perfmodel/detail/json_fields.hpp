// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A description of a struct's fields, `describe(fields, object)`, read and written by one text, so
/// that what is written reads back and nothing is forgotten on one side. `describe` calls
/// `fields.number("key", object.member)` and so on; the reader fills the members, the writer
/// collects them. Missing keys keep the default; unknown keys are refused.

#include <trackplex/io/detail/json_values.hpp>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

using OrderedJson = nlohmann::ordered_json;

/// Allowed values of a number.
struct NumberRange {
  double low = 0.;
  double high = std::numeric_limits<double>::max();
  bool required = false;
};
inline constexpr double above_zero = std::numeric_limits<double>::denorm_min();

template <class E>
using Names = std::vector<std::pair<const char*, E>>;

/// Fills a struct from a JSON object.
class FieldReader {
  /// The place of a value, as the functions of json_values.hpp ask for it.
  auto at(const char* key) const {
    return [this, key] { return place(key); };
  }

 public:
  /// `path`: that of the object inside the file, "" for the whole.
  FieldReader(const Json& json, const std::string& file, std::string path)
      : file_(file), path_(std::move(path)), json_(as_object(json, [this] { return place(); })) {}

  /// Reads all fields of `object`.
  template <class T>
  void read(T& object) {
    describe(*this, object);
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key))
        throw InputError(place(key), "is no known field", {}, "known here: " + known_fields());
  }

  void text(const char* key, std::string& value, bool required = false) {
    if (const Json* json = find(key, required)) {
      if (!json->is_string()) throw_wrong_type(*json, at(key), "a text");
      value = json->get<std::string>();
    }
  }
  void number(const char* key, double& value, const NumberRange& range = {}) {
    if (const Json* json = find(key, range.required)) value = checked(*json, at(key), range);
  }
  void integer(const char* key, int& value, int low, int high) {
    if (const Json* json = find(key)) value = int(as_integer(*json, at(key), low, high));
  }
  void flag(const char* key, bool& value) {
    if (const Json* json = find(key)) value = as_flag(*json, at(key));
  }
  template <class E>
  void choice(const char* key, E& value, const Names<E>& names, bool required = false) {
    const Json* json = find(key, required);
    if (!json) return;
    std::string list;
    for (const auto& [name, named] : names) {
      if (*json == name) {
        value = named;
        return;
      }
      list.append(list.empty() ? "" : ", ").append(name);
    }
    throw InputError(place(key), json->dump() + " is not one of " + list);
  }
  template <class T>
  void object(const char* key, T& value) {
    if (const Json* json = find(key)) FieldReader(*json, file_, path(key)).read(value);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values, bool required = false) {
    const Json* json = find(key, required);
    if (!json) return;
    values.clear();
    for (const auto& element : as_array(*json, at(key))) {
      const std::string where = path(key) + "[" + std::to_string(values.size()) + "]";
      FieldReader(element, file_, where).read(values.emplace_back());
    }
  }
  void numbers(const char* key, std::vector<double>& values) {
    const Json* json = find(key);
    if (!json) return;
    values.clear();
    for (const auto& element : as_array(*json, at(key))) {
      const auto where = [&] { return InputPlace{file_, path(key), values.size()}; };
      values.push_back(checked(element, where, {}));
    }
  }
  /// An object of T, or a number that stands for the object with only that member.
  template <class T>
  void number_or_object(const char* key, T& value, double T::*member) {
    const Json* json = find(key);
    if (!json) return;
    value = T{};
    if (json->is_number())
      value.*member = checked(*json, at(key), {});
    else
      FieldReader(*json, file_, path(key)).read(value);
  }

  /// The place of this object, or of a field of it.
  InputPlace place() const { return {file_, path_}; }
  InputPlace place(const std::string& key) const { return {file_, path(key)}; }

 private:
  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  const Json* find(const char* key, bool required = false) {
    known_.insert(key);
    if (required) return &member(json_, key, [this] { return place(); });
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  template <class Where>
  static double checked(const Json& json, const Where& where, const NumberRange& range) {
    const double value = as_number(json, where);
    if (value < range.low || value > range.high)
      throw InputError(where(), json.dump() + " is out of range",
                       range.low == above_zero ? "must be above 0"
                       : range.high < std::numeric_limits<double>::max()
                           ? "allowed: " + Json(range.low).dump() + " to " + Json(range.high).dump()
                           : "must not be negative");
    return value;
  }
  std::string known_fields() const {
    std::string text;
    for (const auto& key : known_) text.append(text.empty() ? "" : ", ").append(key);
    return text;
  }

  const std::string& file_;
  std::string path_;
  const Json& json_;
  std::set<std::string> known_;
};

/// Makes a JSON object of a struct: the required fields and those that differ from the default.
class FieldWriter {
 public:
  template <class T>
  static OrderedJson write(const T& object) {
    FieldWriter written, standard;
    describe(written, object);
    const T all_defaults{};
    describe(standard, all_defaults);
    OrderedJson result = OrderedJson::object();
    for (const auto& [key, value] : written.json_.items())
      if (written.required_.contains(key) || standard.json_[key] != value) result[key] = value;
    return result;
  }

  void text(const char* key, const std::string& value, bool required = false) {
    add(key, value, required);
  }
  void number(const char* key, double value, const NumberRange& range = {}) {
    add(key, value, range.required);
  }
  void integer(const char* key, int value, int /*low*/, int /*high*/) { add(key, value); }
  void flag(const char* key, bool value) { add(key, value); }
  template <class E>
  void choice(const char* key, E value, const Names<E>& names, bool required = false) {
    for (const auto& [name, named] : names)
      if (named == value) add(key, name, required);
  }
  template <class T>
  void object(const char* key, const T& value) {
    add(key, write(value));
  }
  template <class T>
  void list(const char* key, const std::vector<T>& values, bool required = false) {
    OrderedJson array = OrderedJson::array();
    for (const auto& value : values) array.push_back(write(value));
    add(key, std::move(array), required);
  }
  void numbers(const char* key, const std::vector<double>& values) { add(key, values); }
  template <class T>
  void number_or_object(const char* key, const T& value, double T::*member) {
    T only{};
    only.*member = value.*member;
    add(key, only == value ? OrderedJson(value.*member) : write(value));
  }

 private:
  void add(const char* key, OrderedJson value, bool required = false) {
    json_[key] = std::move(value);
    if (required) required_.insert(key);
  }

  OrderedJson json_ = OrderedJson::object();
  std::set<std::string> required_;
};

}  // namespace trackplex::io::detail
