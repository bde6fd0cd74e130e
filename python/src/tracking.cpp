// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"
#include "bunches.hpp"
#include "lines.hpp"
#include "module.hpp"

#include <pybind11/stl.h>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/line_tracker.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using beam::n_coordinates;
using Bunch = PythonBunch::Bunch;
using Callback = std::optional<py::function>;

/// Moments of the bunch after an element.
struct Row {
  std::int32_t turn = 0, element = 0;
  beam::Moments moments{};
};
/// Rows, shared by all views of them.
struct Records {
  std::vector<Row> rows;
};

/// Turns per call of the tracker, so that calls take about 0.1 s: Ctrl-C and progress come between
/// them.
class Pace {
 public:
  explicit Pace(bool one_by_one) : one_by_one_(one_by_one) {}

  int turns(int left) const { return std::min(turns_, left); }
  template <class Track>
  void time(const Track& track) {
    const auto begin = std::chrono::steady_clock::now();
    track();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (one_by_one_) return;
    if (elapsed.count() < 0.05) turns_ = std::min(2 * turns_, 1 << 20);
    if (elapsed.count() > 0.2) turns_ = std::max(turns_ / 2, 1);
  }

 private:
  bool one_by_one_;
  int turns_ = 1;
};

class PythonTracker {
  using Tracker = beam::LineTracker<double, HostExecutor>;
  using Sums = Kokkos::View<beam::MomentSums*, Kokkos::HostSpace>;

 public:
  PythonTracker(std::shared_ptr<Line> line, double max_position, double max_slope,
                std::vector<int> stops, const std::string& backend)
      : line_(std::move(line)), stops_(sorted(std::move(stops))) {
    if (line_->elements.empty()) throw UsageError("Tracker", "the line has no elements");
    const KernelScope scope;
    exec_ = executor_of(backend);
    tracker_.emplace(exec_, line_->elements, beam::CoordinateLimits{max_position, max_slope},
                     stops_);
  }

  const std::vector<int>& stops() const { return stops_; }
  std::shared_ptr<Records> records() const { return records_; }
  void clear() { records_ = std::make_shared<Records>(); }

  void track(const py::object& bunch, int turns, const Callback& observer, const Callback& progress,
             bool record) {
    if (!py::isinstance<PythonBunch>(bunch)) throw py::type_error("bunch is no Bunch");
    auto& b = bunch.cast<PythonBunch&>();
    if (turns < 0) throw py::value_error("turns is negative");
    if (std::int64_t(b.turn) + turns > INT32_MAX) throw py::value_error("turns are too many");
    if (is_tracking_) throw std::runtime_error("Tracker: it is already tracking a bunch");
    const Tracking scope(is_tracking_);
    record_ = record && !stops_.empty();
    Pace pace(observer.has_value());
    for (int done = 0; done < turns;) {
      const int n = pace.turns(turns - done);
      pace.time([&] { pass(bunch, b, n, observer); });
      b.turn += n;
      done += n;
      keep_rows();
      if (progress) (*progress)(done, turns);
      check_signals();
    }
  }

  /// The last pass of a drift with space charge: length, radius and peak current of its steps, and
  /// the profile of the last one, if it has a field.
  py::dict space_charge(int element) const {
    const auto& action = tracker_->action<beam::SpaceChargeDrift>(element);
    if (!has_tracked_) throw UsageError("space charge", "no bunch has been tracked");
    const auto& drift = *line_->elements[std::size_t(element)].kind.as<beam::SpaceChargeDrift>();
    beam::SpaceChargeProfile profile;
    if (drift.space_charge && (drift.length > 0. || drift.effective_length > 0.)) {
      const KernelScope scope;
      if (action.last_step(exec_).bin_width > 0.) profile = action.profile(exec_);
    }
    const auto& steps = action.steps();
    py::array_t<double> numbers({py::ssize_t(steps.size()), py::ssize_t(3)});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double values[] = {steps[i].length, steps[i].radius, steps[i].peak_current};
      for (int k = 0; k < 3; ++k) numbers.mutable_at(py::ssize_t(i), k) = values[k];
    }
    py::dict all;
    all["steps"] = numbers;
    all["time"] = py::array_t<double>(py::ssize_t(profile.time.size()), profile.time.data());
    all["current"] =
        py::array_t<double>(py::ssize_t(profile.current.size()), profile.current.data());
    all["voltage"] =
        py::array_t<double>(py::ssize_t(profile.voltage.size()), profile.voltage.data());
    return all;
  }

 private:
  /// Scope in which a tracker tracks: other threads, and its observer, may not ask for more.
  class Tracking {
   public:
    explicit Tracking(bool& flag) : flag_(flag) { flag_ = true; }
    ~Tracking() { flag_ = false; }
    Tracking(const Tracking&) = delete;
    Tracking& operator=(const Tracking&) = delete;

   private:
    bool& flag_;
  };

  static std::vector<int> sorted(std::vector<int> stops) {
    std::sort(stops.begin(), stops.end());
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
  }

  /// Tracks n turns. An error leaves no rows.
  void pass(const py::object& object, PythonBunch& b, int n, const Callback& observer) {
    rows_.clear();
    references_.clear();
    has_tracked_ = true;
    const KernelScope scope;
    if (record_)
      allocate_array(exec_, sums_, "Trackplex::Beam::moment_rows", stops_.size() * std::size_t(n));
    tracker_->track(
        b.bunch, n,
        [&](int turn, int element, Bunch& bunch) {
          if (record_) {
            beam::SumMoments<HostExecutor>{int(rows_.size())}(exec_, bunch, sums_, b.workspace);
            references_.push_back(bunch.reference);
            rows_.push_back({turn, element});
          }
          if (!observer) return;
          exec_.fence();
          const py::gil_scoped_acquire interpreter;
          (*observer)(turn, element, object);
        },
        b.turn);
    exec_.fence();
  }

  /// Adds the rows of a pass to the records; views of the former ones keep them.
  void keep_rows() {
    if (rows_.empty()) return;
    if (records_.use_count() > 1) records_ = std::make_shared<Records>(*records_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].moments = beam::Moments(sums_(i), references_[i]);
      records_->rows.push_back(rows_[i]);
    }
  }

  SessionPointer session_ = Session::get();  ///< first: it ends last
  std::shared_ptr<Line> line_;
  std::vector<int> stops_;
  HostExecutor exec_;
  std::optional<Tracker> tracker_;
  bool record_ = false, has_tracked_ = false, is_tracking_ = false;
  Sums sums_;
  std::vector<Row> rows_;  ///< of the last pass
  std::vector<beam::ReferenceParticle> references_;
  std::shared_ptr<Records> records_ = std::make_shared<Records>();
};

/// A view of a member of the moments of each row: numbers of a shape, contiguous.
template <class Member>
py::array column(const Records& records, const Member& member, Extents shape, py::handle base) {
  static const Row example;
  const Row& first = records.rows.empty() ? example : records.rows.front();
  Extents strides(shape.size() + 1);
  py::ssize_t stride = sizeof(double);
  for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i + 1] = stride;
  strides[0] = sizeof(Row);
  shape.insert(shape.begin(), py::ssize_t(records.rows.size()));
  return read_only(view_of<double>(member(first), shape, strides, base));
}

/// The optical functions of a plane, computed for each row.
py::dict optics_of(const Records& records, const std::string& plane, bool betatron) {
  if (plane != "x" && plane != "y") throw py::value_error("plane is neither 'x' nor 'y'");
  const auto coordinate = plane == "x" ? beam::x : beam::y;
  using beam::PlaneOptics;
  constexpr std::pair<const char*, double PlaneOptics::*> members[] = {
      {"emittance", &PlaneOptics::emittance},
      {"normalized_emittance", &PlaneOptics::normalized_emittance},
      {"beta", &PlaneOptics::beta},
      {"alpha", &PlaneOptics::alpha},
      {"dispersion", &PlaneOptics::dispersion},
      {"dispersion_slope", &PlaneOptics::dispersion_slope}};
  py::dict all;
  for (const auto& [name, member] : members) {
    py::array_t<double> values(py::ssize_t(records.rows.size()));
    for (std::size_t i = 0; i < records.rows.size(); ++i) {
      const auto& m = records.rows[i].moments;
      const auto optics = betatron ? m.betatron_optics(coordinate) : m.optics(coordinate);
      values.mutable_at(py::ssize_t(i)) = optics.*member;
    }
    all[name] = values;
  }
  return all;
}

py::array sigma_of(const Records& records) {
  py::array_t<double> sigma({py::ssize_t(records.rows.size()), py::ssize_t(n_coordinates)});
  for (std::size_t i = 0; i < records.rows.size(); ++i)
    for (int c = 0; c < n_coordinates; ++c)
      sigma.mutable_at(py::ssize_t(i), c) = records.rows[i].moments.sigma(c);
  return sigma;
}

void add_records(py::module_& module) {
  py::class_<Records, std::shared_ptr<Records>> type(module, "Records");
  const auto integers = [&](const char* name, std::int32_t Row::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      return column_of(self.cast<Records&>().rows, member, self);
    });
  };
  const auto numbers = [&](const char* name, auto member, Extents shape) {
    type.def_property_readonly(name, [member, shape](py::object self) {
      return column(self.cast<Records&>(), member, shape, self);
    });
  };
  integers("turn", &Row::turn);
  integers("element", &Row::element);
  numbers("number", [](const Row& row) { return &row.moments.number; }, {});
  numbers("p0", [](const Row& row) { return &row.moments.reference.p0; }, {});
  numbers("path_length", [](const Row& row) { return &row.moments.reference.path_length; }, {});
  numbers("mean", [](const Row& row) { return row.moments.mean.data(); }, {n_coordinates});
  numbers("min", [](const Row& row) { return row.moments.min.data(); }, {n_coordinates});
  numbers("max", [](const Row& row) { return row.moments.max.data(); }, {n_coordinates});
  numbers("covariance", [](const Row& row) { return row.moments.covariance[0].data(); },
          {n_coordinates, n_coordinates});
  type.def("__len__", [](const Records& records) { return records.rows.size(); })
      .def_property_readonly("sigma", &sigma_of)
      .def("optics", &optics_of, py::arg("plane"), py::arg("betatron") = false);
}

}  // namespace

void add_tracking(py::module_ module) {
  add_records(module);
  py::class_<PythonTracker>(module, "Tracker")
      .def(py::init<std::shared_ptr<Line>, double, double, std::vector<int>, const std::string&>())
      .def_property_readonly("stops", &PythonTracker::stops)
      .def_property_readonly("records", &PythonTracker::records)
      .def("clear", &PythonTracker::clear)
      .def("space_charge", &PythonTracker::space_charge)
      .def("track", &PythonTracker::track);
}

}  // namespace trackplex::python
