// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <trackplex/mpi/communicator.hpp>
#include <utility>
#include <vector>

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using mpi::Communicator;

TEST_CASE("Numbers of all ranks are combined", "[mpi]") {
  const Communicator all;
  const std::int64_t n = all.size(), rank = all.rank();
  CHECK(all.sum_of(rank + 1) == n * (n + 1) / 2);
  CHECK(all.max_of(rank) == n - 1);
  CHECK(all.any(rank == n - 1));
  CHECK_FALSE(all.any(false));
  std::vector<std::int64_t> values{rank, -rank, std::int64_t(1) << 40};
  all.add(values);
  CHECK(values == std::vector{n * (n - 1) / 2, -n * (n - 1) / 2, n << 40});
  std::uint8_t bit = std::uint8_t(1 << rank % 8);
  all.combine(std::span(&bit, 1), MPI_BOR);
  CHECK(int(bit) == (1 << n) - 1);
}

TEST_CASE("Values of one rank go to all", "[mpi]") {
  const Communicator all;
  for (int root = 0; root < all.size(); ++root) {
    std::vector<std::byte> bytes;
    if (all.rank() == root) bytes.assign(std::size_t(7 + root), std::byte(root));
    all.broadcast(bytes, root);
    CHECK(bytes == std::vector(std::size_t(7 + root), std::byte(root)));
  }
}

TEST_CASE("Ranks gather parts of any length in their order", "[mpi]") {
  const Communicator all;
  const std::vector<int> own(std::size_t(all.rank() % 3), all.rank());  // some have none
  std::vector<int> expected;
  for (int rank = 0; rank < all.size(); ++rank)
    expected.insert(expected.end(), std::size_t(rank % 3), rank);
  CHECK(gather_all(all, std::span<const int>(own)) == expected);
}

TEST_CASE("Ranks exchange parts of any length", "[mpi]") {
  const Communicator all;
  std::vector<std::vector<std::byte>> to;
  std::vector<std::byte> expected;
  for (int rank = 0; rank < all.size(); ++rank) {
    to.emplace_back(std::size_t(10 * all.rank() + rank), std::byte(all.rank()));
    expected.insert(expected.end(), std::size_t(10 * rank + all.rank()), std::byte(rank));
  }
  const std::vector<std::span<const std::byte>> spans(to.begin(), to.end());
  CHECK(all.exchange(spans) == expected);
  const std::vector<std::span<const std::byte>> too_many(std::size_t(all.size()) + 1);
  CHECK_THROWS_AS(all.exchange(too_many), UsageError);
}

TEST_CASE("Groups of ranks", "[mpi]") {
  Communicator all;
  const Communicator half = all.split(all.rank() % 2);
  CHECK(half.rank() == all.rank() / 2);
  CHECK(half.size() == (all.size() + 1 - all.rank() % 2) / 2);
  CHECK(all.node().size() == all.size());  // all are started here
  const Communicator moved = std::move(all);
  CHECK(moved.sum_of(1) == moved.size());
}

TEST_CASE("Failures of MPI name rank and call", "[mpi]") {
  const Communicator all;
  int value = 0;
  const std::string name = "rank " + std::to_string(all.rank()) + " of";
  CHECK_THROWS_WITH(all.broadcast(std::span(&value, 1), all.size()),
                    ContainsSubstring(name) && ContainsSubstring("MPI_Bcast failed"));
}

TEST_CASE("Items are dealt to ranks in whole blocks", "[mpi]") {
  const Communicator all;
  for (const std::int64_t n : {0ll, 1ll, 4096ll, 4097ll, 100000ll, 3'000'000'000ll}) {
    if (n / all.size() > std::numeric_limits<int>::max()) {
      CHECK_THROWS_AS(Share(n, 4096, &all), CapacityError);
      continue;
    }
    const Share share(n, 4096, &all);
    CAPTURE(n, share.first, share.n);
    CHECK(share.all == n);
    CHECK(all.sum_of(std::int64_t(share.n)) == n);
    CHECK((share.n == 0 || share.first % 4096 == 0));
    const auto starts = gather_all(all, std::span<const std::int64_t>(&share.first, 1));
    const std::int64_t end = all.rank() + 1 < all.size() ? starts[std::size_t(all.rank()) + 1] : n;
    CHECK(share.first + share.n == end);
    CHECK(all.max_of(share.n) - (n + all.size() - 1) / all.size() <= 4096);
  }
}
