// SPDX-License-Identifier: BSL-1.0
// Scatters at known index vectors become updates of a slice.
#include <string_view>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class Jaxpr>
constexpr bool becomes(Jaxpr const& before, std::string_view text) {
  ex::program const after = ex::known_scatters(before.ref());
  return ex::has_known_scatters(before.ref()) && ex::detail::jaxpr_equals(after.ref(), text);
}

static_assert(becomes(ex::make_jaxpr([](auto x) { return x.at(2).set(1.0f); })(ex::f32<5>), R"({ lambda ; a:f32[5]. let
    b:f32[1] = broadcast_in_dim 1.0:f32[]
    c:f32[5] = scatter[limit_indices=(3,) start_indices=(2,) strides=None] a b
  in (c,) })"));
static_assert(becomes(ex::make_jaxpr([](auto x, auto v) { return x.at(ex::slice<ex::none, ex::none, 2>, 1).add(v); })(ex::f32<5, 3>, ex::f32<3>),
                      R"({ lambda ; a:f32[5,3] b:f32[3]. let
    c:f32[3,1] = broadcast_in_dim[broadcast_dimensions=(0,)] b
    d:f32[5,3] = scatter-add[
      limit_indices=(5, 2)
      start_indices=(0, 1)
      strides=(2, 1)
    ] a c
  in (d,) })"));
// One element of a slice with a step; what is out of range; inside of a loop.
static_assert(becomes(ex::make_jaxpr([](auto x) { return x.at(ex::slice<1, ex::none, 4>).max(1.0f); })(ex::f32<5>), R"({ lambda ; a:f32[5]. let
    b:f32[1] = broadcast_in_dim 1.0:f32[]
    c:f32[5] = scatter-max[limit_indices=(2,) start_indices=(1,) strides=None] a
      b
  in (c,) })"));
static_assert(becomes(ex::make_jaxpr([](auto x) { return x.at(5).set(1.0f); })(ex::f32<5>), "{ lambda ; a:f32[5]. let  in (a,) }"));
static_assert(becomes(ex::make_jaxpr([](auto x) {
                        return ex::while_loop([](auto c) { return c(0) < 1; }, [](auto c) { return c.at(0).add(1); }, x);
                      })(ex::i32<2>),
                      R"({ lambda ; a:i32[2]. let
    b:i32[2] = while[
      body_jaxpr={ lambda ; c:i32[2]. let
          d:i32[1] = broadcast_in_dim 1:i32[]
          e:i32[2] = scatter-add[
            limit_indices=(1,)
            start_indices=(0,)
            strides=None
          ] c d
        in (e,) }
      body_nconsts=0
      cond_jaxpr={ lambda ; f:i32[2]. let
          g:i32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] f
          h:i32[] = squeeze[dimensions=(0,)] g
          i:bool[] = lt h 1:i32[]
        in (i,) }
      cond_nconsts=0
    ] a
  in (b,) })"));

// Traced indices and arrays of them stay.
static_assert(!ex::has_known_scatters(ex::make_jaxpr([](auto x, auto i) { return x.at(i).set(1.0f); })(ex::f32<5>, 1).ref()));
static_assert(!ex::has_known_scatters(ex::make_jaxpr([](auto x, auto i) { return x.at(i, 0).set(1.0f); })(ex::f32<5, 2>, ex::i32<3>).ref()));

}  // namespace
