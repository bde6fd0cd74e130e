// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kicks by the space charge of a bunch in three dimensions, by the integrated Green function of
/// open boundaries (J. Qiang, S. Lidia, R. D. Ryne, C. Limborg-Deprey, Phys. Rev. ST Accel. Beams 9
/// (2006) 044204; transforms after R. W. Hockney). With the potential of the charges at a fixed
/// time in the laboratory, \f[ (\partial_x^2+\partial_y^2+\gamma_0^{-2}\partial_z^2)\,\varphi
/// =-\rho/\varepsilon_0,\qquad \frac{\Delta\vec p}{p_0}
///     =-\frac{e\,l}{mc^2\,\beta_0^2\gamma_0^3}\nabla\varphi \f] for an effective length l, in
///     which
/// the electric and the magnetic force are contained.

#include <trackplex/beam/collective/detail/grid_kicks.hpp>
#include <trackplex/beam/collective/detail/grid_particles.hpp>
#include <trackplex/beam/collective/detail/open_grid_solver.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/core/add_over_ranks.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace trackplex::beam {

/// Model of the field of a bunch.
enum class SpaceChargeModel {
  three_dimensional,  ///< The field in three dimensions, at a fixed time.
  /// 2.5 dimensions: the field of all charge projected onto the transverse plane, times the line
  /// density where the particle is, as in ImpactX. (The "2.5-D" of Xsuite and PyORBIT is another
  /// one, with a field of each slice.) For bunches that are long in their rest frame and have the
  /// same shape everywhere.
  projected,
};

template <class T, class ExecutionSpace, int Width>
class SpaceChargeKickAction;

/// Kick by the space charge of a bunch on itself, without a length: the field acts over an
/// effective length at one place.
///
/// The box of the grid is the extent of the bunch, with a margin. Charges are shared between the
/// nodes around a particle linearly, and the field, from centred differences, is interpolated in
/// the same way, so the forces add up to nothing.
struct SpaceChargeKick {
  double effective_length = 0.;  ///< Length that the field acts over, m.
  SpaceChargeModel model = SpaceChargeModel::three_dimensional;  ///< Model of the field.
  /// Numbers of cells in x, y and z: powers of two, 8 to 512, at most 2^26 in all. In the
  /// projection, the last one is that of cells of the line density.
  std::array<int, 3> cells{64, 64, 64};
  /// Margin of the box on each side, relative to the extent of the bunch, at least 2.5 cells.
  double margin = 0.1;
  /// Radius of a round conducting pipe, m, whose potential is 0, for forces along the bunch in the
  /// projection; images of the pipe do not act across. 0: no forces along the bunch.
  double pipe_radius = 0.;

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "space charge";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = SpaceChargeKickAction<T, ExecutionSpace, Width>;
  /// @}
};

/// Grid of a kick.
struct SpaceChargeGrid {
  std::array<double, 3> first{};  ///< Place of node 0 in x, y and z (or the delay), m.
  std::array<double, 3> cell{};   ///< Lengths of a cell, m.
  bool has_field = false;         ///< Whether the bunch has an extent; otherwise no field acts.
};

namespace detail {

/// Returns the grid around ranges of coordinates (first and last of each axis). An axis without
/// extent gets a millionth of that of the others; z counts `stretch` times in this.
SpaceChargeGrid space_charge_grid(const std::array<double, 6>& ranges, const SpaceChargeKick& kick,
                                  double stretch);

/// Returns the counts of a particle, a power of two, for so many particles of all ranks.
/// @throws CapacityError if there are more than 2^38
double counts_of_particle(std::int64_t particles);

/// Checks the parameters of a kick. @throws UsageError
void check_space_charge_kick(const SpaceChargeKick& kick);

/// Solver that the kicks of a line share.
template <class Solver>
struct SharedSolver {
  std::optional<Solver> solver;
};

}  // namespace detail

/// Action of a `SpaceChargeKick` on bunches. An object serves one execution-space instance at a
/// time; nothing is allocated while bunches of one size are tracked. Results do not depend on
/// backend, threads, lanes or ranks: each rank has the whole grid. Kicks of one line share the
/// arrays of their grids.
/// @tparam T              precision of the particles, float or double; fields are in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
class SpaceChargeKickAction {
  using Real = LanesOf<T, Width>;
  using Double = Rebind<Real, double>;
  static constexpr int field_width =
      std::min(Width, default_lane_width<ExecutionSpace, double, KernelKind::track_states>);
  using Solver = detail::OpenGridSolver<ExecutionSpace, field_width>;
  template <class U>
  using Array = Kokkos::View<U*, MemoryOf<ExecutionSpace>>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Allocates the grid, or shares it with other kicks of the line. Waits for the instance.
  /// @throws UsageError if a number of cells is not a power of two from 8 to 512, there are too
  /// many, or a length or the margin is negative or not finite
  SpaceChargeKickAction(const ExecutionSpace& exec, const SpaceChargeKick& kick, LineState& state)
      : kick_(kick) {
    detail::check_space_charge_kick(kick);
    const detail::GridShape shape = shape_of(kick);
    solver_ = state.shared<detail::SharedSolver<Solver>>((long(shape.x) * 2048 + shape.y) * 2048 +
                                                         shape.z);
    if (!solver_->solver) solver_->solver.emplace(exec, shape);
    extents_ = new_zeros<Array<double>>(exec, "Trackplex::Beam::extents", detail::n_extents);
    host_extents_ = Kokkos::create_mirror_view(extents_);
  }
  /// The same with its own grid.
  SpaceChargeKickAction(const ExecutionSpace& exec, const SpaceChargeKick& kick)
      : SpaceChargeKickAction(exec, kick, *std::make_unique<LineState>()) {}

  /// Enqueues the kick; waits for the extent of the bunch, which must not have lost particles among
  /// the others (`remove_lost`). A bunch without extent, as a single particle, is not changed.
  /// @throws UsageError if the bunch may have lost particles, its particles have no charge, or a
  /// coordinate is not finite
  /// @throws CapacityError if the ranks have more than 2^38 particles
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    grid_ = {};
    if (bunch.share().all == 0 || kick_.effective_length == 0.) return;
    require_bunch(bunch);
    if (is_projected()) {
      kick_projected(exec, bunch, workspace);
    } else {
      kick_in_space(exec, bunch, workspace);
    }
  }

  /// Returns the grid of the last kick.
  const SpaceChargeGrid& grid() const { return grid_; }
  /// Returns the counts of a particle in the last kick, for `charges`.
  double counts_of_particle() const { return unit_; }
  /// Returns the counts in the nodes in the last kick of the line with such a grid, in x, y and z
  /// (in the projection x and y), the last axis first.
  const Array<std::int64_t>& charges() const { return solver_->solver->charges(); }

 private:
  static constexpr const char* where = "space charge";

  static detail::GridShape shape_of(const SpaceChargeKick& kick) {
    const auto& n = kick.cells;
    if (kick.model == SpaceChargeModel::projected) return {n[0], 1, n[1]};
    return {n[0], n[1], n[2]};
  }
  bool is_projected() const { return kick_.model == SpaceChargeModel::projected; }

  static void require_bunch(const BunchType& bunch) {
    if (bunch.may_have_lost)
      throw UsageError(where, "lost particles may be among the others of the bunch", {},
                       "move them after the others with remove_lost");
    if (!(bunch.particle_charge > 0.))
      throw UsageError(where, "the particles have no charge", shortest(bunch.particle_charge),
                       "put a CHARGE before the first kick");
  }

  /// Change of momentum over p0 per potential of one particle, in units of 1/(4 pi eps0), and
  /// length: q Q l/(4 pi eps0 m c^2 beta^2 gamma^3), with Q the charge of a particle of the bunch.
  double strength(const BunchType& bunch) const {
    const double p0 = bunch.reference.p0, gamma = std::sqrt(1. + p0 * p0);
    return constants::classical_electron_radius *
           (bunch.particle_charge / constants::elementary_charge) * kick_.effective_length /
           (p0 * p0 * gamma * bunch.reference.mass_per_charge());
  }

  /// The places of particles, and the grid around them. Waits.
  template <bool FixedTime>
  detail::GridParticles<Real, FixedTime> find_grid(const ExecutionSpace& exec,
                                                   const BunchType& bunch, double stretch,
                                                   Scratch& workspace) {
    T* const along =
        workspace.template get<T>(exec, "Trackplex::Beam::along_bunch", bunch.size()).data();
    const detail::StorePlaces<Real, FixedTime> places{bunch.columns(), along,
                                                      ArrivalTimes<T>(bunch.reference)};
    reduce<detail::ExtentOperations, Double>(exec, bunch.share(), places, extents_, workspace);
    copy_array(exec, host_extents_, extents_);
    exec.fence();
    if (host_extents_(6) > 0.)
      throw UsageError(where, "the bunch has no finite field",
                       "a coordinate is infinite or not a number", "remove lost particles");
    std::array<double, 6> ranges;
    for (int i = 0; i < 6; ++i) ranges[i] = host_extents_(i);
    grid_ = detail::space_charge_grid(ranges, kick_, stretch);
    unit_ = detail::counts_of_particle(bunch.share().all);
    return {bunch.columns(), along, axis(0), axis(1), axis(2)};
  }
  detail::GridAxis axis(int i) const { return {grid_.first[i], 1. / grid_.cell[i]}; }

  template <class Deposit>
  void deposit_charges(const ExecutionSpace& exec, const BunchType& bunch, const Deposit& deposit,
                       std::int64_t* counts, Scratch& workspace) const {
    const int n = bunch.size();
    if constexpr (is_host_space<ExecutionSpace>) {
      constexpr std::int64_t most = 256;  // of the rows, each of which is worth clearing
      const int rows =
          int(std::clamp(std::min<std::int64_t>(exec.concurrency(), 8LL * n / deposit.size()),
                         std::int64_t(1), most));
      std::int64_t* first = counts;
      if (rows > 1)
        first = workspace
                    .template get<std::int64_t>(exec, "Trackplex::Beam::deposit_rows",
                                                std::size_t(rows) * deposit.size())
                    .data();
      for_each_team(exec, "Trackplex::Beam::deposit_charges", rows,
                    detail::DepositRows<Real, Deposit>{deposit, first, n, per_row(n, rows)});
      if (rows > 1)
        for_each_item(exec, "Trackplex::Beam::add_charges", deposit.size(),
                      detail::AddDepositRows{first, counts, rows, deposit.size()});
    } else {
      using Counts = Kokkos::View<std::int64_t*, MemoryOf<ExecutionSpace>,
                                  Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      fill_with_zeros(exec, Counts(counts, std::size_t(deposit.size())));
      for_each_tile<Real>(exec, "Trackplex::Beam::deposit_charges", n,
                          detail::DepositAtomically<Real, Deposit>{deposit, counts});
    }
  }
  /// Particles of a row: whole tiles.
  static int per_row(int n, int rows) {
    return ((n + rows - 1) / rows + Width - 1) / Width * Width;
  }

  void kick_in_space(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    const double p0 = bunch.reference.p0, gamma = std::sqrt(1. + p0 * p0);
    const auto particles = find_grid<true>(exec, bunch, gamma, workspace);
    if (!grid_.has_field) return;
    Solver& solver = *solver_->solver;
    const detail::DepositInSpace<Real> deposit{particles, solver.shape(), unit_};
    deposit_charges(exec, bunch, deposit, solver.charges().data(), workspace);
    add_over_ranks(exec, bunch.share().ranks, solver.charges(), std::size_t(deposit.size()));
    const auto& [hx, hy, hz] = grid_.cell;
    solver(exec, hx, hy, gamma * hz, 1. / (unit_ * (hx * hy * hz)));
    using Force = detail::ForceInSpace<Real>;
    const Force force{particles, solver.shape(), solver.potential().data()};
    const double half = 0.5 * strength(bunch);
    for_each_tile<Real>(exec, "Trackplex::Beam::space_charge_kick", bunch.size(),
                        detail::GridKick<Real, Force, true>{bunch.columns(), particles.along, force,
                                                            ArrivalTimes<T>(bunch.reference),
                                                            half / hx, half / hy, half / hz});
  }

  void kick_projected(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    const double p0 = bunch.reference.p0, gamma = std::sqrt(1. + p0 * p0);
    const auto particles = find_grid<false>(exec, bunch, p0, workspace);
    if (!grid_.has_field) return;
    Solver& solver = *solver_->solver;
    const detail::DepositInProjection<Real> deposit{particles, solver.shape(), kick_.cells[2],
                                                    unit_};
    const auto counts = workspace.template get<std::int64_t>(
        exec, "Trackplex::Beam::projected_charges", std::size_t(deposit.size()));
    deposit_charges(exec, bunch, deposit, counts.data(), workspace);
    add_over_ranks(exec, bunch.share().ranks, counts, std::size_t(deposit.size()));
    const std::size_t nodes = solver.shape().nodes();
    copy_entries(exec, solver.charges(), counts, nodes);
    const auto& [hx, hy, hd] = grid_.cell;
    // Of one particle; times counts of the line, it is that of all per length of delay.
    const double n = double(bunch.share().all), beta = p0 / gamma;
    solver(exec, hx, 1., hy, 1. / (unit_ * n * (hx * hy)));
    using Force = detail::ForceInProjection<Real>;
    const double wall = kick_.pipe_radius;
    const Force force{particles,
                      solver.shape(),
                      solver.potential().data(),
                      counts.data() + nodes,
                      wall > 0.,
                      wall > 0. ? -2. * log(wall) : 0.};
    const double half = 0.5 * strength(bunch) / (unit_ * hd * beta);
    for_each_tile<Real>(
        exec, "Trackplex::Beam::projected_kick", bunch.size(),
        detail::GridKick<Real, Force, false>{bunch.columns(), particles.along, force,
                                             ArrivalTimes<T>(bunch.reference), half / hx, half / hy,
                                             half / (hd * beta)});
  }

  SpaceChargeKick kick_;
  SpaceChargeGrid grid_;
  double unit_ = 0.;
  std::shared_ptr<detail::SharedSolver<Solver>> solver_;
  Array<double> extents_;
  decltype(Kokkos::create_mirror_view(Array<double>())) host_extents_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/space_charge_kick.impl.hpp>
#endif
