// SPDX-License-Identifier: BSL-1.0
// deferred<Source, T, Dims...>: the result of a function called without arrays and traced values: ex::zeros<float, 3>(),
// ex::arange<5>() * 2, ex::fori_loop(0, 10, f, 0).
//
// Such a call cannot know whether it is inside a traced function, so its result is both a traced value on a private tape and an array. Its
// type keeps the call; the elements are computed, by the same kernels as those of arrays, when they are first needed: when it is printed,
// by data() or a conversion, in an operation with an array. Copies share them.
#pragma once

#include <exprax/program/lift.hpp>

namespace exprax {

namespace detail {

// Not constexpr, so that the error shows its name.
inline void what_was_assigned_while_compiling_has_no_elements() { __builtin_trap(); }

// An intrusive reference-counted pointer (T::refs). Thread-safe.
template <class T>
class shared {
 public:
  constexpr shared() = default;
  constexpr explicit shared(T* p) : p_(p) { add(1); }
  constexpr shared(shared const& o) : p_(o.p_) {
    if (p_) add(1);
  }
  constexpr shared(shared&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  constexpr shared& operator=(shared o) noexcept {
    T* const before = p_;
    p_ = o.p_;
    o.p_ = before;
    return *this;
  }
  constexpr ~shared() {
    if (p_ && add(-1) == 0) delete p_;
  }
  constexpr T* get() const { return p_; }

 private:
  constexpr int add(int n) {
    if (__builtin_is_constant_evaluated()) return p_->refs += n;
    return __atomic_add_fetch(&p_->refs, n, __ATOMIC_ACQ_REL);
  }
  T* p_ = nullptr;
};

// Results computed once, by make(), when they are first needed.
template <class Results>
class computed_once {
 public:
  computed_once() = default;
  computed_once(computed_once const&) = delete;
  computed_once& operator=(computed_once const&) = delete;
  constexpr ~computed_once() { delete done_; }

  template <class Make>
  constexpr Results const& get(Make const& make) {
    if (__builtin_is_constant_evaluated()) {
      if (!done_) done_ = new Results(make());
      return *done_;
    }
    Results* found = __atomic_load_n(&done_, __ATOMIC_ACQUIRE);
    if (found) return *found;
    Results* const mine = new Results(make());
    if (__atomic_compare_exchange_n(&done_, &found, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return *mine;
    delete mine;  // another thread was first
    return *found;
  }

 private:
  Results* done_ = nullptr;
};

// An array that was assigned.
template <class Array>
struct assigned {
  int refs = 0;
  Array elements;
};

// The source of the elements: one of the results of a call,
template <class Call>
struct result_of {
  shared<Call> call;
  int number = 0;

  constexpr bool is_empty() const { return !call.get(); }
  template <class Array>
  constexpr Array const& elements() const {
    if (!call.get()) what_was_assigned_while_compiling_has_no_elements();
    return call.get()->template result<Array>(number);
  }
  template <class Array>
  constexpr auto const* data() const {
    return elements<Array>().data();
  }
  template <class Traced>
  Traced record() const {
    if (!call.get()) what_was_assigned_while_compiling_has_no_elements();
    return call.get()->template record<Traced>(number);
  }
};
// or one element of another deferred value.
template <class Deferred>
struct one_element {
  Deferred whole;
  std::ptrdiff_t at = 0;

  constexpr bool is_empty() const { return whole.is_only_traced(); }
  template <class Array>
  constexpr Array elements() const {
    return *data<Array>();
  }
  template <class Array>
  constexpr auto const* data() const {
    return whole.data() + at;
  }
  template <class Traced>
  Traced record() const {
    return element_at(whole, at);  // numpy/indexing/index_arrays.hpp
  }
};

// 1 for the elements of a == b, -1 for those of a != b, of one dtype and shape: these have a truth value (numpy/core/operators.hpp).
template <class Source>
inline constexpr int compares_all = 0;

}  // namespace detail

template <class Source, class T, int... Dims>
class deferred : public detail::methods<deferred<Source, T, Dims...>, expr<T, Dims...>> {
  using base = detail::methods<deferred, expr<T, Dims...>>;
  using stored = array<strong_t<T>, Dims...>;
  using own = detail::assigned<stored>;

 public:
  using traced = expr<T, Dims...>;
  using typename traced::value_type;

  constexpr deferred() = default;
  constexpr deferred(traced const& x, Source const& source) : base{x}, source_(source) {}
  constexpr explicit deferred(traced const& x) : base{x} {}
  deferred(deferred const&) = default;
  deferred(deferred&&) = default;
  deferred& operator=(deferred const&) & = default;
  deferred& operator=(deferred&&) & = default;

  // While tracing it is a variable like others. Outside of a trace, assignment copies the elements.
  constexpr deferred& operator=(traced const& x) & {
    assign(x);
    return *this;
  }
  template <class S, class U>
    requires std::is_same_v<strong_t<U>, strong_t<T>>
  constexpr deferred& operator=(deferred<S, U, Dims...> const& x) & {
    if (__builtin_is_constant_evaluated()) assign(x);
    else own_ = detail::shared<own>(new own{0, x.elements()});
    return *this;
  }
  constexpr deferred& operator=(stored const& x) & {
    if (__builtin_is_constant_evaluated()) assign(detail::constant_as<traced>(x.data()));
    own_ = detail::shared<own>(new own{0, x});
    return *this;
  }

  // auto, so that g++ says it first.
  template <class U, int... D>
    requires(!std::is_convertible_v<expr<U, D...> const&, traced>)
  constexpr auto operator=(expr<U, D...> const&) & {
    static_assert(detail::is_a_variable<expr<U, D...>>, EXPRAX_OTHER_TYPE);
    return 0;
  }
  template <class S, class U, int... D>
    requires(!std::is_same_v<expr<strong_t<U>, D...>, expr<strong_t<T>, Dims...>>)
  constexpr auto operator=(deferred<S, U, D...> const&) & {
    static_assert(detail::is_a_variable<expr<U, D...>>, EXPRAX_OTHER_TYPE);
    return 0;
  }
  template <class V>
  constexpr void operator=(V const&) && {
    static_assert(detail::is_a_variable<V>,
                  "exprax: x(i) = v changes nothing here, for x(i) is a value of its own: write x = x.at(i).set(v)");
  }

  // Valid as long as this value or a copy of it lives.
  constexpr decltype(auto) elements() const {
    using type = decltype(source_.template elements<stored>());
    if (own_.get()) return static_cast<type>(own_.get()->elements);
    return source_.template elements<stored>();
  }
  constexpr operator stored() const { return elements(); }
  constexpr operator value_type() const
    requires(sizeof...(Dims) == 0)
  {
    return *data();
  }
  constexpr explicit operator bool() const
    requires(sizeof...(Dims) > 0 && detail::compares_all<Source> != 0)
  {
    constexpr bool equal = detail::compares_all<Source> == 1;
    for (bool const x : *this)
      if (x != equal) return !equal;
    return equal;
  }
  constexpr value_type const* data() const { return own_.get() ? own_.get()->elements.data() : source_.template data<stored>(); }
  constexpr value_type const* begin() const { return data(); }
  constexpr value_type const* end() const { return data() + traced::size(); }

  // Whether it was assigned while compiling, as variables of traced functions are: it has no elements, and copies of it need no source.
  constexpr bool is_only_traced() const { return source_.is_empty() && !own_.get(); }

  // As a value on a tape, for functions that do not take arrays: outside of a trace it is not on one yet.
  constexpr traced recorded() const {
    if (__builtin_is_constant_evaluated()) return *this;
    return own_.get() ? detail::constant_as<traced>(own_.get()->elements.data()) : source_.template record<traced>();
  }

  // NumPy's indexing and functional updates (numpy/indexing/index_arrays.hpp).
  template <class... I>
  constexpr auto operator()(I const&... index) const {
    return index_deferred(*this, index...);
  }
#ifdef __cpp_multidimensional_subscript
  template <class... I>
  constexpr auto operator[](I const&... index) const {
    return index_deferred(*this, index...);
  }
#else
  template <class I>
  constexpr auto operator[](I const& index) const {
    return index_deferred(*this, index);
  }
#endif
  template <class... I>
  constexpr auto at(I const&... index) const {
    return deferred_at(*this, index...);
  }

  Source source_;  // used by the library

 private:
  constexpr void assign(traced const& x) {
    static_cast<traced&>(*this) = x;
    if (!is_only_traced()) source_ = {}, own_ = {};
  }

  detail::shared<own> own_;
};

namespace detail {

template <class S, class T, int... D>
constexpr expr<T, D...> plain(deferred<S, T, D...> const& x) {
  return x.recorded();
}
template <class S, class T, int... D>
constexpr expr<T, D...> lift(deferred<S, T, D...> const& x) {
  return x.recorded();
}

}  // namespace detail

}  // namespace exprax
