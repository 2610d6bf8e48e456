// SPDX-License-Identifier: BSL-1.0
// memory_map_printer: the scratch memory of a plan over time, as an SVG picture. Kernels are from left to right, in the order in which they
// run, and bytes from the bottom up. Each buffer is a rectangle, from its first write to its last read. Beneath are the kernels, where the
// bar of a loop spans those of its body; beside the picture is a list of all buffers.
#pragma once

#include <exprax/plan/compile.hpp>
#include <exprax/text/plan_buffers.hpp>
#include <exprax/text/svg.hpp>

namespace exprax::detail {

// Lines of text, and the width of the longest.
class text_lines {
 public:
  text_buffer text;

  constexpr void end_line() {
    int const from = ends_.empty() ? 0 : ends_.back();
    ends_.push(text.size());
    int const width = svg_writer::width_of(text.view().substr(static_cast<std::size_t>(from)));
    if (width > width_) width_ = width;
  }
  constexpr int size() const { return ends_.size(); }
  constexpr int width() const { return width_; }
  constexpr std::string_view operator[](int i) const {
    int const from = i == 0 ? 0 : ends_[i - 1];
    return text.view().substr(static_cast<std::size_t>(from), static_cast<std::size_t>(ends_[i] - from));
  }

 private:
  arena<int> ends_;
  int width_ = 0;
};

// Tables: plan_storage. p: the program of the plan.
template <class Tables>
class memory_map_printer {
 public:
  constexpr memory_map_printer(Tables const& tables, plan_sizes const& sizes, program_ref p, text_buffer& to)
      : tables_(tables), sizes_(sizes), svg_(to), buffers_(tables, sizes, p), lives_(buffers_.lives()) {}

  constexpr void print(std::string_view name) {
    int const units = lives_.units() > 0 ? lives_.units() : 1, wanted = most_width / units;
    unit_ = wanted > most_unit ? most_unit : wanted < 2 ? 2 : wanted;
    right_ = left + units * unit_;
    text_lines kernels, buffers;
    list_kernels(kernels);
    list_buffers(buffers);
    text_buffer title;
    plan_words<Tables>(tables_, title).title(name, sizes_);

    int depth = 0;
    for (kernel_span const& s : lives_.spans())
      if (s.depth >= depth) depth = s.depth + 1;
    int const lists = bottom + depth * line + line, beside = right_ + line;
    int const below = left + kernels.width(), across = beside + buffers.width(), head = svg_writer::width_of(title.view());
    int const width = larger(larger(below, across), head) + line;
    svg_.begin(width, larger(lists + kernels.size() * line, top + buffers.size() * line) + line / 2);
    svg_.words(line / 2, line, title.view());
    axes();
    rectangles();
    bars();
    for (int i = 0; i < kernels.size(); ++i) svg_.words(left, lists + (i + 1) * line - 4, kernels[i]);
    for (int i = 0; i < buffers.size(); ++i) svg_.words(beside, top + (i + 1) * line - 4, buffers[i]);
    svg_.end();
  }

 private:
  static constexpr int line = svg_writer::line_height, left = 88, top = 28, height = 240, bottom = top + height;
  static constexpr int most_width = 720, most_unit = 160;
  static constexpr std::string_view colours[6] = {"#aec7e8", "#ffbb78", "#98df8a", "#ff9896", "#c5b0d5", "#dbdb8d"};

  static constexpr int larger(int a, int b) { return a < b ? b : a; }
  constexpr int x_of(int unit) const { return left + unit * unit_; }
  constexpr int y_of(std::ptrdiff_t offset) const { return bottom - static_cast<int>(offset * height / larger_offset()); }
  constexpr std::ptrdiff_t larger_offset() const { return sizes_.scratch > 0 ? sizes_.scratch : 1; }

  constexpr void list_kernels(text_lines& to) {
    plan_words<Tables> words(tables_, to.text);
    for (int i = 0; i < lives_.spans().size(); ++i) {
      words.number(i + 1);
      to.text.write(". ");
      words.head(tables_.kernels[lives_.spans()[i].kernel]);
      to.end_line();
    }
  }
  constexpr void list_buffers(text_lines& to) {
    for (storage_class where : {storage_class::input, storage_class::output, storage_class::constant, storage_class::scratch})
      for (int b = 0; b < sizes_.buffers; ++b) {
        if (tables_.buffers[b].where != where) continue;
        if (where == storage_class::scratch ? !buffers_.is_scratch(b) : where == storage_class::constant && !lives_.is_used(b)) continue;
        buffers_.describe(to.text, b);
        to.end_line();
      }
  }

  constexpr void axes() {
    int const parts = sizes_.scratch >= 4 * 64 ? 4 : 1;
    for (int i = 0; i <= parts; ++i) {
      std::ptrdiff_t const offset = sizes_.scratch * i / parts;
      text_buffer label;
      label.integer(offset);
      svg_.words(left - 6, y_of(offset) + 4, label.view(), svg_anchor::end);
      svg_.line(left - 4, y_of(offset), right_, y_of(offset), "#cccccc");
      if (sizes_.scratch == 0) break;
    }
    svg_.line(left, top, left, bottom, "black");
    svg_.line(left, bottom, right_, bottom, "black");
  }
  constexpr void rectangles() {
    int drawn = 0;
    for (int b = 0; b < sizes_.buffers; ++b) {
      if (!buffers_.is_scratch(b)) continue;
      buffer const& of = tables_.buffers[b];
      int const x = x_of(lives_.first(b)), y = y_of(of.offset + bytes_of(of));
      int const width = x_of(lives_.last(b) + 1) - x, tall = larger(y_of(of.offset) - y, 1);
      text_buffer title, label;
      buffers_.describe(title, b);
      plan_words<Tables> words(tables_, label);
      words.name(b);
      int const short_label = label.size();
      label.put(' ');
      words.bytes(b);
      svg_.rectangle(x, y, width, tall, colours[drawn++ % 6], title.view());
      std::string_view shown = label.view();
      if (svg_writer::width_of(shown) > width - 4) shown = shown.substr(0, static_cast<std::size_t>(short_label));
      if (svg_writer::width_of(shown) <= width - 4 && tall >= line) svg_.words(x + width / 2, y + tall / 2 + 4, shown, svg_anchor::middle);
    }
  }
  // The kernels as bars, with their numbers.
  constexpr void bars() {
    for (int i = 0; i < lives_.spans().size(); ++i) {
      kernel_span const& s = lives_.spans()[i];
      int const x = x_of(s.first), width = x_of(s.last + 1) - x, y = bottom + 4 + s.depth * line;
      text_buffer title, number;
      number.integer(i + 1);
      plan_words<Tables>(tables_, title).head(tables_.kernels[s.kernel]);
      svg_.rectangle(x, y, width, line, "#eeeeee", title.view());
      if (svg_writer::width_of(number.view()) <= width) svg_.words(x + width / 2, y + line - 4, number.view(), svg_anchor::middle);
    }
  }

  Tables const& tables_;
  plan_sizes sizes_;
  svg_writer svg_;
  plan_buffers<Tables> buffers_;
  buffer_lives<Tables> const& lives_;
  int unit_ = 0;   // the width of a unit of time
  int right_ = 0;  // where the picture ends
};

}  // namespace exprax::detail
