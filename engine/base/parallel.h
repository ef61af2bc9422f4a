// Loops over ranges on several threads, with results that cannot depend on how many there are.
//
// The range [0, count) is cut into chunks of `grain` items: chunk i is
//   [i * grain, min((i + 1) * grain, count)).
// The cuts depend on count and grain only, never on the pool, so a routine that writes per item or
// per chunk (chunk index = begin / grain) and combines chunks in index order gives the same bits
// with any number of threads. Which thread runs a chunk, and when, is not fixed.
//
// On WebAssembly there are no threads: a pool always has one, and loops are serial.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "tenon/engine/base/assert.h"

namespace tenon {

// A fixed set of workers; owned by whoever starts a simulation, never global. The thread that
// calls parallel_for works too, so `threads` threads means threads - 1 workers. Idle workers spin
// for some ten microseconds (phases of a step follow one another closely) and then sleep.
class ThreadPool {
 public:
  static constexpr int kMaxThreads = 256;

  // Precondition: 1 <= threads <= kMaxThreads.
  explicit ThreadPool(int threads);
  // Precondition: no loop is running.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Threads that share a loop, the calling one included.
  int thread_count() const;

  // Calls run(context, begin, end) for every chunk and returns when all are done; everything the
  // calls wrote is visible to the caller then. A loop started inside a loop (or from a second
  // thread while one is running) runs serially on its own thread: no deadlock, same result.
  using ChunkFunction = void (*)(void* context, size_t begin, size_t end);
  void run_chunks(size_t count, size_t grain, ChunkFunction run, void* context);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;  // null with one thread
};

// Threads the machine can run at once; 1 where that is unknown or there are no threads.
int hardware_threads();

// Number of chunks of a loop; 0 for an empty one. Precondition: grain > 0.
constexpr size_t chunk_count(size_t count, size_t grain) {
  return count / grain + (count % grain != 0 ? 1 : 0);
}

// Calls fn(begin, end) once for every chunk, on the pool's threads; serially, in index order and
// with the same chunks, when pool is null or has one thread. fn must not throw, and chunks must
// not write to the same memory. Precondition: grain > 0. Choose a grain of some ten microseconds'
// work, so that handing out chunks costs little beside it.
template <class Fn>
void parallel_for(ThreadPool* pool, size_t count, size_t grain, Fn&& fn) {
  TENON_DEMAND(grain > 0);
  if (pool == nullptr || pool->thread_count() == 1 || count <= grain) {
    for (size_t begin = 0; begin < count;) {
      const size_t end = count - begin > grain ? begin + grain : count;
      fn(begin, end);
      begin = end;
    }
    return;
  }
  using F = std::remove_reference_t<Fn>;
  pool->run_chunks(
      count, grain,
      [](void* context, size_t begin, size_t end) { (*static_cast<F*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
}

}  // namespace tenon
