// SPDX-License-Identifier: BSL-1.0
// The memory of a kernel's scratch buffers: on the stack up to EXPRAX_STACK_SCRATCH bytes, else from an arena that each thread has one of.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include <exprax/base/config.hpp>

namespace exprax {

namespace detail {

struct bytes_of_user {
  std::byte* begin = nullptr;
  std::size_t size = 0;
};

// What a thread's calls take their scratch memory from. It grows to what the largest call needed and is kept until the thread ends, so that
// later calls neither allocate nor meet fresh pages. A call inside another one, as in the output of debug_print, allocates for itself.
class scratch_arena {
 public:
  // From the beginning of a page, where large arrays of users begin: a load waits for a store whose address agrees in the lower 12 bits.
  static constexpr std::size_t offset = 2112;

  scratch_arena() = default;
  scratch_arena(scratch_arena const&) = delete;
  scratch_arena& operator=(scratch_arena const&) = delete;
  ~scratch_arena() { release(); }

  // Memory for a call, aligned to 64 bytes; give_back ends its use.
  [[gnu::noinline, gnu::malloc, gnu::returns_nonnull, gnu::assume_aligned(64)]] std::byte* take(std::size_t bytes) {
    if (in_use_) return allocated(bytes);
    if (std::byte* const given = from_user(bytes)) {
      in_use_ = true;
      return given;
    }
    if (bytes > size_) {
      release();
      begin_ = allocated(bytes);
      size_ = bytes;
    }
    in_use_ = true;
    return begin_;
  }
  [[gnu::noinline]] void give_back(std::byte* memory, std::size_t bytes) {
    if (memory == begin_ || memory == from_user(bytes)) in_use_ = false;
    else freed(memory);
  }
  void release() {
    if (in_use_) return;
    if (begin_) freed(begin_);
    begin_ = nullptr;
    size_ = 0;
  }

  bytes_of_user user;

 private:
  std::byte* from_user(std::size_t bytes) const {
    void* memory = user.begin;
    std::size_t space = user.size;
    return memory ? static_cast<std::byte*>(std::align(64, bytes, memory, space)) : nullptr;
  }
  static std::byte* allocated(std::size_t bytes) {
    return static_cast<std::byte*>(::operator new(bytes + offset, std::align_val_t{4096})) + offset;
  }
  static void freed(std::byte* memory) { ::operator delete(memory - offset, std::align_val_t{4096}); }

  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
  bool in_use_ = false;
};
inline scratch_arena& scratch_of_thread() {
#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
  thread_local scratch_arena arena;
#else
  static scratch_arena arena;  // one thread
#endif
  return arena;
}

template <std::ptrdiff_t Bytes>
class scratch_memory {
 public:
  std::byte* data() { return bytes_; }

 private:
  alignas(64) std::byte bytes_[Bytes > 0 ? Bytes : 1];
};
template <std::ptrdiff_t Bytes>
  requires(Bytes > EXPRAX_STACK_SCRATCH)
class scratch_memory<Bytes> {
 public:
  scratch_memory() : bytes_(scratch_of_thread().take(static_cast<std::size_t>(Bytes))) {}
  scratch_memory(scratch_memory const&) = delete;
  scratch_memory& operator=(scratch_memory const&) = delete;
  ~scratch_memory() { scratch_of_thread().give_back(bytes_, static_cast<std::size_t>(Bytes)); }
  std::byte* data() { return bytes_; }

 private:
  std::byte* bytes_;
};

}  // namespace detail

// While it lives, kernels of this thread take the scratch memory that they do not have on the stack from these bytes of the user.
// A kernel needs what ex::jit(f).memory_analysis(x) calls temp_size_in_bytes, and 64 for the alignment; if there are fewer, it allocates.
// Of two workspaces the later one counts; they end in the reverse order.
class workspace {
 public:
  workspace(void* memory, std::size_t bytes) : before_(detail::scratch_of_thread().user) {
    detail::scratch_of_thread().user = {static_cast<std::byte*>(memory), bytes};
  }
  workspace(workspace const&) = delete;
  workspace& operator=(workspace const&) = delete;
  ~workspace() { detail::scratch_of_thread().user = before_; }

 private:
  detail::bytes_of_user before_;
};
// Frees the scratch memory that this thread keeps from call to call.
inline void release_workspace() { detail::scratch_of_thread().release(); }

}  // namespace exprax
