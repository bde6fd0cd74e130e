// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Reading HDF5 files of groups, columns (one-dimensional datasets) and attributes, those of Writer
/// and of other programs.

#include <trackplex/hdf5/handle.hpp>
#include <trackplex/hdf5/number_types.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::hdf5 {

/// HDF5 file for reading.
///
/// Every member throws InputError, which names the file and the object, if something is missing,
/// damaged or of another type.
class Reader {
 public:
  /// Opens a file.
  /// @throws InputError if it cannot be opened as HDF5
  explicit Reader(const std::filesystem::path& path) : path_(path.string()) {
    const QuietErrors quiet;
    file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file_) refuse({}, "cannot be opened as HDF5", last_error());
  }

  /// Returns the path of the file.
  const std::string& name() const { return path_; }

  /// Whether the root of the file has a member of this name.
  bool has_group(const std::string& name) const {
    const QuietErrors quiet;
    const htri_t exists = H5Lexists(file_, name.c_str(), H5P_DEFAULT);
    if (exists < 0) refuse(name, "cannot be searched for", last_error());
    return exists > 0;
  }
  /// Opens a group of the root.
  Handle group(const std::string& name) const {
    const QuietErrors quiet;
    Handle group(H5Gopen2(file_, name.c_str(), H5P_DEFAULT), H5Gclose);
    if (!group) refuse(name, "cannot be read as a group", last_error());
    return group;
  }

  /// Opens a group in a group.
  Handle group(hid_t parent, const std::string& name) const {
    const QuietErrors quiet;
    Handle group(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose);
    if (!group) refuse(name, "cannot be read as a group", last_error());
    return group;
  }
  /// Whether a group has a member of this name.
  bool has(hid_t parent, const std::string& name) const {
    const QuietErrors quiet;
    const htri_t exists = H5Lexists(parent, name.c_str(), H5P_DEFAULT);
    if (exists < 0) refuse(name, "cannot be searched for", last_error());
    return exists > 0;
  }
  /// Whether a member of a group is a group, too.
  bool has_group(hid_t parent, const std::string& name) const {
    if (!has(parent, name)) return false;
    const QuietErrors quiet;
    const Handle object(H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object) refuse(name, "cannot be read", last_error());
    return H5Iget_type(object) == H5I_GROUP;
  }

  /// Returns the names of the columns of a group, in their order of creation if the file
  /// records it, else in alphabetical order.
  std::vector<std::string> columns(hid_t group) const {
    const QuietErrors quiet;
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, visit, &names) >= 0)
      return names;
    names.clear();
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &names) < 0)
      refuse({}, "the columns of a group cannot be read", last_error());
    return names;
  }
  /// Opens a column of a group.
  Handle column(hid_t group, const std::string& name) const {
    const QuietErrors quiet;
    Handle column(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!column) refuse(name, "cannot be read as a column", last_error());
    return column;
  }

  /// Returns the number of elements of a column. `name` is for messages.
  /// @throws InputError if the column is not one-dimensional or is damaged
  std::size_t length(hid_t column, const std::string& name) const {
    const QuietErrors quiet;
    const Handle space(H5Dget_space(column), H5Sclose);
    const auto n = H5Sget_simple_extent_npoints(space);
    if (n < 0 || H5Sget_simple_extent_ndims(space) != 1) refuse(name, "is not one-dimensional", {});
    return std::size_t(n);
  }

  /// Whether the numbers of a column are integers.
  bool is_integer(hid_t column) const {
    const QuietErrors quiet;
    const Handle type(H5Dget_type(column), H5Tclose);
    return H5Tget_class(type) == H5T_INTEGER;
  }

  /// Reads `n` elements of a column from row `first` on: std::int64_t, float, double, or
  /// std::string for texts. Narrower numbers of the file are converted, wider ones refused, and of
  /// unsigned integers of 64 bits those from 2^63 on; those that were never written are the fill
  /// value. `name` is for messages. A small file may have many
  /// rows, compressed or never written: what exceeds the memory of this machine is refused.
  /// @throws InputError if the column is of another type, too large or damaged
  template <class Element>
  std::vector<Element> read(hid_t column, const std::string& name, std::size_t first,
                            std::size_t n) const {
    const QuietErrors quiet;
    const Handle type(H5Dget_type(column), H5Tclose);
    if (!is_read_as<Element>(type))
      refuse(name, "is of another type", "expected " + words<Element>());
    check_memory(n, std::max(H5Tget_size(type), sizeof(Element)), name);
    check_chunks(column, name);
    if constexpr (std::is_same_v<Element, std::string>) {
      if (H5Tis_variable_str(type) > 0) return read_variable_texts(column, type, first, n, name);
      const std::size_t size = H5Tget_size(type);
      std::vector<char> bytes(n * size);
      read_rows(column, type, bytes.data(), first, n, name);
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < n; ++i)
        texts.emplace_back(&bytes[i * size], strnlen(&bytes[i * size], size));
      return texts;
    } else {
      std::vector<Element> elements(n);
      const bool is_unsigned = is_wide_unsigned(type);
      read_rows(column, is_unsigned ? H5T_NATIVE_UINT64 : memory_type<Element>(), elements.data(),
                first, n, name);
      if (is_unsigned && std::ranges::any_of(elements, [](Element e) { return e < 0; }))
        refuse(name, "has a number of 2^63 or more", "expected " + words<Element>());
      return elements;
    }
  }

  /// Returns the text of an attribute of an object; none if it has no such attribute.
  /// @throws InputError if the attribute is no text
  std::optional<std::string> attribute(hid_t object, const std::string& name) const {
    const QuietErrors quiet;
    const htri_t exists = H5Aexists(object, name.c_str());
    if (exists < 0) refuse(name, "cannot be searched for", last_error());
    if (exists == 0) return std::nullopt;
    auto text = text_of(object, name);
    if (!text) refuse(name, "is an attribute of another type", "expected a text");
    return text;
  }

  /// Returns the numbers of an attribute of an object, a scalar or an array of up to `max_numbers`;
  /// none if it has no such attribute.
  /// @throws InputError if the attribute is no such numbers
  std::optional<std::vector<double>> numbers(hid_t object, const std::string& name) const {
    const QuietErrors quiet;
    const htri_t exists = H5Aexists(object, name.c_str());
    if (exists < 0) refuse(name, "cannot be searched for", last_error());
    if (exists == 0) return std::nullopt;
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
    const auto kind = H5Tget_class(type);
    const auto n = H5Sget_simple_extent_npoints(space);
    if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || n < 0 || n > max_numbers)
      refuse(name, "is an attribute of another type",
             "expected up to " + std::to_string(max_numbers) + " numbers");
    std::vector<double> numbers(static_cast<std::size_t>(n), 0.);
    if (n > 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers.data()) < 0)
      refuse(name, "cannot be read", last_error());
    return numbers;
  }
  static constexpr int max_numbers = 64;  ///< Maximum number of elements that numbers() reads.

  /// Returns the names and texts of those attributes of an object, by default of the root, that are
  /// texts, in the order of their creation where the file records it.
  std::vector<std::pair<std::string, std::string>> attributes(
      hid_t object = H5I_INVALID_HID) const {
    const QuietErrors quiet;
    if (object < 0) object = file_;
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, visit, &names) < 0) {
      names.clear();
      if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &names) < 0)
        refuse({}, "attributes cannot be read", last_error());
    }
    std::vector<std::pair<std::string, std::string>> list;
    for (const auto& name : names)
      if (auto text = text_of(object, name)) list.emplace_back(name, std::move(*text));
    return list;
  }

  /// Checks that n rows fit into the memory of this machine.
  /// @throws InputError that names the column, or group, if they do not
  void check_memory(std::size_t n, std::size_t bytes_of_row, const std::string& name) const {
    const auto memory = std::size_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
    if (n > memory / bytes_of_row)
      refuse(name, "its " + std::to_string(n) + " rows exceed the memory of this machine", {});
  }

 private:
  /// Whether all values of a type of the file are values of a type of memory.
  template <class Element>
  static bool is_read_as(hid_t type) {
    const auto kind = H5Tget_class(type);
    if constexpr (std::is_same_v<Element, std::string>) {
      return kind == H5T_STRING;
    } else if constexpr (std::is_same_v<Element, std::int64_t>) {
      return kind == H5T_INTEGER && H5Tget_size(type) <= sizeof(Element);
    } else {
      return kind == H5T_FLOAT && H5Tget_size(type) <= sizeof(Element);
    }
  }
  /// Whether a type of the file is that of unsigned integers of 64 bits.
  static bool is_wide_unsigned(hid_t type) {
    return H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == sizeof(std::uint64_t) &&
           H5Tget_sign(type) == H5T_SGN_NONE;
  }
  template <class Element>
  static std::string words() {
    if constexpr (std::is_same_v<Element, std::string>) return "texts";
    if constexpr (std::is_same_v<Element, std::int64_t>) return "integers of 64 bits";
    return std::is_same_v<Element, float> ? "floats" : "doubles";
  }

  /// A column without a fill value, as Writer makes them, has all its chunks, in their places.
  void check_chunks(hid_t column, const std::string& name) const {
    const Handle properties(H5Dget_create_plist(column), H5Pclose);
    H5D_fill_value_t fill = H5D_FILL_VALUE_ERROR;
    H5Pfill_value_defined(properties, &fill);
    if (fill != H5D_FILL_VALUE_UNDEFINED || H5Pget_layout(properties) != H5D_CHUNKED) return;
    const hsize_t n = length(column, name);
    const Handle space(H5Dget_space(column), H5Sclose);
    hsize_t chunk = 0, chunks = 0;
    bool complete = H5Pget_chunk(properties, 1, &chunk) == 1 &&
                    H5Dget_num_chunks(column, space, &chunks) >= 0 &&
                    chunks == n / chunk + (n % chunk != 0);
    for (hsize_t i = 0, at = 0; complete && i < chunks; ++i)
      complete = H5Dget_chunk_info(column, space, i, &at, nullptr, nullptr, nullptr) >= 0 &&
                 at == i * chunk;
    if (!complete) refuse(name, "has not all its rows", {});
  }

  void read_rows(hid_t column, hid_t type, void* to, std::size_t first, std::size_t n,
                 const std::string& name) const {
    if (n == 0) return;
    const hsize_t begin = first, rows = n;
    const Handle space(H5Dget_space(column), H5Sclose),
        memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &rows, nullptr) < 0 ||
        H5Dread(column, type, memory, space, H5P_DEFAULT, to) < 0)
      refuse(name, "cannot be read", last_error());
  }

  /// Texts of any length, which the library allocates.
  std::vector<std::string> read_variable_texts(hid_t column, hid_t type, std::size_t first,
                                               std::size_t n, const std::string& name) const {
    std::vector<char*> pointers(n, nullptr);
    read_rows(column, type, pointers.data(), first, n, name);
    std::vector<std::string> texts;
    for (const char* text : pointers) texts.emplace_back(text ? text : "");
    release_texts(type, pointers);
    return texts;
  }
  static void release_texts(hid_t type, std::vector<char*>& pointers) {
    const hsize_t n = pointers.size();
    if (n == 0) return;
    const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  }

  /// The text of an attribute; none if it is something else.
  std::optional<std::string> text_of(hid_t object, const std::string& name) const {
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (!attribute || !type) refuse(name, "cannot be read", last_error());
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (!is_read_as<std::string>(type) || H5Sget_simple_extent_npoints(space) != 1)
      return std::nullopt;
    if (H5Tis_variable_str(type) > 0) {
      std::vector<char*> pointer(1, nullptr);
      if (H5Aread(attribute, type, pointer.data()) < 0)
        refuse(name, "cannot be read", last_error());
      std::string text = pointer[0] ? pointer[0] : "";
      release_texts(type, pointer);
      return text;
    }
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, text.data()) < 0) refuse(name, "cannot be read", last_error());
    text.resize(strnlen(text.data(), text.size()));
    return text;
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& problem,
                           const std::string& why) const {
    throw InputError({path_, what}, problem, why);
  }

  std::string path_;
  Handle file_;
};

}  // namespace trackplex::hdf5
