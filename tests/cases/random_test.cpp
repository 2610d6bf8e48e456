// SPDX-License-Identifier: BSL-1.0
// Keys and random numbers of JAX.
#include "cases/given.hpp"

namespace {

using namespace cases;
namespace rnd = ex::random;
using u32 = std::uint32_t;
constexpr auto older = rnd::non_partitionable;

TEST_CASE("keys") {
  given<"prng_key">([] { return rnd::key_data(rnd::key(42)); });
  given<"prng_split2">([] { return rnd::key_data(rnd::split(rnd::key(42))); });
  given<"prng_p_split_shape">([] { return rnd::key_data(rnd::split<2, 2>(rnd::key(0))); });
  given<"prng_np_split4">([] { return rnd::key_data(rnd::split<4>(rnd::key(0), older)); });
  given<"prng_p_negseed">([] { return rnd::key_data(rnd::key(ex::astype<std::int64_t>(ex::full<>(-1)))); });
  // The digits of pi, as the key and as the counter.
  auto const hashed = rnd::threefry_2x32(ex::array<u32, 2>{0x13198a2e, 0x03707344}, ex::array<u32, 2>{0x243f6a88, 0x85a308d3});
  CHECK(hashed == std::get<0>(reference<"threefry_kat2">::out()));
}

TEST_CASE("numbers") {
  given<"prng_bits32">([] { return rnd::bits<u32, 3>(rnd::key(1701)); });
  given<"prng_p_bits16">([] { return rnd::bits<std::uint16_t, 3>(rnd::key(1701)); });
  given<"prng_p_bits64">([] { return rnd::bits<std::uint64_t, 3>(rnd::key(1701)); });
  given<"prng_randint">([] { return rnd::randint<5>(rnd::key(42), 0, 10); });
  given_near<"prng_uniform">([] { return rnd::uniform<3, 3>(rnd::key(42), -5, 5); }, 1e-6);
  given<"prng_vmap_split">([] { return ex::vmap([](auto k) { return rnd::uniform(k); })(rnd::split<4>(rnd::key(7))); });
  given_near<"prng_np_normal">([] { return rnd::normal<5>(rnd::key(1193674498), older); });
  given<"prng_np_uniform">([] { return rnd::uniform<5>(rnd::key(1338574713), older); });
}

}  // namespace
