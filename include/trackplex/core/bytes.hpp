// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Values as bytes, to send them to another rank or to store them in a journal: numbers,
/// structures of up to eight members without pointers, and vectors, strings and arrays of these,
/// nested as needed. For the same program on the same kind of machine: the bytes carry no types.
///
/// A structure of spans has a member `owner`, a `std::shared_ptr<const void>` to the memory of the
/// spans, and a function, found by argument-dependent lookup,
///
///     for_each_part(structure, f)
///
/// that calls f(part...) once with all its spans and its other members. What is read back owns
/// memory of its own.

namespace trackplex {

namespace detail {

/// Converts to anything: counts the members of a structure.
struct AnyMember {
  template <class T>
  operator T() const;
};

template <class T, class... Members>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; })
    return member_count<T, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

/// Calls `call(members...)` once with all members of a structure.
template <class T, class F>
void with_members(T& object, const F& call) {
  constexpr std::size_t n = member_count<std::remove_const_t<T>>();
  static_assert(n >= 1 && n <= 8, "Structures of one to eight members can be made bytes.");
  if constexpr (n == 1) {
    auto& [a] = object;
    call(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = object;
    call(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = object;
    call(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = object;
    call(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = object;
    call(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, g] = object;
    call(a, b, c, d, e, g);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, g, h] = object;
    call(a, b, c, d, e, g, h);
  } else {
    auto& [a, b, c, d, e, g, h, i] = object;
    call(a, b, c, d, e, g, h, i);
  }
}

template <class T>
inline constexpr bool is_span = false;
template <class T>
inline constexpr bool is_span<std::span<T>> = true;

struct AnyFunction {
  template <class... Parts>
  void operator()(Parts&...) const {}
};
/// Structure of spans.
template <class T>
concept HasParts = requires(T& object) {
  for_each_part(object, AnyFunction{});
  object.owner;
};

template <class T>
inline constexpr bool is_resizable = requires(T& values) {
  values.resize(1);
  values.data();
};
template <class T>
inline constexpr bool is_array = requires {
  std::tuple_size<T>::value;
}
&&requires(T& values) { values.data(); };

/// Sets the padding between the members of a value to zero, where the compiler can.
template <class T>
void clear_padding([[maybe_unused]] T& value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_class_v<T>) __builtin_clear_padding(&value);
#endif
#endif
}

}  // namespace detail

/// Whether a ByteWriter would append the same bytes for both.
template <class T>
bool same_bytes(const T& a, const T& b) {
  bool same = true;
  const auto compare_all = [&](const auto&... of_a) {
    return [&](const auto&... of_b) { same = (same_bytes(of_a, of_b) && ...); };
  };
  if constexpr (detail::HasParts<const T>) {
    for_each_part(a, [&](const auto&... of_a) { for_each_part(b, compare_all(of_a...)); });
  } else if constexpr (detail::is_span<T> || detail::is_resizable<T> || detail::is_array<T>) {
    using Value = typename T::value_type;
    if (a.size() != b.size()) return false;
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>)
      return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
    else
      return std::equal(a.begin(), a.end(), b.begin(), [](const Value& in_a, const Value& in_b) {
        return same_bytes(in_a, in_b);
      });
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    T own_a = a, own_b = b;
    detail::clear_padding(own_a);
    detail::clear_padding(own_b);
    return std::memcmp(&own_a, &own_b, sizeof(T)) == 0;
  } else {
    detail::with_members(
        a, [&](const auto&... of_a) { detail::with_members(b, compare_all(of_a...)); });
  }
  return same;
}

/// Returns a checksum of bytes: FNV-1a over words of 8 bytes, so that any change of a word changes
/// it.
inline std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t start = 0) {
  std::uint64_t state = 0xcbf29ce484222325u + start;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    state = (state ^ word) * 0x100000001b3u;
    state ^= state >> 32;
  }
  return state;
}

/// Appends values to bytes.
class ByteWriter {
 public:
  /// Appends a value.
  template <class T>
  ByteWriter& add(const T& value) {
    static_assert(!std::is_pointer_v<T> && !detail::is_span<T>, "Pointers mean nothing elsewhere.");
    if constexpr (detail::HasParts<const T>) {
      for_each_part(value, [&](const auto&... parts) {
        (add_size(parts), ...);
        (add_contents(parts), ...);
      });
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      append_copies(std::span<const T>(&value, 1));
    } else if constexpr (detail::is_resizable<T>) {
      add(std::uint64_t(value.size()));
      add_all(value);
    } else if constexpr (detail::is_array<T>) {
      add_all(value);
    } else {
      detail::with_members(value, [&](const auto&... members) { (add(members), ...); });
    }
    return *this;
  }
  /// Appends bytes as they are.
  void append(std::span<const std::byte> more) {
    if (more.empty()) return;
    bytes_.resize(bytes_.size() + more.size());  // insert() would copy byte by byte
    std::memcpy(bytes_.data() + bytes_.size() - more.size(), more.data(), more.size());
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }       ///< All bytes.
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }  ///< Moves all bytes out.
  void clear() { bytes_.clear(); }  ///< Removes all bytes, and keeps the memory.

 private:
  /// The number of values of a span, or another part itself.
  template <class Part>
  void add_size(const Part& part) {
    if constexpr (detail::is_span<Part>)
      add(std::uint64_t(part.size()));
    else
      add(part);
  }
  template <class Part>
  void add_contents(const Part& part) {
    if constexpr (detail::is_span<Part>) add_all(part);
  }
  template <class Values>
  void add_all(const Values& values) {
    using Value = typename Values::value_type;
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>)
      append(std::as_bytes(std::span(values)));
    else if constexpr (std::is_trivially_copyable_v<Value>)
      append_copies(std::span<const Value>(values));
    else
      for (const auto& value : values) add(value);
  }
  /// With the same padding bytes between the members, whatever was there.
  template <class T>
  void append_copies(std::span<const T> values) {
    std::size_t at = bytes_.size();
    bytes_.resize(at + values.size_bytes());
    for (T value : values) {
      detail::clear_padding(value);
      std::memcpy(bytes_.data() + at, &value, sizeof value);
      at += sizeof value;
    }
  }

  std::vector<std::byte> bytes_;
};

/// Reads values in the order in which a ByteWriter has appended them.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}  ///< Of these bytes.

  /// Reads a value.
  /// @throws InputError if there are too few bytes
  template <class T>
  void read(T& value) {
    if constexpr (detail::HasParts<T>) {
      for_each_part(value, [&](auto&... parts) {
        const std::array<std::size_t, sizeof...(parts)> sizes{read_size(parts)...};
        value.owner = read_contents(sizes.data(), parts...);
      });
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      copy_to(std::span(&value, 1));
    } else if constexpr (detail::is_resizable<T>) {
      value.resize(read_count<typename T::value_type>());
      read_all(value);
    } else if constexpr (detail::is_array<T>) {
      read_all(value);
    } else {
      detail::with_members(value, [&](auto&... members) { (read(members), ...); });
    }
  }
  /// Reads a value.
  /// @throws InputError if there are too few bytes
  template <class T>
  T read() {
    T value{};
    read(value);
    return value;
  }
  /// Returns the next n bytes.
  /// @throws InputError if there are too few bytes
  std::span<const std::byte> take(std::size_t n) {
    if (n > left_.size()) refuse();
    const auto taken = left_.first(n);
    left_ = left_.subspan(n);
    return taken;
  }
  /// Whether all bytes have been read.
  bool at_end() const { return left_.empty(); }

 private:
  /// Number of values that follow.
  template <class Value>
  std::size_t read_count() {
    const auto n = read<std::uint64_t>();
    constexpr std::size_t least = std::is_trivially_copyable_v<Value> ? sizeof(Value) : 1;
    if (n > left_.size() / least) refuse();
    return std::size_t(n);
  }
  /// The number of values of a span; other parts are read.
  template <class Part>
  std::size_t read_size(Part& part) {
    if constexpr (detail::is_span<Part>) {
      return read_count<typename Part::value_type>();
    } else {
      read(part);
      return 0;
    }
  }
  /// Reads the values of all spans to one block, and returns it.
  template <class... Parts>
  std::shared_ptr<const void> read_contents(const std::size_t* sizes, Parts&... parts) {
    using Unit = std::max_align_t;
    const std::size_t* size = sizes;
    std::size_t bytes = 0;
    ((bytes += block_bytes<Parts>(*size++)), ...);
    const std::shared_ptr<Unit[]> block(new Unit[bytes / sizeof(Unit)]);
    auto* at = reinterpret_cast<std::byte*>(block.get());
    size = sizes;
    (read_span(parts, *size++, at), ...);
    return block;
  }
  /// Bytes of n values in the block.
  template <class Part>
  static std::size_t block_bytes(std::size_t n) {
    constexpr std::size_t unit = sizeof(std::max_align_t);
    if constexpr (detail::is_span<Part>)
      return (n * sizeof(typename Part::value_type) + unit - 1) / unit * unit;
    else
      return 0;
  }
  template <class Part>
  void read_span(Part& part, std::size_t n, std::byte*& at) {
    if constexpr (detail::is_span<Part>) {
      const std::span values(reinterpret_cast<typename Part::value_type*>(at), n);
      copy_to(values);
      part = values;
      at += block_bytes<Part>(n);
    }
  }
  template <class T>
  void copy_to(std::span<T> values) {
    const auto from = take(values.size_bytes());
    if (!from.empty()) std::memcpy(values.data(), from.data(), from.size());
  }
  template <class Values>
  void read_all(Values& values) {
    if constexpr (std::is_trivially_copyable_v<typename Values::value_type>)
      copy_to(std::span(values.data(), values.size()));
    else
      for (auto& value : values) read(value);
  }
  [[noreturn]] static void refuse() { throw InputError({"bytes"}, "they end too early"); }

  std::span<const std::byte> left_;
};

}  // namespace trackplex
