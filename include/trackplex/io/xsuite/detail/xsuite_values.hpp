// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/json_view.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Parameters of an element in a file of Xsuite.

namespace trackplex::io::detail {

/// An element that cannot be tracked.
struct XsuiteRefusal : InputError {
  using InputError::InputError;
};

/// The parameters of one element. Files of some years write a key with a leading underscore: both
/// are found. It remembers which were asked for, so that none is passed over in silence.
class XsuiteValues {
 public:
  /// @throws InputError if the value is no object, or has no kind
  XsuiteValues(const std::string& file, std::string element, const JsonView& value)
      : file_(file), element_(std::move(element)) {
    const auto where = [&] { return place(); };
    for (const auto field : as_object(value, where).object()) {
      const std::string_view key = field.key;
      if (key == "__class__")
        kind_ = text_of(JsonView(field.value), key);
      else
        fields_.push_back({key, JsonView(field.value)});
    }
    if (kind_.empty()) throw InputError(place(), "has no field \"__class__\"");
  }

  const std::string& kind() const { return kind_; }
  const std::string& element() const { return element_; }

  bool has(std::string_view key) { return find(key) != nullptr; }

  /// A number, or the default if it is not written.
  double number(std::string_view key, double otherwise = 0.) {
    const Field* const field = find(key);
    if (!field) return otherwise;
    return as_number(field->value, [&] { return place(key); });
  }
  /// A choice, written as true or false or as a number.
  bool flag(std::string_view key, bool otherwise = false) {
    const Field* const field = find(key);
    if (!field) return otherwise;
    if (field->value.is_boolean()) return field->value.template get<bool>();
    return as_number(field->value, [&] { return place(key); }) != 0.;
  }
  /// A number that may be written as "from_h", which is none.
  std::optional<double> number_if_any(std::string_view key) {
    const Field* const field = find(key);
    if (!field || field->value.is_string()) return std::nullopt;
    return number(key);
  }
  /// The numbers of a list; none if it is not written.
  std::vector<double> list(std::string_view key) {
    std::vector<double> numbers;
    if (const Field* const field = find(key)) {
      const auto where = [&] { return place(key); };
      for (const JsonView value : as_array(field->value, where))
        numbers.push_back(as_number(value, where));
    }
    return numbers;
  }
  std::string text(std::string_view key) {
    const Field* const field = find(key);
    return field ? text_of(field->value, key) : std::string();
  }
  /// A choice, as text or by its index from `first` on; the first of `words` if it is not written.
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words,
                     int first = 0) {
    const Field* const field = find(key);
    if (!field) return 0;
    const bool is_text = field->value.is_string();
    const std::string word = is_text ? text_of(field->value, key) : std::string();
    const double index = is_text ? -10. : number(key);
    for (std::size_t i = 0; i < words.size(); ++i)
      if (is_text ? word == words.begin()[i] : index == double(i) + first) return i;
    refuse(key, "it is not known");
  }

  /// Asks for keys that change nothing.
  void ignore(std::initializer_list<std::string_view> keys) {
    for (const auto key : keys) find(key);
  }
  /// Refuses an effect that is not implemented, unless it is off.
  void refuse_unless_zero(std::initializer_list<std::string_view> keys) {
    for (const auto key : keys)
      if (const Field* const field = find(key); field && !is_off(field->value))
        refuse(key, "it is not implemented for " + kind_);
  }
  /// Refuses what was not asked for, unless it is off.
  void refuse_others() {
    for (const Field& field : fields_)
      if (!field.is_used && !is_off(field.value))
        refuse(field.key, "it is not implemented for " + kind_);
  }

  [[noreturn]] void refuse(std::string_view key, const std::string& why,
                           const std::string& hint = {}) const {
    throw XsuiteRefusal(place(key), "cannot be " + text_of_value(key), why, hint);
  }
  [[noreturn]] void refuse_element(const std::string& why, const std::string& hint = {}) const {
    throw XsuiteRefusal(place(), "(" + kind_ + ") cannot be tracked", why, hint);
  }

  InputPlace place(std::string_view key = {}) const {
    std::string field = "elements." + element_;
    if (!key.empty()) field.append(".").append(key);
    return {file_, std::move(field)};
  }

 private:
  struct Field {
    std::string_view key;
    JsonView value;
    bool is_used = false;
  };

  Field* find(std::string_view key) {
    Field* found = nullptr;
    for (Field& field : fields_) {
      const bool has_underscore = field.key.size() > 1 && field.key.front() == '_';
      if (field.key != key && (!has_underscore || field.key.substr(1) != key)) continue;
      field.is_used = true;
      if (!found || !has_underscore) found = &field;
    }
    return found;
  }
  std::string text_of(const JsonView& value, std::string_view key) const {
    if (!value.is_string())
      throw_wrong_type(
          value, [&] { return place(key); }, "a text");
    return value.template get<std::string>();
  }
  std::string text_of_value(std::string_view key) const {
    for (const Field& field : fields_) {
      if (field.key != key && field.key.substr(std::size_t(field.key.front() == '_')) != key)
        continue;
      if (field.value.is_string()) return "\"" + text_of(field.value, key) + "\"";
      if (field.value.is_number()) return field.value.dump();
      return field.value.is_array() ? "this list" : "so";
    }
    return "left out";
  }
  /// Zero, false, empty or a list of zeros.
  static bool is_off(const JsonView& value) {
    if (value.is_boolean()) return !value.template get<bool>();
    if (value.is_array()) {
      for (const JsonView one : value)
        if (!is_off(one)) return false;
      return true;
    }
    double number = 1.;
    return value.get_if(number) ? number == 0. : !value.is_string() && !value.is_object();
  }

  const std::string& file_;
  std::string element_, kind_;
  std::vector<Field> fields_;
};

}  // namespace trackplex::io::detail
