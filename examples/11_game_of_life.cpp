// SPDX-License-Identifier: BSL-1.0
// Conway's Game of Life on a torus: the neighbours of all cells are eight rolled copies of the board. A glider comes again after four
// generations, one row lower and one column to the right; the compiler plays them.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

// A cell lives in the next generation if it has three neighbours, or two and lives already.
constexpr auto next = [](auto board) {
  auto const rows = board + ex::roll<1>(board, ex::axis<0>) + ex::roll<-1>(board, ex::axis<0>);
  auto const around = rows + ex::roll<1>(rows, ex::axis<1>) + ex::roll<-1>(rows, ex::axis<1>) - board;
  return ex::astype<int>((around == 3) | ((around == 2) & (board == 1)));
};

constexpr auto play = [](auto board, auto generations) {
  return ex::fori_loop(0, generations, [](auto, auto b) { return next(b); }, board);
};

using board = ex::array<int, 6, 8>;
constexpr board glider{{0, 1, 0, 0, 0, 0, 0, 0},  //
                       {0, 0, 1, 0, 0, 0, 0, 0},  //
                       {1, 1, 1, 0, 0, 0, 0, 0},  //
                       {0, 0, 0, 0, 0, 0, 0, 0},  //
                       {0, 0, 0, 0, 0, 0, 0, 0},  //
                       {0, 0, 0, 0, 0, 0, 0, 0}};

static_assert(ex::jit(play)(glider, 4) == ex::roll<1, 1>(glider, ex::axis<0, 1>));

void print(board const& b) {
  for (int i = 0; i < board::extent(0); ++i) {
    for (int j = 0; j < board::extent(1); ++j) std::cout << (b(i, j) ? '#' : '.');
    std::cout << '\n';
  }
  std::cout << ex::sum(b) << " cells\n\n";
}

int main() {
  for (int generations : {0, 1, 2, 3, 4}) {
    std::cout << "generation " << generations << ":\n";
    print(ex::jit(play)(glider, generations));
  }
  // Once around the torus: 24 rows down, and 24 columns to the right.
  std::cout << "after 96 generations: " << (ex::jit(play)(glider, 96) == glider ? "as at first" : "not as at first") << '\n';
}
