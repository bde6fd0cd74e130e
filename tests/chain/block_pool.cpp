// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/chain/block_pool.hpp>

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

using trackplex::chain::Block;
using Pool = trackplex::chain::BlockPool<Kokkos::HostSpace>;

namespace {

/// Writes to all bytes of a block.
Block filled(const Pool& pool, std::size_t bytes, int value) {
  const Block block = pool.take(bytes);
  std::memset(block.data, value, bytes);
  return block;
}

const void* address(const Block& block) { return block.data; }

}  // namespace

TEST_CASE("A block is taken again once its last owner is gone", "[chain]") {
  const Pool pool;
  auto block = filled(pool, 1000, 1);
  const char* const data = block.data;
  auto copy = block.owner;
  block.owner.reset();
  CHECK(address(filled(pool, 1000, 2)) != data);
  CHECK(data[999] == 1);
  copy.reset();
  CHECK(address(filled(pool, 1000, 3)) == data);
  CHECK(address(filled(pool, 900, 4)) == data);
}

TEST_CASE("The smallest block that is large enough is taken, too small ones are replaced",
          "[chain]") {
  const Pool pool;
  auto small = filled(pool, 100, 1), medium = filled(pool, 1000, 2), large = filled(pool, 5000, 3);
  const char *const of_medium = medium.data, *const of_large = large.data;
  small = medium = large = {};
  auto first = filled(pool, 900, 4);
  CHECK(address(first) == of_medium);
  auto second = filled(pool, 200, 5);
  CHECK(address(second) == of_large);
  const auto third = filled(pool, 20000, 6);
  CHECK(third.data[19999] == 6);
  CHECK(first.data[899] == 4);
  CHECK(pool.take(0).owner != nullptr);
}

TEST_CASE("Blocks outlive their pool", "[chain]") {
  std::optional<Pool> pool(std::in_place);
  const Pool copy = *pool;
  auto block = filled(*pool, 64, 7);
  pool.reset();
  const char* const data = block.data;
  CHECK(data[63] == 7);
  const std::weak_ptr<const void> watched = block.owner;
  block.owner.reset();
  CHECK(watched.expired());
  CHECK(address(filled(copy, 64, 8)) != data);  // it returns with the last weak pointer
  Block last;
  {
    const Pool other;
    last = filled(other, 64, 9);
  }
  CHECK(last.data[63] == 9);
}

TEST_CASE("Threads share a pool", "[chain]") {
  const Pool pool;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&pool, &wrong, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::size_t bytes = std::size_t(64 + (i * 37 + t * 11) % 500);
        const Block block = filled(pool, bytes, t);
        const auto owner = block.owner;
        for (std::size_t b = 0; b < bytes; ++b) wrong[std::size_t(t)] += block.data[b] != t;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
