// SPDX-License-Identifier: BSL-1.0
// save(file, x), load<ex::array<float, 2, 3>>(file): arrays in NumPy's .npy files (jax.numpy.save, jax.numpy.load; NEP 1). Not a part of
// exprax.hpp: it needs files.
#pragma once

#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/types/print.hpp>

namespace exprax {

namespace detail {

[[noreturn]] inline void fail_with(std::string const& what) {
#ifdef __cpp_exceptions
  throw std::runtime_error(what);
#else
  std::fprintf(stderr, "%s\n", what.c_str());
  stop();
#endif
}

// NumPy's code for a dtype, such as f4, without the byte order. bfloat16 is what ml_dtypes writes for it.
inline std::string npy_code(dtype t) {
  char const number = is_complex(t) ? 'c' : is_floating(t) ? 'f' : is_signed_integer(t) ? 'i' : 'u';
  char const kind = is_bool(t) ? 'b' : t == dtype::bf16 ? 'V' : number;
  return kind + std::to_string(size_of(t));
}
inline std::string npy_shape(aval const& a) {
  text_buffer out;
  write_shape(out, a);
  return std::string(out.view());
}
// The size of what has one byte order: of a complex number, that of a part.
inline std::size_t npy_word(dtype t) { return static_cast<std::size_t>(size_of(real_dtype(t))); }

struct npy_file {
  std::string name;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream;

  npy_file(std::string const& path, char const* mode) : name(path), stream(std::fopen(path.c_str(), mode), &std::fclose) {
    if (!stream) fail("cannot be opened");
  }
  [[noreturn]] void fail(std::string const& what) const { fail_with("exprax: " + name + " " + what); }
  void read(void* to, std::size_t n) {
    if (std::fread(to, 1, n, stream.get()) != n) fail("is not a .npy file, or ends too early");
  }
  void write(void const* from, std::size_t n) {
    if (std::fwrite(from, 1, n, stream.get()) != n) fail("cannot be written");
  }
};

// What the head of a file says.
struct npy_head {
  std::string code, shape;
  bool is_swapped = false, is_fortran = false;

  explicit npy_head(npy_file& file) {
    unsigned char start[8], length[4] = {};
    file.read(start, sizeof start);
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) file.fail("is not a .npy file");
    file.read(length, start[6] == 1 ? 2 : 4);
    std::string text(length[0] + 256u * length[1] + 65536u * length[2] + 16777216u * length[3], ' ');
    file.read(text.data(), text.size());
    std::string const descr = value_of(text, "descr", file);
    if (descr.size() < 4 || descr[0] != '\'') file.fail("holds records: their dtype is " + descr);
    is_swapped = descr[1] == (std::endian::native == std::endian::little ? '>' : '<');
    code = descr.substr(2, descr.size() - 3);
    is_fortran = value_of(text, "fortran_order", file) == "True";
    shape = value_of(text, "shape", file);
  }

 private:
  // In {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
  static std::string value_of(std::string const& text, std::string const& key, npy_file const& file) {
    std::size_t const at = text.find("'" + key + "':");
    if (at == std::string::npos) file.fail("is not a .npy file: its head has no " + key);
    std::size_t const from = text.find_first_not_of(' ', at + key.size() + 3);
    char const first = from < text.size() ? text[from] : ' ';
    std::size_t const to = first == '(' || first == '[' ? text.find(first == '(' ? ')' : ']', from) + 1 : text.find_first_of(",}", from);
    return text.substr(from, to - from);
  }
};

inline void swap_bytes(unsigned char* at, std::size_t bytes, std::size_t word) {
  for (unsigned char* end = at + bytes; at != end; at += word)
    for (std::size_t k = 0; k < word / 2; ++k) std::swap(at[k], at[word - 1 - k]);
}
// Elements from column-major to row-major order.
inline void read_columns(npy_file& file, unsigned char* to, aval const& a) {
  strides const rows(a);
  for (std::ptrdiff_t k = 0; k < a.size(); ++k) {
    std::ptrdiff_t at = 0, rest = k, stride = a.size();
    for (int axis = a.rank - 1; axis >= 0; --axis) {
      stride /= a.dims[axis];
      at += rest / stride * rows[axis];
      rest %= stride;
    }
    file.read(to + at * size_of(a.type), static_cast<std::size_t>(size_of(a.type)));
  }
}

}  // namespace detail

// Writes the elements of x, in the order of its axes. Errors: a std::runtime_error where the file cannot be written.
template <class T, int... D>
void save(std::string const& file, view<T, D...> x) {
  using element = std::remove_const_t<T>;
  static_assert(!std::is_same_v<element, prng_key>, "exprax: save: keys of random numbers have no dtype in NumPy: save key_data(keys)");
  detail::npy_file to(file, "wb");
  bool const little = std::endian::native == std::endian::little;
  std::string const order = detail::npy_word(x.type.type) == 1 ? "|" : little ? "<" : ">";
  std::string head = "{'descr': '" + order + detail::npy_code(x.type.type) + "', 'fortran_order': False, 'shape': " +
                     detail::npy_shape(x.type) + ", }";
  head.resize((head.size() + 1 + 10 + 63) / 64 * 64 - 10, ' ');  // the elements begin at a multiple of 64
  head.back() = '\n';
  unsigned char const start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<unsigned char>(head.size() % 256),
                                 static_cast<unsigned char>(head.size() / 256)};
  to.write(start, sizeof start);
  to.write(head.data(), head.size());
  to.write(x.data(), sizeof(T) * static_cast<std::size_t>(x.size()));
  if (std::fflush(to.stream.get()) != 0) to.fail("cannot be written");
}
template <class T, int... D>
void save(std::string const& file, array<T, D...> const& x) {
  save(file, view<T const, D...>(x));
}

// Reads the elements of x. Errors: a std::runtime_error where the file cannot be read, or holds another dtype or shape.
template <class T, int... D>
void load(std::string const& file, view<T, D...> x) {
  static_assert(!std::is_const_v<T>, "exprax: load: the view is of constants");
  detail::npy_file from(file, "rb");
  detail::npy_head const head(from);
  std::string const code = detail::npy_code(x.type.type), shape = detail::npy_shape(x.type);
  if (head.code != code || head.shape != shape)
    from.fail("holds " + head.code + " of shape " + head.shape + ", and " + code + " of shape " + shape + " is asked for");
  std::size_t const bytes = sizeof(T) * static_cast<std::size_t>(x.size());
  unsigned char* const to = reinterpret_cast<unsigned char*>(x.data());
  if (head.is_fortran) detail::read_columns(from, to, x.type);
  else from.read(to, bytes);
  if (head.is_swapped) detail::swap_bytes(to, bytes, detail::npy_word(x.type.type));
  if constexpr (std::is_same_v<T, bool>)
    for (unsigned char* b = to; b != to + bytes; ++b) *b = *b != 0;
}
// load<array<float, 2, 3>>(file), load<float, 2, 3>(file): the dtype and the shape are part of the type.
template <class Array>
  requires(!detail::is_number_type<Array>)
Array load(std::string const& file) {
  Array x;
  [&]<class T, int... D>(array<T, D...>& a) { load(file, view<T, D...>(a)); }(x);
  return x;
}
template <class T, int... D>
  requires detail::is_number_type<T>
array<T, D...> load(std::string const& file) {
  return load<array<T, D...>>(file);
}
template <int... None>
float load(std::string const&) {
  static_assert(sizeof...(None) > 0, "exprax: load: the dtype and the shape are part of the type: write ex::load<float, 2, 3>(file)");
  return 0;
}

}  // namespace exprax

#include <exprax/base/end.hpp>
#endif
