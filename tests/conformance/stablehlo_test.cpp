// SPDX-License-Identifier: BSL-1.0
// The reference interpreter against StableHLO's own test data: programs that JAX made, with inputs and expected outputs, as
// equations of ours (stablehlo.txt). One line is one word and its numbers:
//
//   F name                                a program
//   C id type n patterns...               a constant; type: dtype, rank, sizes
//   V id type                             an input of the block that is opened next
//   O                                     opens a block
//   E primitive n operands... n parameters... n (id type)... n blocks...
//   X number n inputs... n outputs...     closes it
//   K n kinds...                          outputs 2 k and 2 k + 1 of the program: what it gives and what is expected
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include "oracle.hpp"

namespace {

using namespace exprax;

template <prim P>
struct name_rule {
  static constexpr std::string_view call() { return primitive<P>::name; }
};
prim primitive_named(std::string const& name) {
  // The first one of a name: update_slice is printed as scatter, too.
  static std::map<std::string, int> const all = [] {
    std::map<std::string, int> m;
    for (int i = 0; i < prim_count; ++i) m.emplace(dispatch<name_rule, std::string_view()>(static_cast<prim>(i)), i);
    return m;
  }();
  REQUIRE_MESSAGE(all.count(name) == 1, name);
  return static_cast<prim>(all.at(name));
}
dtype dtype_named(std::string const& name) {
  for (int i = 0; i < dtype_count; ++i)
    if (short_name(static_cast<dtype>(i)) == name) return static_cast<dtype>(i);
  FAIL(name);
  return {};
}

class reader {
 public:
  explicit reader(std::istringstream& s) : s_(s) {}
  std::string word() {
    std::string w;
    s_ >> w;
    return w;
  }
  int number() {
    int n = 0;
    s_ >> n;
    return n;
  }
  aval type() {
    aval a(dtype_named(word()));
    a.rank = number();
    for (int i = 0; i < a.rank; ++i) a.dims[i] = number();
    return a;
  }
  std::vector<std::uint64_t> patterns() {
    std::vector<std::uint64_t> v(static_cast<std::size_t>(number()));
    for (auto& x : v) s_ >> x;
    return v;
  }
  // A list of numbers, as `to` gives them.
  template <class To>
  exprax::detail::arena<int> list(To const& to) {
    exprax::detail::arena<int> a;
    for (int n = number(); n > 0; --n) a.push(to(number()));
    return a;
  }

 private:
  std::istringstream& s_;
};

class builder {
 public:
  void line(std::string const& kind, reader& r) {
    auto const value = [this](int id) { return values_.at(id); };
    auto const same = [](int x) { return x; };
    if (kind == "C") {
      int const id = r.number();
      aval const type = r.type();
      auto const bits = r.patterns();
      values_[id] = p.add_constant(type, {bits.data(), static_cast<int>(bits.size())});
    } else if (kind == "V") {
      int const id = r.number();
      values_[id] = p.add_value(r.type());
    } else if (kind == "O") {
      p.open();
    } else if (kind == "X") {
      int const number = r.number();
      auto const in = r.list(value), out = r.list(value);
      blocks_[number] = p.close(in, out);
    } else {
      REQUIRE(kind == "E");
      prim const op = primitive_named(r.word());
      auto const in = r.list(value), par = r.list(same);
      std::vector<int> ids;
      exprax::detail::arena<aval> out;
      for (int n = r.number(); n > 0; --n) {
        ids.push_back(r.number());
        out.push(r.type());
      }
      int v = p.emit(op, in, par, out, r.list([this](int b) { return blocks_.at(b); }));
      for (int id : ids) values_[id] = v++;
    }
  }
  exprax::program_builder p;

 private:
  std::map<int, int> values_, blocks_;
};

double real(dtype t, std::uint64_t bits) {
  switch (t) {
    case dtype::f16: return static_cast<double>(static_cast<float>(float16::from_bits(static_cast<std::uint16_t>(bits))));
    case dtype::bf16: return static_cast<double>(static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits))));
    case dtype::f64:
    case dtype::c128: return exprax::detail::from_bits<double>(bits);
    default: return static_cast<double>(exprax::detail::from_bits<float>(bits));
  }
}
double tolerance(dtype t) {
  switch (t) {
    case dtype::f16: return 5e-3;
    case dtype::bf16: return 4e-2;
    case dtype::f32:
    case dtype::c64: return 2e-5;
    case dtype::f64:
    case dtype::c128: return 1e-11;
    default: return 0;
  }
}
bool agree(dtype t, std::uint64_t got, std::uint64_t expected) {
  if (got == expected) return true;
  if (tolerance(t) == 0) return false;
  double const x = real(t, got), y = real(t, expected);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y || std::abs(x - y) <= tolerance(t) * (1 + std::abs(y));
}

}  // namespace

TEST_CASE("StableHLO's test data") {
  std::ifstream file(EXPRAX_TEST_FOLDER "/conformance/stablehlo.txt");
  std::string text, name;
  builder b;
  int programs = 0;
  while (std::getline(file, text)) {
    std::istringstream s(text);
    reader r(s);
    std::string const kind = r.word();
    if (kind == "F") {
      name = r.word();
      b = {};
    } else if (kind != "K") {
      b.line(kind, r);
    } else {
      ++programs;
      INFO(name);
      REQUIRE(oracle::is_well_formed(b.p.ref()));
      program_ref const p = b.p.ref();
      auto const results = oracle::interpret(p, {});
      for (int k = 0, n = r.number(); k < n; ++k) {
        dtype const t = p.type(p.outs(p.main())[2 * k]).type;
        auto const &got = results[2 * k], &expected = results[2 * k + 1];
        REQUIRE(got.size() == expected.size());
        int differ = 0;
        for (int i = 0; i < got.size(); ++i) differ += !agree(t, got[i], expected[i]);
        CHECK(differ == 0);
      }
    }
  }
  CHECK(programs > 1400);
}
