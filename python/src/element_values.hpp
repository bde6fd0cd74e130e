// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "element_fields.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>

/// @file
/// Structs with fields as dictionaries, and back. Enumerations are texts.

namespace trackplex::python {

namespace py = pybind11;

template <class T>
py::object to_python(const T& value);

template <class Struct>
void add_fields(py::dict& to, const Struct& value) {
  const auto add = [&](const auto& field) {
    if constexpr (!FieldsOf<std::decay_t<decltype(value.*field.member)>>::is_none) {
      if (*field.name == '\0') return add_fields(to, value.*field.member);
    }
    to[field.name] = to_python(value.*field.member);
  };
  std::apply([&](const auto&... fields) { (add(fields), ...); }, FieldsOf<Struct>::fields);
}

/// Returns a number, text, list or dictionary.
template <class T>
py::object to_python(const T& value) {
  if constexpr (!FieldsOf<T>::is_none) {
    py::dict fields;
    add_fields(fields, value);
    return fields;
  } else if constexpr (std::is_enum_v<T>) {
    return py::str(EnumNames<T>::names[std::size_t(value)]);
  } else {
    return py::cast(value);
  }
}

template <class T>
void from_python(py::handle value, const std::string& where, T& to);

/// Sets the field of a name; returns false if there is none.
template <class Struct>
bool set_field(const std::string& name, py::handle value, const std::string& where, Struct& to) {
  const auto set = [&](const auto& field) {
    auto& member = to.*field.member;
    if constexpr (!FieldsOf<std::decay_t<decltype(member)>>::is_none) {
      if (*field.name == '\0') return set_field(name, value, where, member);
    }
    if (name != field.name) return false;
    from_python(value, where + "." + name, member);
    return true;
  };
  return std::apply([&](const auto&... fields) { return (set(fields) || ...); },
                    FieldsOf<Struct>::fields);
}

[[noreturn]] inline void refuse_value(py::handle value, const std::string& where,
                                      const std::string& why) {
  throw py::type_error(where + " = " + py::cast<std::string>(py::repr(value)) + " " + why);
}

/// Sets a value from one of Python; `where` is its name, for errors.
/// @throws TypeError, ValueError that name it
template <class T>
void from_python(py::handle value, const std::string& where, T& to) {
  if constexpr (!FieldsOf<T>::is_none) {
    if (!py::isinstance<py::dict>(value)) refuse_value(value, where, "has no fields");
    for (const auto& [key, field] : py::cast<py::dict>(value))
      if (!set_field(py::cast<std::string>(key), field, where, to))
        throw py::type_error(where + " has no parameter " + py::cast<std::string>(py::repr(key)));
  } else if constexpr (std::is_enum_v<T>) {
    std::string known;
    for (std::size_t i = 0; i < std::size(EnumNames<T>::names); ++i) {
      const char* const name = EnumNames<T>::names[i];
      if (py::isinstance<py::str>(value) && py::cast<std::string>(value) == name) {
        to = T(i);
        return;
      }
      known += (i == 0 ? "" : ", ") + std::string(name);
    }
    throw py::value_error(where + " = " + py::cast<std::string>(py::repr(value)) + " is none of " +
                          known);
  } else {
    try {
      to = py::cast<T>(value);
    } catch (const py::cast_error&) {
      constexpr bool is_whole = std::is_integral_v<T>;
      refuse_value(
          value, where,
          is_whole ? "is no whole number or truth value" : "is no number, or no list of them");
    }
  }
}

}  // namespace trackplex::python
