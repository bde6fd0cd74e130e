// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The kernels that this build compiles once: the one table of what the library trackplex_kernels
/// holds. What includes it (the precompiled headers of tests, programs and benchmarks do) links to
/// these kernels and compiles only those that are not here. The kernels of a group are in an object
/// of their own for each number type and number of lanes; see instantiate.cpp.in.

#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/lhcb/cluster_vp.hpp>
#include <trackplex/lhcb/decode_ut.hpp>
#include <trackplex/lhcb/find_ut_tracks.hpp>
#include <trackplex/lhcb/find_ut_windows.hpp>
#include <trackplex/lhcb/velo_end_states.hpp>
#include <trackplex/search/sort_by_phi.hpp>
#include <trackplex/seeding/fit_lines.hpp>
#include <trackplex/seeding/search_by_triplet.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <type_traits>
#include <utility>

namespace trackplex::kernels {

using Memory = Kokkos::HostSpace;
template <class Owner>
using ViewOf = std::decay_t<decltype(std::declval<Owner&>().view())>;
template <class Owner>
using ConstViewOf = std::decay_t<decltype(std::declval<const Owner&>().const_view())>;

template <class T, int Width>
struct Velo {
  using Real = LanesOf<T, Width>;
  using Hits = search::Hits<T, Memory>;
  using Tracks = seeding::Tracks<Memory>;
  using Lines = seeding::LineStates<T, Memory>;
  template <class Phi>
  using Sorted = search::HitsByPhi<T, typename Phi::Key, Memory>;
  template <class Phi, class Groups>
  using Sort = search::detail::SortByPhi<Phi, Groups, Real, Hits, Sorted<Phi>>;
  template <class Phi, class Groups>
  using Search = seeding::detail::SearchByTriplet<Phi, Groups, Real, Hits, Sorted<Phi>, Tracks,
                                                  Kokkos::View<T*, Memory>>;

  using SortMerged = Sort<search::Phi16<T>, search::Grouping<true, 6>>;
  using SortSeparate = Sort<search::PhiRadians<T>, search::Grouping<false, 5>>;
  using SearchMerged = Search<search::Phi16<T>, search::Grouping<true, 6>>;
  using SearchSeparate = Search<search::PhiRadians<T>, search::Grouping<false, 5>>;
  using FitLines = seeding::detail::FitLines<Real, Hits, Tracks, Lines>;
  using EndStates = lhcb::detail::VeloEndStates<Real, Hits, Tracks, Lines>;
};
#define TRACKPLEX_VELO_KERNELS(TEAMS, TILES, T, W) \
  TEAMS(Velo, T, W, SortMerged)                    \
  TEAMS(Velo, T, W, SortSeparate)                  \
  TEAMS(Velo, T, W, SearchMerged)                  \
  TEAMS(Velo, T, W, SearchSeparate)                \
  TEAMS(Velo, T, W, FitLines)                      \
  TEAMS(Velo, T, W, EndStates)

/// From raw banks to tracks through VELO and UT.
template <class T, int Width>
struct VeloUt {
  using Real = LanesOf<T, Width>;
  using Banks = lhcb::RawBankBatch<Memory>;
  using Input = lhcb::CompassInput<T, Memory>;
  using Windows = lhcb::UtWindows<Memory>;

  using Clusters =
      lhcb::detail::VpClustersOfEvent<Real, lhcb::ClusterIntegers<Memory, Width>, Banks,
                                      lhcb::VeloPixelTables<T, Memory>, search::Hits<T, Memory>,
                                      lhcb::VpClusters<Memory>>;
  using Decode = lhcb::detail::UtDecoding<Real, Banks, lhcb::UtDecodingTable<T, Memory>,
                                          lhcb::UtHits<T, Memory>>;
  using FindWindows = lhcb::detail::UtWindowSearch<Real, Input, Windows>;
  using FindTracks =
      lhcb::detail::UtTrackletSearch<Real, Input, Windows, lhcb::UtTracks<T, Memory>>;
};
#define TRACKPLEX_VELO_UT_KERNELS(TEAMS, TILES, T, W) \
  TEAMS(VeloUt, T, W, Clusters)                       \
  TEAMS(VeloUt, T, W, Decode)                         \
  TEAMS(VeloUt, T, W, FindWindows)                    \
  TEAMS(VeloUt, T, W, FindTracks)

/// Tracks on cylinders, from hits to seeds.
template <class T, int Width>
struct CylinderSeeds {
  using Real = LanesOf<T, Width>;
  using Hits = search::LayerHits<T, Memory>;
  using Binned = search::BinnedHits<T, Memory>;
  using Tracks = seeding::TrackHits<Memory>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  template <class Layers>
  using Start =
      seeding::detail::StartStates<Real, Layers, Hits, Tracks, kalman::UniformField, States>;

  using BinHits = search::detail::BinHits<Real, Hits, Binned, Kokkos::View<std::int32_t*, Memory>,
                                          Kokkos::View<T*, Memory>>;
  using FindTriplets = seeding::detail::FindTriplets<Real, Binned, Hits, seeding::Triplets<Memory>>;
  using StartHere = Start<seeding::detail::TheseLayers>;
  using StartAnywhere = Start<seeding::detail::FirstMiddleLast>;
};
#define TRACKPLEX_CYLINDER_SEEDS_KERNELS(TEAMS, TILES, T, W) \
  TEAMS(CylinderSeeds, T, W, BinHits)                        \
  TEAMS(CylinderSeeds, T, W, FindTriplets)                   \
  TILES(CylinderSeeds, T, W, StartHere)                      \
  TILES(CylinderSeeds, T, W, StartAnywhere)

/// From seeds to tracks, by each strategy.
template <class T, int Width>
struct Building {
  using Real = LanesOf<T, Width>;
  using Binned = search::BinnedHits<T, Memory>;
  using Field = kalman::UniformField;
  using Found = candidates::FoundTracks<T, Memory>;
  template <bool update_all_children>
  using Combinatorial =
      candidates::detail::CombinatorialBuilder<Real, 6, update_all_children, Binned, Field, Found>;

  using BestHit = candidates::detail::BestHitBuilder<Real, Binned, Field, Found>;
  using Standard = Combinatorial<true>;
  using CloneEngine = Combinatorial<false>;
};
#define TRACKPLEX_BUILDING_KERNELS(TEAMS, TILES, T, W) \
  TILES(Building, T, W, BestHit)                       \
  TEAMS(Building, T, W, Standard)                      \
  TEAMS(Building, T, W, CloneEngine)

/// Fits of tracks on cylinders: of their hits in a detector, and of one hit on each layer.
template <class T, int Width>
struct Fits {
  using Real = LanesOf<T, Width>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  using Results = kalman::FitResults<T, Memory>;
  using HitsOnLayers = ViewOf<kalman::CylinderHits<T, Memory>>;
  using HitsInDetector = kalman::HitsInMaterial<seeding::TrackLayers<T, Memory>>;
  template <class Field, class Hits>
  using Fit = kalman::detail::FitTracks<Real, States, Field, Hits, Results>;
  template <class Field, class Hits, int max_layers = 10>
  using Smooth = kalman::detail::SmoothTracks<Real, max_layers, States, Field, Hits, Results,
                                              ViewOf<Matriplex<T, 2, 1, Memory>>,
                                              ViewOf<SymMatriplex<T, 2, Memory>>>;

  using FitOnLayers = Fit<kalman::UniformField, HitsOnLayers>;
  using FitInMaterial = Fit<kalman::UniformField, kalman::HitsInMaterial<HitsOnLayers>>;
  using SmoothOnLayers = Smooth<kalman::UniformField, HitsOnLayers>;
  using SmoothInMaterial = Smooth<kalman::UniformField, kalman::HitsInMaterial<HitsOnLayers>>;
  using SmoothManyLayers = Smooth<kalman::UniformField, kalman::HitsInMaterial<HitsOnLayers>, 20>;
  using FitSeeds = Fit<kalman::UniformField, HitsInDetector>;
  using FitInDetector = Fit<kalman::SolenoidField, HitsInDetector>;
  using SmoothInDetector = Smooth<kalman::SolenoidField, HitsInDetector>;
};
#define TRACKPLEX_FITS_KERNELS(TEAMS, TILES, T, W) \
  TILES(Fits, T, W, FitOnLayers)                   \
  TILES(Fits, T, W, FitInMaterial)                 \
  TILES(Fits, T, W, SmoothOnLayers)                \
  TILES(Fits, T, W, SmoothInMaterial)              \
  TILES(Fits, T, W, SmoothManyLayers)              \
  TILES(Fits, T, W, FitSeeds)                      \
  TILES(Fits, T, W, FitInDetector)                 \
  TILES(Fits, T, W, SmoothInDetector)

/// Particles through a beam line.
template <class T, int Width>
struct Line {
  using Real = LanesOf<T, Width>;
  using KernelVariant = beam::detail::KernelVariant;
  template <KernelVariant variant>
  using Track = beam::detail::TrackSegment<Real, variant>;
  template <class Pattern>
  using Map = beam::detail::PassMap<Real, Pattern>;

  using TrackShort = Track<KernelVariant::short_steps>;
  using TrackLosses = Track<KernelVariant::losses>;
  using TrackGeneral = Track<KernelVariant::general>;
  using PassDrift = Map<beam::patterns::Drift>;
  using PassQuadrupole = Map<beam::patterns::Quadrupole>;
  using PassMidplane = Map<beam::patterns::Midplane>;
  using PassDense = Map<beam::patterns::Dense>;
};
#define TRACKPLEX_LINE_KERNELS(TEAMS, TILES, T, W) \
  TILES(Line, T, W, TrackShort)                    \
  TILES(Line, T, W, TrackLosses)                   \
  TILES(Line, T, W, TrackGeneral)                  \
  TILES(Line, T, W, PassDrift)                     \
  TILES(Line, T, W, PassQuadrupole)                \
  TILES(Line, T, W, PassMidplane)                  \
  TILES(Line, T, W, PassDense)

/// Drifts with longitudinal space charge.
template <class T, int Width>
struct SpaceCharge {
  using Real = LanesOf<T, Width>;
  using Double = Rebind<Real, double>;
  template <class Terms>
  using Reduce = trackplex::detail::ReduceBlocks<beam::detail::SpreadOperations, Double,
                                                 beam::detail::n_spreads, Terms>;

  using Drift = beam::detail::DriftStraight<Real>;
  using KickAndDrift = beam::detail::KickAndDrift<Real>;
  using FirstSpreads = Reduce<beam::detail::DelaysAndSpreads<Real>>;
  using NextSpreads = Reduce<beam::detail::KickDriftAndSpreads<Real>>;
  using CombineSpreads = Reduce<trackplex::detail::BlockTerms<Double, beam::detail::n_spreads>>;
  using Positions = beam::detail::PositionsOfDelays<Real>;
  static constexpr auto nearest = histogram::Deposition::nearest;
  using Replicated = histogram::detail::DepositReplicated<nearest, Real, Positions, true>;
  using Sorted = histogram::detail::DepositSorted<nearest, Real, Positions>;
  using InPlace = histogram::detail::DepositInPlace<nearest, Real, Positions>;
  using Field = beam::detail::SpaceChargeField<T, LanesOf<double, (Width < 4 ? Width : 4)>, Memory>;
};
#define TRACKPLEX_SPACE_CHARGE_KERNELS(TEAMS, TILES, T, W) \
  TILES(SpaceCharge, T, W, Drift)                          \
  TILES(SpaceCharge, T, W, KickAndDrift)                   \
  TEAMS(SpaceCharge, T, W, FirstSpreads)                   \
  TEAMS(SpaceCharge, T, W, NextSpreads)                    \
  TEAMS(SpaceCharge, T, W, CombineSpreads)                 \
  TEAMS(SpaceCharge, T, W, Replicated)                     \
  TEAMS(SpaceCharge, T, W, Sorted)                         \
  TILES(SpaceCharge, T, W, InPlace)                        \
  TEAMS(SpaceCharge, T, W, Field)

/// Bunches of particles of T, made and summed up in lanes of double whatever T is.
template <class T, int Width>
struct Bunches {
  using Real = LanesOf<double, (Width == 1 ? 1 : default_lane_width<Memory, double>)>;
  using Places = beam::detail::MomentPlaces;
  template <class Operation, int components, class Terms>
  using Reduce = trackplex::detail::ReduceBlocks<Operation, Real, components, Terms>;
  template <int components>
  using Blocks = trackplex::detail::BlockTerms<Real, components>;

  using Sample = Reduce<Sum, 1 + beam::n_coordinates, beam::detail::SampleTerms<Real, T>>;
  using Moments = beam::detail::MomentBlocks<Real, T>;
  using CombineSample = Reduce<Sum, 1 + beam::n_coordinates, Blocks<1 + beam::n_coordinates>>;
  using CombineSums = Reduce<Sum, Places::n_sums, Blocks<Places::n_sums>>;
  using CombineMinima = Reduce<Min, Places::n_minima, Blocks<Places::n_minima>>;
  using Draw = simulation::detail::DrawParticles<Real, T>;
  using Transform = simulation::detail::TransformParticles<Real, T>;
};
#define TRACKPLEX_BUNCHES_KERNELS(TEAMS, TILES, T, W) \
  TEAMS(Bunches, T, W, Sample)                        \
  TEAMS(Bunches, T, W, Moments)                       \
  TEAMS(Bunches, T, W, CombineSample)                 \
  TEAMS(Bunches, T, W, CombineSums)                   \
  TEAMS(Bunches, T, W, CombineMinima)                 \
  TILES(Bunches, T, W, Draw)                          \
  TILES(Bunches, T, W, Transform)

/// Tracks on cylinders of the toy detector, with truth.
template <class T, int Width>
struct CylinderTruth {
  using Real = LanesOf<T, Width>;
  using Tracks = simulation::CylinderTracks<T, Memory>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;

  using Generate = simulation::detail::GenerateCylinderTracks<
      Real, States, ViewOf<Matriplex<T, 6, 1, Memory>>, ViewOf<Matriplex<T, 3, 1, Memory>>,
      ViewOf<SymMatriplex<T, 3, Memory>>, Kokkos::View<std::uint8_t*, Memory>,
      kalman::UniformField>;
  using StartNear =
      simulation::detail::StartNear<Real, ConstViewOf<kalman::TrackStates<T, Memory>>, States>;
};
#define TRACKPLEX_CYLINDER_TRUTH_KERNELS(TEAMS, TILES, T, W) \
  TILES(CylinderTruth, T, W, Generate)                       \
  TILES(CylinderTruth, T, W, StartNear)

/// Small matrices, set to zero.
template <class T, int Width>
struct Zeros {
  using Real = int;
  template <class Matrices>
  using Of = trackplex::detail::ZeroTiles<ViewOf<Matrices>>;

  using Parameters = Of<Matriplex<T, 6, 1, Memory>>;
  using Covariances = Of<SymMatriplex<T, 6, Memory>>;
  using Points = Of<Matriplex<T, 3, 1, Memory>>;
  using PointCovariances = Of<SymMatriplex<T, 3, Memory>>;
  using Pairs = Of<Matriplex<T, 2, 1, Memory>>;
  using PairCovariances = Of<SymMatriplex<T, 2, Memory>>;
};
#define TRACKPLEX_ZEROS_KERNELS(TEAMS, TILES, T, W) \
  TILES(Zeros, T, W, Parameters)                    \
  TILES(Zeros, T, W, Covariances)                   \
  TILES(Zeros, T, W, Points)                        \
  TILES(Zeros, T, W, PointCovariances)              \
  TILES(Zeros, T, W, Pairs)                         \
  TILES(Zeros, T, W, PairCovariances)

}  // namespace trackplex::kernels

/// All groups: EACH(GROUP, KIND, T) says which kind of kernels it holds, and the number type that
/// its programs have by default. Each is compiled for float and double, with one lane and, but for
/// kind scalar, with the default lanes of its kind; or only with what programs have by default.
/// (CMake reads this list, too.)
#define TRACKPLEX_KERNEL_GROUPS(EACH)       \
  EACH(VELO, general, float)                \
  EACH(VELO_UT, general, float)             \
  EACH(CYLINDER_SEEDS, general, float)      \
  EACH(BUILDING, general, float)            \
  EACH(FITS, general, float)                \
  EACH(LINE, beam_tracking, double)         \
  EACH(SPACE_CHARGE, beam_tracking, double) \
  EACH(BUNCHES, general, double)            \
  EACH(CYLINDER_TRUTH, general, float)      \
  EACH(ZEROS, scalar, float)

namespace trackplex {
#define TRACKPLEX_DECLARE_TEAMS(GROUP, T, W, NAME)                   \
  extern template void detail::run_team<kernels::GROUP<T, W>::NAME>( \
      const kernels::GROUP<T, W>::NAME&, const HostTeam&, const ScratchCarver&);
#define TRACKPLEX_DECLARE_TILES(GROUP, T, W, NAME)                                                \
  extern template void detail::run_tiles<kernels::GROUP<T, W>::Real, kernels::GROUP<T, W>::NAME>( \
      const void*, int, int, int);
#define TRACKPLEX_DECLARE(GROUP, T, W) \
  TRACKPLEX_##GROUP##_KERNELS(TRACKPLEX_DECLARE_TEAMS, TRACKPLEX_DECLARE_TILES, T, W)
#define TRACKPLEX_DECLARE_scalar(GROUP, T) TRACKPLEX_DECLARE(GROUP, T, 1)
#if defined(TRACKPLEX_DEFAULT_KERNELS)
#define TRACKPLEX_DECLARE_LANES(GROUP, KIND, T) \
  TRACKPLEX_DECLARE(GROUP, T, (default_lane_width<kernels::Memory, T, KernelKind::KIND>))
#define TRACKPLEX_DECLARE_GROUP(GROUP, KIND, T) TRACKPLEX_DECLARE_##KIND(GROUP, T)
#else
#define TRACKPLEX_DECLARE_LANES(GROUP, KIND, T) \
  TRACKPLEX_DECLARE(GROUP, T, 1)                \
  TRACKPLEX_DECLARE(GROUP, T, (default_lane_width<kernels::Memory, T, KernelKind::KIND>))
#define TRACKPLEX_DECLARE_GROUP(GROUP, KIND, T) \
  TRACKPLEX_DECLARE_##KIND(GROUP, float) TRACKPLEX_DECLARE_##KIND(GROUP, double)
#endif
#define TRACKPLEX_DECLARE_general(GROUP, T) TRACKPLEX_DECLARE_LANES(GROUP, general, T)
#define TRACKPLEX_DECLARE_beam_tracking(GROUP, T) TRACKPLEX_DECLARE_LANES(GROUP, beam_tracking, T)
TRACKPLEX_KERNEL_GROUPS(TRACKPLEX_DECLARE_GROUP)
#undef TRACKPLEX_DECLARE_GROUP
#undef TRACKPLEX_DECLARE_beam_tracking
#undef TRACKPLEX_DECLARE_general
#undef TRACKPLEX_DECLARE_LANES
#undef TRACKPLEX_DECLARE_scalar
#undef TRACKPLEX_DECLARE
#undef TRACKPLEX_DECLARE_TILES
#undef TRACKPLEX_DECLARE_TEAMS

// Launches on hosts, whatever the kernel: defined in launches.cpp.
#define TRACKPLEX_HOST_LAUNCHES(PREFIX, SPACE)                                               \
  PREFIX template void detail::launch_host_tiles(const SPACE&, const std::string&,           \
                                                 const detail::HostTiles&);                  \
  PREFIX template void detail::launch_teams(const SPACE&, const std::string&, int, int, int, \
                                            std::size_t, const detail::HostTeams&);
#if defined(KOKKOS_ENABLE_SERIAL)
TRACKPLEX_HOST_LAUNCHES(extern, Kokkos::Serial)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
TRACKPLEX_HOST_LAUNCHES(extern, Kokkos::OpenMP)
#endif
}  // namespace trackplex
