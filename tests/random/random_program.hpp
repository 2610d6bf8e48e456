// SPDX-License-Identifier: BSL-1.0
// Random programs over all primitives, built directly as data, and inputs for them. Everything is constexpr, so a program
// is also a source for templates: random_source<SEED, SIZE>. A seed gives the same program on every compiler.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/infer.hpp>
#include <exprax/program/program.hpp>
#include <exprax/types/element.hpp>

namespace random_programs {

using namespace exprax;
using detail::arena;
using detail::span;

class rng {
 public:
  constexpr explicit rng(std::uint32_t seed) : state_(seed * 2654435761u + 12345u) {
    for (int i = 0; i < 4; ++i) next();
  }
  constexpr std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  constexpr int below(int n) { return n <= 0 ? 0 : static_cast<int>(next() % static_cast<std::uint32_t>(n)); }
  constexpr bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

// What a program may contain.
enum class flavour {
  all,   // every primitive, inputs with NaN, infinities and -0 now and then
  exact  // sums and products of small integers in f64, and movement: rounding never happens, contraction changes no bit
};

class generator {
 public:
  constexpr generator(std::uint32_t seed, flavour f = flavour::all) : rng_(seed), flavour_(f) {}

  constexpr program run(int equations) {
    p_.open();
    int const n = 2 + rng_.below(3);
    arena<int> in;
    for (int k = 0; k < n; ++k) in.push(p_.add_value(input_type(k)));
    scope_ = in;
    for (int i = 0; i < equations; ++i) equation(2);
    arena<int> out;
    int const results = 1 + rng_.below(3);
    for (int k = 0; k < results; ++k) out.push(k == 0 || rng_.chance(60) ? scope_[scope_.size() - 1 - rng_.below(2)] : any());
    if (rng_.chance(5)) out.push(literal(dtype::f64));
    p_.close(in, out);
    return p_.finish();
  }

 private:
  // --- Choices ---

  constexpr aval input_type(int k) {
    if (flavour_ == flavour::exact) return k == 0 ? aval(dtype::f64, {2, 3}) : shape(dtype::f64);
    int const t = k == 0 ? 0 : rng_.below(10);
    return shape(t < 5 ? dtype::f32 : t < 6 ? dtype::f64 : t < 8 ? dtype::i32 : t < 9 ? dtype::u8 : dtype::b1);
  }
  constexpr aval shape(dtype t) {
    switch (rng_.below(flavour_ == flavour::exact ? 5 : 9)) {
      case 0: return aval(t);
      case 1: return aval(t, {3});
      case 2: return aval(t, {1, 3});
      case 3:
      case 4: return aval(t, {2, 3});
      case 5: return aval(t, {2, 1, 3});
      case 6: return rng_.chance(30) ? aval(t, {0, 3}) : aval(t, {2, 3});
      case 7: return aval(t, {17});
      default: return aval(t, {3, 2});
    }
  }
  constexpr aval const& type(int v) const { return p_.type(v); }
  constexpr int any() { return scope_[rng_.below(scope_.size())]; }
  constexpr int recent() { return rng_.chance(60) ? scope_[scope_.size() - 1 - rng_.below(scope_.size() < 4 ? scope_.size() : 4)] : any(); }
  // A value of a dtype, or -1.
  template <class Accepts>
  constexpr int pick(Accepts accepts) {
    int const start = rng_.below(scope_.size());
    for (int i = 0; i < scope_.size(); ++i) {
      int const v = scope_[(start + i) % scope_.size()];
      if (accepts(type(v))) return v;
    }
    return -1;
  }
  constexpr std::uint64_t special(dtype t) {
    int const k = rng_.below(9);
    return detail::with_element(t, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_floating_point_v<T>) {
        if (flavour_ == flavour::exact) return detail::to_bits(static_cast<T>(k - 4));
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
  constexpr int literal(dtype t) { return p_.add_literal(t, special(t)); }
  constexpr int index(int n) { return p_.add_literal(dtype::i32, detail::to_bits(rng_.below(n + 2) - 1)); }

  // --- Making ---

  // Records an equation if it is well typed.
  constexpr bool make(prim op, span<int> in, span<int> par = {}, span<int> sub = {}) {
    aval out[8];
    int const n_out = sub.empty() ? 1 : p_.blocks[sub[0]].n_out;
    if (!p_.infer_results(op, in, par, sub, n_out, out) || out[0].rank > 4 || out[0].size() > 600) return false;
    for (int k = 0; k < n_out; ++k) out[k].weak = false;
    int const first = p_.emit(op, in, par, {out, n_out}, sub);
    for (int k = 0; k < n_out; ++k) scope_.push(first + k);
    return true;
  }

  constexpr void equation(int depth) {
    int const before = scope_.size();
    for (int tries = 0; tries < 20 && scope_.size() == before; ++tries) {
      int const kind = rng_.below(20);
      if (flavour_ == flavour::exact) {
        if (kind < 14) exact_arithmetic();
        else if (kind < 18 || depth == 0) movement();
        else if (kind == 18) call(depth - 1);
        else scan(depth - 1);
      } else if (kind < 3) unary();
      else if (kind < 9) binary();
      else if (kind < 11) ternary();
      else if (kind < 15) movement();
      else if (kind < 16) dynamic();
      else if (kind < 18) reduction();
      else if (depth == 0) unary();
      else if (kind == 18) scan(depth - 1);
      else call(depth - 1);
    }
  }

  constexpr prim choose(std::initializer_list<prim> of) { return of.begin()[rng_.below(static_cast<int>(of.size()))]; }
  // An operand that fits x in dtype: a value, or a literal.
  constexpr int partner(int x) {
    aval const t = type(x);
    if (rng_.chance(25)) return literal(t.type);
    int const v = pick([&](aval const& a) { return a.type == t.type && (a.rank == 0 || a.rank == t.rank); });
    return v < 0 ? x : v;
  }

  constexpr void exact_arithmetic() {
    int x = recent(), y = partner(x);
    if (type(x).type != dtype::f64) return;
    if (rng_.chance(15)) {
      make(prim::neg, {x});
      return;
    }
    // Products only of what is small for sure: an input or a literal.
    prim const op = choose({prim::add, prim::sub, prim::mul, prim::mul, prim::max});
    if (op == prim::mul && products_++ > 12) return;
    if (rng_.chance(50)) make(op, {x, y});
    else make(op, {y, x});
  }
  constexpr void unary() {
    int const x = recent();
    dtype const t = type(x).type;
    if (rng_.chance(20)) {
      dtype const to = choose_dtype();
      make(prim::convert_element_type, {x}, {static_cast<int>(to), 0});
    } else if (rng_.chance(15)) {
      make(prim::integer_pow, {x}, {rng_.below(9) - 3});
    } else if (is_floating(t)) {
      make(choose({prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::exp, prim::expm1, prim::log, prim::log1p, prim::sqrt, prim::rsqrt,
                   prim::sin, prim::cos, prim::tanh, prim::logistic, prim::is_finite, prim::neg, prim::abs}),
           {x});
    } else {
      make(choose({prim::neg, prim::sign, prim::abs, prim::not_}), {x});
    }
  }
  constexpr dtype choose_dtype() {
    switch (rng_.below(6)) {
      case 0: return dtype::b1;
      case 1: return dtype::i32;
      case 2: return dtype::u8;
      case 3: return dtype::f64;
      case 4: return dtype::i8;
      default: return dtype::f32;
    }
  }
  constexpr void binary() {
    int x = recent(), y = partner(x);
    if (rng_.chance(40)) {
      int const t = x;
      x = y;
      y = t;
    }
    dtype const t = type(x).type;
    if (rng_.chance(15)) make(choose({prim::eq, prim::ne, prim::lt, prim::le, prim::gt, prim::ge}), {x, y});
    else if (!is_floating(t) && rng_.chance(30)) make(choose({prim::and_, prim::or_, prim::xor_}), {x, y});
    else if (rng_.chance(75)) make(choose({prim::add, prim::sub, prim::mul, prim::mul, prim::add}), {x, y});
    else make(choose({prim::div, prim::rem, prim::max, prim::min, prim::pow}), {x, y});
  }
  constexpr void ternary() {
    int const x = recent(), y = partner(x);
    if (rng_.chance(30)) {
      make(prim::clamp, {partner(x), x, partner(x)});
      return;
    }
    aval const t = type(x);
    int which = rng_.chance(15) ? p_.add_literal(dtype::b1, rng_.next() & 1u)
                                : pick([&](aval const& a) { return a.type == dtype::b1 && (a.rank == 0 || a.same_shape(t)); });
    if (which < 0 && make(prim::lt, {x, y})) which = scope_.back();
    if (which >= 0) make(prim::select_n, {which, x, y});
  }

  constexpr void movement() {
    int const x = recent();
    aval const t = type(x);
    int par[3 * max_rank + 2];
    int const r = t.rank;
    switch (rng_.below(10)) {
      case 0: {  // broadcast_in_dim: a new axis somewhere
        int const at = rng_.below(r + 1);
        aval const to = t.with_axis(at, 1 + rng_.below(3));
        for (int i = 0; i <= r; ++i) par[i] = to.dims[i];
        for (int i = 0; i < r; ++i) par[r + 1 + i] = i < at ? i : i + 1;
        make(prim::broadcast_in_dim, {x}, {par, 2 * r + 1});
        break;
      }
      case 1: {  // reshape: flat, or with an axis of 1
        if (rng_.chance(50)) {
          par[0] = static_cast<int>(t.size());
          make(prim::reshape, {x}, {par, 1});
        } else {
          aval const to = t.with_axis(rng_.below(r + 1), 1);
          make(prim::reshape, {x}, {to.dims, to.rank});
        }
        break;
      }
      case 2:
        for (int i = 0; i < r; ++i) par[i] = i;
        for (int i = r - 1; i > 0; --i) {
          int const k = rng_.below(i + 1), y = par[i];
          par[i] = par[k];
          par[k] = y;
        }
        make(prim::transpose, {x}, {par, r});
        break;
      case 3:
        for (int i = 0; i < r; ++i)
          if (t.dims[i] == 1) {
            make(prim::squeeze, {x}, {i});
            break;
          }
        break;
      case 4:
        if (r > 0) make(prim::rev, {x}, {rng_.below(r)});
        break;
      case 5: {  // slice
        bool const strided = rng_.chance(30);
        for (int i = 0; i < r; ++i) {
          par[i] = rng_.chance(50) ? 0 : rng_.below(t.dims[i]);
          par[r + i] = rng_.chance(50) ? t.dims[i] : par[i] + rng_.below(t.dims[i] - par[i] + 1);
          par[2 * r + i] = 1 + rng_.below(2);
        }
        if (r > 0) make(prim::slice, {x}, {par, strided ? 3 * r : 2 * r});
        break;
      }
      case 6: {  // pad
        for (int i = 0; i < 3 * r; ++i) par[i] = i < 2 * r ? rng_.below(4) - 1 : rng_.chance(20) ? 1 : 0;
        int const fill = literal(t.type);
        if (r > 0) make(prim::pad, {x, fill}, {par, 3 * r});
        break;
      }
      case 7: {
        int const y = pick([&](aval const& a) { return a.type == t.type && a.rank == r; });
        if (r > 0 && y >= 0) make(prim::concatenate, {x, y}, {rng_.below(r)});
        break;
      }
      case 8: {
        aval const to = shape(flavour_ == flavour::exact ? dtype::f64 : rng_.chance(50) ? dtype::f32 : dtype::i32);
        if (to.rank == 0) break;
        par[0] = static_cast<int>(to.type);
        par[1] = rng_.below(to.rank);
        for (int i = 0; i < to.rank; ++i) par[2 + i] = to.dims[i];
        make(prim::iota, {}, {par, 2 + to.rank});
        break;
      }
      default: {  // a broadcast scalar
        aval const to = shape(flavour_ == flavour::exact ? dtype::f64 : dtype::f32);
        int const s = rng_.chance(50) ? -1 : pick([&](aval const& a) { return a.type == to.type && a.rank == 0; });
        if (to.rank > 0) make(prim::broadcast_in_dim, {s >= 0 ? s : literal(to.type)}, {to.dims, to.rank});
      }
    }
  }

  constexpr void dynamic() {
    int const x = recent();
    aval const t = type(x);
    if (t.rank == 0) return;
    int in[2 + max_rank], par[3 * max_rank + 1];
    in[0] = x;
    aval part = t;
    for (int i = 0; i < t.rank; ++i) part.dims[i] = rng_.chance(40) ? t.dims[i] : rng_.below(t.dims[i] + 1);
    int const kind = rng_.below(5);
    if (kind == 3) return elements(x);
    if (kind == 4) return windows(x);
    if (kind == 0) {
      for (int i = 0; i < t.rank; ++i) in[1 + i] = start(t.dims[i]);
      make(prim::dynamic_slice, {in, 1 + t.rank}, {part.dims, t.rank});
      return;
    }
    // An update of the shape of a part: a slice of x.
    for (int i = 0; i < t.rank; ++i) {
      par[i] = 0;
      par[t.rank + i] = part.dims[i];
    }
    if (!make(prim::slice, {x}, {par, 2 * t.rank})) return;
    in[1] = scope_.back();
    if (kind == 1) {
      for (int i = 0; i < t.rank; ++i) in[2 + i] = start(t.dims[i]);
      make(prim::dynamic_update_slice, {in, 2 + t.rank});
      return;
    }
    for (int i = 0; i < t.rank; ++i) {
      int const n = part.dims[i];
      int const step = n > 1 && rng_.chance(30) ? -1 : 1;
      int const first = rng_.below(t.dims[i] - n + 1);
      par[i] = step > 0 ? first : first + n - 1;
      par[t.rank + i] = step;
    }
    make(choose({prim::update_slice, prim::update_slice_add, prim::update_slice_mul, prim::update_slice_min, prim::update_slice_max}), {in, 2}, {par, 2 * t.rank});
  }
  // Some elements of x, one after the other, read and written.
  constexpr void elements(int x) {
    aval const t = type(x);
    int par[2 * max_rank];
    if (t.size() == 0) return;
    int const n = 2 + rng_.below(4);
    for (int round = 0; round < n; ++round) {
      int read[2 * max_rank];
      for (int i = 0; i < t.rank; ++i) {
        read[i] = rng_.below(t.dims[i] < 2 ? t.dims[i] : 2);
        read[t.rank + i] = read[i] + 1;
        par[i] = rng_.below(t.dims[i] < 2 ? t.dims[i] : 2);
        par[t.rank + i] = 1;
      }
      if (!make(prim::slice, {x}, {read, 2 * t.rank})) return;
      int update = scope_.back();
      if (rng_.chance(70) && make(choose({prim::add, prim::mul, prim::max}), {update, partner(update)})) update = scope_.back();
      if (rng_.chance(15)) {
        update = literal(t.type);
        aval one = t;
        for (int i = 0; i < t.rank; ++i) one.dims[i] = 1;
        if (!make(prim::broadcast_in_dim, {update}, {one.dims, one.rank})) return;
        update = scope_.back();
      }
      if (!make(choose({prim::update_slice, prim::update_slice, prim::update_slice_add, prim::update_slice_mul, prim::update_slice_min, prim::update_slice_max}), {x, update},
                {par, 2 * t.rank}))
        return;
      if (!rng_.chance(15)) x = scope_.back();
    }
  }
  // Windows of x at index vectors: read, or updated. Axes of x run along a window, go, or run along a batch axis.
  constexpr void windows(int x) {
    aval const t = type(x);
    aval batch(dtype::i32);
    arena<int> sizes, window, dropped, to, x_batching, index_batching;
    if (rng_.chance(60)) batch.dims[batch.rank++] = 1 + rng_.below(4);
    for (int i = 0; i < t.rank; ++i) {
      bool const goes = rng_.chance(40), batches = !goes && batch.rank < 3 && rng_.chance(30);
      sizes.push(goes || batches ? 1 : 1 + rng_.below(t.dims[i]));
      if (goes) dropped.push(i);
      if (batches) {
        x_batching.push(i);
        index_batching.push(batch.rank);
        batch.dims[batch.rank++] = t.dims[i];
      } else if (rng_.chance(70)) {
        to.push(i);
      }
    }
    if (to.empty() || batch.rank > 3) return;
    if (to.size() == 2 && rng_.chance(30)) {
      int const first = to[0];
      to[0] = to[1];
      to[1] = first;
    }
    int const rank = batch.rank + t.rank - dropped.size() - x_batching.size();
    for (int i = 0, left = rank - batch.rank; i < rank && left > 0; ++i)
      if (rank - i == left || rng_.chance(50)) {
        window.push(i);
        --left;
      }
    // The components of the index vectors, each of its own.
    aval one = batch;
    one.dims[one.rank++] = 1;
    arena<int> components;
    for (int axis : to) {
      int const from = scope_.size();
      if (batch.rank > 0 && rng_.chance(60)) {
        int par[2 + max_rank] = {static_cast<int>(dtype::i32), rng_.below(batch.rank)};
        for (int i = 0; i < one.rank; ++i) par[2 + i] = one.dims[i];
        if (!make(prim::iota, {}, {par, 2 + one.rank}) || !make(prim::sub, {start(t.dims[axis]), scope_.back()})) return;
      } else if (!make(prim::broadcast_in_dim, {start(t.dims[axis])}, {one.dims, one.rank})) {
        return;
      }
      components.push(scope_.back());
      if (scope_.size() == from) return;
    }
    if (components.size() > 1 && !make(prim::concatenate, components, {batch.rank})) return;
    int const indices = scope_.back(), mode = rng_.below(3);
    bool const reads = rng_.chance(60);
    if (!reads && is_bool(t.type)) return;
    std::uint64_t const fill = special(t.type);
    arena<int> par;
    auto const push_list = [&](arena<int> const& list) {
      par.push(list.size());
      for (int axis : list) par.push(axis);
    };
    if (reads) {
      auto const half = [&](int by) { return static_cast<int>(static_cast<std::uint32_t>(fill >> by)); };
      for (int first : {mode, half(0), half(32), 0, 0}) par.push(first);
      for (int size : sizes) par.push(size);
      for (arena<int> const* list : {&window, &dropped, &to, &x_batching, &index_batching}) push_list(*list);
      make(prim::gather, {x, indices}, par);
      return;
    }
    for (arena<int> const* list : {&window, &dropped, &to}) push_list(*list);
    for (int last : {0, 0, mode}) par.push(last);
    push_list(x_batching);
    push_list(index_batching);
    aval update(t.type);
    update.rank = rank;
    for (int i = 0, b = 0, w = 0, k = 0; i < rank; ++i) {
      if (k < window.size() && window[k] == i) {
        while (detail::contains(dropped, w) || detail::contains(x_batching, w)) ++w;
        update.dims[i] = sizes[w++];
        ++k;
      } else {
        update.dims[i] = batch.dims[b++];
      }
    }
    if (!make(prim::broadcast_in_dim, {literal(t.type)}, {update.dims, update.rank})) return;
    make(choose({prim::scatter, prim::scatter_add, prim::scatter_min}), {x, indices, scope_.back()}, par);
  }
  constexpr int start(int n) {
    int const v = rng_.chance(50) ? -1 : pick([](aval const& a) { return a.type == dtype::i32 && a.rank == 0; });
    return v >= 0 ? v : index(n);
  }

  constexpr void reduction() {
    int const x = recent();
    aval const t = type(x);
    if (rng_.chance(30)) {
      int const y = pick([&](aval const& a) { return a.type == t.type && a.rank > 0; });
      if (y < 0 || t.rank == 0 || is_bool(t.type)) return;
      int const a = rng_.below(t.rank), b = rng_.below(type(y).rank);
      make(prim::dot_general, {x, y}, {1, a, b, 0, static_cast<int>(t.type), rng_.below(2)});
      return;
    }
    int par[max_rank], n = 0;
    for (int i = 0; i < t.rank; ++i)
      if (rng_.chance(60)) par[n++] = i;
    if (is_bool(t.type)) make(choose({prim::reduce_and, prim::reduce_or}), {x}, {par, n});
    else make(choose({prim::reduce_sum, prim::reduce_prod, prim::reduce_max, prim::reduce_min}), {x}, {par, n});
  }

  // --- Blocks ---

  // A block whose inputs have these types; `first` of its results have the types of inputs from..., more are added.
  constexpr int body(span<aval> types, int from, int kept, int more, int depth) {
    arena<int> const outer = scope_;
    p_.open();
    arena<int> in, out;
    for (aval const& t : types) in.push(p_.add_value(t));
    scope_ = in;
    if (scope_.empty()) scope_.push(literal(dtype::f32));
    int const n = 2 + rng_.below(4);
    for (int i = 0; i < n; ++i) equation(depth);
    for (int k = 0; k < kept; ++k) {
      aval const want = types[from + k];
      int const v = rng_.chance(15) ? -1 : pick([&](aval const& a) { return a.matches(want); });
      out.push(v >= 0 ? v : in[from + k]);
    }
    for (int k = 0; k < more; ++k) out.push(recent());
    int const id = p_.close(in, out);
    scope_ = outer;
    return id;
  }
  constexpr void call(int depth) {
    arena<int> in;
    arena<aval> types;
    int const n = 1 + rng_.below(3);
    for (int k = 0; k < n; ++k) {
      in.push(rng_.chance(10) ? literal(flavour_ == flavour::exact ? dtype::f64 : dtype::f32) : recent());
      types.push(type(in.back()));
    }
    int const id = body(types, 0, 0, 1 + rng_.below(2), depth);
    make(prim::jit, in, {p_.add_name("f")}, {id});
  }
  constexpr void scan(int depth) {
    int const length = rng_.below(4);
    arena<int> in;
    arena<aval> types;
    int const n_const = rng_.below(3), n_carry = rng_.below(3);
    for (int k = 0; k < n_const + n_carry; ++k) {
      int const v = rng_.chance(25) ? literal(flavour_ == flavour::exact ? dtype::f64 : dtype::f32) : recent();
      in.push(v);
      types.push(type(v));
    }
    int const xs = pick([&](aval const& a) { return a.rank > 0 && a.dims[0] == length; });
    if (xs >= 0 && rng_.chance(80)) {
      in.push(xs);
      types.push(type(xs).without_axis(0));
    }
    int const more = n_carry == 0 ? 1 + rng_.below(2) : rng_.below(3);
    int const id = body(types, n_const, n_carry, more, depth);
    make(prim::scan, in, {length, n_const, n_carry, rng_.chance(30) ? 1 : 0, 1}, {id});
  }

  rng rng_;
  flavour flavour_;
  program_builder p_;
  arena<int> scope_;
  int products_ = 0;
};

constexpr program random_program(std::uint32_t seed, int equations, flavour f = flavour::all) { return generator(seed, f).run(equations); }

template <std::uint32_t Seed, int Equations = 8, flavour F = flavour::all>
struct random_source {
  static constexpr program make() { return random_program(Seed, Equations, F); }
};

// Elements for an input, as patterns: small numbers, with NaN, infinities and -0 now and then.
constexpr arena<std::uint64_t> random_elements(aval const& t, std::uint32_t seed, flavour f = flavour::all) {
  rng r(seed);
  arena<std::uint64_t> e;
  for (std::ptrdiff_t i = 0; i < t.size(); ++i)
    e.push(detail::with_element(t.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      int const k = r.below(40);
      if constexpr (std::is_floating_point_v<T>) {
        if (f == flavour::exact) return detail::to_bits(static_cast<T>(k % 7 - 3));
        bool const single = std::is_same_v<T, float>;
        if (k == 0) return single ? std::uint64_t{0x7fc00000u} : std::uint64_t{0x7ff8000000000000u};
        if (k == 1) return (single ? std::uint64_t{0x7f800000u} : std::uint64_t{0x7ff0000000000000u}) | (r.chance(50) ? single ? 0x80000000u : 0x8000000000000000u : 0u);
        if (k == 2) return single ? std::uint64_t{0x80000000u} : std::uint64_t{0x8000000000000000u};
        if (k < 12) return detail::to_bits(static_cast<T>(k - 7));
        return detail::to_bits(static_cast<T>(r.below(20001) - 10000) / T(2048));
      } else if constexpr (std::is_same_v<T, bool>) {
        return std::uint64_t(k & 1);
      } else {
        return k == 0 ? detail::to_bits(static_cast<T>(-1)) : k == 1 ? detail::to_bits(static_cast<T>(T(1) << (8 * sizeof(T) - 1))) : detail::to_bits(static_cast<T>(k - 8));
      }
    }));
  return e;
}

// Elements for all inputs of a program.
constexpr arena<arena<std::uint64_t>> random_inputs(program_ref p, std::uint32_t seed, flavour f = flavour::all) {
  arena<arena<std::uint64_t>> in;
  for (int v : p.ins(p.main())) {
    in.push(random_elements(p.type(v), seed, f));
    seed += 101;
  }
  return in;
}

// Equal bit for bit; all NaN are one.
constexpr bool same_element(dtype t, std::uint64_t a, std::uint64_t b) {
  if (a == b) return true;
  auto const is_nan = [t](std::uint64_t x) { return t == dtype::f32 ? (x & 0x7fffffffu) > 0x7f800000u : t == dtype::f64 && (x & 0x7fffffffffffffffu) > 0x7ff0000000000000u; };
  return is_nan(a) && is_nan(b);
}

}  // namespace random_programs
