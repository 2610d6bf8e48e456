// SPDX-License-Identifier: BSL-1.0
// JAX's tables of promotion (jax.numpy.promote_types of 0.11), each entry, with x64 off and on. A star marks a weak type; as an
// operand it is a Python scalar.
#include <exprax/types/promote.hpp>
#include <string_view>

namespace {

using namespace exprax;

// The type that a word of the table names.
constexpr promotion named(std::string_view word, bool x64) {
  if (word == "i*") return {x64 ? dtype::i64 : dtype::i32, true};
  if (word == "f*") return {x64 ? dtype::f64 : dtype::f32, true};
  if (word == "c*") return {x64 ? dtype::c128 : dtype::c64, true};
  bool const weak = word.back() == '*';
  if (weak) word.remove_suffix(1);
  for (int d = 0; d < dtype_count; ++d)
    if (word == (d == 0 ? "b1" : short_name(static_cast<dtype>(d)))) return {static_cast<dtype>(d), weak};
  throw "no dtype";
}

// Words, separated by spaces.
class words {
 public:
  constexpr explicit words(std::string_view text) : text_(text) {}
  constexpr std::string_view next() {
    std::size_t const end = text_.find(' ');
    std::string_view const word = text_.substr(0, end);
    text_ = end == text_.npos ? std::string_view() : text_.substr(end + 1);
    return word;
  }
  constexpr bool empty() const { return text_.empty(); }

 private:
  std::string_view text_;
};

// Rows: an operand, then its result with each operand of the head. The number of entries that agree.
template <int N>
constexpr int agreeing(std::string_view head, std::string_view const (&rows)[N], bool x64) {
  int n = 0;
  for (std::string_view row : rows) {
    words entries(row), columns(head);
    promotion const a = named(entries.next(), x64);
    while (!entries.empty()) n += promote(a, named(columns.next(), x64), x64) == named(entries.next(), x64);
  }
  return n;
}

constexpr std::string_view off_head = "b1 u8 u16 u32 i8 i16 i32 bf16 f16 f32 c64 i* f* c*";
constexpr std::string_view off_rows[] = {
    "b1 b1 u8 u16 u32 i8 i16 i32 bf16 f16 f32 c64 i32* f32* c64*",
    "u8 u8 u8 u16 u32 i16 i16 i32 bf16 f16 f32 c64 u8 f32* c64*",
    "u16 u16 u16 u16 u32 i32 i32 i32 bf16 f16 f32 c64 u16 f32* c64*",
    "u32 u32 u32 u32 u32 i32 i32 i32 bf16 f16 f32 c64 u32 f32* c64*",
    "i8 i8 i16 i32 i32 i8 i16 i32 bf16 f16 f32 c64 i8 f32* c64*",
    "i16 i16 i16 i32 i32 i16 i16 i32 bf16 f16 f32 c64 i16 f32* c64*",
    "i32 i32 i32 i32 i32 i32 i32 i32 bf16 f16 f32 c64 i32 f32* c64*",
    "bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 f32 c64 bf16 bf16 c64",
    "f16 f16 f16 f16 f16 f16 f16 f16 f32 f16 f32 c64 f16 f16 c64",
    "f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 c64 f32 f32 c64",
    "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64",
    "i* i32* u8 u16 u32 i8 i16 i32 bf16 f16 f32 c64 i32* f32* c64*",
    "f* f32* f32* f32* f32* f32* f32* f32* bf16 f16 f32 c64 f32* f32* c64*",
    "c* c64* c64* c64* c64* c64* c64* c64* c64 c64 c64 c64 c64* c64* c64*",
};
static_assert(agreeing(off_head, off_rows, false) == 14 * 14);

constexpr std::string_view on_head = "b1 u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i* f* c*";
constexpr std::string_view on_rows[] = {
    "b1 b1 u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i64* f64* c128*",
    "u8 u8 u8 u16 u32 u64 i16 i16 i32 i64 bf16 f16 f32 f64 c64 c128 u8 f64* c128*",
    "u16 u16 u16 u16 u32 u64 i32 i32 i32 i64 bf16 f16 f32 f64 c64 c128 u16 f64* c128*",
    "u32 u32 u32 u32 u32 u64 i64 i64 i64 i64 bf16 f16 f32 f64 c64 c128 u32 f64* c128*",
    "u64 u64 u64 u64 u64 u64 f64* f64* f64* f64* bf16 f16 f32 f64 c64 c128 u64 f64* c128*",
    "i8 i8 i16 i32 i64 f64* i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i8 f64* c128*",
    "i16 i16 i16 i32 i64 f64* i16 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i16 f64* c128*",
    "i32 i32 i32 i32 i64 f64* i32 i32 i32 i64 bf16 f16 f32 f64 c64 c128 i32 f64* c128*",
    "i64 i64 i64 i64 i64 f64* i64 i64 i64 i64 bf16 f16 f32 f64 c64 c128 i64 f64* c128*",
    "bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 f32 f64 c64 c128 bf16 bf16 c64",
    "f16 f16 f16 f16 f16 f16 f16 f16 f16 f16 f32 f16 f32 f64 c64 c128 f16 f16 c64",
    "f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64 c64 c128 f32 f32 c64",
    "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128 f64 f64 c128",
    "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c128 c64 c64 c64",
    "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
    "i* i64* u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i64* f64* c128*",
    "f* f64* f64* f64* f64* f64* f64* f64* f64* f64* bf16 f16 f32 f64 c64 c128 f64* f64* c128*",
    "c* c128* c128* c128* c128* c128* c128* c128* c128* c128* c64 c64 c64 c128 c64 c128 c128* c128* c128*",
};
static_assert(agreeing(on_head, on_rows, true) == 18 * 18);

// With x64 off, what is declared with 64 bits keeps them.
static_assert(promote({dtype::i64, false}, {dtype::i32, false}, false) == promotion{dtype::i64, false});
static_assert(promote({dtype::f64, false}, {dtype::f32, true}, false) == promotion{dtype::f64, false});
static_assert(promote({dtype::f64, false}, {dtype::c64, true}, false) == promotion{dtype::c128, false});
static_assert(promote({dtype::f64, false}, {dtype::c64, false}, false) == promotion{dtype::c128, false});
static_assert(promote({dtype::i64, false}, {dtype::f32, true}, false) == promotion{dtype::f64, true});

}  // namespace
