// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Views of up to two dimensions, and copies between them.

#include <Kokkos_Spaces.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <support/kokkos_names.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {

/// Owns the memory of an array.
class Record {
 public:
  Record(emulation::Memory memory, const std::string& label, std::size_t bytes, unsigned char fill)
      : memory_(memory), bytes_(bytes), data_(emulation::allocate(memory, label, bytes, fill)) {
    const char* const names[] = {"Host", "SharedHostPinned", "Cuda"};
    Tools::Experimental::SpaceHandle space{};
    std::strcpy(space.name, names[int(memory)]);
    if (Tools::Experimental::callbacks.allocate != nullptr)
      Tools::Experimental::callbacks.allocate(space, label.c_str(), data_, bytes);
  }
  ~Record() { emulation::release_later(memory_, data_, bytes_); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  void* data() const { return data_; }

 private:
  emulation::Memory memory_;
  std::size_t bytes_;
  void* data_;
};

/// Whether copies of views count references.
inline thread_local bool tracking = true;
template <class, class>
struct SharedAllocationRecord {
  static bool tracking_enabled() { return tracking; }
  static void tracking_disable() { tracking = false; }
  static void tracking_enable() { tracking = true; }
};
/// Nothing is counted as long as it lives.
class WithoutTracking {
 public:
  WithoutTracking() { tracking = false; }
  ~WithoutTracking() { tracking = before_; }
  WithoutTracking(const WithoutTracking&) = delete;
  WithoutTracking& operator=(const WithoutTracking&) = delete;

 private:
  bool before_ = tracking;
};

struct Allocation {
  std::string label;
  bool initialize = true;
  std::optional<Cuda> exec = {};

  void set(const std::string& name) { label = name; }
  void set(WithoutInitializingTag) { initialize = false; }
  void set(const Cuda& instance) { exec = instance; }
  void set(const Serial&) {}
};

/// What the template arguments of a view say of its elements.
template <class T>
struct Elements {
  using type = T;
  static constexpr int rank = 0;
  static constexpr std::size_t last = 0;  ///< the last extent, where it is static
};
template <class T>
struct Elements<T*> {
  using type = typename Elements<T>::type;
  static constexpr int rank = Elements<T>::rank + 1;
  static constexpr std::size_t last = 0;
};
template <class T, std::size_t N>
struct Elements<T[N]> {
  using type = typename Elements<T>::type;
  static constexpr int rank = Elements<T>::rank + 1;
  static constexpr std::size_t last = N;
};

template <class T>
concept HasMemorySpace = requires {
  typename T::memory_space;
};
/// The memory space and the layout among the properties of a view.
template <class... Properties>
struct Traits {
  using memory_space = CudaSpace;
  using given_layout = void;
};
template <class Property, class... Others>
struct Traits<Property, Others...> : Traits<Others...> {};
template <HasMemorySpace Space, class... Others>
struct Traits<Space, Others...> : Traits<Others...> {
  using memory_space = typename Space::memory_space;
};
template <class... Others>
struct Traits<LayoutRight, Others...> : Traits<Others...> {
  using given_layout = LayoutRight;
};
template <class... Others>
struct Traits<LayoutLeft, Others...> : Traits<Others...> {
  using given_layout = LayoutLeft;
};

template <class Data, class From, class To>
struct WithConst {
  using type = To;
};
template <class T, class From, class To>
struct WithConst<T*, From, To> {
  using type = typename WithConst<T, From, To>::type*;
};
template <class T, std::size_t N, class From, class To>
struct WithConst<T[N], From, To> {
  using type = typename WithConst<T, From, To>::type[N];
};

}  // namespace Impl

template <class... Properties>
Impl::Allocation view_alloc(const Properties&... properties) {
  Impl::Allocation allocation;
  (allocation.set(properties), ...);
  return allocation;
}

template <class Data, class... Properties>
class View {
  using Elements = Impl::Elements<Data>;
  using Traits = Impl::Traits<Properties...>;

 public:
  using value_type = typename Elements::type;
  using non_const_value_type = std::remove_const_t<value_type>;
  using const_value_type = const value_type;
  using data_type = Data;
  using non_const_data_type =
      typename Impl::WithConst<Data, value_type, non_const_value_type>::type;
  using memory_space = typename Traits::memory_space;
  using execution_space = typename memory_space::execution_space;
  using array_layout = std::conditional_t<
      !std::is_void_v<typename Traits::given_layout>, typename Traits::given_layout,
      std::conditional_t<std::is_same_v<memory_space, CudaSpace>, LayoutLeft, LayoutRight>>;
  using HostMirror = View<non_const_data_type, array_layout, HostSpace>;
  static constexpr int rank = Elements::rank;
  static_assert(rank <= 2);

  View() = default;
  ~View() = default;
  View(const View& other) { *this = other; }
  View& operator=(const View& other) {
    return assign(other.data_, other.extents_, other.impl_record());
  }
  View(View&&) = default;
  View& operator=(View&&) = default;
  /// The same entries, which may be read only, or have other traits.
  template <class OtherData, class... Others>
  requires(std::is_same_v<typename View<OtherData, Others...>::non_const_data_type,
                          non_const_data_type>&&
               std::is_same_v<typename View<OtherData, Others...>::memory_space, memory_space> &&
           (rank < 2 ||
            std::is_same_v<typename View<OtherData, Others...>::array_layout, array_layout>))
      View(const View<OtherData, Others...>& other) {
    assign(other.data(), {other.extent(0), other.extent(1)}, other.impl_record());
  }

  explicit View(const std::string& label, std::size_t n = 0, std::size_t m = 0)
      : View(Impl::Allocation{label}, n, m) {}
  explicit View(const Impl::Allocation& allocation, std::size_t n = 0, std::size_t m = 0) {
    set_extents(n, m);
    allocate(allocation);
  }
  explicit View(value_type* data, std::size_t n = 0, std::size_t m = 0) : data_(data) {
    set_extents(n, m);
  }
  static std::size_t required_allocation_size(std::size_t n = 0, std::size_t m = 0) {
    View view;
    view.set_extents(n, m);
    return view.size() * sizeof(value_type);
  }

  value_type* data() const { return data_; }
  std::size_t extent(int dimension) const { return dimension < 2 ? extents_[dimension] : 1; }
  int extent_int(int dimension) const { return int(extent(dimension)); }
  std::size_t size() const { return extents_[0] * extents_[1]; }
  std::size_t span() const { return size(); }
  int use_count() const { return int(record_.use_count()); }
  bool is_allocated() const { return data_ != nullptr; }
  std::string label() const { return emulation::label_of(memory_space::memory, data_); }

  value_type& operator()() const { return *data_; }
  template <class I>
  value_type& operator()(I i) const {
    return data_[i];
  }
  template <class I>
  value_type& operator[](I i) const {
    return data_[i];
  }
  template <class I, class J>
  value_type& operator()(I i, J j) const {
    if constexpr (std::is_same_v<array_layout, LayoutRight>)
      return data_[std::size_t(i) * extents_[1] + std::size_t(j)];
    else
      return data_[std::size_t(i) + std::size_t(j) * extents_[0]];
  }

  const std::shared_ptr<Impl::Record>& impl_record() const { return record_; }

 private:
  View& assign(value_type* data, const std::array<std::size_t, 2>& extents,
               const std::shared_ptr<Impl::Record>& record) {
    data_ = data;
    extents_ = extents;
    if (record != nullptr && Impl::tracking)
      record_ = record;
    else
      record_.reset();
    return *this;
  }
  void set_extents(std::size_t n, std::size_t m) {
    extents_ = {rank > 0 ? n : 1, rank > 1 ? m : 1};
    if (Elements::last > 0) extents_[rank - 1] = Elements::last;
  }

  void allocate(const Impl::Allocation& allocation) {
    constexpr bool zero = std::is_trivially_default_constructible_v<value_type>;
    const bool at_once = allocation.initialize && !allocation.exec;
    const std::size_t bytes = size() * sizeof(value_type);
    record_ = std::make_shared<Impl::Record>(memory_space::memory, allocation.label, bytes,
                                             at_once && zero ? 0 : emulation::undefined_byte);
    data_ = static_cast<value_type*>(record_->data());
    if (!allocation.initialize || (at_once && zero) || bytes == 0) return;
    const auto construct = [data = data_, n = size()] {
      for (std::size_t i = 0; i < n; ++i)
        new (const_cast<non_const_value_type*>(data + i)) value_type{};
    };
    if (allocation.exec)
      allocation.exec->impl_queue().enqueue(
          {"initialization of " + allocation.label, emulation::Access::copies, construct});
    else
      emulation::with_all_memory(construct);
  }

  value_type* data_ = nullptr;
  std::array<std::size_t, 2> extents_ = {rank > 0 ? 0u : 1u, Elements::last > 0 ? Elements::last
                                                             : rank > 1         ? 0u
                                                                                : 1u};
  std::shared_ptr<Impl::Record> record_;
};

template <class Data, class... Properties>
View<Data, Properties...> subview(const View<Data, Properties...>& view,
                                  const std::pair<std::size_t, std::size_t>& range) {
  return View<Data, Properties...>(view.data() + range.first, range.second - range.first);
}

// Copies ------------------------------------------------------------------------------------------

namespace Impl {

template <class View>
emulation::HostRange host_range(const View& view) {
  if (std::is_same_v<typename View::memory_space, CudaSpace>) return {};
  return {reinterpret_cast<const char*>(view.data()),
          view.size() * sizeof(typename View::value_type)};
}

/// The copy of all entries, to be enqueued or run.
template <class To, class From>
emulation::Task copy_task(const To& to, const From& from) {
  static_assert(std::is_same_v<typename To::value_type, typename From::non_const_value_type>);
  static_assert(
      To::rank < 2 || std::is_same_v<typename To::array_layout, typename From::array_layout>,
      "The stand-in copies entries as they are.");
  if (to.extent(0) != from.extent(0) || to.extent(1) != from.extent(1))
    throw std::runtime_error("deep_copy: the extents of the views differ");
  if (to.size() > 0 && static_cast<const void*>(to.data()) == from.data())
    throw std::runtime_error("deep_copy: of a view to itself");  // Kokkos 5 forbids it
  const auto read = host_range(from), written = host_range(to);
  return {"deep_copy", emulation::Access::copies,
          [to = to.data(), from = from.data(), n = to.size()] { std::copy_n(from, n, to); },
          read.bytes > 0 ? read : written};
}
template <class To>
emulation::Task fill_task(const To& to, const typename To::value_type& value) {
  return {"deep_copy", emulation::Access::copies,
          [to = to.data(), n = to.size(), value] { std::fill_n(to, n, value); }, host_range(to)};
}

template <class Exec>
inline constexpr bool is_own_space = std::is_same_v<Exec, Serial> || std::is_base_of_v<Cuda, Exec>;

template <class Exec>
void enqueue(const Exec& exec, emulation::Task task) {
  if constexpr (std::is_base_of_v<Cuda, Exec>)
    exec.impl_queue().enqueue(std::move(task));
  else
    emulation::with_all_memory(task.run);
}
inline void run_after_all(const emulation::Task& task) {
  fence("Kokkos::deep_copy: fence before");
  emulation::with_all_memory(task.run);
}

}  // namespace Impl

template <class Exec, class T, class... P, class U, class... Q>
requires(Impl::is_own_space<Exec>) void deep_copy(const Exec& exec, const View<T, P...>& to,
                                                  const View<U, Q...>& from) {
  if (to.size() > 0) Impl::enqueue(exec, Impl::copy_task(to, from));
}
template <class Exec, class T, class... P>
requires(Impl::is_own_space<Exec>) void deep_copy(const Exec& exec, const View<T, P...>& to,
                                                  const typename View<T, P...>::value_type& value) {
  if (to.size() > 0) Impl::enqueue(exec, Impl::fill_task(to, value));
}
template <class T, class... P, class U, class... Q>
void deep_copy(const View<T, P...>& to, const View<U, Q...>& from) {
  Impl::run_after_all(Impl::copy_task(to, from));
}
template <class T, class... P>
void deep_copy(const View<T, P...>& to, const typename View<T, P...>::value_type& value) {
  Impl::run_after_all(Impl::fill_task(to, value));
}

namespace Impl {
template <class V>
inline constexpr bool host_reaches =
    SpaceAccessibility<HostSpace, typename V::memory_space>::accessible;
}  // namespace Impl

/// A view of the host with as many entries.
template <class T, class... P>
auto create_mirror(const View<T, P...>& view) {
  using Mirror = typename View<T, P...>::HostMirror;
  return Mirror(view.label() + "_mirror", view.extent(0), view.extent(1));
}
/// The same, or the view itself where the host reaches it.
template <class T, class... P>
auto create_mirror_view(const View<T, P...>& view) {
  if constexpr (Impl::host_reaches<View<T, P...>>)
    return view;
  else
    return create_mirror(view);
}
template <class T, class... P>
auto create_mirror_view_and_copy(const HostSpace&, const View<T, P...>& view) {
  if constexpr (Impl::host_reaches<View<T, P...>>) {
    fence("Kokkos::create_mirror_view_and_copy: fence before returning src view");
    return view;
  } else {
    const auto mirror = create_mirror(view);
    deep_copy(mirror, view);
    return mirror;
  }
}

}  // namespace Kokkos
