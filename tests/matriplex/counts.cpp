// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that are left when patterns have pruned them, counted, against the minimal counts
// of mkFit, p2z and p2r, which count additions and multiplications apart (an fma is two).
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/counted.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>
#include <trackplex/matriplex/similarity.hpp>

using namespace trackplex;

namespace {

using Real = Counted<double>;

/// A helix to a radius, in (x, y, z, 1/pT, phi, theta).
constexpr Pattern<6, 6> helix("x x . x x .", "x x . x x .", "x x 1 x x x", ". . . 1 . .",
                              "x x . x x .", ". . . . . 1");
/// A helix to a plane of constant z.
constexpr Pattern<6, 6> to_plane("1 . x x x x", ". 1 x x x x", ". . . . . .", ". . . 1 . .",
                                 ". . x x 1 x", ". . . . . 1");
/// The covariance in that plane.
constexpr SymmetricPattern<6> in_plane("x", "x x", ". . .", "x x . x", "x x . x x", "x x . x x x");

template <class M>
M some() {
  M m;
  for (int e = 0; e < M::size; ++e) m.elements[e] = Real(1. + 0.25 * e);
  return m;
}

template <Pattern<6, 6> J, SymmetricPattern<6> P>
OperationCounts similarity_counts() {
  const auto j = some<Matrix<Real, 6, 6, J>>();
  const auto p = some<Symmetric<Real, 6, P>>();
  return count_operations([&] { similarity(j, p); });
}

}  // namespace

TEST_CASE("similarities do fewer operations than generated code", "[matriplex][counts]") {
  constexpr auto dense = SymmetricPattern<6>::dense();
  // 317 in mkFit's form, which computes all of J P and multiplies by unit rows
  CHECK(similarity_counts<helix, dense>() == OperationCounts{.multiply = 24, .fma = 107});
  // as many as for plain code: J P takes 396, the lower triangle 231
  CHECK(similarity_counts<Pattern<6, 6>::dense(), dense>().flops() == 627);
  // 73 fma counted on paper
  CHECK(similarity_counts<to_plane, in_plane>() == OperationCounts{.fma = 48});
  CHECK(similarity_counts<to_plane, dense>() == OperationCounts{.fma = 77});
  // nothing
  CHECK(similarity_counts<Pattern<6, 6>::identity(), dense>() == OperationCounts{});
  STATIC_CHECK(similarity(to_plane, dense) == in_plane);
  STATIC_CHECK(similarity(to_plane, in_plane) == in_plane);
}

TEST_CASE("known elements cost nothing", "[matriplex][counts]") {
  const auto a = some<Matrix<Real, 6, 6, helix>>();
  const auto identity = some<Matrix<Real, 6, 6, Pattern<6, 6>::identity()>>();
  const auto p = some<Symmetric<Real, 6, in_plane>>();
  const auto s = some<Symmetric<Real, 6>>();
  CHECK(count_operations([&] { a* identity; }) == OperationCounts{});
  CHECK(count_operations([&] { transposed(identity) * s; }) == OperationCounts{});
  CHECK(count_operations([&] { p + s; }) == OperationCounts{.add = 15});
  CHECK(count_operations([&] { s - p; }) == OperationCounts{.add = 15});
  CHECK(count_operations([&] { s* s; }) == OperationCounts{.multiply = 36, .fma = 180});
  CHECK(count_operations([&] { symmetric_product(s, s); }) ==
        OperationCounts{.multiply = 21, .fma = 105});
}

TEST_CASE("the update of a track in rank-2 form", "[matriplex][counts]") {
  // a measurement along the tangent of a cylinder, and in z
  const auto h = some<Matrix<Real, 2, 6, Pattern<2, 6>("x x . . . .", ". . 1 . . .")>>();
  auto state = some<Vector<Real, 6>>();
  auto covariance = some<Symmetric<Real, 6>>();
  auto s = some<Symmetric<Real, 2>>();  // V, then H P Hᵀ + V
  const auto residual = some<Vector<Real, 2>>();
  Matrix<Real, 6, 2> pht, gain;
  Symmetric<Real, 2> inverse{};
  const auto flops = [](auto&& f) { return count_operations(f).flops(); };

  // 177 in all, counted by hand. S takes two less here, for the one in H; S⁻¹ three more, which
  // keep the digits of its determinant.
  CHECK(flops([&] { pht = as<Matrix<Real, 6, 2>>(covariance * transposed(h)); }) == 18);
  CHECK(flops([&] { add_product(s, h, pht); }) == 8 - 2);
  CHECK(flops([&] { (void)invert(s, inverse); }) == 7 + 3);
  CHECK(flops([&] { gain = pht * inverse; }) == 36);
  CHECK(flops([&] { add_product(state, gain, residual); }) == 24);
  CHECK(flops([&] { subtract_product(covariance, gain, transposed(pht)); }) == 84);
}

TEST_CASE("inverses and factors", "[matriplex][counts]") {
  const auto positive = [](auto& m) {
    for (int i = 0; i < m.rows; ++i) m(i, i) = Real(100.);
  };
  auto s3 = some<Symmetric<Real, 3>>();
  auto s6 = some<Symmetric<Real, 6>>();
  positive(s3);
  positive(s6);
  Symmetric<Real, 3> inverse3{};
  Symmetric<Real, 6> inverse6{};
  const auto closed = count_operations([&] { (void)invert(s3, inverse3); });
  CHECK(closed.flops() == 72);
  CHECK(closed.divide == 1);
  const auto factor = count_operations([&] { Cholesky<Real, 6> cholesky(s6); });
  CHECK(factor.flops() == 103);
  CHECK(factor.divide == 6);
  CHECK(factor.sqrt == 6);
  const Cholesky<Real, 6> cholesky(s6);
  CHECK(count_operations([&] { (void)cholesky.invert(inverse6); }).flops() == 161);
}
