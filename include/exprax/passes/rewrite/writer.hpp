// SPDX-License-Identifier: BSL-1.0
// writer: the builder of passes that read one program and write another in one walk.
#pragma once

#include <exprax/primitives/list.hpp>
#include <exprax/program/builder.hpp>

namespace exprax::detail {

// A set of primitives.
struct prim_set {
  bool has[prim_count] = {};
  constexpr prim_set(std::initializer_list<prim> list) {
    for (prim p : list) has[static_cast<int>(p)] = true;
  }
};

// Entries below 0 in a map of values: no new value yet (-1), or an encoded equation or literal from which it is made when it is first read.
constexpr bool waits_in_map(int entry) { return entry < -1; }
constexpr int waiting(int of) { return -2 - of; }
constexpr int waited_for(int entry) { return -2 - entry; }

class writer : public program_builder {
 public:
  program_ref p;     // the program that is read
  int* map;          // for each value of p the new value, or less than 0
  int const* types;  // for each aval of p its index in the new program

  constexpr explicit writer(program_ref from) : p(from), map_(from.n.values, -1), type_(from.n.avals) {
    map = map_.at;
    types = type_.at;
    expect(p.n.eqns + 16);
    names.append(p.names, p.n.names);
    copy_types();
  }

 private:
  // Avals keep their indices; a weak one takes the index of an equal strong one. Passes write no weak types: only the front end needs
  // them.
  constexpr void copy_types() {
    int const n = p.n.avals;
    aval* to = avals.grow(n);
    for (int i = 0; i < n; ++i) {
      to[i] = p.avals[i];
      to[i].weak = false;
      type_.at[i] = i;
      if (p.avals[i].weak)
        for (int k = 0; k < n; ++k)
          if (!p.avals[k].weak && p.avals[k].matches(p.avals[i])) type_.at[i] = k;
    }
  }

  flat<int> map_;
  flat<int> type_;
};

}  // namespace exprax::detail
