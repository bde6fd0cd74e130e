// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Writing HDF5 files of groups, columns (one-dimensional datasets) and attributes, texts or
/// numbers. The files contain no time stamps or identifiers, so that equal contents give equal
/// bytes. They have the format of HDF5 1.8, which every reader knows. Checksums protect the
/// metadata and the columns (the Fletcher-32 filter), but not where the parts of a column are:
/// Reader checks that all are there.

#include <trackplex/hdf5/handle.hpp>
#include <trackplex/hdf5/number_types.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace trackplex::hdf5 {

/// HDF5 file for writing. Groups, columns and attributes keep their order of creation.
///
/// Every member throws Error if the HDF5 library reports a failure, such as a full disk.
class Writer {
 public:
  static constexpr std::size_t chunk_rows = 16384;  ///< Maximum number of rows in a chunk.

  /// Use of an existing file.
  enum class Mode {
    replace,  ///< It is emptied; a missing one is created.
    extend    ///< It keeps its contents; there must be one.
  };

  /// Creates a file, or opens one.
  /// @throws Error if that is not possible
  explicit Writer(const std::filesystem::path& path, Mode mode = Mode::replace)
      : path_(path.string()) {
    const QuietErrors quiet;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    const Handle creation = ordered(H5P_FILE_CREATE);  // closing it forgets the error
    file_ = Handle(mode == Mode::extend ? H5Fopen(path_.c_str(), H5F_ACC_RDWR, access)
                                        : H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, access),
                   H5Fclose);
    if (!file_) throw Error(path_, "cannot be written", last_error());
  }

  /// Creates a group in another one, by default in the root of the file.
  Handle create_group(const std::string& name, hid_t parent = H5I_INVALID_HID) const {
    const QuietErrors quiet;
    return checked(Handle(H5Gcreate2(parent < 0 ? hid_t(file_) : parent, name.c_str(), H5P_DEFAULT,
                                     ordered(H5P_GROUP_CREATE), H5P_DEFAULT),
                          H5Gclose));
  }

  /// Opens a group in the root of the file.
  Handle open_group(const std::string& name) const {
    const QuietErrors quiet;
    return checked(Handle(H5Gopen2(file_, name.c_str(), H5P_DEFAULT), H5Gclose));
  }

  /// Tells whether a group has a member of this name.
  bool has(hid_t parent, const std::string& name) const {
    const QuietErrors quiet;
    return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0;
  }

  /// Creates a column of `n` elements of the HDF5 type `type` in a group, in chunks of up to
  /// `chunk_rows`. Returns the open column.
  Handle create_column(hid_t group, const std::string& name, hid_t type, std::size_t n) const {
    const QuietErrors quiet;
    const hsize_t rows = n, chunk = std::min<hsize_t>(rows, chunk_rows);
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(properties, false);
    H5Pset_fill_value(properties, type, nullptr);  // none: all rows get written
    if (n > 0) {
      H5Pset_chunk(properties, 1, &chunk);
      H5Pset_fletcher32(properties);
    }
    return checked(
        Handle(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
               H5Dclose));
  }

  /// Writes `n` elements of the HDF5 type `type` in memory to a column, from row `first` on. The
  /// bytes of the file are the same for any parts of whole chunks in their order.
  void write_rows(hid_t column, hid_t type, const void* elements, std::size_t first,
                  std::size_t n) const {
    if (n == 0) return;
    const QuietErrors quiet;
    const hsize_t begin = first, rows = n;
    const Handle space(H5Dget_space(column), H5Sclose),
        memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &rows, nullptr) < 0 ||
        H5Dwrite(column, type, memory, space, H5P_DEFAULT, elements) < 0)
      fail();
  }

  /// Writes a column of `n` elements into a group. `elements` has the HDF5 type `type` in memory
  /// and gets the type `file_type` in the file. Returns the open column, for its attributes.
  Handle write_column(hid_t group, const std::string& name, hid_t file_type, hid_t type,
                      const void* elements, std::size_t n) const {
    Handle column = create_column(group, name, file_type, n);
    write_rows(column, type, elements, 0, n);
    return column;
  }

  /// Attaches a text attribute to an object, by default to the root of the file.
  void set_attribute(const std::string& name, const std::string& text,
                     hid_t object = H5I_INVALID_HID) const {
    const QuietErrors quiet;
    const Handle type = text_type(text.size()), space(H5Screate(H5S_SCALAR), H5Sclose);
    write_attribute(name, object, type, space, type, text.c_str());
  }
  /// The same with a number.
  template <class Number>
  requires is_number<Number>
  void set_attribute(const std::string& name, Number number, hid_t object = H5I_INVALID_HID) const {
    const QuietErrors quiet;
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    write_attribute(name, object, file_type<Number>(), space, memory_type<Number>(), &number);
  }
  /// The same with an array of numbers.
  template <class Number>
  void set_attribute(const std::string& name, std::span<const Number> numbers,
                     hid_t object = H5I_INVALID_HID) const {
    const QuietErrors quiet;
    const hsize_t n = numbers.size();
    const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    write_attribute(name, object, file_type<Number>(), space, memory_type<Number>(),
                    numbers.data());
  }

  /// Flushes and closes the file, which is complete only then.
  /// @throws Error if it could not be written completely
  void finish() {
    const QuietErrors quiet;
    if (H5Fflush(file_, H5F_SCOPE_LOCAL) < 0) fail();
    if (!file_.close()) fail();
  }

  /// Returns the HDF5 type of texts of up to `n` bytes (1 for 0) in UTF-8; shorter texts are
  /// padded with zero bytes.
  static Handle text_type(std::size_t n) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, std::max<std::size_t>(n, 1));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }

 private:
  void write_attribute(const std::string& name, hid_t object, hid_t file_type, hid_t space,
                       hid_t type, const void* values) const {
    const Handle attribute =
        checked(Handle(H5Acreate2(object < 0 ? hid_t(file_) : object, name.c_str(), file_type,
                                  space, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose));
    if (H5Awrite(attribute, type, values) < 0) fail();
  }

  /// Members and attributes keep their order of creation, without times.
  static Handle ordered(hid_t object_class) {
    Handle properties(H5Pcreate(object_class), H5Pclose);
    constexpr unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    H5Pset_link_creation_order(properties, order);
    H5Pset_attr_creation_order(properties, order);
    H5Pset_obj_track_times(properties, false);
    return properties;
  }

  Handle checked(Handle handle) const {
    if (!handle) fail();
    return handle;
  }
  [[noreturn]] void fail() const {
    throw Error(path_, "could not be written completely", last_error());
  }

  std::string path_;
  Handle file_;
};

}  // namespace trackplex::hdf5
