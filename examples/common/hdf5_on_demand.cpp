// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions and variables of HDF5 that the library uses, for programs that load HDF5 when they
// first use it: with the forty libraries that it needs it takes 7 MB and most of the time to start.
// A function that is not among these links the program to HDF5 as usual.
#include <trackplex/core/error.hpp>

#include <dlfcn.h>
#include <hdf5.h>

#include <string>
#include <tuple>

namespace {

/// HDF5, by its name or else by the path that the program was built with.
void* library() {
  static void* const loaded = [] {
    for (const char* file : {TRACKPLEX_HDF5_NAME, TRACKPLEX_HDF5_PATH})
      if (void* found = ::dlopen(file, RTLD_NOW | RTLD_LOCAL)) return found;
    const char* const problem = ::dlerror();
    throw trackplex::Error("HDF5", "cannot be loaded", problem ? problem : "");
  }();
  return loaded;
}

template <class T>
T* symbol(const char* name) {
  if (void* found = ::dlsym(library(), name)) return reinterpret_cast<T*>(found);
  throw trackplex::Error("HDF5", "lacks " + std::string(name), TRACKPLEX_HDF5_NAME);
}

template <class Function>
struct Signature;
template <class Return, class... Parameters>
struct Signature<Return(Parameters...)> {
  using Result = Return;
  template <int i>
  using Parameter = std::tuple_element_t<i, std::tuple<Parameters...>>;
};

void read_variables();

}  // namespace

// Names may be macros of the header for a version of the function.
#define NAME_OF(f) #f
#define RESULT(f) Signature<decltype(f)>::Result
#define PARAMETER(f, i) Signature<decltype(f)>::Parameter<i> a##i
#define CALL(f, ...)                                           \
  static auto* const loaded = symbol<decltype(f)>(NAME_OF(f)); \
  return loaded(__VA_ARGS__)
#define FORWARD1(f) \
  RESULT(f) f(PARAMETER(f, 0)) { CALL(f, a0); }
#define FORWARD2(f) \
  RESULT(f) f(PARAMETER(f, 0), PARAMETER(f, 1)) { CALL(f, a0, a1); }
#define FORWARD3(f) \
  RESULT(f) f(PARAMETER(f, 0), PARAMETER(f, 1), PARAMETER(f, 2)) { CALL(f, a0, a1, a2); }
#define FORWARD4(f)                                                                 \
  RESULT(f) f(PARAMETER(f, 0), PARAMETER(f, 1), PARAMETER(f, 2), PARAMETER(f, 3)) { \
    CALL(f, a0, a1, a2, a3);                                                        \
  }
#define FORWARD5(f)                                                                        \
  RESULT(f)                                                                                \
  f(PARAMETER(f, 0), PARAMETER(f, 1), PARAMETER(f, 2), PARAMETER(f, 3), PARAMETER(f, 4)) { \
    CALL(f, a0, a1, a2, a3, a4);                                                           \
  }
#define FORWARD6(f)                                                                      \
  RESULT(f)                                                                              \
  f(PARAMETER(f, 0), PARAMETER(f, 1), PARAMETER(f, 2), PARAMETER(f, 3), PARAMETER(f, 4), \
    PARAMETER(f, 5)) {                                                                   \
    CALL(f, a0, a1, a2, a3, a4, a5);                                                     \
  }
#define FORWARD7(f)                                                                      \
  RESULT(f)                                                                              \
  f(PARAMETER(f, 0), PARAMETER(f, 1), PARAMETER(f, 2), PARAMETER(f, 3), PARAMETER(f, 4), \
    PARAMETER(f, 5), PARAMETER(f, 6)) {                                                  \
    CALL(f, a0, a1, a2, a3, a4, a5, a6);                                                 \
  }

#define FOR_EACH_VARIABLE(f)                                                             \
  f(H5P_CLS_DATASET_CREATE_ID_g) f(H5P_CLS_FILE_ACCESS_ID_g) f(H5P_CLS_FILE_CREATE_ID_g) \
      f(H5P_CLS_GROUP_CREATE_ID_g) f(H5T_C_S1_g) f(H5T_IEEE_F32LE_g) f(H5T_IEEE_F64LE_g) \
          f(H5T_NATIVE_DOUBLE_g) f(H5T_NATIVE_FLOAT_g) f(H5T_NATIVE_INT64_g)             \
              f(H5T_NATIVE_UINT64_g) f(H5T_STD_I64LE_g) f(H5T_STD_U64LE_g)

extern "C" {

#define VARIABLE(name) hid_t name = H5I_INVALID_HID;
FOR_EACH_VARIABLE(VARIABLE)

/// Precedes each use of the variables, in macros of HDF5.
herr_t H5open() {
  static const herr_t status = [] {
    const herr_t opened = symbol<herr_t()>("H5open")();
    read_variables();
    return opened;
  }();
  return status;
}

FORWARD1(H5Aclose)
FORWARD1(H5Aget_space)
FORWARD1(H5Aget_type)
FORWARD1(H5Dclose)
FORWARD1(H5Dget_create_plist)
FORWARD1(H5Dget_space)
FORWARD1(H5Dget_type)
FORWARD1(H5Fclose)
FORWARD1(H5Gclose)
FORWARD1(H5Iget_type)
FORWARD1(H5Oclose)
FORWARD1(H5Pclose)
FORWARD1(H5Pcreate)
FORWARD1(H5Pget_layout)
FORWARD1(H5Pset_fletcher32)
FORWARD1(H5Sclose)
FORWARD1(H5Screate)
FORWARD1(H5Sget_simple_extent_ndims)
FORWARD1(H5Sget_simple_extent_npoints)
FORWARD1(H5Tclose)
FORWARD1(H5Tcopy)
FORWARD1(H5Tget_class)
FORWARD1(H5Tget_sign)
FORWARD1(H5Tget_size)
FORWARD1(H5Tis_variable_str)
FORWARD2(H5Aexists)
FORWARD2(H5Fflush)
FORWARD2(H5Pfill_value_defined)
FORWARD2(H5Pset_attr_creation_order)
FORWARD2(H5Pset_link_creation_order)
FORWARD2(H5Pset_obj_track_times)
FORWARD2(H5Tset_cset)
FORWARD2(H5Tset_size)
FORWARD2(H5Tset_strpad)
FORWARD3(H5Aopen)
FORWARD3(H5Aread)
FORWARD3(H5Awrite)
FORWARD3(H5Dget_num_chunks)
FORWARD3(H5Dopen2)
FORWARD3(H5Eget_auto2)
FORWARD3(H5Eset_auto2)
FORWARD3(H5Fopen)
FORWARD3(H5Gopen2)
FORWARD3(H5Lexists)
FORWARD3(H5Oopen)
FORWARD3(H5Pget_chunk)
FORWARD3(H5Pset_chunk)
FORWARD3(H5Pset_fill_value)
FORWARD3(H5Pset_libver_bounds)
FORWARD3(H5Screate_simple)
FORWARD3(H5check_version)
FORWARD4(H5Dvlen_reclaim)
FORWARD4(H5Ewalk2)
FORWARD4(H5Fcreate)
FORWARD5(H5Gcreate2)
FORWARD6(H5Acreate2)
FORWARD6(H5Aiterate2)
FORWARD6(H5Dread)
FORWARD6(H5Dwrite)
FORWARD6(H5Literate)
FORWARD6(H5Sselect_hyperslab)
FORWARD7(H5Dcreate2)
FORWARD7(H5Dget_chunk_info)

}  // extern "C"

namespace {

void read_variables() {
#define READ(name) name = *symbol<hid_t>(#name);
  FOR_EACH_VARIABLE(READ)
}

}  // namespace
