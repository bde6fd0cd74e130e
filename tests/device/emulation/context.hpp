// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Switching between stacks: a few instructions on x86-64; elsewhere what POSIX has, which takes
/// twenty times as long, for a call of the system.

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace emulation {

#if defined(__x86_64__)

/// Where a stack goes on: its top holds the registers that calls preserve.
struct Context {
  void** top = nullptr;
};

/// Goes on at `to`, and returns when something goes on at `from`.
extern "C" void trackplex_switch_context(Context* from, const Context* to);

/// A context that begins with a call of `f` on this stack.
inline void start_context(Context& context, char* stack, std::size_t bytes, void (*f)()) {
  auto address = reinterpret_cast<std::uintptr_t>(stack + bytes) / 16 * 16;
  void** const end = reinterpret_cast<void**>(address);
  end[-1] = nullptr;
  end[-2] = reinterpret_cast<void*>(f);
  context.top = end - 8;  // below f: six registers
}
inline void switch_context(Context& from, const Context& to) {
  trackplex_switch_context(&from, &to);
}

#else

struct Context {
  ucontext_t context;
};
inline void start_context(Context& context, char* stack, std::size_t bytes, void (*f)()) {
  getcontext(&context.context);
  context.context.uc_stack.ss_sp = stack;
  context.context.uc_stack.ss_size = bytes;
  makecontext(&context.context, f, 0);
}
inline void switch_context(Context& from, const Context& to) {
  swapcontext(&from.context, &to.context);
}

#endif

}  // namespace emulation
