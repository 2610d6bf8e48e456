// SPDX-License-Identifier: BSL-1.0
// Random words, keys, and what is exact: the numbers of JAX (its tests and documentation, published known answers of Threefry, and
// StableHLO's test data, which JAX made), bit for bit, in constant evaluation.
#include <bit>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include <exprax/legalize/interpret.hpp>

namespace ex = exprax;
namespace rnd = ex::random;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
template <int... D>
using keys = ex::spec_t<ex::prng_key, D...>;
constexpr auto key = rnd::key(42);
constexpr auto older = rnd::non_partitionable;

// What f makes of the key of a seed, by the reference interpreter: cheaper to compile than kernels.
template <int Seed, class F>
struct of_seed {
  constexpr auto operator()() const { return F{}(rnd::key(ex::static_<Seed>)); }
};
template <int Seed, class F>
constexpr auto made(F) {
  using traced = ex::detail::traced<of_seed<Seed, F>>;
  ex::detail::to_array_t<typename traced::result> a;
  auto const results = ex::interpret(traced::ref, {});
  for (int i = 0; i < a.size(); ++i) a.data()[i] = ex::detail::from_bits<typename decltype(a)::value_type>(results[0][i]);
  return a;
}
#define MADE(seed, call) made<seed>([](auto k) { return call; })

// --- Threefry-2x32 in plain C++, after the paper (Salmon et al. 2011) ---

struct words {
  u32 a, b;
};
constexpr words threefry(words k, words x) {
  u32 const ks[] = {k.a, k.b, 0x1bd11bdau ^ k.a ^ k.b};
  constexpr int rotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
  u32 x0 = x.a + ks[0], x1 = x.b + ks[1];
  for (int round = 0; round < 20; ++round) {
    x0 += x1;
    x1 = std::rotl(x1, rotations[round % 8]) ^ x0;
    if (round % 4 == 3) {
      int const s = round / 4 + 1;
      x0 += ks[s % 3];
      x1 += ks[(s + 1) % 3] + static_cast<u32>(s);
    }
  }
  return {x0, x1};
}
static_assert(threefry({0, 0}, {0, 0}).a == 0x6b200159 && threefry({0, 0}, {0, 0}).b == 0x99ba4efe);

// Cases threefry_kat2 and the others of the paper: the key under which the counter is folded in is the block of (0, counter).
constexpr auto folded(u32 a, u32 b, u32 counter) { return rnd::fold_in(ex::array<u32, 2>{a, b}, ex::array<u32>(counter)); }
static_assert(folded(0, 0, 0) == ex::array<u32, 2>{0x6b200159u, 0x99ba4efeu});
static_assert(folded(0x13198a2e, 0x03707344, 77)(0) == threefry({0x13198a2e, 0x03707344}, {0, 77}).a);

// --- Keys ---

// prng_key, and seeds that wrap (tests/random_test.py, test_prng_seeds).
static_assert(rnd::key_data(key) == ex::array<u32, 2>{0u, 42u} && rnd::wrap_key_data(ex::array<u32, 2>{0u, 42u}) == key);
static_assert(rnd::PRNGKey(-1) == ex::array<u32, 2>{0u, 4294967295u} && rnd::PRNGKey((std::int64_t{3} << 32) + 5) == ex::array<u32, 2>{0u, 5u});
static_assert(MADE(-1, rnd::key_data(k)) == rnd::PRNGKey(-1));
static_assert(MADE(0, (static_cast<void>(k), rnd::PRNGKey(ex::astype<std::int8_t>(ex::full<int>(-2))))) == rnd::PRNGKey(-2));
// prng_p_negseed: of 64 bits all count.
static_assert(MADE(0, (static_cast<void>(k), rnd::PRNGKey(ex::full<std::int64_t>(-1)))) == ex::array<u32, 2>{4294967295u, 4294967295u});
static_assert(MADE(0, (static_cast<void>(k), rnd::PRNGKey(ex::full<u64>((u64{3} << 32) + 5)))) == ex::array<u32, 2>{3u, 5u});
// prng_split2, prng_p_split_shape, prng_np_split4, random_split_.mlir.
constexpr ex::array<u32, 2, 2> halves{{1832780943, 270669613}, {64467757, 2916123636}};
static_assert(rnd::split(rnd::PRNGKey(42)) == halves);
static_assert(MADE(0, rnd::key_data(rnd::split<2, 2>(k))) ==
              ex::array<u32, 2, 2, 2>{{{1797259609, 2579123966}, {928981903, 3453687069}}, {{4146024105, 2718843009}, {2467461003, 3840466878}}});
static_assert(MADE(0, rnd::key_data(rnd::split<4>(k, older))) ==
              ex::array<u32, 4, 2>{{2285895361, 1501764800}, {1518642379, 4090693311}, {433833334, 4221794875}, {839183663, 3740430601}});
static_assert(MADE(42, rnd::key_data(rnd::split(k, older))) == ex::array<u32, 2, 2>{{2465931498, 3679230171}, {255383827, 267815257}});
// Row i of a split is the key with i folded in.
static_assert(MADE(42, rnd::fold_in(k, 1)) == MADE(42, rnd::split(k)(1)));
static_assert(MADE(42, rnd::split<0>(k)).size() == 0 && MADE(42, rnd::split<0>(k, older)).size() == 0);

// --- Words ---

// prng_bits32, prng_p_bits16, prng_p_bits64; testRngRandomBits of the older mode.
static_assert(rnd::bits<3>(rnd::key(1701)) == ex::array<u32, 3>{1111271205, 2679469115, 974515252});
static_assert(MADE(1701, (rnd::bits<std::uint16_t, 3>(k))) == ex::array<std::uint16_t, 3>{42789, 29755, 60468});
static_assert(MADE(1701, (rnd::bits<u64, 3>(k))) == ex::array<u64, 3>{3182764935064573181, 366096495144982249, 241365115613244543});
static_assert(MADE(1701, (rnd::bits<std::uint8_t, 3>(k))) == ex::array<std::uint8_t, 3>{1111271205 & 255, 2679469115 & 255, 974515252 & 255});
static_assert(MADE(1701, (rnd::bits<std::uint8_t, 3>(k, older))) == ex::array<std::uint8_t, 3>{216, 115, 43});
static_assert(MADE(1701, (rnd::bits<std::uint16_t, 3>(k, older))) == ex::array<std::uint16_t, 3>{41682, 1300, 55017});
static_assert(MADE(1701, rnd::bits<3>(k, older)) == ex::array<u32, 3>{56197195, 4200222568, 961309823});
// A scalar, none, several axes.
static_assert(MADE(1701, rnd::bits(k)) == ex::array<u32>(1111271205) && MADE(1701, rnd::bits(k, older)) == ex::array<u32>(threefry({0, 1701}, {0, 0}).a));
static_assert(MADE(1, rnd::bits<0>(k)).size() == 0 && MADE(1, (rnd::bits<2, 0>(k, older))).size() == 0);
static_assert(MADE(1701, (rnd::bits<1, 3>(k))) == ex::array<u32, 1, 3>{{1111271205, 2679469115, 974515252}});

constexpr bool blocks_agree() {
  auto const whole = MADE(1701, (rnd::bits<u64, 5, 3>(k)));
  auto const halved = MADE(1701, (rnd::bits<u64, 15>(k, older)));
  for (int i = 0; i < 15; ++i) {
    words const w = threefry({0, 1701}, {0, static_cast<u32>(i)}), h = threefry({0, 1701}, {static_cast<u32>(i), static_cast<u32>(15 + i)});
    if (whole.data()[i] != (u64{w.a} << 32 | w.b) || halved(i) != (u64{h.a} << 32 | h.b)) return false;
  }
  return true;
}
static_assert(blocks_agree());

// --- Uniform ---

// prng_uniform, prng_vmap_split, prng_np_uniform; random_uniform_.mlir.
static_assert(MADE(42, (rnd::uniform<3, 3>(k, -5, 5))) == ex::array<float, 3, 3>{{-0.11290454864501953f, 1.7979717254638672f, 1.162714958190918f},
                                                                     {0.6101608276367188f, -0.49355411529541016f, 0.8586587905883789f},
                                                                     {-4.25190544128418f, 2.751333713531494f, 1.9895925521850586f}});
static_assert(MADE(7, ex::vmap([](auto one) { return rnd::uniform(one); })(rnd::split<4>(k))) ==
              ex::array<float, 4>{0.8673704862594604f, 0.6751335859298706f, 0.20599794387817383f, 0.23133409023284912f});
static_assert(MADE(1338574713, rnd::uniform<5>(k, older)) ==
              ex::array<float, 5>{0.2986714839935303f, 0.07321286201477051f, 0.8733557462692261f, 0.26054883003234863f, 0.41279661655426025f});
static_assert(MADE(42, (rnd::uniform<double, 5, 4>(k, older))) == ex::array<double, 5, 4>{{0.52286734638827848, 0.63809277992222024, 0.48479882418789, 0.76266020446279748},
                                                                              {0.67996636822643519, 0.44532535364606862, 0.75625579280848321, 0.76073724858951675},
                                                                              {0.32504364334015712, 0.58233053152090486, 0.88008197627653684, 0.56040213468002809},
                                                                              {0.96747217212282344, 0.49304563867921836, 0.72374622890728268, 0.95975933869077212},
                                                                              {0.55588321000681051, 0.049615688944020686, 0.48405548065598669, 0.79875184812853339}});
static_assert(MADE(42, rnd::uniform(k, 3.0f, 3.0f)) == ex::array<float>(3.0f));

// --- Integers and truth values ---

// prng_randint; random_randint_.mlir is of an older algorithm for int8.
static_assert(MADE(42, rnd::randint<5>(k, 0, 10)) == ex::array<int, 5>{4, 4, 1, 9, 9});
static_assert(MADE(42, rnd::randint<3>(k, 7, 7)) == ex::array<int, 3>{7, 7, 7} && MADE(42, rnd::randint<3>(k, 7, -7)) == ex::array<int, 3>{7, 7, 7});
// Where the upper bound is one more than the greatest number, the whole dtype.
static_assert(MADE(42, rnd::randint<u32>(k, 0u, ex::full<std::int64_t>(std::int64_t{1} << 32))) == MADE(42, rnd::bits(rnd::split(k)(1))));
static_assert(MADE(42, rnd::bernoulli<3>(k, 1.0f)) == ex::array<bool, 3>{true, true, true} && MADE(42, rnd::bernoulli<3>(k, 0.0f)) == ex::array<bool, 3>());
static_assert(MADE(42, rnd::bernoulli<3>(k)) == MADE(42, rnd::uniform<3>(k) < 0.5f));
static_assert(MADE(42, rnd::bernoulli(k, ex::array<double, 4>{0, 1, 0, 1})) == ex::array<bool, 4>{false, true, false, true});

// Many numbers of a constant key are an equation of the trace: while compiling nobody reads them.
static_assert(ex::make_jaxpr([](auto x) {
                auto const noise = rnd::bits<1100>(rnd::key(3));
                return x + noise * noise;
              })(ex::u32<1100>) == R"({ lambda ; a:u32[1100]. let
    b:u32[1100] = random_bits[bit_width=32 shape=(1100,)] 12884901888:key<fry>[]
    c:u32[1100] = mul b b
    d:u32[1100] = add a c
  in (d,) })");

}  // namespace

// --- Movement of keys, at run time as well ---

TEST_CASE("keys are elements of arrays: indexed, selected, mapped over, carried") {
  auto const four = rnd::split<4>(key);
  auto last = [](auto k) { return k(-1); };
  CHECK(ex::jit(last)(four) == ex::array<ex::prng_key>::full(four(3)));
  CHECK(rnd::bits<2>(four(1)) == ex::jit([](auto k) { return rnd::bits<2>(k(1)); })(four));
  CHECK(ex::array<ex::prng_key, 2>{four(3), four(0)}(0) == four(3));
  auto chosen = [](auto k, auto i) { return ex::where(i > 0, k(i), k(0)); };
  CHECK(ex::jit(chosen)(four, 2) == ex::array<ex::prng_key>::full(four(2)));
  auto joined = [](auto k) { return ex::concatenate(k(ex::slice<2, 4>), ex::flip(k))(ex::slice<0, 3>); };
  CHECK(rnd::key_data(ex::jit(joined)(four))(2, 1) == four(3).word(1));
  auto rows = ex::jit([](auto k) { return ex::vmap([](auto one) { return rnd::split<3>(one); }, ex::in_axes<0>)(k); })(four);
  CHECK(rows(2, 1) == rnd::split<3>(ex::array<ex::prng_key>::full(four(2)))(1));
  auto walk = [](auto k) {
    return ex::scan([](auto c, auto) {
      auto const two = rnd::split(c);
      return ex::tuple(two(0), rnd::uniform<2>(two(1)));
    }, k, ex::none, ex::length<5>);
  };
  static constexpr auto at_compile_time = ex::jit(walk)(key);
  auto const at_run_time = ex::jit(walk)(key);
  CHECK(std::get<0>(at_run_time) == std::get<0>(at_compile_time));
  CHECK(std::get<1>(at_run_time) == std::get<1>(at_compile_time));
  auto k = key;
  for (int i = 0; i < 5; ++i) k = ex::array<ex::prng_key>::full(rnd::split(k)(0));
  CHECK(std::get<0>(at_run_time) == k);
}

TEST_CASE("bounds of integers are met") {
  bool least = false, greatest = false, low = false, high = false;
  for (auto x : rnd::randint<std::uint8_t, 2000>(key, 0, 256)) least = least || x == 0, greatest = greatest || x == 255;
  for (auto x : rnd::randint<std::int8_t, 2000>(key, -128, 128)) low = low || x == -128, high = high || x == 127;
  CHECK((least && greatest && low && high));
  int sum = 0, wrong = 0;
  for (int x : rnd::rademacher<400>(key)) sum += x, wrong += x != 1 && x != -1;
  CHECK((sum > -80 && sum < 80 && wrong == 0));
}

TEST_CASE("packs and constant evaluation agree, and all of a large array") {
  static constexpr auto small = rnd::bits<1003>(key, older);
  CHECK(rnd::bits<1003>(key, older) == small);
  auto const many = rnd::bits<100001>(key);
  for (int i = 0; i < many.size(); i += 997) {
    words const w = threefry({0, 42}, {0, static_cast<u32>(i)});
    CHECK(many(i) == (w.a ^ w.b));
  }
  auto const x = rnd::uniform<100001>(key);
  double sum = 0, squares = 0;
  for (float f : x) sum += f, squares += f * f;
  CHECK(sum / x.size() == doctest::Approx(0.5).epsilon(0.005));
  CHECK(squares / x.size() == doctest::Approx(1 / 3.0).epsilon(0.01));
}
