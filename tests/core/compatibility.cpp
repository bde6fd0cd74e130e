// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <support/spaces.hpp>
#include <trackplex/core/compatibility.hpp>

TEST_CASE("A KokkosScope inside another one leaves Kokkos running", "[compatibility]") {
  REQUIRE(Kokkos::is_initialized());
  { trackplex::KokkosScope const inner(1); }
  CHECK(Kokkos::is_initialized());
}

TEST_CASE("Kokkos starts with the number of threads asked for", "[compatibility]") {
#if defined(KOKKOS_ENABLE_OPENMP)
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (!threads) {
    SKIP("OMP_NUM_THREADS is not set");
  }
  CHECK(Kokkos::OpenMP().concurrency() == std::atoi(threads));
#else
  SKIP("Kokkos without OpenMP");
#endif
}

TEST_CASE("more host threads than Kokkos has places for are refused", "[compatibility]") {
  using trackplex::detail::checked_threads;
  CHECK(checked_threads(3) == 3);
  CHECK_THROWS_AS(trackplex::initialize_kokkos(trackplex::max_host_threads + 1),
                  trackplex::UsageError);
  const char* const before = std::getenv("OMP_NUM_THREADS");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("OMP_NUM_THREADS", "512,4", 1);
  CHECK(checked_threads(0) == 0);
  ::setenv("OMP_NUM_THREADS", "600", 1);
  CHECK_THROWS_AS(checked_threads(0), trackplex::UsageError);
  CHECK(checked_threads(2) == 2);
  before == nullptr ? ::unsetenv("OMP_NUM_THREADS") : ::setenv("OMP_NUM_THREADS", saved.c_str(), 1);
}

TEMPLATE_LIST_TEST_CASE("Every enabled space runs a reduction", "[compatibility]",
                        trackplex::test::EnabledSpaces) {
  const Kokkos::View<long*, TestType> values("Trackplex::Test::values", 1000);
  Kokkos::parallel_for(
      "Trackplex::Test::fill", Kokkos::RangePolicy<TestType>(TestType(), 0, 1000),
      KOKKOS_LAMBDA(int i) { values(i) = i; });
  long sum = 0;
  Kokkos::parallel_reduce(
      "Trackplex::Test::sum", Kokkos::RangePolicy<TestType>(TestType(), 0, 1000),
      KOKKOS_LAMBDA(int i, long& partial) { partial += values(i); }, sum);
  CHECK(sum == 499500);
}
