// SPDX-License-Identifier: BSL-1.0
// document: text with groups and breaks, laid out as by jax._src.pretty_printer (Wadler 1998, Lindig 2000): a group whose flat text fits
// into the rest of 80 columns stays on its line; otherwise each of its own breaks is a new line. Text after the group is not considered.
#pragma once

#include <exprax/base/format.hpp>

namespace exprax::detail {

class document {
 public:
  text_buffer text;

  // Groups nest; shift is the indentation relative to that of the enclosing group.
  constexpr void open(int shift) {
    opened_.push(tokens_.size());
    add(token_kind::open, shift, text.size() + breaks_);
  }
  constexpr void close() {
    token& t = tokens_[opened_.back()];
    t.width = text.size() + breaks_ - t.width;
    opened_.pop();
    add(token_kind::close, 0, 0);
  }
  // A break of the group: nothing, a space or "; " when flat. shift is relative to the group's indentation.
  constexpr void empty_break(int shift) { add(token_kind::line, shift, 0); }
  constexpr void space_break(int shift) {
    ++breaks_;
    add(token_kind::line, shift, 1);
  }
  constexpr void semicolon_break(int shift) {
    breaks_ += 2;
    add(token_kind::line, shift, 2);
  }
  // A break that is a group of its own: a space, or a new line where not even the space fits.
  constexpr void fill_break(int shift) {
    ++breaks_;
    add(token_kind::fill, shift, 1);
  }
  // Always a new line.
  constexpr void new_line() { add(token_kind::line, 0, 0); }

  // Writes the document: sink.write(char const*, n).
  template <class Sink>
  constexpr void render(Sink& sink) const {
    arena<frame> frames;
    frame now{0, false};
    int column = 0, from = 0;
    for (token const& t : tokens_) {
      if (t.text_end != from) sink.write(text.data() + from, t.text_end - from);
      column += t.text_end - from;
      from = t.text_end;
      if (t.kind == token_kind::open) {
        frames.push(now);
        now = {now.indent + t.shift, column + t.width <= page_width};
      } else if (t.kind == token_kind::close) {
        now = frames.back();
        frames.pop();
      } else if (t.kind == token_kind::line ? now.flat : column + 1 <= page_width) {
        if (t.width != 0) sink.write(&flat_breaks[2 - t.width], t.width);
        column += t.width;
      } else {
        column = now.indent + t.shift;
        sink.write("\n", 1);
        for (int left = column; left > 0; left -= blank_count) sink.write(blanks, left < blank_count ? left : blank_count);
      }
    }
    if (text.size() != from) sink.write(text.data() + from, text.size() - from);
  }

 private:
  enum class token_kind : signed char { open, close, line, fill };
  struct token {
    int text_end = 0;  // the text before it, starting at the text_end of the previous token
    token_kind kind{};
    short shift = 0;
    int width = 0;
  };
  struct frame {
    int indent = 0;
    bool flat = false;
  };
  static constexpr int page_width = 80;
  static constexpr char flat_breaks[] = "; ";
  static constexpr int blank_count = 32;
  static constexpr char blanks[] = "                                ";

  constexpr void add(token_kind kind, int shift, int width) { tokens_.push({text.size(), kind, static_cast<short>(shift), width}); }
  arena<token> tokens_;
  arena<int> opened_;
  int breaks_ = 0;  // the flat width of all breaks so far
};

}  // namespace exprax::detail
