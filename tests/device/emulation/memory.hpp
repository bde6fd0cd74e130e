// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Memory of the emulated device and of its host. Arrays of the device may be touched only while
/// kernels and copies run, arrays of the host not while kernels run, and nothing past its end or
/// after it was freed: all that faults, and the message says what was touched.

#include <cstddef>
#include <string>

namespace emulation {

enum class Memory { host, pinned, device };

/// What fills memory without contents.
inline constexpr unsigned char undefined_byte = 0xcb;

/// `bytes` of memory behind which is a page that faults, each byte `fill`. Null for 0 bytes.
void* allocate(Memory memory, const std::string& label, std::size_t bytes, unsigned char fill);
/// Makes memory fault from now on.
void release(Memory memory, void* address);
/// The label of the array that holds this address; empty where there is none.
std::string label_of(Memory memory, const void* address);

/// What may be touched.
enum class Access { host_code, kernels, copies };
/// Sets what this thread may touch. At most one thread has another access than that of host code.
void set_access(Access access);

/// Makes the handlers of faults those of the device, which other libraries replace.
void install_fault_handlers();
/// What is running, for messages; null: host code.
void set_running(const char* kernel);
/// Which thread of the kernel.
void set_running_thread(int league_rank, int team_rank);

/// Prints the message, with what is running, and aborts.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...);

}  // namespace emulation
