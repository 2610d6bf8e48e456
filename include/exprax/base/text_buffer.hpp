// SPDX-License-Identifier: BSL-1.0
// text_buffer: an appendable string, in constant evaluation too (std::string is not constexpr on clang with libstdc++ 12). fixed_text<N>:
// exactly N characters in static storage.
#pragma once

#include <cstdint>
#include <string_view>

#include <exprax/base/arena.hpp>

namespace exprax::detail {

class text_buffer {
 public:
  constexpr text_buffer() = default;
  constexpr text_buffer(text_buffer&& other) noexcept : data_(other.data_), size_(other.size_), capacity_(other.capacity_) {
    other.data_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  constexpr text_buffer& operator=(text_buffer&&) = delete;
  // The null check is needed: clang 19 treats a destructor with a bare delete as trivial and skips it on a const variable.
  constexpr ~text_buffer() {
    if (data_) delete[] data_;
  }

  constexpr int size() const { return size_; }
  constexpr char const* data() const { return data_; }
  constexpr std::string_view view() const { return {data(), static_cast<std::size_t>(size_)}; }
  constexpr void clear() { size_ = 0; }
  friend constexpr bool operator==(text_buffer const& a, std::string_view b) { return a.view() == b; }

  constexpr void put(char c) {
    if (size_ == capacity_) grow(1);
    data_[size_++] = c;
  }
  constexpr void write(char const* text, std::ptrdiff_t n) {
    int const count = static_cast<int>(n);
    if (size_ + count > capacity_) grow(count);
    copy_run(data_ + size_, text, count);
    size_ += count;
  }
  // Appends a copy of count characters from position `from` on.
  constexpr void repeat(int from, int count) {
    if (size_ + count > capacity_) grow(count);
    copy_run(data_ + size_, data_ + from, count);
    size_ += count;
  }
  constexpr void write(std::string_view text) { write(text.data(), static_cast<std::ptrdiff_t>(text.size())); }
  constexpr void fill(char c, int count) {
    for (int i = 0; i < count; ++i) put(c);
  }
  constexpr void trim_right() {
    while (size_ > 0 && data_[size_ - 1] == ' ') --size_;
  }
  constexpr void unsigned_integer(std::uint64_t n) {
    if (n < 10) return put(static_cast<char>('0' + n));
    char digits[20] = {};
    int at = 20;
    do digits[--at] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    write(digits + at, 20 - at);
  }
  constexpr void integer(std::int64_t n) {
    if (n < 0) put('-');
    unsigned_integer(n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n));
  }

 private:
  constexpr void grow(int count) {
    unsigned const needed = static_cast<unsigned>(size_ + count);
    unsigned wanted = capacity_ ? 2 * static_cast<unsigned>(capacity_) : 64;
    while (wanted < needed) wanted *= 2;
    char* grown = new char[wanted];
    copy_run(grown, data_, size_);
    delete[] data_;
    data_ = grown;
    capacity_ = static_cast<int>(wanted);
  }
  char* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

// Sinks: types with write(char const*, n). text_counter counts, text_writer fills memory, text_comparer compares.
struct text_counter {
  int size = 0;
  constexpr void write(char const*, std::ptrdiff_t n) { size += static_cast<int>(n); }
};
struct text_writer {
  char* to;
  constexpr void write(char const* text, std::ptrdiff_t n) {
    copy_run(to, text, static_cast<int>(n));
    to += n;
  }
};
struct text_comparer {
  std::string_view rest;
  bool same = true;
  constexpr void write(char const* text, std::ptrdiff_t n) {
    std::string_view const part(text, static_cast<std::size_t>(n));
    if (!same || rest.size() < part.size() || rest.substr(0, part.size()) != part) same = false;
    else rest.remove_prefix(part.size());
  }
};

// std::ostream and similar types, without a stream header.
template <class S>
concept stream = requires(S& s, char const* text) { s.write(text, std::ptrdiff_t{}); };

template <int N>
struct fixed_text {
  char text[N + 1] = {};
  constexpr std::string_view view() const { return {text, static_cast<std::size_t>(N)}; }
};

// The base of a Source (below) whose text is made in a buffer: by Source::print(buffer).
template <class Source>
struct buffered_text {
  template <class Sink>
  static constexpr void write(Sink& sink) {
    text_buffer text;
    Source::print(text);
    sink.write(text.data(), text.size());
  }
};
// Count, then fill: Source::write(sink) writes the text; text_of<Source>::view() refers to static storage.
template <class Source>
struct text_of {
  static constexpr int size = [] {
    text_counter counter;
    Source::write(counter);
    return counter.size;
  }();
  static constexpr fixed_text<size> storage = [] {
    fixed_text<size> t;
    text_writer writer{t.text};
    Source::write(writer);
    return t;
  }();
  static constexpr std::string_view view() { return storage.view(); }
};

}  // namespace exprax::detail
