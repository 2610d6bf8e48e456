// SPDX-License-Identifier: BSL-1.0
// .npy files: bytes as NumPy writes them (NEP 1), and files in other orders.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include <exprax/npy.hpp>

namespace {

namespace ex = exprax;

// A file of its own, gone at the end.
struct temporary {
  std::string name = (std::filesystem::temp_directory_path() / ("exprax_npy_test_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)))).string();

  temporary() = default;
  explicit temporary(std::string const& bytes) { std::ofstream(name, std::ios::binary) << bytes; }
  ~temporary() { std::remove(name.c_str()); }
  std::string bytes() const {
    std::ostringstream out;
    out << std::ifstream(name, std::ios::binary).rdbuf();
    return out.str();
  }
};

// What NumPy writes: a head of 128 bytes in all, then the elements.
std::string npy(std::string const& head, std::string const& elements) {
  std::string const text = head + std::string(128 - 10 - head.size() - 1, ' ') + '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size()) + '\0' + text + elements;
}
std::string bytes_of(std::initializer_list<int> list) {
  std::string r;
  for (int b : list) r += static_cast<char>(b);
  return r;
}
std::string error_of(auto const& f) {
  try {
    f();
  } catch (std::runtime_error const& e) {
    return e.what();
  }
  return "";
}

template <class A>
void check_round_trip(A const& a) {
  temporary const file;
  ex::save(file.name, a);
  CHECK(file.bytes().size() % 64 == (static_cast<std::size_t>(a.size()) * sizeof(typename A::value_type)) % 64);
  A const b = ex::load<A>(file.name);
  CHECK(std::equal(a.data(), a.data() + a.size(), b.data()));
}

}  // namespace

TEST_CASE("save writes what NumPy reads") {
  temporary const file;
  ex::save(file.name, ex::array<std::int16_t, 2, 3>{{1, 2, 3}, {4, 5, -1}});
  std::string const bytes = file.bytes();
  CHECK(bytes.substr(0, 10) == std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  CHECK(bytes.substr(10).starts_with("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), } "));
  CHECK(bytes[127] == '\n');
  CHECK(bytes.substr(128) == bytes_of({1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 255, 255}));
}
TEST_CASE("every dtype, and ranks") {
  check_round_trip(ex::array<bool, 3>{true, false, true});
  check_round_trip(ex::array<std::int8_t, 2>{-1, 5});
  check_round_trip(ex::array<std::uint64_t, 2>{1, 1ull << 63});
  check_round_trip(ex::array<float, 2, 1, 3>{1, 2, 3, 4, 5, 6});
  check_round_trip(ex::array<double>(0.1));
  check_round_trip(ex::array<std::complex<float>, 2>{std::complex<float>(1, 2), std::complex<float>(3, -4)});
  check_round_trip(ex::array<float, 2, 0>());
  check_round_trip(ex::array<float, 100, 100>::full(2.5f));  // on the heap
}
TEST_CASE("halves have NumPy's codes") {
  temporary const file, other;
  ex::save(file.name, ex::array<ex::float16, 1>::full(ex::float16(1.5f)));
  CHECK(file.bytes().find("'<f2'") != std::string::npos);
  ex::save(other.name, ex::array<ex::bfloat16, 1>::full(ex::bfloat16(1.5f)));
  CHECK(other.bytes().find("'<V2'") != std::string::npos);
}
TEST_CASE("files that others wrote") {
  temporary const big(npy("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }", bytes_of({0, 0, 1, 2, 255, 255, 255, 255})));
  CHECK(ex::array_str(ex::load<int, 2>(big.name)) == "[258  -1]");
  temporary const columns(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", bytes_of({1, 4, 2, 5, 3, 6})));
  CHECK(ex::array_str(ex::load<ex::array<std::uint8_t, 2, 3>>(columns.name)) == "[[1 2 3]\n [4 5 6]]");
  temporary const truths(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", bytes_of({0, 1, 255})));
  CHECK(ex::array_str(ex::load<ex::array<bool, 3>>(truths.name)) == "[False  True  True]");
  std::string const head = "{'descr': '<i2', 'fortran_order': False, 'shape': (), }\n";
  temporary const second(std::string("\x93NUMPY\x02\x00", 8) + static_cast<char>(head.size()) + std::string(3, '\0') + head + bytes_of({7, 0}));
  std::int16_t x = 0;
  ex::load(second.name, ex::view<std::int16_t>(&x));
  CHECK(x == 7);
}
TEST_CASE("what is wrong is said") {
  temporary const file, none, text(std::string("hello, this is text"));
  ex::save(file.name, ex::array<float, 2, 3>());
  CHECK(error_of([&] { ex::load<ex::array<double, 2, 3>>(file.name); }) ==
        "exprax: " + file.name + " holds f4 of shape (2, 3), and f8 of shape (2, 3) is asked for");
  CHECK(error_of([&] { ex::load<ex::array<float, 3>>(file.name); }) ==
        "exprax: " + file.name + " holds f4 of shape (2, 3), and f4 of shape (3,) is asked for");
  CHECK(error_of([&] { ex::load<ex::array<float, 3>>(none.name); }) == "exprax: " + none.name + " cannot be opened");
  CHECK(error_of([&] { ex::load<ex::array<float, 3>>(text.name); }) == "exprax: " + text.name + " is not a .npy file");
  temporary const cut(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", bytes_of({1, 2})));
  CHECK(error_of([&] { ex::load<ex::array<float, 2>>(cut.name); }) == "exprax: " + cut.name + " is not a .npy file, or ends too early");
  CHECK(error_of([&] { ex::save("/nowhere/x.npy", ex::array<float, 2>()); }) == "exprax: /nowhere/x.npy cannot be opened");
}
