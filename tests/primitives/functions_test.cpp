// SPDX-License-Identifier: BSL-1.0
// Elementwise functions of floats on inputs and results of StableHLO's test data (stablehlo/testdata, made by JAX), in constant evaluation
// and in packs. Those results have errors of their own; tests/accuracy measures ours.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/all.hpp>

namespace {

using namespace exprax;

template <class T>
constexpr T number(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<simd::detail::bits_of<T>>(bits));
}

// Operands and result, as bits.
struct unary_row {
  std::uint64_t x, r;
};
struct binary_row {
  std::uint64_t x, y, r;
};
constexpr std::uint64_t operand(unary_row const& row, int) { return row.x; }
constexpr std::uint64_t operand(binary_row const& row, int k) { return k == 0 ? row.x : row.y; }

template <prim P, class V>
constexpr V kernel_of(V const* x) {
  if constexpr (primitive<P>::traits.arity == 1) return primitive<P>::kernel(x[0]);
  else return primitive<P>::kernel(x[0], x[1]);
}
template <class T>
constexpr bool close(T a, T b, int tolerance) {
  if (a != a || b != b) return a != a && b != b;
  if (a == b) return true;
  T const error = a < b ? b - a : a - b, size = b < 0 ? -b : b;
  return error <= (size < 1 ? T(1) : size) * std::numeric_limits<T>::epsilon() * static_cast<T>(tolerance);
}
// Of how many units of the last place, of 1 for smaller results, the test data is sure.
constexpr int tolerance(prim p) { return p == prim::lgamma || p == prim::digamma ? 64 : p == prim::atanh ? 24 : 4; }
template <prim P, class T, class Row, int N>
constexpr bool agrees(Row const (&rows)[N]) {
  for (Row const& row : rows) {
    lane<T> const x[] = {lane<T>(number<T>(operand(row, 0))), lane<T>(number<T>(operand(row, 1)))};
    if (!close(kernel_of<P>(x).value, number<T>(row.r), tolerance(P))) return false;
  }
  return true;
}
#if EXPRAX_SIMD
template <prim P, class T, class Row, int N>
void check_packs(Row const (&rows)[N]) {
  using V = simd::pack<T, 8>;
  INFO(std::string(primitive<P>::name));
  T in[2][8] = {}, out[8];
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 2; ++k) in[k][i] = number<T>(operand(rows[i], k));
  V const x[] = {simd::load<T, 8>(in[0]), simd::load<T, 8>(in[1])};
  simd::store(kernel_of<P>(x), out);
  for (int i = 0; i < N; ++i) CHECK(close(out[i], number<T>(rows[i].r), tolerance(P)));
}
#endif

constexpr unary_row exp_float32[] = {{0xc04ac7b2, 0x3d2c50cc}, {0x4081bc2a, 0x42668f82}, {0x400eb5db, 0x4114c686}, {0xc08807fd,
    0x3c697a38}, {0xc0098a02, 0x3deec965}, {0x409e2a63, 0x430c24ff}, {0xc0492e4d, 0x3d30acf3}, {0xbfec4154, 0x3e21b298}};
static_assert(agrees<prim::exp, float>(exp_float32));
constexpr unary_row exp_float64[] = {{0x4003301aca1ab972, 0x40260357b426a197}, {0xc01ac0c457381dd8, 0x3f5467d84f41cefa},
    {0xc00befea6c4889bf, 0x3f9f2a7a490d44c3}, {0x400566c2ac07df39, 0x402d07a184bcacba}, {0x400f3d28811b3a30, 0x4048d255fcd1a2f6},
    {0xbff0ab8f20986980, 0x3fd69419301fae4c}, {0x4010f3256909630c, 0x40514ec72e546d92}, {0x401223720de799ce, 0x40574c01cc4bdc17}};
static_assert(agrees<prim::exp, double>(exp_float64));
constexpr unary_row expm1_float32[] = {{0xbf88aa0b, 0xbf27fc97}, {0xbf45ba43, 0xbf09bfe8}, {0x3f533e49, 0x3fa42152}, {0xbee654c3,
    0xbeb97d8e}, {0x3f178a70, 0x3f4eb9ae}, {0xbfef8d06, 0xbf589a67}, {0xbf918780, 0xbf2de044}, {0x40645fc5, 0x4209d4dd}};
static_assert(agrees<prim::expm1, float>(expm1_float32));
constexpr unary_row expm1_float64[] = {{0xbfffad0585791364, 0xbfeb94a4fdb6895e}, {0xbfdceebb135c4d74, 0xbfd746b69368eb7c},
    {0xbfd702526d10d346, 0xbfd353beda79c1b4}, {0x3ff2398a5cad7e91, 0x4000fd872eee67f2}, {0xc00036fd6a84f0df, 0xbfebc8b49fd1d726},
    {0xc010b944c46d43b5, 0xbfef82ca697fc5a1}, {0xbfd184530ea767d0, 0xbfcea5ffc07eaf98}, {0xc014269fc381e19a, 0xbfefcad88f68f6ec}};
static_assert(agrees<prim::expm1, double>(expm1_float64));
constexpr unary_row log_float32[] = {{0xbf33b3c2, 0xffffffff}, {0x3f8f002c, 0x3de2f51b}, {0x40a2837e, 0x3fd000da}, {0x3f979bf6,
    0x3e2d56b3}, {0x400688d0, 0x3f3e311f}, {0x3ed048bf, 0xbf66407a}, {0x4082a963, 0x3fb4147e}, {0x400b3f89, 0x3f470208}};
static_assert(agrees<prim::log, float>(log_float32));
constexpr unary_row log_float64[] = {{0xc00263e6d03b41b4, 0x7ff8000000000000}, {0x3fdaab69da64907e, 0xbfec02f19a310fc6},
    {0x3ff7206705a0667f, 0x3fd793c27c2d57d0}, {0x40042ec66ce4f652, 0x3fed9cc108d63d7d}, {0x3fce5a937cf141a8, 0xbff706963c8829fe},
    {0x3ff88d2ddcdcc499, 0x3fdb675b97b92e30}, {0x3ff6233e0b9957ce, 0x3fd4c7bfee90b2d3}, {0x400823dd47e6dc68, 0x3ff1abc189a689f1}};
static_assert(agrees<prim::log, double>(log_float64));
constexpr unary_row log1p_float32[] = {{0x4045ffb4, 0x3fb46916}, {0xbf872b74, 0xffffffff}, {0x4012d6b8, 0x3f989a5b}, {0x406c9c42,
    0x3fc601de}, {0x3fc803e4, 0x3f70e752}, {0x4038ddfc, 0x3fadd420}, {0x3fbc2378, 0x3f677665}, {0x3faa1e4a, 0x3f587014}};
static_assert(agrees<prim::log1p, float>(log1p_float32));
constexpr unary_row log1p_float64[] = {{0x400ad9abc90db2c1, 0x3ff78bc0f30f1e06}, {0x3ffc533f234afea4, 0x3ff04dad7239284d},
    {0x400c3226db65a9f0, 0x3ff826ee26348d53}, {0xbfe91e79426f1bfd, 0xbff897759dcb0522}, {0x3fdd751efc6454a6, 0x3fd83b5f194ff6a8},
    {0x3fe8229c48b868ca, 0x3fe1fc2049598f8b}, {0x3ff54afa014141f6, 0x3feb142e9a6247aa}, {0x3fea6c9bfb739b96, 0x3fe3438b7f00da4c}};
static_assert(agrees<prim::log1p, double>(log1p_float64));
constexpr unary_row logistic_float32[] = {{0x3f05642c, 0x3f209cfe}, {0x3c85e20b, 0x3f010bc3}, {0x405c29ef, 0x3f780c04}, {0x3f2870ec,
    0x3f28a771}, {0xc012686f, 0x3dbcbac8}, {0x3e5932c7, 0x3f0d8634}, {0xbfb28c54, 0x3e4b6479}, {0x40acc053, 0x3f7ed8e2}};
static_assert(agrees<prim::logistic, float>(logistic_float32));
constexpr unary_row logistic_float64[] = {{0xbff2c73a645c2932, 0x3fce3bba23f8db45}, {0xbfc43034458d9b0d, 0x3fdd7b4f73d5344f},
    {0xc00b71191550e05a, 0x3fa00ef5d3ce3754}, {0x3ff20c640fddf17d, 0x3fe82cd859395199}, {0xbfdb5936da77ae76, 0x3fd943da62ae19ca},
    {0xc00b30859a088808, 0x3fa08e641e37cf6f}, {0xbff0b1d9d780aaaf, 0x3fd0abe06c625500}, {0xbfea882c5b34f2d4, 0x3fd371f5e66a80a6}};
static_assert(agrees<prim::logistic, double>(logistic_float64));
constexpr unary_row rsqrt_float32[] = {{0x40804aaa, 0x3effb576}, {0x4071c4a1, 0x3f03b6ac}, {0xbf7afa5e, 0xffc00000}, {0x3f08f2f2,
    0x3faf0149}, {0x3fd13929, 0x3f483c27}, {0x404f9145, 0x3f0e26b0}, {0x40a5fddb, 0x3ee0cd89}, {0x40618140, 0x3f086162}};
static_assert(agrees<prim::rsqrt, float>(rsqrt_float32));
constexpr unary_row rsqrt_float64[] = {{0x3fcf9bae18a7720c, 0x400019500db27ccb}, {0xbfed2c1ba576fb4e, 0xfff8000000000000},
    {0x3fdbf808cef80ad0, 0x3ff834037bd86856}, {0x400dcb351ba99bfc, 0x3fe094f21a0f254c}, {0x3ffe25b4ceaf257a, 0x3fe74ff56052d73f},
    {0x3ffd822231e9c854, 0x3fe79039cc19ccba}, {0x3fd9de7299f439ee, 0x3ff92a97a204b067}, {0x4010d8861614b0da, 0x3fdf2fb2ff9a7b79}};
static_assert(agrees<prim::rsqrt, double>(rsqrt_float64));
constexpr unary_row cbrt_float32[] = {{0x402c1a6c, 0x3fb1ff43}, {0x3fc8fe8b, 0x3f94c6ce}, {0x3f5c7762, 0x3f738f91}, {0x401d739d,
    0x3faccba4}, {0xc034ed6e, 0xbfb4fd1c}, {0x3ea9feb8, 0x3f31446f}, {0x3f003d7b, 0x3f4b5078}, {0xbf025638, 0xbf4c6a97}};
static_assert(agrees<prim::cbrt, float>(cbrt_float32));
constexpr unary_row cbrt_float64[] = {{0x400a74498e605d32, 0x3ff7d65251ea460f}, {0x40074e80952baefb, 0x3ff6da026b1eacb6},
    {0xbfe65f142c70b9ef, 0xbfec669cdf094fba}, {0x3ffe70fef77a2fe0, 0x3ff3d373e2553bc3}, {0x3fdabb8b2b11b2af, 0x3fe7eba63852b5ea},
    {0xc00a5ac61c7ca99d, 0xbff7cea61539b6e4}, {0xbfc02d9bce62e3ed, 0xbfe00f259421efab}, {0xbfe74ab5203d82b0, 0xbfecc8fcb4ba8689}};
static_assert(agrees<prim::cbrt, double>(cbrt_float64));
constexpr unary_row sin_float32[] = {{0xbfe6ef63, 0xbf790f46}, {0x401681a7, 0x3f35d673}, {0xbfb5da37, 0xbf7d1f5f}, {0x400197d4,
    0x3f660e76}, {0x3e7e2635, 0x3e7b8c4b}, {0x3f10a950, 0x3f0915a2}, {0x3ffcb3d2, 0x3f6b7278}, {0x3dbe63e8, 0x3dbe1dbb}};
static_assert(agrees<prim::sin, float>(sin_float32));
constexpr unary_row sin_float64[] = {{0xc004a3c2045fa544, 0xbfe10acdd2480400}, {0x400c7e04d35f768e, 0xbfda17d976ea515f},
    {0xc00263cadff06f55, 0xbfe7e3c2eeef6e8d}, {0xc003f1fd35561ef6, 0xbfe35377bc08b2f1}, {0xbfd66737e6419b1d, 0xbfd5f2ce7110da96},
    {0x3fd7bbf57df68c98, 0x3fd731a514158989}, {0xbff36d21fa7ebb72, 0xbfedfc7bddcc9ff0}, {0x3fed2aec93e29c88, 0x3fe94b19022eb4dc}};
static_assert(agrees<prim::sin, double>(sin_float64));
constexpr unary_row cos_float32[] = {{0x3f207b78, 0x3f4f52f2}, {0xc01b21ce, 0xbf40db91}, {0xbf26af00, 0x3f4ba02e}, {0xc01f0c3d,
    0xbf4aca6c}, {0xbe23ad1c, 0x3f7cbc99}, {0xbef09dce, 0x3f643f30}, {0xc0586658, 0xbf78aefe}, {0xbfd37818, 0xbda654e2}};
static_assert(agrees<prim::cos, float>(cos_float32));
constexpr unary_row cos_float64[] = {{0x3fe537c74f94a458, 0x3fe93838e78a5df0}, {0xbfed94a87009f4b5, 0x3fe3462cc63680bb},
    {0x3fe9db96a2ad11d4, 0x3fe61be6468015b1}, {0x3fe014b212298558, 0x3fec0b361fbcaca0}, {0xc0098fbc6f4faa04, 0xbfeff43d37d23b41},
    {0xc01262c882bdaa04, 0xbfbd9bfe5fa2d324}, {0x3fdf26a897dbbb2c, 0x3fec489f2e2056c3}, {0x3fba750c3b5440c7, 0x3fefd44a370be054}};
static_assert(agrees<prim::cos, double>(cos_float64));
constexpr unary_row tan_float32[] = {{0xbf9b5779, 0xc02b7db2}, {0xc0ac0a33, 0x3fa39ea0}, {0xc0298f91, 0x3f0945f8}, {0xc01b76a0,
    0x3f5d24f9}, {0x40178510, 0xbf7a471e}, {0xc0736256, 0xbf4735cf}, {0xbf96dbe3, 0xc01ab928}, {0x3f7be470, 0x3fc07bd3}};
static_assert(agrees<prim::tan, float>(tan_float32));
constexpr unary_row tan_float64[] = {{0xbfec254f6618b691, 0xbff3564a95d78a26}, {0x3fe151a985066022, 0x3fe33c1b393957f6},
    {0xc009f3c2fb2706b5, 0xbfba50888d1e0e2d}, {0xbfce32d7065c7c2c, 0xbfcec58b1853a547}, {0x400f588c3c3346af, 0x3fef71ce5759a327},
    {0xbfbf94e599fdcb34, 0xbfbfbe29bf7182f2}, {0xbffbded46e22b4c4, 0x401726181bd05040}, {0x3ffb810004a4896d, 0xc01acb06106d7d57}};
static_assert(agrees<prim::tan, double>(tan_float64));
constexpr unary_row asin_float32[] = {{0x3e684bb3, 0x3e6a55f0}, {0x403c3dad, 0xffc00000}, {0x3f2388d4, 0x3f3164ea}, {0xbf14f62c,
    0xbf1efc7b}, {0x3e990196, 0x3e9b615a}, {0x3e72690f, 0x3e74bbce}, {0x3eae4279, 0x3eb1d000}, {0xbe8047e8, 0xbe81a994}};
static_assert(agrees<prim::asin, float>(asin_float32));
constexpr unary_row asin_float64[] = {{0x40141cc663fcbbbf, 0xfff8000000000000}, {0xbfd550ab94037c88, 0xbfd5baf13529964c},
    {0xbfdbb959fa8fb670, 0xbfdcac78bd76a800}, {0x3fe009f1036090a0, 0x3fe0ccce2363f925}, {0x3fc99ec7fe884a58, 0x3fc9cb626ed85d01},
    {0x3fed867ae7f81196, 0x3ff2cc8c0bd62765}, {0x3fec16bb3567ab20, 0x3ff1239ff84f09d8}, {0x3fc0f3c2c089e2c8, 0x3fc1008c6f52be87}};
static_assert(agrees<prim::asin, double>(asin_float64));
constexpr unary_row acos_float32[] = {{0xbfc4988a, 0xffc00000}, {0x3f1bafe1, 0x3f6ac4ca}, {0xbf4ae5af, 0x401f1769}, {0x3f17861d,
    0x3f6ff917}, {0x3f25086a, 0x3f5ec6a2}, {0x3f19a234, 0x3f6d5877}, {0x3f443b45, 0x3f32874b}, {0x3e0a90ac, 0x3fb7b020}};
static_assert(agrees<prim::acos, float>(acos_float32));
constexpr unary_row acos_float64[] = {{0xbffb957291bbf8dc, 0xfff8000000000000}, {0x3febcbce9cf8a0a0, 0x3fe09679122ad4bb},
    {0x3fcf54e96e025994, 0x3ff52d135872e5c0}, {0xbfeb9ce61dae34b5, 0x4004e4ede0fc90c7}, {0xbfe0e3af34323bb2, 0x400103ae24993064},
    {0x3fef47723ec726f4, 0x3fcb38ac55a41339}, {0x3fe2e7c0fd027995, 0x3fee0a4ef924c633}, {0x3fc2b2f0d62202ba, 0x3ff6c97714667392}};
static_assert(agrees<prim::acos, double>(acos_float64));
constexpr unary_row atan_float32[] = {{0xc001328d, 0xbf8e30c2}, {0xbecb3393, 0xbec17092}, {0x3f55a29a, 0x3f3207f1}, {0xc0a73bbf,
    0xbfb0dc9b}, {0x4015562d, 0x3f953c9f}, {0xc018c3e5, 0xbf9647d1}, {0xc0bcf1e4, 0xbfb39661}, {0x4046eaa8, 0x3fa137bb}};
static_assert(agrees<prim::atan, float>(atan_float32));
constexpr unary_row atan_float64[] = {{0xbfe0ca4d746efbd2, 0xbfdeece129e5e5d6}, {0xc0113fe5a97db17c, 0xbff57ca885461d7c},
    {0xc01709d066fb23f8, 0xbff661d6bb41a3d5}, {0x3ffd7036e8993ae4, 0x3ff12acdf07d0a7d}, {0xc01092f78df5064b, 0xbff557ffce866325},
    {0xc015ef0e0e7b7f2e, 0xbff63f20631ea21b}, {0x3ffba7441765ef96, 0x3ff0bd82f27328c6}, {0xbffc900bdd65f3e8, 0xbff0f67ca253d8f6}};
static_assert(agrees<prim::atan, double>(atan_float64));
constexpr unary_row sinh_float32[] = {{0x3f845880, 0x3f9d3832}, {0xbf1bc88e, 0xbf2593e0}, {0x4029e785, 0x40e26b4d}, {0xbeeb758b,
    0xbef3d8ce}, {0x3fc21774, 0x400ac09a}, {0xbea64a58, 0xbea93aba}, {0xbf630403, 0xbf80fb04}, {0x40a70b30, 0x42b8f33e}};
static_assert(agrees<prim::sinh, float>(sinh_float32));
constexpr unary_row sinh_float64[] = {{0xbfeb61e03579c180, 0xbfeed934f51b1aaf}, {0xc00a67deff95ea2e, 0xc02b18633ec4685d},
    {0x4011e9157b3213d5, 0x404600dfacf90eb3}, {0xc00b7c29f8240e7d, 0xc02f04c76a16b8e1}, {0xbfe253e405b98dd2, 0xbfe358a5552dc368},
    {0xbfe59976d7f02edc, 0xbfe74701a8d08bb4}, {0x40072cb373d6dfa0, 0x40220fb5ab8680de}, {0xbfdfd05b1b97beba, 0xbfe091f7e824b87c}};
static_assert(agrees<prim::sinh, double>(sinh_float64));
constexpr unary_row cosh_float32[] = {{0x40b1edbd, 0x4301f2d2}, {0xbf7889af, 0x3fc1367d}, {0xc0d2336a, 0x43b21feb}, {0x402896d7,
    0x40e01080}, {0xc084377b, 0x41f93797}, {0x3f2058a8, 0x3f99f0a5}, {0xc009ed7b, 0x408beac0}, {0x3ea288e6, 0x3f868102}};
static_assert(agrees<prim::cosh, float>(cosh_float32));
constexpr unary_row cosh_float64[] = {{0x4001c34cc81e6181, 0x4012a371d682e7e0}, {0xc010a611cb1ed967, 0x40400e830a16a728},
    {0xc01195e0daa86308, 0x40444abb98906b41}, {0x400ca5866a068747, 0x4031f728724f7d3b}, {0x4005c99366fad937, 0x401e989bd1901edb},
    {0xbfdc25b7032bbdd8, 0x3ff1928ffe0d8a89}, {0x401621361ac1f8dc, 0x405f9862de829e27}, {0x400e2aabec4f785c, 0x4035b83d2be92453}};
static_assert(agrees<prim::cosh, double>(cosh_float64));
constexpr unary_row tanh_float32[] = {{0xc0a4aadc, 0xbf7ffb8e}, {0x402369ca, 0x3f7ceaf9}, {0xbff118c0, 0xbf746e52}, {0xbd3bc259,
    0xbd3ba0b5}, {0xc02f11e8, 0xbf7ddadb}, {0xbf681230, 0xbf382ea1}, {0xbe0ba7bd, 0xbe0acbb6}, {0xbfc20786, 0xbf6870e3}};
static_assert(agrees<prim::tanh, float>(tanh_float32));
constexpr unary_row tanh_float64[] = {{0xbff2c14bb7a465f1, 0xbfea662e9b455b09}, {0x3fd686aabe644a0e, 0x3fd5a3c621486c0e},
    {0xc00e20af043276be, 0xbfeff73a45c6f664}, {0x4013fcf6e70fe34d, 0x3fefff40748ffdb0}, {0xbfbcbffe7757a5ec, 0xbfbca13505406dc5},
    {0xc01940fe101e441a, 0xbfeffff23b921c89}, {0xc01116004ed4c673, 0xbfeffccea570f678}, {0x3fe82f1ad2fb27b2, 0x3fe46f23c30c1742}};
static_assert(agrees<prim::tanh, double>(tanh_float64));
constexpr unary_row asinh_float32[] = {{0xbf69e3e7, 0xbf51a7cb}, {0x40221c45, 0x3fd46782}, {0x3e9ebc6f, 0x3e9c4c16}, {0xbfed07b5,
    0xbfb00a93}, {0x40439ea2, 0x3feb07fd}, {0xc00749f9, 0xbfbf28fe}, {0x405a04c0, 0x3ff848d8}, {0x3ffd9b1a, 0x3fb7b5ec}};
static_assert(agrees<prim::asinh, float>(asinh_float32));
constexpr unary_row asinh_float64[] = {{0xbff347db1ec41e1c, 0xbff04ea2188283a5}, {0xc0138dc3a9b2af0b, 0xc00252944e7e4d65},
    {0x400577e077a4246a, 0x3ffb69bf8ed35e50}, {0x3ffc62e7add8fe5a, 0x3ff567b1b31469e4}, {0x40032e67d68b6e8a, 0x3ff9bc91738c63de},
    {0x4014627e05cedbec, 0x4002a6270d6823a1}, {0x4010c06f73b12e56, 0x40011d4f402ed79f}, {0xc0067841c4e0b58f, 0xbffc19388b7e16d2}};
static_assert(agrees<prim::asinh, double>(asinh_float64));
constexpr unary_row acosh_float32[] = {{0xc08768c2, 0xffffffff}, {0x40a4c9a5, 0x4014a3ee}, {0x40266fd0, 0x3fce09e8}, {0x404f91c8,
    0x3fec2b31}, {0x40006e0b, 0x3fa910dc}, {0x3f88bd39, 0x3ebc230e}, {0x4081decd, 0x400504b3}, {0x3f8ad483, 0x3ed1293e}};
static_assert(agrees<prim::acosh, float>(acosh_float32));
constexpr unary_row acosh_float64[] = {{0xbff4ade2b7b15043, 0xfff8000000000000}, {0x40137187f95debe3, 0x40021be0a15ef710},
    {0x4011a84551a14ec6, 0x400151c0f72463a4}, {0x400eafb68e129b7c, 0x4000292141ce4c97}, {0x4001ff0b32db9b71, 0x3ff7349aadd59ff2},
    {0x40183448da76d31c, 0x4003e4508bcaea0c}, {0x400154ae2e5faf10, 0x3ff6877aaa0173fd}, {0x3ff177c161580578, 0x3fdb3555926ff454}};
static_assert(agrees<prim::acosh, double>(acosh_float64));
constexpr unary_row atanh_float32[] = {{0x3ee52871, 0x3ef69c7b}, {0x3f57825b, 0x3f9d1c7d}, {0x3f92e63b, 0x7fc00000}, {0xbeae131a,
    0xbeb54a0e}, {0x3cf6fc31, 0x3cf70f5c}, {0x3eff9f23, 0x3f0c5ec9}, {0xbe16f9b7, 0xbe18157a}, {0xbbd1f0a0, 0xbbd1f15c}};
static_assert(agrees<prim::atanh, float>(atanh_float32));
constexpr unary_row atanh_float64[] = {{0x401c7960bb29eb7e, 0x7ff8000000000000}, {0x3fd98c5189bc1f86, 0x3fdb0d424532c694},
    {0xbfdc7f16838a9ab6, 0xbfdea424cc7d42e8}, {0x3fe7acb2147f78c5, 0x3fee674492b280f6}, {0xbfdf376d3912dad0, 0xbfe10f4570333637},
    {0xbfed8dd49d208250, 0xbff9cdc4121db357}, {0x3fe68f9a3ef68a1f, 0x3fec12478a504abc}, {0xbfe1e4b96d6fc0da, 0xbfe436469436a689}};
static_assert(agrees<prim::atanh, double>(atanh_float64));
constexpr unary_row erf_float32[] = {{0x403ec0b7, 0x3f7ffe5c}, {0x3fefc719, 0x3f7def3b}, {0xbee94f13, 0xbef61ed3}, {0x3fc8ae67,
    0x3f793048}, {0x3f821b28, 0x3f597387}, {0xbec788c4, 0xbed640c0}, {0xc0a69376, 0xbf800000}, {0x4054fddf, 0x3f7fffd7}};
static_assert(agrees<prim::erf, float>(erf_float32));
constexpr unary_row erf_float64[] = {{0x400bf6171bd43b48, 0x3feffffe62c9138e}, {0x3fefd7456964b758, 0x3feae669f1b2792a},
    {0x4017ebbfd3ac35de, 0x3ff0000000000000}, {0x3feba529951c3f8b, 0x3fe8e70348aa9cca}, {0x3ff74a66ca74ae6f, 0x3feebc2a48eeea38},
    {0xbfee4d4b8f8f2fa8, 0xbfea39372ee21859}, {0xc00fa2920debc59c, 0xbfeffffff3f8ed0c}, {0x401492725095f41f, 0x3feffffffffff3a9}};
static_assert(agrees<prim::erf, double>(erf_float64));
constexpr unary_row erfc_float32[] = {{0x3f29d4e1, 0x3eb23feb}, {0xc02f4864, 0x3ffffc7b}, {0xc097d9a6, 0x40000000}, {0x402ed359,
    0x38eac1af}, {0x3dc88135, 0x3f63cf37}, {0xbfaf97d9, 0x3ff94bd1}, {0x40854285, 0x31854088}, {0x3fd628dc, 0x3c933e60}};
static_assert(agrees<prim::erfc, float>(erfc_float32));
constexpr unary_row erfc_float64[] = {{0xbff1821d9afc9cda, 0x3ffe0d5e3538ff18}, {0x3fee23afe85f272c, 0x3fc7681d00fc0544},
    {0x40067463cca20d54, 0x3f12e243fdf15138}, {0xbfceea4fbd00cd6e, 0x3ff446f624966b17}, {0x40064281ff026950, 0x3f15ceeddd4b4736},
    {0x4006c2b0a850dcee, 0x3f0e0f17ca3c553a}, {0xc00edf2a4181c861, 0x3ffffffff307d7c8}, {0xc0178745d2fad74c, 0x4000000000000000}};
static_assert(agrees<prim::erfc, double>(erfc_float64));
constexpr unary_row erf_inv_float32[] = {{0x404d7c95, 0x7fffffff}, {0x3f3944bd, 0x3f45127b}, {0x3e9cd028, 0x3e8e92ad}, {0xbdbf00e0,
    0xbda9a8e0}, {0xbf3d5ca7, 0xbf4bc4a5}, {0xbef01f76, 0xbee2cdf9}, {0x3f2adc62, 0x3f2f65a3}, {0xbf4a8738, 0xbf637b27}};
static_assert(agrees<prim::erf_inv, float>(erf_inv_float32));
constexpr unary_row erf_inv_float64[] = {{0xbfce810ec4fe9a2e, 0xbfcb72d68a19a636}, {0xc017c4cc4da8a1b4, 0xfff8000000000000},
    {0x3fe8b7443b061a1c, 0x3feb4cbca01034b8}, {0x3fe9e4f5ae82c2a6, 0x3fed99fbc7c162ce}, {0x3fedfb97cf868c18, 0x3ff5080499ad33a3},
    {0xbfe5d4b3f8701030, 0xbfe69af04efe1361}, {0xbfdfa2e04c37f896, 0xbfde1ed35db8d962}, {0xbfdd237029f91eb8, 0xbfdb69366547ee87}};
static_assert(agrees<prim::erf_inv, double>(erf_inv_float64));
constexpr unary_row lgamma_float32[] = {{0xc0a4d009, 0xc0474e0f}, {0xbfb1a802, 0x3f7fbe72}, {0x3fb9e12e, 0xbdf8b6c0}, {0x3f38ed72,
    0x3e6fe460}, {0xc00e7ffd, 0x3f2898ba}, {0xbfb31300, 0x3f7acdb4}, {0xbf8c8596, 0x4012f117}, {0xbfb464c5, 0x3f768040}};
static_assert(agrees<prim::lgamma, float>(lgamma_float32));
constexpr unary_row lgamma_float64[] = {{0xc0115909139344a9, 0xc003535c18f71905}, {0xc0152cfce8c5b994, 0xc00f683516f30635},
    {0xbff66c261cc63428, 0x3fef390b974deb56}, {0xbfe11238eea157ae, 0x3ff44f19f3c7e564}, {0x4015e2208c364923, 0x400f4985698d5ece},
    {0x3febfeed28c19a04, 0x3fb601be2ddbe1c0}, {0xbfed6024c793a50e, 0x40045afb50045ad2}, {0xbfe6df6af7d1a82a, 0x3ff7c15dbe2491e6}};
static_assert(agrees<prim::lgamma, double>(lgamma_float64));
constexpr unary_row digamma_float32[] = {{0x401aff10, 0x3f2a011e}, {0x402fb037, 0x3f5117bb}, {0xbe8bfc09, 0x4020af2e}, {0x3fc0c839,
    0x3d2ccbc0}, {0x3fdcf822, 0x3e6ab90c}, {0x3e0107b8, 0xc1052bef}, {0xc04e5120, 0x40a0d980}, {0xc05cf459, 0x3fecd1ca}};
static_assert(agrees<prim::digamma, float>(digamma_float32));
constexpr unary_row digamma_float64[] = {{0xc015d21aa64fc451, 0x4001d88bb422229c}, {0x3fec02b42304bef8, 0xbfe9b516284e80fc},
    {0x3fd5e6c38aaec717, 0xc0085b3686ad6818}, {0x400949317ce8ceac, 0x3fef7fd2b5702fac}, {0x4010f5e98ceedb00, 0x3ff52730cb30e84a},
    {0xbff5cbd787c9bd79, 0x4000acc9aa8c88d4}, {0xbfcf44d252265110, 0x40082d45d7c36666}, {0x401deb6cda891eb0, 0x3fff1a2a279228dc}};
static_assert(agrees<prim::digamma, double>(digamma_float64));
constexpr binary_row atan2_float32[] = {{0x4047556c, 0xc01ce914, 0x400f35f4}, {0x3f12d948, 0xc0064928, 0x4037fb80}, {0x405deeab,
    0xc04c7ccb, 0x40142dff}, {0x3fa478e3, 0x404d64ea, 0x3ec2fcdf}, {0x3ec6d43f, 0xc0b0b26e, 0x4044917d}, {0x3f8ecf4a, 0xc07ec547,
    0x403792c2}, {0x40a63ef8, 0xc039b822, 0x400521e4}, {0xbdf82af1, 0x3f90014c, 0xbddbbd19}};
static_assert(agrees<prim::atan2, float>(atan2_float32));
constexpr binary_row atan2_float64[] = {{0x3fd52ee7094ae35c, 0x400b21ca4daf625a, 0x3fb8e7afa30c3b99}, {0x4010e9fa59024abe,
    0xc00ff2740bff5ce8, 0x40029ef04f52e42b}, {0x40108b1c5c340e01, 0x3ffc3ae1ef8e9f1c, 0x3ff2ae5a7fa5c069}, {0xbfe2140702f5554e,
    0x4004d14bb0212445, 0xbfcb5d52d9a3f414}, {0xbfb651c30ba4972f, 0x40092e4b9582446e, 0xbf9c5b3c2bf5adea}, {0x3fffcce1151ec398,
    0xbfe797e2f12c1b93, 0x3ffed0fb0dcac72a}, {0xc01c8fbc2f59d734, 0x4004a326aa3149a0, 0xbff395f35ebb04bf}, {0xc00dc84aa096d526,
    0x4003db09bffcb0f2, 0xbfef72ea1a30c573}};
static_assert(agrees<prim::atan2, double>(atan2_float64));
constexpr binary_row pow_float32[] = {{0x40191114, 0x3fcaacec, 0x407e932d}, {0x3f1f8986, 0xbf67ef0d, 0x3fc47684}, {0xc0459d81,
    0x3f0f76c9, 0xffc00000}, {0x3f8a81d1, 0x3f8000b2, 0x3f8a81e0}, {0x3f03983a, 0xbf7afa7c, 0x3ff5c726}, {0x407d95f4, 0xc03fc497,
    0x3c845991}, {0x40466398, 0xc08633f0, 0x3c0e8120}, {0x3f1574ec, 0x3e9dd709, 0x3f58dd23}};
static_assert(agrees<prim::pow, float>(pow_float32));
constexpr binary_row pow_float64[] = {{0xc004b8630114d01e, 0xc004a99eefe59c00, 0xfff8000000000000}, {0x3fe44c5bc9ec6127,
    0x3fd9a1b5c8e7acdd, 0x3feaaac70ee0b370}, {0x3fe80a9b26be1ebe, 0x3fecda9d95e919b0, 0x3fe8ba16ac11d860}, {0x3fed5232123fb630,
    0xbff3075d1dc7e113, 0x3ff1c0d48999d07d}, {0x4005226bce489ede, 0x3fd530597e97015f, 0x3ff611e82b8bf78f}, {0x4005892c53a4c16f,
    0x3ff7d8a75f5a885e, 0x40117ffb3989d7f7}, {0x3fd60bbc66bfbfa4, 0x4008bad52e8d7590, 0x3fa2fcff9deb5bac}, {0x4012cb9bd1171429,
    0x4000ffbb21badd35, 0x403ac8f3f587e3a5}};
static_assert(agrees<prim::pow, double>(pow_float64));

}  // namespace

#if EXPRAX_SIMD
TEST_CASE("functions agree with StableHLO's test data") {
  check_packs<prim::exp, float>(exp_float32);
  check_packs<prim::exp, double>(exp_float64);
  check_packs<prim::expm1, float>(expm1_float32);
  check_packs<prim::expm1, double>(expm1_float64);
  check_packs<prim::log, float>(log_float32);
  check_packs<prim::log, double>(log_float64);
  check_packs<prim::log1p, float>(log1p_float32);
  check_packs<prim::log1p, double>(log1p_float64);
  check_packs<prim::logistic, float>(logistic_float32);
  check_packs<prim::logistic, double>(logistic_float64);
  check_packs<prim::rsqrt, float>(rsqrt_float32);
  check_packs<prim::rsqrt, double>(rsqrt_float64);
  check_packs<prim::cbrt, float>(cbrt_float32);
  check_packs<prim::cbrt, double>(cbrt_float64);
  check_packs<prim::sin, float>(sin_float32);
  check_packs<prim::sin, double>(sin_float64);
  check_packs<prim::cos, float>(cos_float32);
  check_packs<prim::cos, double>(cos_float64);
  check_packs<prim::tan, float>(tan_float32);
  check_packs<prim::tan, double>(tan_float64);
  check_packs<prim::asin, float>(asin_float32);
  check_packs<prim::asin, double>(asin_float64);
  check_packs<prim::acos, float>(acos_float32);
  check_packs<prim::acos, double>(acos_float64);
  check_packs<prim::atan, float>(atan_float32);
  check_packs<prim::atan, double>(atan_float64);
  check_packs<prim::sinh, float>(sinh_float32);
  check_packs<prim::sinh, double>(sinh_float64);
  check_packs<prim::cosh, float>(cosh_float32);
  check_packs<prim::cosh, double>(cosh_float64);
  check_packs<prim::tanh, float>(tanh_float32);
  check_packs<prim::tanh, double>(tanh_float64);
  check_packs<prim::asinh, float>(asinh_float32);
  check_packs<prim::asinh, double>(asinh_float64);
  check_packs<prim::acosh, float>(acosh_float32);
  check_packs<prim::acosh, double>(acosh_float64);
  check_packs<prim::atanh, float>(atanh_float32);
  check_packs<prim::atanh, double>(atanh_float64);
  check_packs<prim::erf, float>(erf_float32);
  check_packs<prim::erf, double>(erf_float64);
  check_packs<prim::erfc, float>(erfc_float32);
  check_packs<prim::erfc, double>(erfc_float64);
  check_packs<prim::erf_inv, float>(erf_inv_float32);
  check_packs<prim::erf_inv, double>(erf_inv_float64);
  check_packs<prim::lgamma, float>(lgamma_float32);
  check_packs<prim::lgamma, double>(lgamma_float64);
  check_packs<prim::digamma, float>(digamma_float32);
  check_packs<prim::digamma, double>(digamma_float64);
  check_packs<prim::atan2, float>(atan2_float32);
  check_packs<prim::atan2, double>(atan2_float64);
  check_packs<prim::pow, float>(pow_float32);
  check_packs<prim::pow, double>(pow_float64);
}
#endif
