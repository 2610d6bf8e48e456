// SPDX-License-Identifier: BSL-1.0
// What a subscript text such as "ij,jk->ik" says of the shapes of its operands, and in which order they are multiplied: the
// cheapest of all orders for up to 8 operands (dynamic programming over sets of operands, as opt_einsum's), else pair by pair.
#pragma once

#include <string_view>

#include <exprax/base/arena.hpp>
#include <exprax/types/aval.hpp>

namespace exprax::detail {

enum class einsum_mistake { none, character, operands, rank, sizes, unknown_output, repeated_output, ellipsis };

// An index is a bit: letters first, then the axes that an ellipsis stands for, counted from the last one.
inline constexpr int einsum_ellipsis = 52;
constexpr int index_of_letter(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return 26 + c - 'a';
  return -1;
}

// The indices of an operand, or of the result.
struct index_list {
  int of[2 * max_rank] = {};
  int n = 0;
  constexpr void push(int i) {
    if (n < 2 * max_rank) of[n++] = i;
  }
  constexpr int find(int i) const {
    for (int k = 0; k < n; ++k)
      if (of[k] == i) return k;
    return -1;
  }
  constexpr int count(int i) const {
    int c = 0;
    for (int k = 0; k < n; ++k) c += of[k] == i;
    return c;
  }
  constexpr bool operator==(index_list const& o) const {
    if (n != o.n) return false;
    for (int k = 0; k < n; ++k)
      if (of[k] != o.of[k]) return false;
    return true;
  }
  constexpr void erase(int at) {
    for (int k = at; k + 1 < n; ++k) of[k] = of[k + 1];
    --n;
  }
  constexpr std::uint64_t mask() const {
    std::uint64_t m = 0;
    for (int k = 0; k < n; ++k) m |= std::uint64_t(1) << of[k];
    return m;
  }
};

inline constexpr int max_einsum_operands = 16;

struct einsum_subscripts {
  index_list in[max_einsum_operands];
  index_list out;
  int n = 0;
  int size[64] = {};
  einsum_mistake wrong = einsum_mistake::none;

  constexpr void blame(einsum_mistake m) {
    if (wrong == einsum_mistake::none) wrong = m;
  }
};

// One term: letters and at most one ellipsis, which stands for so many axes.
constexpr index_list read_term(std::string_view text, int ellipsis_axes, einsum_subscripts& s) {
  index_list l;
  bool seen = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text[i] == '.') {
      if (seen || text.substr(i, 3) != "...") s.blame(einsum_mistake::ellipsis);
      if (text.substr(i, 3) == "...") i += 2;
      seen = true;
      for (int k = ellipsis_axes - 1; k >= 0; --k) l.push(einsum_ellipsis + k);
      continue;
    }
    int const index = index_of_letter(text[i]);
    if (index < 0) s.blame(einsum_mistake::character);
    else l.push(index);
  }
  return l;
}
constexpr int letters_in(std::string_view text) {
  int n = 0;
  for (char c : text) n += index_of_letter(c) >= 0;
  return n;
}

constexpr einsum_subscripts read_subscripts(std::string_view text, aval const* operands, int n) {
  einsum_subscripts s;
  s.n = n;
  std::size_t const arrow = text.find("->");
  std::string_view inputs = text.substr(0, arrow);
  int widest = 0, count = 0;
  bool seen[64] = {};
  for (std::size_t begin = 0; begin <= inputs.size(); ++count) {
    std::size_t end = inputs.find(',', begin);
    if (end == std::string_view::npos) end = inputs.size();
    if (count >= n || count >= max_einsum_operands) {
      s.blame(einsum_mistake::operands);
      return s;
    }
    std::string_view const term = inputs.substr(begin, end - begin);
    bool const ellipsis = term.find('.') != std::string_view::npos;
    int const axes = ellipsis ? operands[count].rank - letters_in(term) : 0;
    if (axes < 0) s.blame(einsum_mistake::rank);
    widest = axes > widest ? axes : widest;
    index_list& l = s.in[count] = read_term(term, axes, s);
    if (l.n != operands[count].rank) s.blame(einsum_mistake::rank);
    for (int k = 0; k < l.n && k < operands[count].rank; ++k) {
      int const size = operands[count].dims[k], i = l.of[k];
      // An axis of 1 broadcasts.
      if (!seen[i]) s.size[i] = size, seen[i] = true;
      else if (s.size[i] == 1) s.size[i] = size;
      else if (size != 1 && size != s.size[i]) s.blame(einsum_mistake::sizes);
    }
    begin = end + 1;
  }
  if (count != n) s.blame(einsum_mistake::operands);
  std::uint64_t all = 0;
  for (int k = 0; k < n && k < max_einsum_operands; ++k) all |= s.in[k].mask();
  if (arrow != std::string_view::npos) {
    s.out = read_term(text.substr(arrow + 2), widest, s);
    for (int k = 0; k < s.out.n; ++k) {
      if (!(all >> s.out.of[k] & 1)) s.blame(einsum_mistake::unknown_output);
      if (s.out.count(s.out.of[k]) > 1) s.blame(einsum_mistake::repeated_output);
    }
  } else {
    // What appears once, in alphabetical order, behind the axes of the ellipses.
    for (int k = widest - 1; k >= 0; --k) s.out.push(einsum_ellipsis + k);
    for (int i = 0; i < einsum_ellipsis; ++i) {
      int total = 0;
      for (int k = 0; k < n; ++k) total += s.in[k].count(i);
      if (total == 1) s.out.push(i);
    }
  }
  if (s.out.n > max_rank) s.blame(einsum_mistake::rank);
  return s;
}

// The pairs to multiply, as places in the list of what is left; the product takes the place of its first operand.
struct einsum_path {
  int first[max_einsum_operands] = {}, second[max_einsum_operands] = {};
  int n = 0;
};

class einsum_planner {
 public:
  constexpr explicit einsum_planner(einsum_subscripts const& s) : s_(s) {
    for (int k = 0; k < s.n; ++k) masks_[k] = s.in[k].mask();
  }
  constexpr einsum_path run() {
    for (int k = 0; k < s_.n; ++k) list_[k] = 1 << k;
    n_ = s_.n;
    if (s_.n <= 2) {
      if (s_.n == 2) take(1, 2);
    } else if (s_.n <= 8) {
      find_best();
      contract((1 << s_.n) - 1);
    } else {
      while (n_ > 1) take_cheapest();
    }
    return path_;
  }

 private:
  // The indices of the product of a set: those that the result or another operand needs.
  constexpr std::uint64_t left_of(int set) const {
    std::uint64_t inside = 0, outside = s_.out.mask();
    for (int k = 0; k < s_.n; ++k) (set >> k & 1 ? inside : outside) |= masks_[k];
    return inside & outside;
  }
  // Multiplications, and additions where something is summed. Of two orders that cost the same, the one counts less in which a vector
  // is multiplied by a matrix, not a matrix by a vector: it sums rows, not along rows.
  constexpr double cost(std::uint64_t first, std::uint64_t second, std::uint64_t kept) const {
    std::uint64_t const all = first | second;
    double n = all == kept ? 1 : 2;
    if ((second & kept & ~first) == 0 && (first & kept & ~second) != 0) n *= 1.01;
    for (int i = 0; i < 64; ++i)
      if (all >> i & 1) n *= s_.size[i] > 1 ? s_.size[i] : 1;
    return n;
  }
  constexpr void find_best() {
    int const all = (1 << s_.n) - 1;
    for (int set = 1; set <= all; ++set) left_[set] = left_of(set);
    for (int k = 0; k < s_.n; ++k) left_[1 << k] = masks_[k];
    for (int set = 1; set <= all; ++set) {
      if ((set & (set - 1)) == 0) continue;
      bool found = false;
      for (int part = (set - 1) & set; part > 0; part = (part - 1) & set) {
        int const rest = set ^ part;
        if (part < rest) continue;
        bool const in_order = (part & -part) < (rest & -rest);
        double const c = best_[part] + best_[rest] + cost(left_[in_order ? part : rest], left_[in_order ? rest : part], left_[set]);
        if (!found || c < best_[set]) best_[set] = c, split_[set] = part, found = true;
      }
    }
  }
  constexpr void contract(int set) {
    if ((set & (set - 1)) == 0) return;
    int const part = split_[set], rest = set ^ part;
    contract(rest);
    contract(part);
    take(part, rest);
  }
  constexpr void take(int a, int b) {
    int p = 0, q = 0;
    for (int k = 0; k < n_; ++k) {
      if (list_[k] == a) p = k;
      if (list_[k] == b) q = k;
    }
    take_places(p, q);
  }
  constexpr void take_places(int p, int q) {
    int const low = p < q ? p : q, high = p < q ? q : p, both = list_[low] | list_[high];
    path_.first[path_.n] = low;
    path_.second[path_.n++] = high;
    list_[low] = both;
    for (int k = high; k + 1 < n_; ++k) list_[k] = list_[k + 1];
    --n_;
  }
  constexpr void take_cheapest() {
    double least = -1;
    int p = 0, q = 1;
    for (int i = 0; i < n_; ++i)
      for (int k = i + 1; k < n_; ++k) {
        double const c = cost(left_of(list_[i]), left_of(list_[k]), left_of(list_[i] | list_[k]));
        if (least < 0 || c < least) least = c, p = i, q = k;
      }
    take_places(p, q);
  }

  einsum_subscripts const& s_;
  std::uint64_t masks_[max_einsum_operands] = {}, left_[256] = {};
  double best_[256] = {};
  int split_[256] = {};
  int list_[max_einsum_operands] = {};
  int n_ = 0;
  einsum_path path_;
};

}  // namespace exprax::detail
