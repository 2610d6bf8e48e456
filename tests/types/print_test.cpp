// SPDX-License-Identifier: BSL-1.0
// The expected texts are what print shows with NumPy 1.24.
#include <doctest/doctest.h>
#include <exprax/types/print.hpp>
#include <sstream>

namespace ex = exprax;

template <class A>
constexpr bool prints(A const& a, std::string_view expected) {
  return ex::array_str(a) == expected;
}
constexpr float none_such = __builtin_nanf(""), inf = __builtin_inff();

static_assert(prints(ex::array<float, 2, 2>{{1, 0}, {0.5f, 3}}, "[[1.  0. ]\n [0.5 3. ]]"));
static_assert(prints(ex::array<int, 3>{1, -20, 3}, "[  1 -20   3]"));
static_assert(prints(ex::array<bool, 2, 2>{{true, false}, {false, false}}, "[[ True False]\n [False False]]"));
static_assert(prints(ex::array<float, 2, 0>(), "[]"));
static_assert(prints(ex::array<float, 5>{-1.5, none_such, inf, -inf, 2}, "[-1.5  nan  inf -inf  2. ]"));
static_assert(prints(ex::array<float, 2>{none_such, inf}, "[nan inf]"));
static_assert(prints(ex::array<float, 2>{0.3, 1.2345678e-7}, "[3.0000001e-01 1.2345679e-07]"));
static_assert(prints(ex::array<double, 2>{1e-310, 1e300}, "[1.e-310 1.e+300]"));
static_assert(prints(ex::array<double, 3>{1.0 / 3, 100.0 / 3, 999}, "[3.33333333e-01 3.33333333e+01 9.99000000e+02]"));
static_assert(prints(ex::array<double, 3>{1e5 / 3, 100.0 / 3, 999}, "[33333.33333333    33.33333333   999.        ]"));
static_assert(prints(ex::array<float, 2>{99999999, 1e6}, "[1.e+08 1.e+06]"));
static_assert(prints(ex::array<double, 2>{9.999999999, 0.5}, "[10.   0.5]"));
static_assert(prints(ex::array<float, 3>{0, -0.0, 7}, "[ 0. -0.  7.]"));
static_assert(prints(ex::array<std::uint64_t, 2>{std::uint64_t{18446744073709551615u}, 1}, "[18446744073709551615                    1]"));
static_assert(prints(ex::array<float, 2, 2, 2>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, "[[[1. 2.]\n  [3. 4.]]\n\n [[5. 6.]\n  [7. 8.]]]"));
static_assert(prints(ex::array<float>(0.1), "0.1"));
static_assert(prints(ex::array<float>(1e-4), "1e-04"));
static_assert(prints(ex::array<double>(1e16), "1e+16"));
static_assert(prints(ex::array<double>(123456789), "123456789.0"));
static_assert(prints(ex::array<bool>(true), "True"));

// With options: the examples of numpy.set_printoptions, array2string and array_repr.
constexpr bool prints(ex::array<double, 4> const& a, ex::printoptions const& options, std::string_view expected) {
  return ex::array_str(a, options) == expected;
}
constexpr ex::array<double, 4> differences{-0x1p-104, -0x1p-51, 0, 0};  // x**2 - (x + eps)**2 of 0, 1, 2, 3
static_assert(ex::array_str(ex::array<double, 1>{1.123456789}, {.precision = 4}) == "[1.1235]");
static_assert(ex::array_repr(ex::array<int, 10>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {.threshold = 5}) == "Array([0, 1, 2, ..., 7, 8, 9], dtype=int32)");
static_assert(prints(differences, {.precision = 4}, "[-4.9304e-32 -4.4409e-16  0.0000e+00  0.0000e+00]"));
static_assert(prints(differences, {.precision = 4, .suppress = true}, "[-0. -0.  0.  0.]"));
static_assert(prints({1e-16, 1, 2, 3}, {.precision = 2, .suppress = true}, "[0. 1. 2. 3.]"));
static_assert(prints({1e-6, 4e-7, 2, 3}, {.precision = 6, .suppress = true}, "[0.000001 0.       2.       3.      ]"));
static_assert(prints({0.0012, 0.5, 1, 0.999}, {.precision = 2}, "[0.  0.5 1.  1. ]"));
static_assert(prints({0.0006, 0.0004, 0.0005, 0.00096}, {.precision = 3}, "[0.001 0.    0.001 0.001]"));
static_assert(prints({0.5, 0.25, 0.75, 1.5}, {.precision = 0}, "[0. 0. 1. 2.]"));
static_assert(prints({1, 2.5, 1e9, 0}, {.precision = 3, .suppress = true}, "[1.0e+00 2.5e+00 1.0e+09 0.0e+00]"));
static_assert(prints({1, 2.5, 3, 4}, {.precision = 0}, "[1. 2. 3. 4.]"));
static_assert(ex::array_str(ex::array<std::complex<double>, 2>{std::complex(1.126, -2.0), std::complex(0.0, 0.5)}, {.precision = 2}) == "[1.13-2.j  0.  +0.5j]");
static_assert(ex::array_str(ex::array<int, 7>{0, 1, 2, 3, 4, 5, 6}, {.threshold = 6, .edgeitems = 1}) == "[0 ... 6]");
static_assert(ex::array_str(ex::array<int, 6>{10, 11, 12, 13, 14, 15}, {.linewidth = 10}) == "[10 11 12\n 13 14 15]");
static_assert(ex::array_str(ex::array<float>(0.123456f), {.precision = 2}) == "0.123456");  // a number has all digits

template <class T, int... D>
ex::array<T, D...> range() {
  ex::array<T, D...> a;
  T n = 0;
  for (T& x : a) x = n++;
  return a;
}

TEST_CASE("long lines are broken, big arrays are shortened") {
  CHECK(prints(range<int, 40>(), R"([ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39])"));
  CHECK(prints(range<int, 1001>(), R"([   0    1    2 ...  998  999 1000])"));
  CHECK(prints(range<float, 40, 50>(), R"([[0.000e+00 1.000e+00 2.000e+00 ... 4.700e+01 4.800e+01 4.900e+01]
 [5.000e+01 5.100e+01 5.200e+01 ... 9.700e+01 9.800e+01 9.900e+01]
 [1.000e+02 1.010e+02 1.020e+02 ... 1.470e+02 1.480e+02 1.490e+02]
 ...
 [1.850e+03 1.851e+03 1.852e+03 ... 1.897e+03 1.898e+03 1.899e+03]
 [1.900e+03 1.901e+03 1.902e+03 ... 1.947e+03 1.948e+03 1.949e+03]
 [1.950e+03 1.951e+03 1.952e+03 ... 1.997e+03 1.998e+03 1.999e+03]])"));
  CHECK(prints(range<int, 8, 8, 20>(), R"([[[   0    1    2 ...   17   18   19]
  [  20   21   22 ...   37   38   39]
  [  40   41   42 ...   57   58   59]
  ...
  [ 100  101  102 ...  117  118  119]
  [ 120  121  122 ...  137  138  139]
  [ 140  141  142 ...  157  158  159]]

 [[ 160  161  162 ...  177  178  179]
  [ 180  181  182 ...  197  198  199]
  [ 200  201  202 ...  217  218  219]
  ...
  [ 260  261  262 ...  277  278  279]
  [ 280  281  282 ...  297  298  299]
  [ 300  301  302 ...  317  318  319]]

 [[ 320  321  322 ...  337  338  339]
  [ 340  341  342 ...  357  358  359]
  [ 360  361  362 ...  377  378  379]
  ...
  [ 420  421  422 ...  437  438  439]
  [ 440  441  442 ...  457  458  459]
  [ 460  461  462 ...  477  478  479]]

 ...

 [[ 800  801  802 ...  817  818  819]
  [ 820  821  822 ...  837  838  839]
  [ 840  841  842 ...  857  858  859]
  ...
  [ 900  901  902 ...  917  918  919]
  [ 920  921  922 ...  937  938  939]
  [ 940  941  942 ...  957  958  959]]

 [[ 960  961  962 ...  977  978  979]
  [ 980  981  982 ...  997  998  999]
  [1000 1001 1002 ... 1017 1018 1019]
  ...
  [1060 1061 1062 ... 1077 1078 1079]
  [1080 1081 1082 ... 1097 1098 1099]
  [1100 1101 1102 ... 1117 1118 1119]]

 [[1120 1121 1122 ... 1137 1138 1139]
  [1140 1141 1142 ... 1157 1158 1159]
  [1160 1161 1162 ... 1177 1178 1179]
  ...
  [1220 1221 1222 ... 1237 1238 1239]
  [1240 1241 1242 ... 1257 1258 1259]
  [1260 1261 1262 ... 1277 1278 1279]]])"));
}

TEST_CASE("options shorten every axis") {
  CHECK(ex::array_str(range<int, 5, 5>(), {.threshold = 9, .edgeitems = 2}) == R"([[ 0  1 ...  3  4]
 [ 5  6 ...  8  9]
 ...
 [15 16 ... 18 19]
 [20 21 ... 23 24]])");
  std::ostringstream out;
  out << ex::array_str(ex::array<float, 2>{0.126f, 2}, {.precision = 2});
  CHECK(out.str() == "[0.13 2.  ]");
}

TEST_CASE("arrays and views go into any stream") {
  std::ostringstream out;
  ex::array<float, 3> a{1, 2.5, 3};
  out << a << " is " << ex::view<float const, 3>(a) << ", a number is " << ex::array<int>(7) << '\n';
  CHECK(out.str() == "[1.  2.5 3. ] is [1.  2.5 3. ], a number is 7\n");
}

// ---- As JAX shows them: numpy.array2string with commas, behind "Array("

template <class A>
constexpr bool shows(A const& a, std::string_view expected) {
  return ex::array_repr(a) == expected;
}
template <int N>
constexpr ex::array<int, N> count() {
  ex::array<int, N> a;
  for (int i = 0; i < N; ++i) a(i) = i;
  return a;
}
static_assert(shows(count<3>(), "Array([0, 1, 2], dtype=int32)"));
static_assert(shows(ex::array<float, 2, 2>{{1, 2}, {3, 4}}, "Array([[1., 2.],\n       [3., 4.]], dtype=float32)"));
static_assert(shows(ex::array<float>(3), "Array(3., dtype=float32)"));
static_assert(shows(ex::array<bool>(true), "Array(True, dtype=bool)"));
static_assert(shows(ex::array<bool, 2>{true, false}, "Array([ True, False], dtype=bool)"));
static_assert(shows(ex::array<float, 5>{0, 0.25f, 0.5f, 0.75f, 1}, "Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)"));
static_assert(shows(ex::array<float, 0>(), "Array([], shape=(0,), dtype=float32)"));
static_assert(shows(ex::array<double, 2, 0>(), "Array([], shape=(2, 0), dtype=float64)"));
static_assert(shows(count<30>(),
                    "Array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16,\n"
                    "       17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29], dtype=int32)"));
static_assert(shows(ex::array<int, 1, 2, 2>{{{1, 2}, {3, 4}}}, "Array([[[1, 2],\n        [3, 4]]], dtype=int32)"));
static_assert(shows(ex::array<int, 2, 1, 2>{{{1, 2}}, {{3, 4}}}, "Array([[[1, 2]],\n\n       [[3, 4]]], dtype=int32)"));

TEST_CASE("long arrays are shown with an ellipsis") {
  auto const a = count<1001>();
  CHECK(ex::array_repr(a) == std::string_view("Array([   0,    1,    2, ...,  998,  999, 1000], dtype=int32)"));
}
