// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

namespace emulation {
namespace {

constexpr std::size_t page = 4096, huge_page = 2 << 20;
constexpr std::size_t alignment = 32;  // of the largest type; devices have more
constexpr std::size_t arena_bytes = std::size_t(1) << 38;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// A file without contents: pages that are mapped to it fault, whatever their protection.
int empty_file() {
  static const int file = memfd_create("trackplex_device", 0);
  return file;
}

struct Allocation {
  std::string label;
  char* begin;
  std::size_t bytes;
  bool freed = false;
};

/// Addresses that are handed out once only. Each array ends at the end of a page, and the next page
/// faults.
class Arena {
 public:
  explicit Arena(const char* name) : name_(name) {
    base_ = static_cast<char*>(
        mmap(nullptr, arena_bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, empty_file(), 0));
    if (base_ == MAP_FAILED) fail("no address space for the memory of the %s", name);
    top_ = base_;
  }

  void* allocate(const std::string& label, std::size_t bytes, unsigned char fill) {
    const std::lock_guard lock(mutex_);
    const std::size_t mapped = round_up(bytes, page);
    if (top_ + mapped + 2 * huge_page > base_ + arena_bytes) fail("no addresses for %s", name_);
    if (mapped >= huge_page)  // whose protection changes 512 times as fast
      top_ = base_ + round_up(std::size_t(top_ - base_), huge_page);
    char* const pages = top_;
    if (mmap(pages, mapped, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
      fail("no memory for %zu bytes of '%s'", bytes, label.c_str());
    if (mapped >= huge_page) madvise(pages, mapped, MADV_HUGEPAGE);
    char* const begin = pages + mapped - round_up(bytes, alignment);
    if (fill != 0) std::memset(pages, fill, mapped);
    if (!open_) mprotect(pages, mapped, PROT_NONE);
    top_ += mapped + page;
    allocations_.emplace(pages, Allocation{label, begin, bytes});
    return begin;
  }

  void release(void* address) {
    const std::lock_guard lock(mutex_);
    const auto found = std::prev(allocations_.upper_bound(static_cast<char*>(address)));
    found->second.freed = true;
    const std::size_t mapped = round_up(found->second.bytes, page);
    mmap(found->first, mapped, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, empty_file(),
         found->first - base_);
  }

  void open(bool opened) {
    const std::lock_guard lock(mutex_);
    if (opened == open_) return;
    open_ = opened;
    if (top_ > base_)
      mprotect(base_, std::size_t(top_ - base_), opened ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
  bool is_open() const { return open_; }
  bool contains(const void* address) const { return address >= base_ && address < top_; }
  const char* name() const { return name_; }

  /// The array at or before an address of the arena. Not locked: for messages of faults.
  const Allocation* find(const void* address) const {
    const auto next = allocations_.upper_bound(static_cast<char*>(const_cast<void*>(address)));
    return next == allocations_.begin() ? nullptr : &std::prev(next)->second;
  }

 private:
  const char* name_;
  char *base_, *top_;
  std::atomic<bool> open_ = true;
  std::map<char*, Allocation> allocations_;
  std::mutex mutex_;
};

/// Never destroyed: arrays may outlive all other objects.
Arena& arena_of(Memory memory) {
  static Arena* const arenas[] = {new Arena("host"), new Arena("host (pinned)"),
                                  new Arena("device")};
  static const bool closed = (arenas[int(Memory::device)]->open(false), true);
  (void)closed;
  return *arenas[int(memory)];
}

// What is running ---------------------------------------------------------------------------------

struct Running {
  const char* kernel = nullptr;
  int league_rank = -1, team_rank = -1;
};
Running running;
std::atomic<bool> has_runner = false;
pthread_t runner;

bool this_thread_runs() { return has_runner && pthread_equal(runner, pthread_self()); }

/// "kernel 'name', team 3, thread 5" or "host code".
std::string who() {
  if (!this_thread_runs() || running.kernel == nullptr) return "host code";
  std::string text = std::string("kernel '") + running.kernel + "'";
  if (running.league_rank >= 0) text += ", team " + std::to_string(running.league_rank);
  if (running.team_rank >= 0) text += ", thread " + std::to_string(running.team_rank);
  return text;
}

// Faults ------------------------------------------------------------------------------------------

struct sigaction previous_handlers[NSIG];

/// Where an address is, as seen from the arrays: "freed memory of 'x'", for example.
std::string describe(const Arena& arena, const Allocation& array, const char* address) {
  const std::string name = "'" + array.label + "'";
  const auto offset = address - array.begin;
  const std::string bytes = " (" + std::to_string(array.bytes) + " bytes of the " + arena.name() +
                            ") at byte " + std::to_string(offset);
  if (array.freed) return "freed memory of " + name + bytes;
  if (offset < 0) return "memory before " + name + bytes;
  if (offset >= std::ptrdiff_t(array.bytes)) return "memory past the end of " + name + bytes;
  return name + bytes;
}

void on_fault(int signal, siginfo_t* info, void*) {
  const auto* const address = static_cast<const char*>(info->si_addr);
  for (const Memory memory : {Memory::host, Memory::pinned, Memory::device}) {
    const Arena& arena = arena_of(memory);
    if (info->si_code <= 0 || !arena.contains(address)) continue;
    const Allocation* const array = arena.find(address);
    if (array == nullptr) continue;
    if (memory == Memory::host && !this_thread_runs() && signal == SIGSEGV) {
      while (!arena.is_open()) usleep(50);  // closed for the kernel of another thread
      return;
    }
    fail("touches %s", describe(arena, *array, address).c_str());
  }
  if (this_thread_runs() && info->si_code > 0)
    fail("touches %p, which is in no array (0 may be an address that is not aligned)",
         info->si_addr);
  sigaction(signal, &previous_handlers[signal], nullptr);  // not ours: comes again, to the other
}

}  // namespace

void* allocate(Memory memory, const std::string& label, std::size_t bytes, unsigned char fill) {
  install_fault_handlers();
  return bytes == 0 ? nullptr : arena_of(memory).allocate(label, bytes, fill);
}

void release(Memory memory, void* address) {
  if (address != nullptr) arena_of(memory).release(address);
}

std::string label_of(Memory memory, const void* address) {
  const Arena& arena = arena_of(memory);
  const Allocation* const array = arena.contains(address) ? arena.find(address) : nullptr;
  return array == nullptr ? "" : array->label;
}

void set_access(Access access) {
  if (access != Access::host_code) {
    runner = pthread_self();
    has_runner = true;
  }
  arena_of(Memory::device).open(access != Access::host_code);
  arena_of(Memory::host).open(access != Access::kernels);
  if (access == Access::host_code) has_runner = false;
}

void set_running(const char* kernel) { running = {kernel}; }
void set_running_thread(int league_rank, int team_rank) {
  running.league_rank = league_rank;
  running.team_rank = team_rank;
}

void install_fault_handlers() {
  thread_local const auto stack = [] {  // faults may come from a stack that is full
    constexpr std::size_t bytes = 64 << 10;
    auto memory = std::make_unique<char[]>(bytes);
    const stack_t description{.ss_sp = memory.get(), .ss_flags = 0, .ss_size = bytes};
    sigaltstack(&description, nullptr);
    return memory;
  }();
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    struct sigaction before {};
    sigaction(signal, &action, &before);
    if (before.sa_sigaction != on_fault) previous_handlers[signal] = before;
  }
}

void fail(const char* format, ...) {
  char message[1000];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  const std::string text = "emulated device: " + who() + ": " + message + "\n";
  const auto written = write(STDERR_FILENO, text.data(), text.size());
  (void)written;
  std::abort();
}

}  // namespace emulation
