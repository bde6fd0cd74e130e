// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "teams.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "context.hpp"
#include "memory.hpp"
#include "settings.hpp"

#if defined(__x86_64__)
asm(R"(
.text
.globl trackplex_switch_context
.type trackplex_switch_context, @function
trackplex_switch_context:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov (%rsi), %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size trackplex_switch_context, . - trackplex_switch_context
)");
#endif

namespace emulation {
namespace {

constexpr std::size_t page = 4096;

/// Random numbers for orders only.
std::uint32_t draw() {
  static std::uint32_t state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

void set_order(std::vector<int>& order, int n) {
  order.resize(std::size_t(n));
  std::iota(order.begin(), order.end(), 0);
  if (settings().order == Order::descending)
    for (int& i : order) i = n - 1 - i;
  if (settings().order == Order::interleaved)
    for (int i = n - 1; i > 0; --i)
      std::swap(order[std::size_t(i)], order[draw() % std::uint32_t(i + 1)]);
}

// Scratch -----------------------------------------------------------------------------------------

/// Memory whose end is a page that faults; it grows as needed.
class Scratch {
 public:
  void require(std::size_t bytes) {
    if (bytes <= bytes_) return;
    release(Memory::device, pages_);
    bytes_ = (bytes + page - 1) / page * page;
    pages_ = static_cast<char*>(allocate(Memory::device, label_, bytes_, 0));
  }
  /// Whoever aligns to 64 bytes what he gets here loses as much as he ever may: 56 bytes.
  char* block(std::size_t bytes) const { return end() - (bytes + 7) / 8 * 8 + 8; }
  void clear(std::size_t bytes) const { std::memset(end() - bytes, undefined_byte, bytes); }
  explicit Scratch(const char* label) : label_(label) {}

 private:
  char* end() const { return pages_ + bytes_; }
  const char* label_;
  char* pages_ = nullptr;
  std::size_t bytes_ = 0;
};

// Fibres ------------------------------------------------------------------------------------------

enum class State { runs, waits, finished };

struct Fibre {
  Context context;
  TeamThread thread;
  State state = State::finished;
  Meeting meeting;
  void* data;
  Act act;
};

/// The threads of one team. There is one object, used by one host thread at a time.
class Team {
 public:
  void run(const TeamThread& first, const std::function<void(const TeamThread&)>& body);
  void meet(Meeting meeting, void* data, Act what);
  void pause();
  bool runs() const { return current_ != nullptr; }
  Scratch scratch[2] = {Scratch("scratch memory of level 0"), Scratch("scratch memory of level 1")};

 private:
  static void loop();
  void add_fibres(int n);
  void switch_to(Fibre& fibre);
  void switch_back(Fibre& fibre);
  void run_until_all_wait(int n);
  bool act(int n);

  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<int> order_;
  std::vector<void*> data_;
  const std::function<void(const TeamThread&)>* body_ = nullptr;
  Fibre* current_ = nullptr;
  Context scheduler_;
};

Team& team() {
  static Team* const instance = new Team;
  return *instance;
}

void Team::add_fibres(int n) {
  constexpr std::size_t bytes = 256 << 10;
  while (int(fibres_.size()) < n) {
    auto& fibre = fibres_.emplace_back(std::make_unique<Fibre>());
    char* const stack = static_cast<char*>(
        mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (stack == MAP_FAILED || mprotect(stack + page, bytes, PROT_READ | PROT_WRITE) != 0)
      fail("no memory for the stack of a thread");
    // Stacks that began at equal places of pages would compete for the same lines of the cache.
    start_context(fibre->context, stack + page, bytes - fibres_.size() % 64 * 320, &Team::loop);
  }
}

/// What a fibre does: team after team.
void Team::loop() {
  Team& all = team();
  Fibre& fibre = *all.current_;
  for (;;) {
    (*all.body_)(fibre.thread);
    fibre.state = State::finished;
    all.switch_back(fibre);
  }
}

void Team::switch_to(Fibre& fibre) {
  current_ = &fibre;
  set_running_thread(fibre.thread.league_rank, fibre.thread.team_rank);
  switch_context(scheduler_, fibre.context);
  current_ = nullptr;
}

void Team::switch_back(Fibre& fibre) { switch_context(fibre.context, scheduler_); }

void Team::meet(Meeting meeting, void* data, Act what) {
  Fibre& fibre = *current_;
  fibre.meeting = meeting;
  fibre.data = data;
  fibre.act = what;
  fibre.state = State::waits;
  switch_back(fibre);
}

void Team::pause() {
  if (settings().order == Order::interleaved && draw() % 4 == 0) switch_back(*current_);
}

void Team::run_until_all_wait(int n) {
  set_order(order_, n);
  for (bool any = true; any;) {
    any = false;
    for (const int i : order_) {
      Fibre& fibre = *fibres_[std::size_t(i)];
      if (fibre.state != State::runs) continue;
      switch_to(fibre);
      any = any || fibre.state == State::runs;
    }
  }
}

/// Does what the threads met for. Whether any of them goes on.
bool Team::act(int n) {
  const char* const names[] = {"barrier", "scan", "broadcast"};
  const Fibre& first = *fibres_[0];
  int waiting = 0;
  for (int i = 0; i < n; ++i) {
    Fibre& fibre = *fibres_[std::size_t(i)];
    waiting += fibre.state == State::waits;
    data_[std::size_t(i)] = fibre.data;
    if (fibre.state == State::waits && first.state == State::waits &&
        fibre.meeting != first.meeting)
      fail("threads 0 and %d of a team of %d wait for each other: at a %s and at a %s", i, n,
           names[int(first.meeting)], names[int(fibre.meeting)]);
  }
  if (waiting == 0) return false;
  for (int i = 0; i < n && waiting < n; ++i) {
    const Fibre& fibre = *fibres_[std::size_t(i)];
    if (fibre.state == State::waits)
      fail("%d of %d threads of a team have reached a %s, thread %d for example; the others ended",
           waiting, n, names[int(fibre.meeting)], i);
  }
  if (first.act != nullptr) first.act(data_.data(), n);
  for (int i = 0; i < n; ++i) fibres_[std::size_t(i)]->state = State::runs;
  return true;
}

void Team::run(const TeamThread& first, const std::function<void(const TeamThread&)>& body) {
  const int n = first.team_size;
  add_fibres(n);
  data_.resize(std::size_t(n));
  body_ = &body;
  for (int i = 0; i < n; ++i) {
    Fibre& fibre = *fibres_[std::size_t(i)];
    fibre.thread = first;
    fibre.thread.team_rank = i;
    fibre.state = State::runs;
  }
  do {
    run_until_all_wait(n);
  } while (act(n));
}

}  // namespace

Settings& settings() {
  static Settings instance = [] {
    Settings from_environment;
    const auto value = [](const char* name) {
      const char* const text = std::getenv(name);
      return std::string(text == nullptr ? "" : text);
    };
    const std::string order = value("TRACKPLEX_DEVICE_ORDER");
    if (order == "descending") from_environment.order = Order::descending;
    if (order == "interleaved") from_environment.order = Order::interleaved;
    from_environment.team_size = std::atoi(value("TRACKPLEX_DEVICE_TEAM").c_str());
    return from_environment;
  }();
  return instance;
}

void* TeamThread::scratch(int level, std::size_t bytes) const {
  if (bytes > scratch_bytes[level])
    fail("asks for %zu bytes of scratch memory of level %d, of which it has %zu", bytes, level,
         scratch_bytes[level]);
  return team().scratch[level].block(bytes);
}

void run_teams(const TeamLaunch& launch, const std::function<void(const TeamThread&)>& body) {
  TeamThread thread{.league_rank = 0,
                    .league_size = launch.league_size,
                    .team_rank = 0,
                    .team_size = launch.team_size,
                    .scratch_bytes = {launch.scratch_bytes[0], launch.scratch_bytes[1]}};
  if (thread.team_size > 1 && settings().team_size > 0) thread.team_size = settings().team_size;
  for (int level = 0; level < 2; ++level)
    team().scratch[level].require(launch.scratch_bytes[level]);
  std::vector<int> order;
  set_order(order, launch.league_size);
  for (const int rank : order) {
    for (int level = 0; level < 2; ++level)
      if (launch.scratch_bytes[level] > 0) team().scratch[level].clear(launch.scratch_bytes[level]);
    thread.league_rank = rank;
    team().run(thread, body);
  }
}

void meet(Meeting meeting, void* data, Act act) { team().meet(meeting, data, act); }

void pause() {
  if (team().runs()) team().pause();
}

const int* order_of(int n) {
  static std::vector<int> order;
  set_order(order, n);
  return order.data();
}

}  // namespace emulation
