// SPDX-License-Identifier: BSL-1.0
// subject: a traced program as the laws see it: its equations, and its emitted code behind a pointer, so that the laws are
// no templates. And inputs for it, extremes among them.
#pragma once

#include <array>
#include <limits>
#include <tuple>
#include <vector>

#include <exprax/exprax.hpp>
#include <transforms/laws.hpp>

namespace laws {

using bits = std::uint64_t;

// --- Inputs ---

// Small numbers of either sign; with extremes, two in five are an infinity, NaN, -0, subnormal, huge, or the largest of their kind.
template <class T>
constexpr T number(std::uint32_t& state, bool extremes) {
  state = state * 1664525u + 1013904223u;
  int const n = static_cast<int>(state >> 16) % 1024 - 512, pick = static_cast<int>(state >> 9) % 30;
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return (n & 1) != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    T const some[] = {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), T(-0.0), limits::denorm_min(),
                      -limits::min() / 4,  limits::max(),      limits::lowest(),    T(0.0),  T(88.75),
                      T(1e5f),             T(-1e22f)};
    return extremes && pick < 12 ? some[pick] : static_cast<T>(n) / T(96);
  } else {
    T const some[] = {limits::min(), limits::max(), T(0), static_cast<T>(-1)};
    return extremes && pick < 8 ? some[pick % 4] : static_cast<T>(n % 12);
  }
}
constexpr bits number_of(dtype t, std::uint32_t& state, bool extremes) {
  return detail::with_element(t, [&](auto tag) { return detail::to_bits(number<typename decltype(tag)::type>(state, extremes)); });
}
inline std::vector<elements> inputs_of(program_ref p, std::uint32_t seed, bool extremes) {
  std::vector<elements> in;
  for (int v : p.ins(p.main())) {
    elements e(static_cast<std::size_t>(p.type(v).size()));
    for (bits& x : e) x = number_of(p.type(v).type, seed, extremes);
    in.push_back(e);
  }
  return in;
}

// Equal bits; any NaN is as good as another.
constexpr bool is_nan(dtype t, bits x) {
  return is_floating(t) && detail::with_element(t, [x](auto tag) {
           auto const value = detail::from_bits<typename decltype(tag)::type>(x);
           return value != value;
         });
}
constexpr bool same(dtype t, bits a, bits b) { return a == b || (is_nan(t, a) && is_nan(t, b)); }
inline bool same(aval const& t, elements const& a, elements const& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(t.type, a[i], b[i])) return false;
  return true;
}
inline bool same(program_ref p, std::vector<elements> const& a, std::vector<elements> const& b) {
  for (int k = 0; k < p.main().n_out; ++k) {
    auto const n = static_cast<std::size_t>(k);
    if (!same(p.type(p.outs(p.main())[k]), a[n], b[n])) return false;
  }
  return true;
}

// --- Emitted code ---

template <class T, std::ptrdiff_t N>
struct memory {
  T of[N + 1] = {};
  constexpr void read(bits const* from) {
    for (std::ptrdiff_t i = 0; i < N; ++i) of[i] = detail::from_bits<T>(from[i]);
  }
  constexpr void write(bits* to) const {
    for (std::ptrdiff_t i = 0; i < N; ++i) to[i] = detail::to_bits(of[i]);
  }
};

// Runs the emitted code of P, an optimized program; at run time with packs, in constant evaluation without.
template <class P, class In = std::make_integer_sequence<int, P::ref.main().n_in>,
          class Out = std::make_integer_sequence<int, P::ref.main().n_out>>
struct emitted;
template <class P, int... I, int... O>
struct emitted<P, std::integer_sequence<int, I...>, std::integer_sequence<int, O...>> {
  static constexpr aval in_type(int k) { return P::ref.type(P::ref.ins(P::ref.main())[k]); }
  static constexpr aval out_type(int k) { return P::ref.type(P::ref.outs(P::ref.main())[k]); }

  static constexpr void run(bits const* const* from, bits* const* to) {
    std::tuple<memory<element_t<in_type(I).type>, in_type(I).size()>...> in;
    std::tuple<memory<element_t<out_type(O).type>, out_type(O).size()>...> out;
    (std::get<I>(in).read(from[I]), ...);
    detail::execute<P>(std::tuple<element_t<in_type(I).type> const*...>(std::get<I>(in).of...),
                       std::tuple<element_t<out_type(O).type>*...>(std::get<O>(out).of...));
    (std::get<O>(out).write(to[O]), ...);
  }

  // The results, one after the other, for inputs that start with this seed.
  static constexpr std::ptrdiff_t total_in = (0 + ... + in_type(I).size()), total_out = (0 + ... + out_type(O).size());
  static constexpr std::array<bits, total_out + 1> results(std::uint32_t seed, bool extremes) {
    std::array<bits, total_in + 1> in{};
    std::array<bits, total_out + 1> out{};
    bits const* from[sizeof...(I) + 1] = {};
    bits* to[sizeof...(O) + 1] = {};
    bits* next = in.data();
    for (int k = 0; k < static_cast<int>(sizeof...(I)); ++k) {
      from[k] = next;
      for (std::ptrdiff_t i = 0; i < in_type(k).size(); ++i) *next++ = number_of(in_type(k).type, seed, extremes);
    }
    next = out.data();
    for (int k = 0; k < static_cast<int>(sizeof...(O)); ++k) {
      to[k] = next;
      next += out_type(k).size();
    }
    run(from, to);
    return out;
  }
};

struct subject {
  program_ref traced, compiled;
  void (*code)(bits const* const* in, bits* const* out);

  std::vector<elements> run(std::vector<elements> const& in) const {
    std::vector<elements> out;
    std::vector<bits const*> from;
    std::vector<bits*> to;
    for (elements const& e : in) from.push_back(e.data());
    for (int v : compiled.outs(compiled.main())) out.emplace_back(static_cast<std::size_t>(compiled.type(v).size()));
    for (elements& e : out) to.push_back(e.data());
    code(from.data(), to.data());
    return out;
  }
  std::vector<elements> interpreted(std::vector<elements> const& in) const { return laws::run(compiled, in); }
};

template <class Traced>
subject subject_of() {
  using compiled = detail::compiled<Traced>;
  return {Traced::ref, compiled::ref, &emitted<compiled>::run};
}

constexpr bool contains(program_ref p, prim op) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (p.eqns[i].op == op) return true;
  return false;
}

}  // namespace laws
