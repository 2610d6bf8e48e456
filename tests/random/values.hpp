// SPDX-License-Identifier: BSL-1.0
// Random programs, part 1: what all parts choose from, and elementwise equations. The other parts: places.hpp, composites.hpp, blocks.hpp.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/infer.hpp>
#include <exprax/program/program.hpp>
#include <exprax/types/element.hpp>
#include <random/mixture.hpp>

namespace random_programs {

using namespace exprax;
using detail::arena;
using detail::span;

class values {
 protected:
  constexpr values(std::uint32_t seed, mixture const& w) : w_(w), rng_(seed * 31u + 7u) {}

  constexpr dtype choose_type(std::initializer_list<dtype> of) { return of.begin()[rng_.below(static_cast<int>(of.size()))]; }
  constexpr dtype input_type() {
    if (w_.values == domain::exact) return dtype::f64;
    if (w_.values == domain::smooth) return rng_.chance(80) ? dtype::f64 : dtype::i32;
    if (w_.values == domain::few) return choose_type({dtype::f32, dtype::f32, dtype::f32, dtype::i32, dtype::i32, dtype::b1});
    if (w_.values == domain::some)
      return choose_type({dtype::f32, dtype::f32, dtype::f32, dtype::f64, dtype::i32, dtype::i32, dtype::u8, dtype::b1});
    constexpr dtype all[] = {dtype::f32, dtype::f32, dtype::f64, dtype::i8,  dtype::i16, dtype::i32,
                             dtype::i64, dtype::u8,  dtype::u16, dtype::u32, dtype::u64, dtype::b1};
    return all[rng_.below(12)];
  }
  constexpr dtype any_type() {
    if (main_type() == dtype::f64) return dtype::f64;
    if (w_.values == domain::few) return choose_type({dtype::f32, dtype::f32, dtype::i32, dtype::b1});
    if (w_.values == domain::some) return choose_type({dtype::b1, dtype::i32, dtype::u8, dtype::f64, dtype::i8, dtype::f32});
    for (;;) {
      dtype const t = static_cast<dtype>(rng_.below(15));
      if (!is_complex(t) || rng_.chance(50)) return t;
    }
  }
  constexpr dtype main_type() const { return w_.values == domain::exact || w_.values == domain::smooth ? dtype::f64 : dtype::f32; }
  constexpr aval shape(dtype t) {
    if (w_.values == domain::smooth) {
      int const k = rng_.below(7);
      return k < 2 ? aval(t) : k < 4 ? aval(t, {3}) : k < 6 ? aval(t, {2, 3}) : aval(t, {2});
    }
    if (w_.values == domain::few) {
      int const k = rng_.below(5);
      return k < 2 ? aval(t) : k < 4 ? aval(t, {3}) : aval(t, {2, 3});
    }
    switch (rng_.below(w_.values == domain::exact ? 5 : w_.values == domain::some ? 8 : 13)) {
      case 0: return aval(t);
      case 1: return aval(t, {3});
      case 2: return aval(t, {1, 3});
      case 3:
      case 4: return aval(t, {2, 3});
      case 5: return aval(t, {2, 1, 3});
      case 6: return rng_.chance(30) ? aval(t, {0, 3}) : aval(t, {4});
      case 7: return w_.values == domain::some || rng_.chance(50) ? aval(t, {17}) : aval(t, {131});
      case 8: return rng_.chance(50) ? aval(t, {33}) : aval(t, {70});
      case 9: return aval(t, {3, 3});
      case 10: return aval(t, {2, 2, 3});
      case 11: return aval(t, {5, 9});
      default: return rng_.chance(60) ? aval(t, {3, 2}) : aval(t, {3, 67});
    }
  }
  constexpr aval const& type(int v) const { return p_.type(v); }
  constexpr int any() { return scope_[rng_.below(scope_.size())]; }
  constexpr int recent() { return rng_.chance(65) ? scope_[scope_.size() - 1 - rng_.below(scope_.size() < 4 ? scope_.size() : 4)] : any(); }
  template <class Accepts>
  constexpr int pick(Accepts accepts) {
    int const start = rng_.below(scope_.size());
    for (int i = 0; i < scope_.size(); ++i) {
      int const v = scope_[(start + i) % scope_.size()];
      if (accepts(type(v))) return v;
    }
    return -1;
  }
  // A pattern for a literal.
  constexpr std::uint64_t special(dtype t) {
    int const k = rng_.below(9);
    if (w_.values == domain::exact) return detail::bits_of_int(t, k - 4);
    if (w_.values == domain::smooth && t == dtype::f64) return detail::to_bits(static_cast<double>(k) * 0.37 - 1.3);
    if (w_.values == domain::smooth && !is_bool(t)) return detail::bits_of_int(t, k - 3);
    if (w_.values == domain::few && is_bool(t)) return std::uint64_t(k & 1);
    if (w_.values == domain::few) return t == dtype::f32 ? detail::to_bits(static_cast<float>(k - 4) * 0.5f) : detail::bits_of_int(t, k - 3);
    if (t == dtype::f16) return k == 0 ? 0x8000u : k == 1 ? 0x7c00u : k == 2 ? 0u : k == 3 ? 0x3c00u : k == 4 ? 0xc000u : 0x3e00u;
    if (t == dtype::bf16) return k == 0 ? 0x8000u : k == 1 ? 0x7f80u : k == 2 ? 0u : k == 3 ? 0x3f80u : k == 4 ? 0xc000u : 0x3fc0u;
    if (is_key(t)) return 0;
    return detail::with_element(t, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_floating_point_v<T>) {
        std::uint64_t const infinity = std::is_same_v<T, float> ? 0x7f800000u : 0x7ff0000000000000u;
        std::uint64_t const sign = std::is_same_v<T, float> ? 0x80000000u : 0x8000000000000000u;
        if (k == 0) return sign;
        if (k == 1) return infinity | (rng_.chance(50) ? sign : 0);
        return detail::to_bits(k == 2 ? T(0) : k == 3 ? T(1) : k == 4 ? T(-1) : k == 5 ? T(2) : k == 6 ? T(0.25) : k == 7 ? T(-3) : T(1.5));
      } else {
        return detail::to_bits(k == 0 ? static_cast<T>(-1) : static_cast<T>(k % 4));
      }
    });
  }
  constexpr int literal(dtype t) {
    if (is_complex(t)) {
      dtype const r = t == dtype::c64 ? dtype::f32 : dtype::f64;
      aval const out(t);
      int const in[] = {literal(r), literal(r)};
      return p_.emit(prim::complex, in, {}, {&out, 1});
    }
    return p_.add_literal(t, special(t));
  }
  constexpr int index(int n) { return p_.add_literal(dtype::i32, detail::to_bits(rng_.below(n + 2) - 1)); }
  constexpr int number(dtype t, int n) { return p_.add_literal(t, detail::bits_of_int(t, n)); }

  // Complex numbers have no order here, and keys do not compute.
  static constexpr bool takes(prim op, dtype t) {
    bool const orders = op == prim::lt || op == prim::le || op == prim::gt || op == prim::ge || op == prim::max || op == prim::min || op == prim::clamp ||
                        op == prim::argmax || op == prim::argmin || op == prim::reduce_max || op == prim::reduce_min || op == prim::cummax ||
                        op == prim::cummin || op == prim::cumlogsumexp || op == prim::reduce_window_max || op == prim::reduce_window_min ||
                        op == prim::scatter_min || op == prim::scatter_max || op == prim::update_slice_min || op == prim::update_slice_max || op == prim::top_k;
    bool const real = op == prim::scatter_mul || op == prim::update_slice_mul || op == prim::rem || op == prim::atan2 || op == prim::nextafter || op == prim::reduce ||
                      op == prim::reduce_window || op == prim::cholesky || op == prim::triangular_solve;
    if (is_complex(t)) return !orders && !real;
    return !is_key(t) || (op != prim::select_n && (op < prim::cumsum || op > prim::cumlogsumexp));
  }
  // Records an equation if it is well typed.
  constexpr bool make(prim op, span<int> in, span<int> par = {}, int n_out = 1, span<int> sub = {}, bool push = true) {
    for (int v : in) if (v < 0) return false;
    for (int v : in)
      if (!takes(op, type(v).type)) return false;
    aval out[16];
    bool good = p_.infer_results(infer<equation_ref>, op, in, par, sub, n_out, out);
    if (!good) return false;
    bool const is_small = w_.values == domain::smooth;
    for (int k = 0; k < n_out; ++k) {
      good = good && out[k].rank <= (is_small ? 3 : 5) && out[k].size() <= (is_small ? 60 : 400);
      good = good && (!is_small || out[k].size() > 0);
    }
    if (!good) return false;
    for (int k = 0; k < n_out; ++k) out[k].weak = false;
    int const first = p_.emit(op, in, par, {out, n_out}, sub);
    made_ = first;
    if (push) for (int k = 0; k < n_out; ++k) scope_.push(first + k);
    return true;
  }
  // The last value made, without pushing to scope.
  constexpr int quiet(prim op, span<int> in, span<int> par = {}) { return make(op, in, par, 1, {}, false) ? made_ : -1; }
  constexpr int broadcast(int v, aval const& to) { return to.rank == 0 ? v : quiet(prim::broadcast_in_dim, {v}, {to.dims, to.rank}); }
  // NaN become 1.
  constexpr int clean(int v) {
    if (!is_floating(type(v).type) || is_complex(type(v).type)) return v;
    aval const t = type(v);
    int const good = quiet(prim::eq, {v, v}), one = broadcast(number(t.type, 1), t);
    return quiet(prim::select_n, {good, one, v});
  }
  // as something that is compared bit by bit
  constexpr int visible(int v) {
    int const r = visible_or_not(v);
    return r < 0 ? scope_[0] : r;
  }
  constexpr int visible_or_not(int v) {
    dtype const t = type(v).type;
    if (is_half(t)) return quiet(prim::convert_element_type, {v}, {static_cast<int>(dtype::f32), 0});
    if (is_complex(t)) return quiet(rng_.chance(50) ? prim::real : prim::imag, {v});
    if (is_key(t)) return quiet(prim::random_unwrap, {v});
    return v;
  }

  constexpr int emit1(prim op, span<int> in, aval const& out) { return p_.emit(op, in, {}, {&out, 1}); }
  constexpr prim choose(std::initializer_list<prim> of) { return of.begin()[rng_.below(static_cast<int>(of.size()))]; }
  constexpr int partner(int x) {
    aval const t = type(x);
    if (rng_.chance(25) && !is_key(t.type)) return literal(t.type);
    int const v = pick([&](aval const& a) { return a.type == t.type && (a.rank == 0 || a.same_shape(t)); });
    return v < 0 ? x : v;
  }

  // --- Elementwise ---

  constexpr void unary() {
    int const x = recent();
    dtype const t = type(x).type;
    if (is_key(t)) return;
    if (w_.values == domain::exact) {
      make(prim::neg, {x});
    } else if (w_.values == domain::smooth && t == dtype::f64) {
      if (rng_.chance(8)) make(prim::name, {x}, {p_.add_name(rng_.chance(50) ? known_name : "other")});
      else smooth_function(x);
    } else if (!w_.functions) {
      if (w_.products && rng_.chance(10)) make(prim::integer_pow, {x}, {rng_.below(9) - 3});
      else if (w_.values != domain::few && is_floating(t))
        make(choose({prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::exp, prim::expm1, prim::log, prim::log1p, prim::sqrt, prim::rsqrt,
                     prim::sin, prim::cos, prim::tanh, prim::logistic, prim::is_finite, prim::neg, prim::abs}), {x});
      else make(choose({prim::neg, prim::sign, prim::abs, prim::not_}), {x});
    } else if (is_complex(t)) {
      make(choose({prim::neg, prim::exp, prim::log, prim::sqrt, prim::abs, prim::real, prim::imag, prim::conj, prim::real, prim::imag,
              prim::sin, prim::tanh, prim::square, prim::sign, prim::log1p}), {x});
    } else if (is_floating(t)) {
      if (rng_.chance(10)) make(prim::integer_pow, {x}, {rng_.below(9) - 3});
      else if (rng_.chance(8)) make(prim::reduce_precision, {x}, {2 + rng_.below(7), rng_.below(12)});
      else if (rng_.chance(40)) make(choose({prim::neg, prim::sign, prim::floor, prim::ceil, prim::round_nearest_afz,
              prim::round_nearest_even, prim::round, prim::abs, prim::square, prim::is_finite, prim::sqrt}), {x});
      else make(static_cast<prim>(rng_.below(static_cast<int>(prim::tgamma) + 1)), {x});
    } else {
      make(choose({prim::neg, prim::sign, prim::abs, prim::not_, prim::population_count, prim::clz, prim::integer_pow}), {x}, {});
      if (rng_.chance(10)) make(prim::integer_pow, {x}, {rng_.below(6)});
    }
  }
  constexpr void convert() {
    int const x = recent();
    dtype const to = any_type();
    if (is_key(type(x).type)) return;
    if (w_.functions && rng_.chance(30)) {
      int const c = clean(x);
      if (c >= 0) make(prim::bitcast_convert_type, {c}, {static_cast<int>(to)});
      return;
    }
    if (is_complex(type(x).type) && !is_complex(to)) {
      make(rng_.chance(50) ? prim::real : prim::imag, {x});
      return;
    }
    make(prim::convert_element_type, {x}, {static_cast<int>(to), 0});
  }
  constexpr void binary() {
    int x = recent(), y = partner(x);
    if (rng_.chance(40)) {
      int const t = x;
      x = y;
      y = t;
    }
    dtype const t = type(x).type;
    if (is_key(t)) return;
    if (w_.values == domain::exact) {
      // Products only so many that their results are small for sure.
      prim const op = choose({prim::add, prim::sub, prim::mul, prim::mul, prim::max});
      if (op != prim::mul || products_++ <= 12) make(op, {x, y});
      return;
    }
    if (w_.values == domain::smooth && t == dtype::f64) {
      if (rng_.chance(85)) make(choose({prim::add, prim::sub, prim::mul, prim::mul, prim::max, prim::min}), {x, y});
      else make(choose({prim::div, prim::atan2}), {x, above_one(y)});
      return;
    }
    bool const product = w_.products || !is_floating(t);
    if (rng_.chance(15)) make(choose({prim::eq, prim::ne, prim::lt, prim::le, prim::gt, prim::ge}), {x, y});
    else if ((t == dtype::f32 || t == dtype::f64) && w_.values == domain::all && rng_.chance(8)) make(prim::complex, {x, y});
    else if (!is_floating(t) && w_.functions && rng_.chance(50))
      make(choose({prim::and_, prim::or_, prim::xor_, prim::shift_left, prim::shift_right_logical, prim::shift_right_arithmetic,
              prim::rotate_left, prim::div, prim::rem}), {x, y});
    else if (!is_floating(t) && rng_.chance(30)) make(choose({prim::and_, prim::or_, prim::xor_}), {x, y});
    else if (rng_.chance(60))
      make(choose({prim::add, prim::sub, product ? prim::mul : prim::min, product ? prim::mul : prim::max, prim::add}), {x, y});
    else if (w_.functions) make(choose({prim::div, prim::rem, prim::max, prim::min, prim::pow, prim::atan2, prim::nextafter}), {x, y});
    else if (w_.values == domain::few) make(choose({prim::max, prim::min}), {x, y});
    else make(choose({prim::div, prim::rem, prim::max, prim::min, prim::pow}), {x, y});
  }
  constexpr void ternary() {
    int const x = recent(), y = partner(x);
    if (rng_.chance(30)) {
      if (w_.values == domain::smooth && type(x).type == dtype::f64) smooth_clamp(x, y);
      else make(prim::clamp, {partner(x), x, partner(x)});
      return;
    }
    aval const t = type(x);
    if ((w_.values == domain::all || w_.values == domain::smooth) && rng_.chance(25)) {
      int const which = pick([&](aval const& a) { return a.type == dtype::i32 && (a.rank == 0 || a.same_shape(t)); });
      if (which >= 0) {
        // index out of range is undefined for select_n: clamp it
        int const w = quiet(prim::clamp, {number(dtype::i32, 0), which, number(dtype::i32, 2)});
        make(prim::select_n, {w, x, y, partner(x)});
      }
      return;
    }
    int which = rng_.chance(15) ? p_.add_literal(dtype::b1, rng_.next() & 1u)
                                : pick([&](aval const& a) { return a.type == dtype::b1 && (a.rank == 0 || a.same_shape(t)); });
    if (which < 0 && make(prim::lt, {x, y})) which = scope_.back();
    if (which >= 0) make(prim::select_n, {which, x, y});
  }

  mixture w_;
  rng rng_;
  program_builder p_;
  arena<int> scope_;
  int made_ = -1;  // the first result of the last equation

  // --- The smooth domain ---

  // 1 + x^2
  constexpr int above_one(int x) {
    int const y = quiet(prim::square, {x});
    return quiet(prim::add, {y, number(dtype::f64, 1)});
  }
  static constexpr std::string_view known_name = "known";
  // Of a value between -1 and 1 where the function grows.
  constexpr void smooth_function(int x) {
    prim const op = choose({prim::sin, prim::cos, prim::tanh, prim::logistic, prim::neg, prim::atan, prim::erf, prim::asinh,  //
                            prim::exp, prim::expm1, prim::square, prim::sinh, prim::integer_pow, prim::abs,                   //
                            prim::log, prim::sqrt, prim::rsqrt, prim::cbrt, prim::pow});
    if (op < prim::sin || op == prim::cbrt || op == prim::pow) {
      bool const grows = op == prim::exp || op == prim::expm1 || op == prim::abs;
      int const y = grows ? op == prim::abs ? x : quiet(prim::sin, {x}) : above_one(x);
      if (op == prim::pow) make(op, {y, quiet(prim::tanh, {x})});
      else make(op, {y});
    } else if (op == prim::integer_pow) {
      make(op, {quiet(prim::tanh, {x})}, {1 + rng_.below(3)});
    } else if (op == prim::square || op == prim::sinh) {
      make(op, {quiet(prim::sin, {x})});
    } else {
      make(op, {x});
    }
  }
  // Not on a bound, where JAX's derivative is 0.
  constexpr void smooth_clamp(int x, int around) {
    int const part = p_.add_literal(dtype::f64, detail::to_bits(0.625));
    int const low = quiet(prim::sub, {around, part}), high = quiet(prim::add, {around, part});
    make(prim::clamp, {low, x, high});
  }
  // Numbers are small again.
  constexpr int bounded(int x) {
    dtype const t = type(x).type;
    if (w_.values != domain::smooth || is_bool(t)) return x;
    if (t != dtype::f64) return quiet(prim::clamp, {number(t, -4), x, number(t, 4)});
    int const half = quiet(prim::mul, {x, p_.add_literal(t, detail::to_bits(0.5))});
    return quiet(choose({prim::sin, prim::tanh}), {half});
  }

 private:
  int products_ = 0;  // in the exact domain
};

}  // namespace random_programs
