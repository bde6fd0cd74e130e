// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Ownership of identifiers of the HDF5 library, and its error messages.

#include <trackplex/core/error.hpp>

#include <hdf5.h>

#include <string>
#include <utility>

namespace trackplex::hdf5 {

/// Unique owner of an identifier of the HDF5 library, which it closes. It may be empty.
class Handle {
 public:
  /// Function that closes identifiers of one kind, such as H5Fclose.
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  /// Takes ownership of an identifier; a negative one, which the library returns for a failure,
  /// makes an empty handle.
  Handle(hid_t id, Close function) : id_(id), close_(function) {}
  /// Moves the identifier out of `other`, which becomes empty.
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  /// Swaps the identifiers, so that `other` closes the old one.
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  /// Returns the identifier, for functions of the HDF5 library; negative if empty.
  operator hid_t() const { return id_; }
  /// Whether there is an identifier.
  explicit operator bool() const { return id_ >= 0; }

  /// Closes the identifier early. Returns false if the library reports a failure.
  bool close() { return id_ < 0 || close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Scope in which the HDF5 library does not print its errors, which become exceptions.
class QuietErrors {
 public:
  /// Saves the library's error handler and disables it until the destructor restores it.
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Returns the library's description of the last error, at the function where it began; empty if
/// there is none.
inline std::string last_error() {
  std::string text;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
    auto& first = *static_cast<std::string*>(to);
    if (first.empty() && error->desc) first = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &text);
  return text;
}

}  // namespace trackplex::hdf5
