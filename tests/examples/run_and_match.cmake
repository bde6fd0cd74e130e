# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs PROGRAM, which must end with success and print what the regular expression OUTPUT describes.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE printed RESULT_VARIABLE status)
message("${printed}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
elseif(NOT printed MATCHES "${OUTPUT}")
  message(FATAL_ERROR "Not printed as expected: ${OUTPUT}")
endif()
