// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queues.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace emulation {
namespace {

struct Release {
  Memory memory;
  void* address;
  std::uint64_t number;
};

/// What all queues share. Never destroyed: arrays may outlive all other objects.
struct Device {
  std::recursive_mutex mutex;
  std::vector<Queue*> queues;
  std::vector<Release> releases;
  std::uint64_t next_number = 0;
  std::uint32_t next_queue = 0;
  bool runs = false;
};

Device& device() {
  static Device* const instance = new Device;
  return *instance;
}

/// As long as it lives, this thread runs tasks.
class Running {
 public:
  Running() {
    if (std::exchange(device().runs, true)) fail("waits for the device inside of a kernel");
  }
  void run(const char* label, Access access, const std::function<void()>& f) {
    set_access(access);  // takes a while, and stays until another one is needed
    set_running(label);
    f();
    set_running(nullptr);
  }
  ~Running() {
    set_access(Access::host_code);
    device().runs = false;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

}  // namespace

Queue::Queue() {
  const std::lock_guard lock(device().mutex);
  number_ = device().next_queue++;
  device().queues.push_back(this);
}

Queue::~Queue() {
  const std::lock_guard lock(device().mutex);
  wait();
  std::erase(device().queues, this);
}

void Queue::enqueue(Task task) {
  install_fault_handlers();
  const std::lock_guard lock(device().mutex);
  if (device().runs) fail("launches '%s' inside of a kernel", task.label.c_str());
  task.number = device().next_number++;
  tasks_.push_back(std::move(task));
}

/// Frees what was released before the task of this number, unless an earlier task waits elsewhere.
void Queue::free_what_is_over(std::uint64_t number) {
  auto& releases = device().releases;
  if (releases.empty()) return;
  for (const Queue* queue : device().queues)
    if (!queue->tasks_.empty()) number = std::min(number, queue->tasks_.front().number);
  std::erase_if(releases, [&](const Release& r) {
    if (r.number > number) return false;
    release(r.memory, r.address);
    return true;
  });
}

void Queue::wait() {
  const std::lock_guard lock(device().mutex);
  if (tasks_.empty()) return;
  Running running;
  while (!tasks_.empty()) {
    const Task task = std::move(tasks_.front());
    free_what_is_over(task.number);
    tasks_.pop_front();
    running.run(task.label.c_str(), task.access, task.run);
  }
  free_what_is_over(device().next_number);
}

std::shared_ptr<Queue> Queue::default_queue() {
  static const auto* const queue = new std::shared_ptr<Queue>(std::make_shared<Queue>());
  return *queue;
}

void Queue::wait_for_all() {
  const std::lock_guard lock(device().mutex);
  for (std::size_t i = 0; i < device().queues.size(); ++i) device().queues[i]->wait();
}

void release_later(Memory memory, void* address, std::size_t bytes) {
  const std::lock_guard lock(device().mutex);
  const char* const begin = static_cast<const char*>(address);
  bool waits = false;
  for (const Queue* queue : device().queues)
    for (const Task& task : queue->tasks_) {
      waits = true;
      if (memory != Memory::device && task.host.begin < begin + bytes &&
          begin < task.host.begin + task.host.bytes)
        fail("frees '%s', which the enqueued '%s' has still to copy",
             label_of(memory, address).c_str(), task.label.c_str());
    }
  if (waits && memory != Memory::host)
    device().releases.push_back({memory, address, device().next_number++});
  else
    release(memory, address);
}

void with_all_memory(const std::function<void()>& f) {
  const std::lock_guard lock(device().mutex);
  Running running;
  running.run(nullptr, Access::copies, f);
}

}  // namespace emulation
