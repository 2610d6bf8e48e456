// SPDX-License-Identifier: BSL-1.0
// What the tests that run on microcontrollers use of doctest, without streams, locks and exceptions.
#pragma once

namespace doctest {

struct test_case {
  static inline test_case* first = nullptr;
  void (*run)();
  test_case* next;
  explicit test_case(void (*f)()) : run(f), next(first) { first = this; }
};
inline int checks = 0, failures = 0;
void print(char const* text);  // start.cpp

inline void check(bool passed, char const* text) {
  ++checks;
  if (passed) return;
  ++failures;
  print("failed: ");
  print(text);
  print("\n");
}

// Equal but for so small a part of it.
class Approx {
 public:
  explicit Approx(double value) : value_(value) {}
  Approx& epsilon(double part) {
    epsilon_ = part;
    return *this;
  }
  friend bool operator==(double x, Approx const& a) {
    double const distance = x < a.value_ ? a.value_ - x : x - a.value_;
    return distance < a.epsilon_ * (1 + (a.value_ < 0 ? -a.value_ : a.value_));
  }

 private:
  double value_;
  double epsilon_ = 1e-5;
};

template <class... T>
void not_shown(T const&...) {}

}  // namespace doctest

#define EXPRAX_JOINED(a, b) a##b
#define EXPRAX_NAMED(a, b) EXPRAX_JOINED(a, b)
#define TEST_CASE(name)                                                                                      \
  static void EXPRAX_NAMED(test_case_, __LINE__)();                                                          \
  static doctest::test_case EXPRAX_NAMED(registered_, __LINE__)(EXPRAX_NAMED(test_case_, __LINE__)); \
  static void EXPRAX_NAMED(test_case_, __LINE__)()
#define CHECK(...) doctest::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__)
#define INFO(...) doctest::not_shown(__VA_ARGS__)
#define CAPTURE(x) doctest::not_shown(x)
