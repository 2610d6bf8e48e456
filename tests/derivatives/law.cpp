// SPDX-License-Identifier: BSL-1.0
// How derivatives are checked: see law.hpp.
#include "derivatives/law.hpp"

#include <cmath>

namespace law {

namespace {

bool has_tangents(ex::aval const& t) { return t.type == ex::dtype::f64 || t.type == ex::dtype::c128; }

// is_complex: of each leaf.
double dot(values const& a, values const& b, std::vector<char> const& is_complex) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) sum += (is_complex[k] && i % 2 == 1 ? -1 : 1) * a[k][i] * b[k][i];
  return sum;
}
// How large the terms of the sum are.
double size_of_dot(values const& a, values const& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) sum += std::abs(a[k][i] * b[k][i]);
  return sum;
}

std::string primitive_at_fault(ex::program const& p) {
  return std::string(ex::primitive_name(static_cast<ex::prim>(p.wrong.first)));
}

// The limits of differences of the results in a direction. marks: which inputs move.
struct differences {
  values limits, sizes;
  bool are_limits = true;  // two steps, and both sides, agree

  differences(ex::program_ref p, std::vector<char> const& marks, values const& x, values const& v, values const& y) {
    double const h = 1e-6;
    auto const at = [&](double step) {
      values moved = x;
      for (std::size_t k = 0, j = 0; k < x.size(); ++k) {
        if (!marks[k]) continue;
        for (std::size_t i = 0; i < x[k].size(); ++i) moved[k][i] += step * v[j][i];
        ++j;
      }
      return run(p, moved);
    };
    values const up = at(h), down = at(-h), far_up = at(2 * h), far_down = at(-2 * h);
    for (std::size_t k = 0; k < y.size(); ++k) {
      for (std::size_t i = 0; i < y[k].size(); ++i) are_limits = are_limits && std::abs(y[k][i]) < 1e6;
      if (!has_tangents(p.type(p.outs(p.main())[static_cast<int>(k)]))) {
        are_limits = are_limits && up[k] == y[k] && down[k] == y[k] && far_up[k] == y[k] && far_down[k] == y[k];
        continue;
      }
      limits.emplace_back(), sizes.emplace_back();
      for (std::size_t i = 0; i < y[k].size(); ++i) {
        double const limit = (up[k][i] - down[k][i]) / (2 * h), far = (far_up[k][i] - far_down[k][i]) / (4 * h);
        // Where the slopes of both sides differ, the second differences of both steps are equal; else they go with the step.
        double const bend = (up[k][i] - 2 * y[k][i] + down[k][i]) / h, far_bend = (far_up[k][i] - 2 * y[k][i] + far_down[k][i]) / (2 * h);
        double const scale = 1 + std::abs(limit) + std::abs(y[k][i]);
        are_limits = are_limits && std::abs(limit - far) < 2e-8 * scale && std::abs(2 * bend - far_bend) < 1e-7 * scale;
        limits.back().push_back(limit), sizes.back().push_back(scale);
      }
    }
  }
};

}  // namespace

patterns::patterns(ex::program_ref p, values const& in) {
  for (std::size_t k = 0; k < in.size(); ++k) {
    bool const real = has_tangents(p.type(p.ins(p.main())[static_cast<int>(k)]));
    bits.emplace_back();
    auto const whole = [](double x) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)); };
    for (double x : in[k]) bits.back().push_back(real ? ex::detail::to_bits(x) : whole(x));
    bits.back().push_back(0);
  }
  for (auto const& b : bits) first.push_back(b.data());
}
values numbers_of(ex::program_ref p, oracle::results const& out) {
  values results;
  for (int k = 0; k < out.size(); ++k) {
    bool const real = has_tangents(p.type(p.outs(p.main())[k]));
    results.emplace_back();
    for (std::uint64_t b : out[k])
      results.back().push_back(real ? ex::detail::from_bits<double>(b) : static_cast<double>(static_cast<std::int64_t>(b)));
  }
  return results;
}
values run(ex::program_ref p, values const& in) { return numbers_of(p, oracle::interpret(p, patterns(p, in).pointers())); }

values arguments(ex::program_ref p, double low, double high, std::uint64_t seed) {
  numbers draw{seed};
  values x;
  for (int v : p.ins(p.main())) {
    ex::aval const& t = p.type(v);
    x.push_back(draw.like(t));
    for (double& e : x.back()) e = has_tangents(t) ? low + (high - low) * (e + 1) / 2 : static_cast<double>(static_cast<int>(2 * (e + 1)));
  }
  return x;
}

void check(subject const& s, ex::program_ref given, values const& x, int order, tally* seen) {
  std::string const& name = s.name;
  CAPTURE(name);
  CAPTURE(order);
  ex::program const body = ex::detail::differentiable(given);
  ex::program_ref const p = body.ref();
  std::vector<char> marks, complex_in, complex_out;
  numbers draw{static_cast<std::uint64_t>(7 + order)}, choose{static_cast<std::uint64_t>(p.n.values)};
  for (int v : p.ins(p.main())) marks.push_back(has_tangents(p.type(v)) && !(s.is_random && choose.next() < -0.5));
  ex::detail::span<char> const in{marks.data(), static_cast<int>(marks.size())};
  values v, w, with_tangents = x;
  for (int k = 0; k < p.main().n_in; ++k) {
    ex::aval const& type = p.type(p.ins(p.main())[k]);
    if (!marks[static_cast<std::size_t>(k)]) continue;
    v.push_back(draw.like(type));
    complex_in.push_back(is_complex(type.type));
    with_tangents.push_back(v.back());
  }
  values const y = run(given, x);
  differences const of(given, marks, x, v, y);
  if (s.is_random && !of.are_limits) {
    if (seen) ++seen->not_smooth;
    return;
  }
  for (int k = 0; k < p.main().n_out; ++k) {
    ex::aval const& type = p.type(p.outs(p.main())[k]);
    if (!has_tangents(type)) continue;
    w.push_back(draw.like(type));
    complex_out.push_back(is_complex(type.type));
  }
  int const n_cotangents = static_cast<int>(w.size());
  int const first = s.is_random && n_cotangents > 1 && choose.next() < 0 ? 1 : 0;  // all but the first result

  ex::detail::arena<char> out;
  ex::program const pushed = ex::jvp_program(p, in, out, true);
  REQUIRE_MESSAGE(pushed.wrong.what == ex::mistake::none, primitive_at_fault(pushed));
  bool const goes_forward = !s.is_random || !ex::detail::needs_reverse_mode(pushed.ref());
  values jv = of.limits;
  if (goes_forward) {
    values const made = run(pushed.ref(), with_tangents);
    CHECK_MESSAGE(values(made.begin(), made.begin() + p.main().n_out) == y, name, ": values with tangents");
    jv.assign(made.begin() + p.main().n_out, made.end());
    for (std::size_t k = 0; k < jv.size(); ++k)
      for (std::size_t i = 0; i < jv[k].size(); ++i) {
        double const limit = of.limits[k][i];
        CHECK_MESSAGE(std::abs(jv[k][i] - limit) < 2e-7 * of.sizes[k][i], name, ": tangent ", jv[k][i], ", limit of differences ", limit);
      }
    if (seen) ++seen->forward;
    if (s.use) s.use(name + ", tangent", pushed.ref(), with_tangents);
    if (order > 1) check({name + ", tangent", s.is_random, s.use}, pushed.ref(), with_tangents, order - 1);
  }

  ex::linearized const l = ex::linearize_program(p, in, true);
  if (s.is_random && l.primal.wrong.what == ex::mistake::reverse_mode_of_a_while_loop) return;
  REQUIRE(l.primal.wrong.what == ex::mistake::none);
  ex::program const pull = l.transposed(first, n_cotangents - first);
  REQUIRE_MESSAGE(pull.wrong.what == ex::mistake::none, primitive_at_fault(pull));
  values made = run(l.primal.ref(), x), args(w.begin() + first, w.end());
  for (int k = 0; k < first; ++k) w[static_cast<std::size_t>(k)].assign(w[static_cast<std::size_t>(k)].size(), 0);
  CHECK_MESSAGE(values(made.begin(), made.begin() + p.main().n_out) == y, name, ": values with residuals");
  for (std::size_t k = static_cast<std::size_t>(l.n_outputs); k < made.size(); ++k) args.push_back(made[k]);
  values const back = run(pull.ref(), args);
  double const one = dot(jv, w, complex_out), other = dot(v, back, complex_in), size = 1 + size_of_dot(jv, w) + size_of_dot(v, back);
  CHECK_MESSAGE(std::abs(one - other) < (goes_forward ? 1e-11 : 2e-7) * size, name, ": <J v, w> = ", one, ", <v, J' w> = ", other);
  if (seen) ++seen->reverse;
  if (s.use) s.use(name + ", cotangent", pull.ref(), args);
  if (order > 1) check({name + ", cotangent", s.is_random, s.use}, pull.ref(), args, order - 1);
}

void check(char const* name, double low, double high, ex::program_ref p, int order) { check({name}, p, arguments(p, low, high, 11), order); }

}  // namespace law
