// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <hdf5.h>

#include <string>
#include <utility>

namespace trackplex::hdf5 {

/// Owner of an identifier of the HDF5 library.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close function) : id_(id), close_(function) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  operator hid_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Closes it early; whether the library could do that.
  bool close() { return id_ < 0 || close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Keeps the library from printing errors, which are exceptions here.
class QuietErrors {
 public:
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

/// Description of the last error by the library, where it began.
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
