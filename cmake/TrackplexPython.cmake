# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The interpreter of the Python module, and pybind11.
include_guard()

# trackplex_find_python(): sets TRACKPLEX_PYTHON_FOUND_<what>: EXECUTABLE, INCLUDES (of Python and pybind11) and SUFFIX (of modules).
# The interpreter is the first that has its headers and NumPy of TRACKPLEX_PYTHON, /usr/bin/python3 and the python3 of the path: one
# that comes first there is often without them.
function(trackplex_find_python)
  set(TRACKPLEX_PYTHON "" CACHE FILEPATH "Interpreter of the Python module; empty: /usr/bin/python3, else that of the path")
  set(script
      "import pathlib, sys, sysconfig
import numpy
include = sysconfig.get_paths()['include']
if not (pathlib.Path(include) / 'Python.h').exists(): sys.exit('there is no ' + include + '/Python.h')
try:
    import pybind11
    include += '\\n' + pybind11.get_include()
except ImportError:
    pass
print(sys.executable, sysconfig.get_config_var('EXT_SUFFIX'), include, sep='\\n')
")
  set(problems "")
  foreach(candidate IN ITEMS "${TRACKPLEX_PYTHON}" /usr/bin/python3 python3)
    if(NOT candidate)
      continue()
    endif()
    execute_process(
      COMMAND "${candidate}" -c "${script}"
      RESULT_VARIABLE status
      OUTPUT_VARIABLE found
      ERROR_VARIABLE problem
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(status EQUAL 0)
      break()
    endif()
    string(REGEX REPLACE ".*\n(.+)" "\\1" problem "\n${problem}") # the last line of a trace
    string(APPEND problems "\n  ${candidate}: ${problem}")
  endforeach()
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "No Python with headers and NumPy was found (Debian: python3-dev python3-numpy, or set TRACKPLEX_PYTHON, or run \
scripts/setup --with-python):${problems}")
  endif()
  string(REPLACE "\n" ";" found "${found}")
  list(POP_FRONT found executable suffix)
  list(POP_FRONT found include)
  find_path(TRACKPLEX_PYBIND11_INCLUDE pybind11/pybind11.h HINTS ${found})
  if(NOT TRACKPLEX_PYBIND11_INCLUDE)
    message(FATAL_ERROR "pybind11 was not found (Debian: pybind11-dev, or set TRACKPLEX_PYBIND11_INCLUDE)")
  endif()
  message(STATUS "Python: ${executable}, pybind11: ${TRACKPLEX_PYBIND11_INCLUDE}")
  set(TRACKPLEX_PYTHON_FOUND_EXECUTABLE "${executable}" PARENT_SCOPE)
  set(TRACKPLEX_PYTHON_FOUND_SUFFIX "${suffix}" PARENT_SCOPE)
  set(TRACKPLEX_PYTHON_FOUND_INCLUDES "${include}" "${TRACKPLEX_PYBIND11_INCLUDE}" PARENT_SCOPE)
endfunction()
