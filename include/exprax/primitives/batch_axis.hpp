// SPDX-License-Identifier: BSL-1.0
// The batch axis of a value (jax.interpreters.batching): its position, or not_mapped; and where a caller of batch wants it.
#pragma once

namespace exprax {

class batch_axis {
 public:
  constexpr batch_axis() = default;  // not mapped: the value is the same for the whole batch
  constexpr batch_axis(int position) : at_(position) {}

  constexpr bool is_mapped() const { return at_ != none; }
  // Of a mapped value.
  constexpr int position() const { return at_; }
  constexpr bool operator==(batch_axis const&) const = default;

  // As a parameter of a vmap equation: the position, or -1.
  static constexpr batch_axis from_parameter(int p) { return p == none ? batch_axis{} : batch_axis(p); }
  constexpr int parameter() const { return at_; }

 private:
  static constexpr int none = -1;
  int at_ = none;
};
inline constexpr batch_axis not_mapped{};

// What a caller wants of a result of batch.
class wanted_axis {
 public:
  constexpr wanted_axis() = default;                                    // wherever the rules put it, if there is one
  constexpr wanted_axis(int position) : wanted_axis(batch_axis(position)) {}  // there; an unbatched result is repeated
  constexpr wanted_axis(batch_axis a) : kind_(a.is_mapped() ? kind::there : kind::none), axis_(a) {}
  static constexpr wanted_axis summed() { return wanted_axis(kind::summed); }  // none: a batched result is summed along it

  constexpr bool is_given() const { return kind_ == kind::there; }
  constexpr bool is_summed() const { return kind_ == kind::summed; }
  // No axis: the result does not depend on the batch, or is summed.
  constexpr bool is_none() const { return kind_ == kind::none || kind_ == kind::summed; }
  // Where it is given; else not_mapped.
  constexpr batch_axis axis() const { return axis_; }

 private:
  enum class kind { anywhere, there, none, summed };
  constexpr explicit wanted_axis(kind k) : kind_(k) {}

  kind kind_ = kind::anywhere;
  batch_axis axis_;
};

}  // namespace exprax
