// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module.hpp"

#include <trackplex/core/error.hpp>

#include <exception>
#include <filesystem>

namespace trackplex::python {

namespace {

/// Tells whether an input could not be read at all, in contrast to one with wrong contents.
bool is_missing(const InputError& error) {
  const auto& place = error.place();
  if (place.file.empty() || !place.field.empty() || place.index || place.offset) return false;
  const std::string what = error.what();
  for (const char* const problem : {": cannot be opened", ": cannot be read", ": is a folder"})
    if (what.compare(place.file.size(), std::string(problem).size(), problem) == 0) return true;
  return false;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    PyErr_SetString(is_missing(error) ? PyExc_OSError : PyExc_ValueError, error.what());
  } catch (const CapacityError& error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const UsageError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const Error& error) {  // of writing
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

void add_errors() { py::register_exception_translator(&translate); }

}  // namespace trackplex::python
