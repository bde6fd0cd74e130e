// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// NumPy arrays: those of the caller in place, those of the library as views.

namespace trackplex::python {

namespace py = pybind11;

/// Shape or strides (in bytes).
using Extents = std::vector<py::ssize_t>;

/// Returns an array of the caller, checked; errors name the argument.
/// @throws TypeError if it is no array of numbers, ValueError if it has other dimensions
inline py::array checked_array(const char* argument, py::handle value, int dimensions) {
  const auto array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(std::string(argument) + " is no array of numbers");
  }
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b')
    throw py::type_error(std::string(argument) + " has the dtype " +
                         py::cast<std::string>(py::str(array.dtype())) +
                         ", not one of real numbers");
  if (array.ndim() != dimensions)
    throw py::value_error(std::string(argument) + " has " + std::to_string(array.ndim()) +
                          " dimensions instead of " + std::to_string(dimensions));
  return array;
}

/// Returns an array of the caller as contiguous numbers of T: itself if it is that, else a copy.
/// @throws ValueError if T are integers which cannot hold the numbers, such as 0.5 or NaN
template <class T>
py::array_t<T, py::array::c_style | py::array::forcecast> numbers_of(const char* argument,
                                                                     py::handle value,
                                                                     int dimensions = 1) {
  const auto array = checked_array(argument, value, dimensions);
  py::array_t<T, py::array::c_style | py::array::forcecast> numbers(array);
  if constexpr (std::is_integral_v<T>)
    if (!array.dtype().is(numbers.dtype()) &&
        !py::module_::import("numpy").attr("array_equal")(array, numbers).template cast<bool>())
      throw py::value_error(std::string(argument) + " has numbers that are not of " +
                            py::cast<std::string>(py::str(numbers.dtype())));
  return numbers;
}

/// The same, of a length.
/// @throws ValueError if it has another one
template <class T>
auto numbers_of_length(const char* argument, py::handle value, py::ssize_t length) {
  auto array = numbers_of<T>(argument, value);
  if (array.size() != length)
    throw py::value_error(std::string(argument) + " has " + std::to_string(array.size()) +
                          " values instead of " + std::to_string(length));
  return array;
}

/// The same, of a shape; -1 stands for any extent.
/// @throws ValueError if it has another one
template <class T>
auto numbers_of_shape(const char* argument, py::handle value, const Extents& shape) {
  auto array = numbers_of<T>(argument, value, int(shape.size()));
  bool fits = true;
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    fits = fits && (shape[i] < 0 || array.shape(py::ssize_t(i)) == shape[i]);
    text += (i == 0 ? "" : ", ") + (shape[i] < 0 ? "n" : std::to_string(shape[i]));
  }
  if (!fits)
    throw py::value_error(std::string(argument) + " does not have the shape (" + text + ")");
  return array;
}

/// Forbids writing to an array.
inline py::array read_only(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// Returns a view of numbers, which keeps `base` alive.
inline py::array view_of(const py::dtype& type, const void* data, const Extents& shape,
                         const Extents& strides, py::handle base) {
  return py::array(type, shape, strides, data, base);
}
template <class T>
py::array view_of(const T* data, const Extents& shape, const Extents& strides, py::handle base) {
  return view_of(py::dtype::of<T>(), data, shape, strides, base);
}
/// The same for contiguous numbers.
template <class T>
py::array view_of(const T* data, std::size_t size, py::handle base) {
  return view_of(data, {py::ssize_t(size)}, {py::ssize_t(sizeof(T))}, base);
}

/// Returns a view, to read only, of one member of each struct in a list, which `base` owns.
template <class Struct, class T>
py::array column_of(const std::vector<Struct>& list, T Struct::*member, py::handle base) {
  static const Struct example{};
  const auto* const first = list.empty() ? &example : list.data();
  return read_only(
      view_of(&(first->*member), {py::ssize_t(list.size())}, {py::ssize_t(sizeof(Struct))}, base));
}

/// Returns a Python object that owns a value, as the base of views.
template <class Owner>
py::capsule owned(Owner owner) {
  return py::capsule(new Owner(std::move(owner)),
                     [](void* kept) { delete static_cast<Owner*>(kept); });
}

}  // namespace trackplex::python
