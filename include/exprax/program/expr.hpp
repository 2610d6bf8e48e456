// SPDX-License-Identifier: BSL-1.0
// expr<T, Dims...>: a value that is being traced (a JAX tracer). Its type holds dtype, weakness and shape, nothing else; operations on it
// record equations on its tape and return the expr of the result.
// Longer than 300 lines: the class and its access, which know each other.
#pragma once

#include <concepts>
#include <type_traits>

#include <exprax/program/tape.hpp>
#include <exprax/types/bits.hpp>
#include <exprax/types/extents.hpp>
#include <exprax/types/methods.hpp>
#include <exprax/types/promote.hpp>
#include <exprax/types/shape.hpp>

namespace exprax {

template <class T, int... Dims>
class expr;
template <class T, int... Dims>
class array;
template <class Source, class T, int... Dims>
class deferred;

template <class S>
concept scalar = detail::is_number_type<S>;

namespace detail {

template <class T>
inline constexpr bool is_expr = false;
template <class T, int... Dims>
inline constexpr bool is_expr<expr<T, Dims...>> = true;
template <class Source, class T, int... Dims>
inline constexpr bool is_expr<deferred<Source, T, Dims...>> = true;

// Values that depend on no argument (program/deferred.hpp), and all others.
template <class T>
inline constexpr bool is_deferred = false;
template <class Source, class T, int... Dims>
inline constexpr bool is_deferred<deferred<Source, T, Dims...>> = true;
template <class T>
inline constexpr bool is_plain_expr = is_expr<T> && !is_deferred<T>;

// Operand of bind: a C++ number of dtype T, or weak<...>, recorded as a literal.
template <class T>
struct lit {
  strong_t<T> value;
};

// A constant scalar on a private tape.
template <class T>
constexpr expr<T> literal(strong_t<T> value);

// Always false; the error text shows their names and arguments.
template <class Value>
inline constexpr bool has_a_value_while_tracing = false;

// What refuses a conversion that traced values do not have. g++ would say it after the trace, if it did not belong to the exception
// specification, which is needed where the conversion is chosen; clang says it there anyway, and in fewer lines from the body.
#ifdef __clang__
inline constexpr bool tells_early = false;
#else
inline constexpr bool tells_early = true;
#endif
#define EXPRAX_NO_BOOL                                                                                                                   \
  "exprax: `if`, `while`, `&&`, `||` or `!` on a traced value: it depends on an argument of the traced function and has no value "       \
  "while tracing. Use ex::cond, ex::where, or a static argument (ex::static_<n>); in place of `&&`, `||`, `!`: `&`, `|`, `~`"
#define EXPRAX_NO_INTEGER                                                                                                                \
  "exprax: a traced value where a C++ integer is needed (an array's index, a loop's bound, a size): it depends on an argument of "       \
  "the traced function and has no value while tracing. Use x(i), ex::fori_loop, or a static argument (ex::static_<n>)"
template <class Value>
struct no_bool_while_tracing {
  static constexpr bool value = true;
  static_assert(!tells_early || has_a_value_while_tracing<Value>, EXPRAX_NO_BOOL);
};
template <class Value>
struct no_integer_while_tracing {
  static constexpr bool value = true;
  static_assert(!tells_early || has_a_value_while_tracing<Value>, EXPRAX_NO_INTEGER);
};

// array<U, Dims...> with elements of that dtype.
template <class A, dtype D, int... Dims>
inline constexpr bool is_array_of = false;
template <class U, dtype D, int... Dims>
inline constexpr bool is_array_of<array<U, Dims...>, D, Dims...> = dtype_of<U> == D;
template <class Assigned>
inline constexpr bool is_a_variable = false;

// `for (auto e : v)` on a traced vector: where it is. The loop is unrolled, as every C++ loop in a trace.
template <class Vector>
struct element_iterator {
  Vector const* vector;
  int i;
  constexpr auto operator*() const {
    if constexpr (Vector::rank == 1) return (*vector)(i);
    else return vector->ravel()(0);  // after the error of begin(): nothing that leads to others
  }
  constexpr element_iterator& operator++() { return ++i, *this; }
  constexpr bool operator!=(element_iterator const& o) const { return i != o.i; }
};

template <class T, int... Dims>
inline constexpr bool is_traced_value<expr<T, Dims...>> = true;

// Access to the private members of expr, for the library.
struct expr_access;

}  // namespace detail

// Through its base, argument-dependent lookup finds functions that other headers add to exprax::detail.
template <class T, int... Dims>
class expr : public detail::methods<expr<T, Dims...>> {
  static_assert(sizeof...(Dims) <= max_rank, "exprax: arrays have at most 8 axes");
  static_assert(((Dims >= 0) && ...), "exprax: the size of an axis is negative");
  static_assert(std::is_same_v<T, canonical_t<T>>, "exprax: spell the dtype as bool, std::(u)int8_t to std::(u)int64_t, float or double");

 public:
  using dtype_type = T;
  using value_type = strong_t<T>;
  static constexpr int rank = static_cast<int>(sizeof...(Dims)), ndim = rank;
  static constexpr aval type = detail::make_aval<dtype_of<T>, detail::is_weak<T>, Dims...>();
  static constexpr shape_t<Dims...> shape{};
  static constexpr dtype_t<strong_t<T>> dtype{};

  // The size of an axis; negative axes count from the end.
  static constexpr int extent(int axis) { return type.dims[axis < 0 ? axis + rank : axis]; }
  static constexpr std::ptrdiff_t size() { return type.size(); }

  constexpr expr() = default;
  constexpr expr(expr const& o) : tape_((o.tape_ ? ++o.tape_->owners : 0, o.tape_)), id_(o.id_) {}
  constexpr expr(expr&& o) noexcept : tape_(o.tape_), id_((o.tape_ = nullptr, o.id_)) {}
  // For variables only: assignment to a temporary, such as an element, is an error.
  constexpr expr& operator=(expr const& o) & {
    if (o.tape_) ++o.tape_->owners;
    detail::drop(tape_);
    tape_ = o.tape_;
    id_ = o.id_;
    return *this;
  }
  constexpr expr& operator=(expr&& o) & noexcept {
    detail::tape* const t = tape_;
    tape_ = o.tape_, id_ = o.id_, o.tape_ = t;  // o releases the old value
    return *this;
  }
  template <class V>
  constexpr void operator=(V const&) && {
    static_assert(detail::is_a_variable<V>,
                  "exprax: x(i) = v on a traced value changes nothing, for x(i) is a value of its own: write x = x.at(i).set(v)");
  }
  // A variable keeps its dtype and shape. auto, so that g++ says it first.
  template <class U, int... D>
    requires(!std::is_convertible_v<expr<U, D...> const&, expr>)
  constexpr auto operator=(expr<U, D...> const&) & {
    static_assert(detail::is_a_variable<expr<U, D...>>, EXPRAX_OTHER_TYPE);
    return 0;
  }
  constexpr ~expr() {
    if (tape_ && --tape_->owners == 0) ++tape_->owners, detail::drop(tape_);
  }

  // A C++ number converts to a scalar of any dtype.
  template <scalar S>
    requires(rank == 0)
  constexpr expr(S value) : expr(detail::literal<T>(detail::convert_number<strong_t<T>>(value))) {}
  // A weak value takes the dtype T (strengthen: primitives/convert.hpp).
  template <class W>
    requires(std::is_same_v<W, weak<T>>)
  constexpr expr(expr<W, Dims...> const& o) : expr(strengthen(o)) {}

  // One element, row, or block: NumPy's indexing (index_read: numpy/indexing/indexing.hpp).
  template <class... Index>
  constexpr auto operator()(Index const&... index) const {
    return index_read(*this, index...);
  }
  // x[i] is x(i); with C++23 x[i, j] is x(i, j).
#ifdef __cpp_multidimensional_subscript
  template <class... Index>
  constexpr auto operator[](Index const&... index) const {
    return index_read(*this, index...);
  }
#else
  template <class Index>
  constexpr auto operator[](Index const& index) const {
    return index_read(*this, index);
  }
#endif
  // `for` visits the elements of a vector. On more axes JAX visits rows, but containers of C++, and so arrays, visit elements.
  constexpr detail::element_iterator<expr> begin() const {
    static_assert(rank == 1,
                  "exprax: `for` on a traced value that is no vector: loop over an index, x(i), for rows; over ex::ravel(x) for elements");
    return {this, 0};
  }
  constexpr detail::element_iterator<expr> end() const { return {this, type.dims[0]}; }
  // The functional update x.at(i, j).set(y) (make_at: numpy/indexing/indexing.hpp).
  template <class... Index>
  constexpr auto at(Index const&... index) const {
    return make_at(*this, index...);
  }

  // Outside of a trace, values that depend on no argument have elements (evaluated: api/evaluate.hpp).
  template <class A>
    requires(detail::is_array_of<A, dtype_of<T>, Dims...>)
  constexpr operator A() const {
    return evaluated(*this);
  }
  // Traced values do not convert to bool or to C++ integers.
  template <class B>
    requires(std::is_same_v<B, bool>)
  constexpr explicit operator B() const noexcept(detail::no_bool_while_tracing<expr>::value) {
    static_assert(detail::tells_early || detail::has_a_value_while_tracing<expr>, EXPRAX_NO_BOOL);
    return 0;
  }
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
  constexpr operator I() const noexcept(detail::no_integer_while_tracing<expr>::value) {
    static_assert(detail::tells_early || detail::has_a_value_while_tracing<expr>, EXPRAX_NO_INTEGER);
    return 0;
  }

 private:
  friend struct detail::expr_access;
  constexpr expr(detail::tape* t, int id) : tape_((++t->owners, t)), id_(id) {}

  detail::tape* tape_ = nullptr;
  int id_ = -1;
};
#undef EXPRAX_NO_BOOL
#undef EXPRAX_NO_INTEGER

namespace detail {

// S::value is an aval; the expr of its dtype and dims.
template <class S, class Dims = typename dims_of<S>::type>
struct expr_of_aval;
template <class S, int... D>
struct expr_of_aval<S, dims<D...>> {
  using type = expr<typename type_of_dtype<S::value.type, S::value.weak>::type, D...>;
};
template <class S>
using expr_from = typename expr_of_aval<S>::type;

// expr<U, the dims of E...>
template <class E, class U>
struct with_dtype;
template <class T, int... D, class U>
struct with_dtype<expr<T, D...>, U> {
  using type = expr<U, D...>;
};
template <class Source, class T, int... D, class U>
struct with_dtype<deferred<Source, T, D...>, U> {
  using type = expr<U, D...>;
};
template <class E, class U>
using with_dtype_t = typename with_dtype<E, U>::type;

template <class T, class Dims>
struct expr_with;
template <class T, int... D>
struct expr_with<T, dims<D...>> {
  using type = expr<T, D...>;
};
template <class T, class Dims>
using expr_with_t = typename expr_with<T, Dims>::type;

// The key and slot by which a tape looks up the index of a type.
template <class E>
inline constexpr std::uint64_t key_of = type_key(E::type);
template <class E>
inline constexpr int slot_of = type_slot(key_of<E>);

struct expr_access {
  template <class Out>
  static constexpr Out make(tape* t, int id) {
    return Out(t, id);
  }
  template <class Out>
  static constexpr Out make(handle const& h) {
    return Out(h.on, h.id);
  }
  template <class T, int... D>
  static constexpr handle get(expr<T, D...> const& e) {
    if (!e.tape_) a_traced_value_is_used_before_it_is_assigned();
    return handle(e.tape_, e.id_);
  }
  template <class Source, class T, int... D>
  static constexpr handle get(deferred<Source, T, D...> const& e) {
    return get(plain(e));
  }
  // Whether e now refers to another value than h; false if e was moved from.
  template <class T, int... D>
  static constexpr bool differs(expr<T, D...> const& e, handle const& h) {
    if (!e.tape_ || (e.tape_ == h.on && e.id_ == h.id)) return false;
    handle const a = resolve(get(e)), b = resolve(h);
    return a.on != b.on || a.id != b.id;
  }
  template <class T, int... D>
  static constexpr void set(expr<T, D...>& e, handle const& h) {
    e = expr<T, D...>(h.on, h.id);
  }

  // Writes parameters; the first four in one expression.
  static constexpr int put(tape* t, span<int> const& p) {
    int k = 0;
    if (p.count >= 4)
      t->params.at[t->params.n++] = p.first[0], t->params.at[t->params.n++] = p.first[1], t->params.at[t->params.n++] = p.first[2],
      t->params.at[t->params.n++] = p.first[3], k = 4;
    for (; k < p.count; ++k) t->params.at[t->params.n++] = p.first[k];
    return 0;
  }

  // The fast path: all operands are on one tape that has not joined another. It does what emit_one does (program/builder.hpp), but the
  // stores are one expression, which makes four statements: a call would make it a tenth slower.
  template <class Out, class First, class... Rest>
  static constexpr Out bind(prim op, span<int> const& params, First const& first, Rest const&... rest) {
    tape* const t = first.tape_;
    if (!(t && !t->into && ((rest.tape_ == t) && ...) && sizeof...(Rest) < tape::few && params.count <= tape::few) || --t->left < 0)
      return bind_slowly<Out>(op, params, first, rest...);
    return Out(t,
               (t->pending.at[t->pending.n++] = {op, t->refs.n, 1 + int(sizeof...(Rest)), t->values.n, 1, t->params.n, params.count, 0, 0},
                t->values.at[t->values.n] = {std::is_same_v<Out, First>             ? t->values.at[first.id_].type
                                             : t->keys[slot_of<Out>] == key_of<Out> ? t->key_types[slot_of<Out>]
                                                                                    : t->find_static_type(Out::type),
                                             -1},
                t->refs.at[t->refs.n++] = first.id_, ((t->refs.at[t->refs.n++] = rest.id_), ...),
                params.count == 0   ? 0
                : params.count == 2 ? (t->params.at[t->params.n++] = params.first[0], t->params.at[t->params.n++] = params.first[1])
                : params.count == 4 ? (t->params.at[t->params.n++] = params.first[0], t->params.at[t->params.n++] = params.first[1],
                                       t->params.at[t->params.n++] = params.first[2], t->params.at[t->params.n++] = params.first[3])
                                    : put(t, params),
                t->values.n++));
  }
  // Two consecutive equations, the second one on the result of the first.
  template <class Between, class Out, class In>
  static constexpr Out bind_twice(prim op, span<int> const& params, prim next, span<int> const& next_params, In const& in) {
    tape* const t = in.tape_;
    if (!(t && !t->into && params.count <= tape::few && next_params.count <= tape::few) || (t->left -= 2) < 0)
      return bind<Out>(next, next_params, bind<Between>(op, params, in));
    int const out = t->values.n;
    return Out(
        t,
        (t->pending.at[t->pending.n++] = {op, t->refs.n, 1, out, 1, t->params.n, params.count, 0, 0},
         t->pending.at[t->pending.n++] = {next, t->refs.n + 1, 1, out + 1, 1, t->params.n + params.count, next_params.count, 0, 0},
         t->values.at[out] = {t->keys[slot_of<Between>] == key_of<Between> ? t->key_types[slot_of<Between>]
                                                                           : t->find_static_type(Between::type),
                              no_constant},
         t->values.at[out + 1] = {t->keys[slot_of<Out>] == key_of<Out> ? t->key_types[slot_of<Out>] : t->find_static_type(Out::type),
                                  no_constant},
         t->refs.at[t->refs.n++] = in.id_, t->refs.at[t->refs.n++] = out,
         params.count == 4 ? (t->params.at[t->params.n++] = params.first[0], t->params.at[t->params.n++] = params.first[1],
                              t->params.at[t->params.n++] = params.first[2], t->params.at[t->params.n++] = params.first[3])
                           : put(t, params),
         next_params.count == 2 ? (t->params.at[t->params.n++] = next_params.first[0], t->params.at[t->params.n++] = next_params.first[1])
                                : put(t, next_params),
         t->values.n = out + 2, out + 1));
  }
  // The same with literals among the operands, and at least one traced value.
  template <class Out, class... In>
  static constexpr Out bind_with_literals(prim op, span<int> const& params, In const&... in) {
    tape* t = nullptr;
    bool same = true;
    (look(t, same, in), ...);
    if (!(t && same && !t->into && params.count <= tape::few && sizeof...(In) <= tape::few)) return bind_joined<Out>(op, params, in...);
    if ((t->left -= int(sizeof...(In))) < 0) t->refill(int(sizeof...(In)));
    int const numbers[] = {quick_number(t, in)...};
    int const first = t->refs.n;
    for (int k = 0; k < int(sizeof...(In)); ++k) t->refs.at[first + k] = numbers[k];
    t->refs.n = first + int(sizeof...(In));
    return Out(t, t->append(op, first, int(sizeof...(In)), params.first, params.count,
                            t->keys[slot_of<Out>] == key_of<Out> ? t->key_types[slot_of<Out>] : t->find_static_type(Out::type)));
  }
  template <class T, int... D>
  static constexpr void look(tape*& t, bool& same, expr<T, D...> const& e) {
    if (t) same = same && t == e.tape_;
    else t = e.tape_;
  }
  template <class T>
  static constexpr void look(tape*&, bool& same, lit<T> const&) {
    if constexpr (is_std_complex<strong_t<T>>) same = false;  // two patterns: general case
  }
  template <class T, int... D>
  static constexpr int quick_number(tape*, expr<T, D...> const& e) {
    return e.id_;
  }
  template <class T>
  static constexpr int quick_number(tape* t, lit<T> const& x) {
    t->constants.at[t->constants.n] = *element_patterns(x.value).of,
    t->values.at[t->values.n] = {
        t->keys[slot_of<expr<T>>] == key_of<expr<T>> ? t->key_types[slot_of<expr<T>>] : t->find_static_type(expr<T>::type),
        t->constants.n++};
    return t->values.n++;
  }

  template <class Out, class... In>
  static constexpr Out bind_slowly(prim op, span<int> const& params, In const&... in) {
    tape* const tapes[] = {in.tape_...};
    tape* const t = tapes[0];
    bool const ready = t && !t->into && ((in.tape_ == t) && ...) && params.count <= tape::few && sizeof...(In) <= tape::few;
    if (!ready) return bind_joined<Out>(op, params, in...);
    t->refill(1);
    ++t->left;
    return bind<Out>(op, params, in...);
  }

  template <class T, int... D>
  static constexpr void join_operand(handle& all, expr<T, D...> const& e) {
    handle h = get(e);
    if (all.on) join(all, h);
    else all = resolve(h);
  }
  template <class T>
  static constexpr void join_operand(handle&, lit<T> const&) {}

  template <class T, int... D>
  static constexpr int number(tape*, expr<T, D...> const& e) {
    return resolve(handle(e.tape_, e.id_)).id;
  }
  template <class T>
  static constexpr int number(tape* t, lit<T> const& x) {
    return t->add_constant(t->find_static_type(expr<T>::type), element_patterns(x.value).of);
  }

  // The general case: joins tapes, records literals.
  template <class Out, class... In>
  static constexpr Out bind_joined(prim op, span<int> params, In const&... in) {
    handle all;
    (join_operand(all, in), ...);
    if (!all.on) all = handle(new tape, handle::no_value);
    tape* const t = all.on;
    int const numbers[sizeof...(In) + 1] = {number(t, in)...};
    int const type = t->find_static_type(Out::type);
    return Out(t, t->record(op, {numbers, int(sizeof...(In))}, params, {&type, 1}));
  }
};

// An operand as a value on a tape.
template <class X>
constexpr decltype(auto) recordable(X const& x) {
  if constexpr (is_deferred<X>) return plain(x);
  else return (x);
}

// Records one equation with one result of type Out. An operand is an expr or a lit<T>. The cheapest span of parameters is an array:
// int const p[] = {...}; braces cost three more statements.
template <class Out, class... In>
constexpr Out bind(prim op, span<int> const& params, In const&... in) {
  return expr_access::bind_joined<Out>(op, params, in...);
}
template <class Out, class... In>
  requires(is_expr<In> || ...)
constexpr Out bind(prim op, span<int> const& params, In const&... in) {
  if constexpr ((is_deferred<In> || ...)) return expr_access::bind_with_literals<Out>(op, params, recordable(in)...);
  else return expr_access::bind_with_literals<Out>(op, params, in...);
}
template <class Out, class First, class... In>
  requires(is_expr<First> && (is_expr<In> && ...))
constexpr Out bind(prim op, span<int> const& params, First const& first, In const&... in) {
    if constexpr (is_deferred<First> || (is_deferred<In> || ...))
      return expr_access::bind<Out>(op, params, recordable(first), recordable(in)...);
    else
      return expr_access::bind<Out>(op, params, first, in...);
}

// The same where the number of operands is known while tracing: a range of handles.
template <class Out, class Handles>
constexpr Out bind_list(prim op, span<int> params, Handles const& operands) {
  handle all;
  for (handle h : operands) {
    if (all.on) join(all, h);
    else all = resolve(h);
  }
  if (!all.on) all = handle(new tape, handle::no_value);
  arena<int> numbers;
  for (handle const& h : operands) numbers.push(resolve(h).id);
  int const type = all.on->find_static_type(Out::type);
  return expr_access::make<Out>(all.on, all.on->record(op, numbers, params, {&type, 1}));
}

// The traced value itself; for a deferred value, its recorded form.
template <class T, int... D>
constexpr expr<T, D...> const& plain(expr<T, D...> const& x) {
  return x;
}

// A private tape, for functions without traced arguments.
constexpr handle new_tape() { return handle(new tape, handle::no_value); }

// A constant (rank 0: a literal), on a private tape or on that of another value.
template <class Out>
constexpr Out constant(handle const& on, span<std::uint64_t> bits) {
  handle const h = resolve(on);
  return expr_access::make<Out>(h.on, h.on->add_constant(h.on->find_static_type(Out::type), bits));
}
template <class T>
constexpr expr<T> literal(strong_t<T> value) {
  return constant<expr<T>>(new_tape(), element_patterns(value).of);
}

// Whether a scalar expr is a literal, and its value.
template <class T>
constexpr bool is_literal(expr<T> const& e) {
  handle const h = resolve(expr_access::get(e));
  return h.on->is_literal(h.id);
}
template <class T>
constexpr strong_t<T> literal_value(expr<T> const& e) {
  handle const h = resolve(expr_access::get(e));
  return element_patterns<strong_t<T>>::read(h.on->constants.at + h.on->values.at[h.id].constant);
}

}  // namespace detail

// The size of an axis, from the type of a traced value or array; references allowed: extent_of<decltype(w), 0>.
template <class E, int Axis>
inline constexpr int extent_of = std::remove_cvref_t<E>::extent(Axis);

}  // namespace exprax
