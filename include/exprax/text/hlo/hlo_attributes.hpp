// SPDX-License-Identifier: BSL-1.0
// The text after the operands of an HLO instruction: , dimensions={0}, slice={[0:2]}, window={size=3 pad=1_1}.
#pragma once

#include <exprax/text/hlo/hlo_elements.hpp>
#include <exprax/text/jaxpr/axis_labels.hpp>
#include <exprax/text/stablehlo/stablehlo_module.hpp>

namespace exprax::detail {

// Whether a broadcast repeats an axis of size 1 of its operand.
constexpr bool repeats_axis(stablehlo_module const& m, hlo_op const& o, int axis) {
  return m.type(m.ins(o)[0]).dims[axis] != m.type(o.out).dims[m.att(o, axis)];
}

class hlo_attributes {
  // Defined first: for constant evaluation, clang must see the definition of a template before its use.
  constexpr void text(std::string_view s) { out_->write(s); }
  template <class F>
  constexpr void list(int n, F each) {
    for (int k = 0; k < n; ++k) {
      if (k > 0) text(", ");
      each(k);
    }
  }
  constexpr void integers(span<int> s) {
    text("{");
    for (int k = 0; k < s.size(); ++k) {
      if (k > 0) text(",");
      out_->integer(s[k]);
    }
    text("}");
  }
  constexpr void attribute(std::string_view key, span<int> s) {
    text(", ");
    text(key);
    text("=");
    integers(s);
  }
  constexpr void pair(int low, int high) {
    out_->integer(low);
    text("_");
    out_->integer(high);
  }
  template <class F>
  constexpr void by_axis(int n, F each) {
    for (int i = 0; i < n; ++i) {
      if (i > 0) text("x");
      each(i);
    }
  }
  constexpr void convolution(hlo_op const& o, span<int> a) {
    int const s = a[0];
    aval const& rhs = m_.type(m_.ins(o)[1]);
    bool padded = false;
    for (int i = 0; i < 2 * s; ++i) padded = padded || a[1 + s + i] != 0;
    auto const part = [&](std::string_view key, int at) {
      bool plain = true;
      for (int i = 0; i < s; ++i) plain = plain && a[at + i] == 1;
      if (plain) return;
      text(key);
      by_axis(s, [&](int i) { out_->integer(a[at + i]); });
    };
    auto const axes = [&](int operand) { return a.part(3 + 5 * s + operand * (s + 2), s + 2); };
    text(", window={size=");
    by_axis(s, [&](int i) { out_->integer(rhs.dims[axes(1)[2 + i]]); });
    part(" stride=", 1);
    if (padded) {
      text(" pad=");
      by_axis(s, [&](int i) { pair(a[1 + s + i], a[1 + 2 * s + i]); });
    }
    part(" lhs_dilate=", 1 + 3 * s);
    part(" rhs_dilate=", 1 + 4 * s);
    text("}, dim_labels=");
    write_axis_labels(*out_, axes(0), "bf", "");
    text("_");
    write_axis_labels(*out_, axes(1), "oi", "");
    text("->");
    write_axis_labels(*out_, axes(2), "bf", "");
    if (a[1 + 5 * s] > 1) {
      text(", feature_group_count=");
      out_->integer(a[1 + 5 * s]);
    }
    if (a[2 + 5 * s] > 1) {
      text(", batch_group_count=");
      out_->integer(a[2 + 5 * s]);
    }
  }

 public:
  constexpr hlo_attributes(stablehlo_module const& m, text_buffer& out) : m_(m), out_(&out) {}

  constexpr void write(hlo_op const& o) {
    span<int> const a = m_.atts(o);
    int const third = a.size() / 3;
    switch (o.form) {
      case hlo_form::iota:
        text(", iota_dimension=");
        out_->integer(a[0]);
        break;
      case hlo_form::broadcast: {
        arena<int> kept;
        for (int i = 0; i < a.size(); ++i)
          if (!repeats_axis(m_, o, i)) kept.push(a[i]);
        attribute("dimensions", kept);
        break;
      }
      case hlo_form::reduce_precision:
        text(", exponent_bits=");
        out_->integer(a[0]);
        text(", mantissa_bits=");
        out_->integer(a[1]);
        break;
      case hlo_form::axes:
      case hlo_form::reduce:
      case hlo_form::reduce_by:
      case hlo_form::concatenate: attribute("dimensions", a); break;
      case hlo_form::pad:
        text(", padding=");
        for (int i = 0; i < third; ++i) {
          if (i > 0) text("x");
          pair(a[i], a[third + i]);
          if (a[2 * third + i] == 0) continue;
          text("_");
          out_->integer(a[2 * third + i]);
        }
        break;
      case hlo_form::slice:
        text(", slice={");
        list(third, [&](int i) {
          text("[");
          out_->integer(a[i]);
          text(":");
          out_->integer(a[third + i]);
          if (a[2 * third + i] != 1) {
            text(":");
            out_->integer(a[2 * third + i]);
          }
          text("]");
        });
        text("}");
        break;
      case hlo_form::dynamic_slice: attribute("dynamic_slice_sizes", a); break;
      case hlo_form::compare:
        text(", direction=");
        text(o.label);
        if (a.size() > 0) text(", type=TOTALORDER");
        break;
      case hlo_form::sort:
        attribute("dimensions", a.part(0, 1));
        if (a[1]) text(", is_stable=true");
        break;
      case hlo_form::top_k:
        text(", k=");
        out_->integer(a[0]);
        text(", largest=true");
        break;
      case hlo_form::cholesky: text(", lower=true"); break;
      case hlo_form::triangular_solve: {
        constexpr std::string_view keys[] = {", left_side=true", ", lower=true", ", transpose_a=TRANSPOSE", ", unit_diagonal=true"};
        for (int k = 0; k < 4; ++k)
          if (k == 2 && a[k] == 2) text(", transpose_a=ADJOINT");
          else if (a[k]) text(keys[k]);
          else if (k == 2) text(", transpose_a=NO_TRANSPOSE");
        break;
      }
      case hlo_form::reduce_window: {
        int const rank = a.size() / 6;
        auto const part = [&](std::string_view key, int which, bool always) {
          bool differs = always;
          for (int i = 0; i < rank; ++i) differs = differs || a[which * rank + i] != 1;
          if (!differs) return;
          text(key);
          by_axis(rank, [&](int i) { out_->integer(a[which * rank + i]); });
        };
        part(", window={size=", 0, true);
        part(" stride=", 1, false);
        text(" pad=");
        by_axis(rank, [&](int i) { pair(a[2 * rank + i], a[3 * rank + i]); });
        part(" lhs_dilate=", 4, false);
        part(" rhs_dilate=", 5, false);
        text("}");
        break;
      }
      case hlo_form::dot_general: {
        int const n = a[0], m = a[1 + 2 * n];
        if (m > 0) attribute("lhs_batch_dims", a.part(2 + 2 * n, m));
        attribute("lhs_contracting_dims", a.part(1, n));
        if (m > 0) attribute("rhs_batch_dims", a.part(2 + 2 * n + m, m));
        attribute("rhs_contracting_dims", a.part(1 + n, n));
        break;
      }
      case hlo_form::convolution: convolution(o, a); break;
      case hlo_form::gather: {
        hlo_index_numbers const s(a);
        attribute("offset_dims", s.list[0]);
        attribute("collapsed_slice_dims", s.list[1]);
        attribute("start_index_map", s.list[4]);
        if (!s.list[2].empty()) attribute("operand_batching_dims", s.list[2]);
        if (!s.list[3].empty()) attribute("start_indices_batching_dims", s.list[3]);
        text(", index_vector_dim=");
        out_->integer(s.index_vector_dim);
        attribute("slice_sizes", s.rest);
        if (s.sorted) text(", indices_are_sorted=true");
        break;
      }
      case hlo_form::scatter: {
        hlo_index_numbers const s(a);
        attribute("update_window_dims", s.list[0]);
        attribute("inserted_window_dims", s.list[1]);
        attribute("scatter_dims_to_operand_dims", s.list[4]);
        if (!s.list[2].empty()) attribute("input_batching_dims", s.list[2]);
        if (!s.list[3].empty()) attribute("scatter_indices_batching_dims", s.list[3]);
        text(", index_vector_dim=");
        out_->integer(s.index_vector_dim);
        if (s.sorted) text(", indices_are_sorted=true");
        if (s.rest[0]) text(", unique_indices=true");
        break;
      }
      case hlo_form::custom_call:
        text(", custom_call_target=\"");
        text(o.name);
        text("\", custom_call_has_side_effect=true, backend_config=");
        write_quoted(*out_, o.label);
        break;
      default: break;
    }
  }

 private:
  stablehlo_module const& m_;
  text_buffer* out_;
};

}  // namespace exprax::detail
