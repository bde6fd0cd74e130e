// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays from memory of the caller's, and copies between host and device.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/workspace.hpp>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

namespace counted {

/// Memory that counts who asks for how much. It is found by argument-dependent lookup.
struct Memory {
  struct Request {
    std::string label;
    std::size_t n;
  };
  std::vector<Request>* requests;
};

template <class View>
void allocate_array(const Memory& memory, View& view, std::string_view label, std::size_t n) {
  if (view.extent(0) >= n) return;
  memory.requests->push_back({std::string(label), n});
  view = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), n);
}

}  // namespace counted

using namespace trackplex;

namespace {

template <class Space>
using Numbers = Kokkos::View<int*, typename Space::memory_space>;
template <class Space>
using Rows = Kokkos::View<float* [6], Kokkos::LayoutRight, typename Space::memory_space>;

template <class Space>
struct Arrays {
  Numbers<Space> numbers;
  Rows<Space> rows;
  int size = 0;
};

template <class From, class To, class F>
void for_each_array(const Arrays<From>& from, Arrays<To>& to, const F& f) {
  to.size = from.size;
  f(from.numbers, to.numbers, "Trackplex::Test::numbers", std::size_t(from.size));
  f(from.rows, to.rows, "Trackplex::Test::rows", std::size_t(from.size));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("A workspace takes its buffers from memory of the caller's", "[workspace]",
                        test::EnabledSpaces) {
  const TestType exec;
  std::vector<counted::Memory::Request> requests;
  Workspace<TestType> workspace(counted::Memory{&requests});
  const auto first = workspace.template get<int>(exec, "a", 10);
  CHECK(workspace.template get<double>(exec, "a", 5).data() ==
        static_cast<const void*>(first.data()));
  CHECK(workspace.template get<char>(exec, "b", 7).extent(0) == 7);
  workspace.template get<int>(exec, "a", 11);
  REQUIRE(requests.size() == 3);
  CHECK(requests[0].label == "a");
  CHECK(requests[0].n == 40);
  CHECK(requests[1].label == "b");
  CHECK(requests[1].n == 7);
  CHECK(requests[2].n == 44);
  CHECK(workspace.bytes() == 51);

  const auto copy = workspace;  // the same buffers
  CHECK(copy.bytes() == 51);
}

TEMPLATE_LIST_TEST_CASE("Arrays go to the device and back", "[host_copy]", test::EnabledSpaces) {
  using Host = Kokkos::HostSpace;
  const TestType exec;
  std::vector<counted::Memory::Request> requests;
  const counted::Memory memory{&requests};
  Arrays<Host> from{Numbers<Host>("numbers", 9), Rows<Host>("rows", 9), 7};
  for (int i = 0; i < 9; ++i) {
    from.numbers(i) = 100 + i;
    for (int j = 0; j < 6; ++j) from.rows(i, j) = float(10 * i + j);
  }
  Arrays<TestType> to_device;
  allocate_copies(memory, to_device, from);
  copy_arrays(exec, to_device, from);
  Arrays<Host> back;
  allocate_copies(memory, back, to_device);
  copy_arrays(exec, back, to_device);
  exec.fence();
  CHECK(back.size == 7);
  for (int i = 0; i < 7; ++i) {
    CHECK(back.numbers(i) == 100 + i);
    for (int j = 0; j < 6; ++j) CHECK(back.rows(i, j) == float(10 * i + j));
  }
  if (is_host_space<TestType>) {  // all are the same arrays
    CHECK(back.numbers.data() == from.numbers.data());
    CHECK(back.rows.data() == from.rows.data());
    CHECK(requests.empty());
  } else {
    CHECK(requests.size() == 4);
  }
}

TEMPLATE_LIST_TEST_CASE("An element comes to the host", "[host_copy]", test::EnabledSpaces) {
  const TestType exec;
  const auto numbers = to_device<int>(exec, "numbers", std::vector{1, 2, 3});
  CHECK(element_on_host(exec, numbers, 0) == 1);
  CHECK(element_on_host(exec, Kokkos::View<const int*, MemoryOf<TestType>>(numbers), 2) == 3);
}

TEMPLATE_LIST_TEST_CASE("Whole arrays are copied and cleared", "[host_copy]", test::EnabledSpaces) {
  const TestType exec;
  const auto numbers = to_device<int>(exec, "numbers", std::vector{1, 2, 3});
  const auto copy = to_device<int>(exec, "copy", std::vector{0, 0, 0});
  copy_array(exec, copy, numbers);
  fill_with_zeros(exec, numbers);
  CHECK(element_on_host(exec, copy, 2) == 3);
  CHECK(element_on_host(exec, numbers, 0) == 0);
  CHECK(element_on_host(exec, numbers, 2) == 0);
  const auto two = to_device<int>(exec, "two", std::vector{0, 0});
  CHECK_THROWS_AS(copy_array(exec, two, numbers), UsageError);
}

TEST_CASE("Arrays of their own are copied on hosts, too", "[host_copy]") {
  using Space = HostExecutor;
  const Numbers<Space> from("from", 5), to("to", 8);
  for (int i = 0; i < 5; ++i) from(i) = i + 1;
  copy_entries(Space(), to, from, 3);
  Space().fence();
  CHECK(to(2) == 3);
  CHECK(to(3) == 0);
  const Rows<Space> rows("rows", 4), other("other", 5);
  for (int i = 0; i < 4; ++i) rows(i, 5) = float(i + 1);
  copy_entries(Space(), other, rows, 3);
  Space().fence();
  CHECK(other(2, 5) == 3.f);
  CHECK(other(3, 5) == 0.f);
}

TEMPLATE_LIST_TEST_CASE("Copies of more entries than there are", "[host_copy]",
                        test::EnabledSpaces) {
  const TestType exec;
  const auto numbers = to_device<int>(exec, "numbers", std::vector{1, 2, 3});
  const auto five = to_device<int>(exec, "five", std::vector{1, 2, 3, 4, 5});
  const auto refused = [](const auto& copy, const std::string& counts) {
    test::check_refused<UsageError>(copy, "there are too few entries (" + counts);
  };
  refused([&] { copy_to_device(exec, numbers, std::vector{1, 2}); }, "2 of 3");
  refused([&] { to_host(exec, numbers, 4); }, "3 of 4");
  refused([&] { (void)element_on_host(exec, numbers, 3); }, "3 of 4");
  refused([&] { copy_entries(exec, numbers, five, 4); }, "3 of 4");
  refused([&] { copy_entries(exec, five, numbers, 4); }, "3 of 4");
  CHECK(to_host(exec, numbers, 3)(2) == 3);
  const int of_unknown_size[] = {4, 5, 6};
  CHECK_NOTHROW(copy_to_device(exec, numbers, of_unknown_size));
}
