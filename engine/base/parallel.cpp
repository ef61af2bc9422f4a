#include "tenon/engine/base/parallel.h"

#ifdef __wasm__

namespace tenon {

struct ThreadPool::Impl {};
ThreadPool::ThreadPool(int threads) { TENON_DEMAND(threads >= 1 && threads <= kMaxThreads); }
ThreadPool::~ThreadPool() = default;
int ThreadPool::thread_count() const { return 1; }
int hardware_threads() { return 1; }

void ThreadPool::run_chunks(size_t count, size_t grain, ChunkFunction run, void* context) {
  parallel_for(nullptr, count, grain, [=](size_t begin, size_t end) { run(context, begin, end); });
}

}  // namespace tenon

#else

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon {
namespace {

// Pauses of an idle worker before it sleeps; a pause is 10 to 60 ns on current processors.
constexpr int kSpins = 1000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

// One loop at a time. `gate` says whether the loop is open and how many workers are inside: a
// worker enters by compare-and-swap only while it is open, the caller closes it once all chunks
// are taken and then waits for the workers inside alone. So a worker that wakes late can neither
// delay a loop nor read the fields of the next one too early.
struct ThreadPool::Impl {
  static constexpr uint32_t kOpen = 1u << 31;

  // the loop; written by the caller while the gate is closed and empty
  size_t count = 0, grain = 1, chunks = 0;
  ChunkFunction run = nullptr;
  void* context = nullptr;

  alignas(64) std::atomic<size_t> next{0};          // first chunk not yet taken
  alignas(64) std::atomic<uint32_t> gate{0};        // kOpen | workers inside
  alignas(64) std::atomic<uint32_t> generation{0};  // counts loops; its change wakes workers
  std::atomic<bool> busy{false};                    // a loop is running
  std::atomic<bool> stop{false};
  std::atomic<int> sleepers{0};
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<std::thread> workers;

  void take_chunks();
  bool enter();
  void work();
  uint32_t wait_for_change(uint32_t seen);
  void announce();
};

void ThreadPool::Impl::take_chunks() {
  for (;;) {
    const size_t chunk = next.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= chunks) return;
    const size_t begin = chunk * grain;
    run(context, begin, count - begin > grain ? begin + grain : count);
  }
}

bool ThreadPool::Impl::enter() {
  uint32_t state = gate.load(std::memory_order_relaxed);
  while ((state & kOpen) != 0) {
    if (gate.compare_exchange_weak(state, state + 1, std::memory_order_acquire,
                                   std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

uint32_t ThreadPool::Impl::wait_for_change(uint32_t seen) {
  for (int i = 0; i < kSpins; ++i) {
    const uint32_t now = generation.load(std::memory_order_acquire);
    if (now != seen) return now;
    pause();
  }
  // Sleep. Either announce() sees the sleeper, or the sleeper sees the new generation: both sides
  // write first and read second, in one total order.
  std::unique_lock<std::mutex> lock(mutex);
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  uint32_t now;
  while ((now = generation.load(std::memory_order_seq_cst)) == seen) wake.wait(lock);
  sleepers.fetch_sub(1, std::memory_order_relaxed);
  return now;
}

void ThreadPool::Impl::announce() {
  generation.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers.load(std::memory_order_seq_cst) == 0) return;
  {
    const std::lock_guard<std::mutex> lock(mutex);
  }
  wake.notify_all();
}

void ThreadPool::Impl::work() {
  uint32_t seen = 0;
  for (;;) {
    seen = wait_for_change(seen);
    if (stop.load(std::memory_order_acquire)) return;
    if (!enter()) continue;
    take_chunks();
    gate.fetch_sub(1, std::memory_order_release);
  }
}

ThreadPool::ThreadPool(int threads) {
  TENON_DEMAND(threads >= 1 && threads <= kMaxThreads);
  if (threads == 1) return;
  impl_ = std::make_unique<Impl>();
  impl_->workers.reserve(static_cast<size_t>(threads - 1));
  for (int i = 1; i < threads; ++i) {
    impl_->workers.emplace_back([impl = impl_.get()] { impl->work(); });
  }
}

ThreadPool::~ThreadPool() {
  if (impl_ == nullptr) return;
  TENON_DEMAND(!impl_->busy.load());
  impl_->stop.store(true, std::memory_order_release);
  impl_->announce();
  for (std::thread& worker : impl_->workers) worker.join();
}

int ThreadPool::thread_count() const {
  return impl_ == nullptr ? 1 : static_cast<int>(impl_->workers.size()) + 1;
}

int hardware_threads() {
  const unsigned count = std::thread::hardware_concurrency();
  if (count > static_cast<unsigned>(ThreadPool::kMaxThreads)) return ThreadPool::kMaxThreads;
  return count == 0 ? 1 : static_cast<int>(count);
}

void ThreadPool::run_chunks(size_t count, size_t grain, ChunkFunction run, void* context) {
  TENON_DEMAND(grain > 0);
  Impl* impl = impl_.get();
  const size_t chunks = chunk_count(count, grain);
  if (impl == nullptr || chunks <= 1 || impl->busy.exchange(true, std::memory_order_acquire)) {
    parallel_for(nullptr, count, grain,
                 [=](size_t begin, size_t end) { run(context, begin, end); });
    return;
  }

  // open the loop, work, close it
  impl->count = count;
  impl->grain = grain;
  impl->chunks = chunks;
  impl->run = run;
  impl->context = context;
  impl->next.store(0, std::memory_order_relaxed);
  impl->gate.store(Impl::kOpen, std::memory_order_release);
  impl->announce();
  impl->take_chunks();
  impl->gate.fetch_and(~Impl::kOpen, std::memory_order_relaxed);

  // wait for chunks still under way; a worker may have lost its core, so give ours up after a while
  for (int spins = 0; impl->gate.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < kSpins)
      pause();
    else
      std::this_thread::yield();
  }
  impl->busy.store(false, std::memory_order_release);
}

}  // namespace tenon

#endif
