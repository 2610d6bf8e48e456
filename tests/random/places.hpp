// SPDX-License-Identifier: BSL-1.0
// Random programs, part 2: movement, and reads and updates at places that are known at run time; places.
#pragma once

#include <random/values.hpp>

namespace random_programs {

class places : protected values {
 protected:
  using values::values;

  constexpr void permutation(int* par, int r) {
    for (int i = 0; i < r; ++i) par[i] = i;
    for (int i = r - 1; i > 0; --i) {
      int const k = rng_.below(i + 1), y = par[i];
      par[i] = par[k];
      par[k] = y;
    }
  }
  constexpr void movement() {
    int const x = recent();
    aval const t = type(x);
    int par[3 * max_rank + 2] = {};
    int const r = t.rank;
    switch (rng_.below(w_.values == domain::all ? 11 : 10)) {
      case 0: {
        int const at = rng_.below(r + 1);
        aval const to = t.with_axis(at, 1 + rng_.below(3));
        for (int i = 0; i <= r; ++i) par[i] = to.dims[i];
        for (int i = 0; i < r; ++i) par[r + 1 + i] = i < at ? i : i + 1;
        make(prim::broadcast_in_dim, {x}, {par, 2 * r + 1});
        break;
      }
      case 1: {
        if (rng_.chance(50)) {
          par[0] = static_cast<int>(t.size());
          make(prim::reshape, {x}, {par, 1});
        } else if (rng_.chance(50) && t.size() % 3 == 0) {
          par[0] = rng_.chance(50) ? 3 : static_cast<int>(t.size() / 3);
          par[1] = par[0] == 0 ? 3 : static_cast<int>(t.size() / par[0]);
          make(prim::reshape, {x}, {par, 2});
        } else {
          aval const to = t.with_axis(rng_.below(r + 1), 1);
          make(prim::reshape, {x}, {to.dims, to.rank});
        }
        break;
      }
      case 2:
        permutation(par, r);
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
      case 5: {
        bool const strided = rng_.chance(30);
        for (int i = 0; i < r; ++i) {
          par[i] = rng_.chance(50) ? 0 : rng_.below(t.dims[i]);
          par[r + i] = rng_.chance(50) ? t.dims[i] : par[i] + rng_.below(t.dims[i] - par[i] + 1);
          par[2 * r + i] = 1 + rng_.below(2);
        }
        if (r > 0) make(prim::slice, {x}, {par, strided ? 3 * r : 2 * r});
        break;
      }
      case 6: {
        for (int i = 0; i < 3 * r; ++i) par[i] = i < 2 * r ? rng_.below(4) - 1 : rng_.chance(20) ? 1 : 0;
        if (is_key(t.type)) break;
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
        aval const to = shape(any_type());
        if (to.rank == 0 || is_bool(to.type)) break;
        par[0] = static_cast<int>(to.type);
        par[1] = rng_.below(to.rank);
        for (int i = 0; i < to.rank; ++i) par[2 + i] = to.dims[i];
        make(prim::iota, {}, {par, 2 + to.rank});
        break;
      }
      case 9: {
        aval const to = shape(main_type());
        int const s = rng_.chance(50) ? -1 : pick([](aval const& a) { return a.rank == 0; });
        if (to.rank > 0) make(prim::broadcast_in_dim, {s >= 0 ? s : literal(to.type)}, {to.dims, to.rank});
        break;
      }
      default: {
        if (r == 0) break;
        int const axis = rng_.below(r), n = t.dims[axis], first = rng_.below(n + 1);
        make(prim::split, {x}, {axis, first, n - first}, 2);
      }
    }
  }
  constexpr int start(int n) {
    int const v = rng_.chance(50) ? -1 : pick([](aval const& a) { return a.type == dtype::i32 && a.rank == 0; });
    return v >= 0 ? v : index(n);
  }
  constexpr prim update_op() {
    if (w_.values == domain::smooth) return choose({prim::scatter, prim::scatter_add, prim::scatter_min, prim::scatter_max});
    prim const product = w_.products ? prim::scatter_mul : prim::scatter;
    return choose({prim::scatter, prim::scatter_add, prim::scatter_min, prim::scatter_max, product});
  }
  constexpr prim slice_update_op() {
    return choose({prim::update_slice, prim::update_slice_add, prim::update_slice_min, prim::update_slice_max,
                   w_.products ? prim::update_slice_mul : prim::update_slice});
  }
  constexpr void dynamic() {
    int const x = recent();
    aval const t = type(x);
    if (t.rank == 0) return;
    int in[2 + max_rank] = {}, par[2 * max_rank] = {};
    in[0] = x;
    aval part = t;
    for (int i = 0; i < t.rank; ++i) part.dims[i] = rng_.chance(40) ? t.dims[i] : rng_.below(t.dims[i] + 1);
    int const kind = rng_.below(w_.values == domain::all ? 6 : 5);
    if (kind == 3) return elements(x);
    if (kind > 3) return windows(x);
    if (kind == 0) {
      for (int i = 0; i < t.rank; ++i) in[1 + i] = start(t.dims[i]);
      make(prim::dynamic_slice, {in, 1 + t.rank}, {part.dims, t.rank});
      return;
    }
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
      int const n = part.dims[i], step = n > 1 && rng_.chance(20) ? -1 : 1;
      int const first = rng_.below(t.dims[i] - n + 1);
      par[i] = step > 0 ? first : first + n - 1;
      par[t.rank + i] = step;
    }
    make(slice_update_op(), {in, 2}, {par, 2 * t.rank});
  }
  // Some elements of x, one after the other, read and written.
  constexpr void elements(int x) {
    aval const t = type(x);
    int par[2 * max_rank] = {};
    if (t.size() == 0 || is_bool(t.type) || is_key(t.type) || is_complex(t.type)) return;
    aval one = t;
    for (int i = 0; i < t.rank; ++i) one.dims[i] = 1;
    for (int round = 2 + rng_.below(4); round > 0; --round) {
      int read[2 * max_rank] = {};
      for (int i = 0; i < t.rank; ++i) {
        read[i] = rng_.below(t.dims[i] < 2 ? t.dims[i] : 2);
        read[t.rank + i] = read[i] + 1;
        par[i] = rng_.below(t.dims[i] < 2 ? t.dims[i] : 2);
        par[t.rank + i] = 1;
      }
      if (!make(prim::slice, {x}, {read, 2 * t.rank})) return;
      int update = scope_.back();
      prim const op = choose({prim::add, w_.products ? prim::mul : prim::min, prim::max});
      if (rng_.chance(70) && make(op, {update, partner(update)})) update = scope_.back();
      if (rng_.chance(15) || !type(update).matches(one)) update = broadcast(literal(t.type), one);
      if (!make(rng_.chance(30) ? prim::update_slice : slice_update_op(), {x, update}, {par, 2 * t.rank})) return;
      if (!rng_.chance(15)) x = scope_.back();
    }
  }
  constexpr void windows(int x) {
    aval const t = type(x);
    aval batch(dtype::i32);
    arena<int> sizes, window, dropped, to, x_batching, index_batching;
    if (rng_.chance(60)) batch.dims[batch.rank++] = 1 + rng_.below(4);
    if (rng_.chance(8)) batch.dims[batch.rank++] = rng_.below(2);
    for (int i = 0; i < t.rank; ++i) {
      bool const goes = rng_.chance(40) && t.dims[i] > 0, batches = !goes && batch.rank < 3 && rng_.chance(30);
      sizes.push(goes || batches ? 1 : t.dims[i] == 0 ? 0 : rng_.below(t.dims[i] + 1));
      if (batches && t.dims[i] == 0) sizes.back() = 0;
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
    aval one = batch;
    one.dims[one.rank++] = 1;
    arena<int> components;
    for (int axis : to) {
      int component = -1;
      if (batch.rank > 0 && rng_.chance(60)) {
        int par[2 + max_rank] = {static_cast<int>(dtype::i32), rng_.below(batch.rank)};
        for (int i = 0; i < one.rank; ++i) par[2 + i] = one.dims[i];
        int const run = quiet(prim::iota, {}, {par, 2 + one.rank});
        component = quiet(prim::sub, {broadcast(start(t.dims[axis]), one), run});
      } else {
        // a vector of traced indices, if there is one
        int const v = pick([&](aval const& a) { return a.type == dtype::i32 && a.size() == one.size() && a.rank > 0; });
        component = v >= 0 && rng_.chance(70) ? quiet(prim::reshape, {v}, {one.dims, one.rank}) : broadcast(start(t.dims[axis]), one);
      }
      if (component < 0) return;
      components.push(component);
    }
    int indices = components[0];
    if (components.size() > 1) indices = quiet(prim::concatenate, components, {batch.rank});
    if (indices < 0) return;
    int const mode = rng_.below(3);
    bool const reads = rng_.chance(60);
    if (!reads && is_bool(t.type)) return;
    std::uint64_t const fill = is_complex(t.type) ? 0 : special(t.type);
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
    if (is_key(t.type)) return;
    int u = pick([&](aval const& a) { return a.type == t.type && a.size() == update.size() && a.size() > 1; });
    u = u >= 0 && rng_.chance(70) ? quiet(prim::reshape, {u}, {update.dims, update.rank}) : broadcast(literal(t.type), update);
    if (u < 0) return;
    make(update_op(), {x, indices, u}, par);
  }
  // Where a mask is true, with or without fill values.
  constexpr void positions() {
    int mask = pick([](aval const& a) { return is_bool(a.type) && a.rank > 0; });
    if (mask < 0) {
      int const x = pick([](aval const& a) { return (is_integer(a.type) || a.type == dtype::f32) && a.rank > 0; });
      mask = x < 0 ? -1 : quiet(prim::ne, {x, partner(x)});
    }
    if (mask < 0 || type(mask).rank == 0) return;
    int const axes = 1 + rng_.below(type(mask).rank), size = 1 + rng_.below(rng_.chance(30) ? 60 : 6);
    arena<int> in;
    in.push(mask);
    bool const fills = rng_.chance(40);
    for (int k = 0; fills && k < axes; ++k) in.push(start(9));
    make(prim::nonzero, in, {size, axes, static_cast<int>(choose_type({dtype::i32, dtype::i32, dtype::i64, dtype::i16}))}, axes);
  }
};

}  // namespace random_programs
