// SPDX-License-Identifier: BSL-1.0
// svg_writer: rectangles, lines and words as an SVG picture (W3C, SVG 1.1), in pixels.
#pragma once

#include <string_view>

#include <exprax/base/text_buffer.hpp>

namespace exprax::detail {

enum class svg_anchor { start, middle, end };

class svg_writer {
 public:
  static constexpr int line_height = 16;

  constexpr explicit svg_writer(text_buffer& to) : to_(to) {}

  // How wide a text is; its letters have one width.
  static constexpr int width_of(std::string_view text) { return (static_cast<int>(text.size()) * 29 + 3) / 4; }

  constexpr void begin(int width, int height) {
    to_.write("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    number("width", width);
    number("height", height);
    to_.write(" font-family=\"monospace\" font-size=\"12\">\n<rect");
    number("width", width);
    number("height", height);
    to_.write(" fill=\"white\"/>\n");
  }
  constexpr void end() { to_.write("</svg>\n"); }

  // The title is shown where the pointer is.
  constexpr void rectangle(int x, int y, int width, int height, std::string_view fill, std::string_view title) {
    to_.write("<rect");
    number("x", x);
    number("y", y);
    number("width", width);
    number("height", height);
    to_.write(" fill=\"");
    to_.write(fill);
    to_.write("\" stroke=\"black\"><title>");
    escaped(title);
    to_.write("</title></rect>\n");
  }
  constexpr void line(int x1, int y1, int x2, int y2, std::string_view stroke) {
    to_.write("<line");
    number("x1", x1);
    number("y1", y1);
    number("x2", x2);
    number("y2", y2);
    to_.write(" stroke=\"");
    to_.write(stroke);
    to_.write("\"/>\n");
  }
  // x: where the text starts, has its middle, or ends. y: its base line.
  constexpr void words(int x, int y, std::string_view text, svg_anchor at = svg_anchor::start) {
    to_.write("<text");
    number("x", x);
    number("y", y);
    if (at != svg_anchor::start) to_.write(at == svg_anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"");
    to_.put('>');
    escaped(text);
    to_.write("</text>\n");
  }

 private:
  constexpr void number(std::string_view attribute, int n) {
    to_.put(' ');
    to_.write(attribute);
    to_.write("=\"");
    to_.integer(n);
    to_.put('"');
  }
  constexpr void escaped(std::string_view text) {
    for (char c : text) {
      if (c == '<') to_.write("&lt;");
      else if (c == '>') to_.write("&gt;");
      else if (c == '&') to_.write("&amp;");
      else to_.put(c);
    }
  }

  text_buffer& to_;
};

}  // namespace exprax::detail
