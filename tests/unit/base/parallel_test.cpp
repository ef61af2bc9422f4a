#include "tenon/engine/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace tenon {
namespace {

TEST(ThreadPool, HasTheThreadsAskedFor) {
  EXPECT_EQ(ThreadPool(1).thread_count(), 1);
  EXPECT_EQ(ThreadPool(4).thread_count(), 4);
  EXPECT_GE(hardware_threads(), 1);
}

TEST(ThreadPoolDeath, RefusesNoThreadsAndTooMany) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(ThreadPool(0), "");
  EXPECT_DEATH(ThreadPool(ThreadPool::kMaxThreads + 1), "");
  EXPECT_DEATH(parallel_for(nullptr, 10, 0, [](size_t, size_t) {}), "");
}

TEST(ParallelFor, VisitsEveryItemExactlyOnce) {
  ThreadPool pool(4);
  for (size_t count : {0, 1, 2, 7, 64, 65, 1000, 4097}) {
    for (size_t grain : {1, 3, 64, 5000}) {
      std::vector<int> visits(count, 0);
      parallel_for(&pool, count, grain, [&](size_t begin, size_t end) {
        ASSERT_LT(begin, end);
        for (size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << count << " by " << grain;
    }
  }
}

std::vector<size_t> chunk_ends(ThreadPool* pool, size_t count, size_t grain) {
  std::vector<size_t> ends(chunk_count(count, grain), 0);
  parallel_for(pool, count, grain, [&](size_t begin, size_t end) {
    EXPECT_EQ(begin % grain, 0u);
    ends[begin / grain] = end;
  });
  return ends;
}

TEST(ParallelFor, CutsTheSameChunksWithAnyNumberOfThreads) {
  ThreadPool one(1), two(2), five(5);
  for (size_t count : {1, 10, 99, 100, 101, 12345}) {
    const std::vector<size_t> serial = chunk_ends(nullptr, count, 10);
    EXPECT_EQ(serial.back(), count);
    EXPECT_EQ(chunk_ends(&one, count, 10), serial);
    EXPECT_EQ(chunk_ends(&two, count, 10), serial);
    EXPECT_EQ(chunk_ends(&five, count, 10), serial);
  }
}

// Sums that round differently for every other grouping.
double chunked_sum(ThreadPool* pool) {
  const size_t count = 10007, grain = 64;
  std::vector<double> partial(chunk_count(count, grain));
  parallel_for(pool, count, grain, [&](size_t begin, size_t end) {
    double sum = 0;
    for (size_t i = begin; i < end; ++i) sum += 1.0 / static_cast<double>(3 * i + 1);
    partial[begin / grain] = sum;
  });
  double total = 0;
  for (double sum : partial) total += sum;
  return total;
}

TEST(ParallelFor, GivesTheSameBitsWithAnyNumberOfThreads) {
  const double serial = chunked_sum(nullptr);
  for (int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(chunked_sum(&pool), serial);
  }
}

TEST(ParallelFor, SurvivesManyLoopsInARow) {
  ThreadPool pool(3);
  std::vector<uint64_t> values(256, 0);
  const int loops = 20000;
  for (int loop = 0; loop < loops; ++loop) {
    // no atomics: only the loop's own ordering protects the values from one loop to the next
    parallel_for(&pool, values.size(), 32, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) values[i] += i;
    });
  }
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], i * loops);
}

TEST(ParallelFor, WakesWorkersThatHaveGoneToSleep) {
  ThreadPool pool(2);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    // each chunk waits for the other one: done only if two threads take part
    std::atomic<int> arrived{0};
    parallel_for(&pool, 2, 1, [&](size_t, size_t) {
      arrived.fetch_add(1);
      while (arrived.load() < 2) std::this_thread::yield();
    });
    EXPECT_EQ(arrived.load(), 2);
  }
}

TEST(ParallelFor, RunsNestedLoopsSerially) {
  ThreadPool pool(3);
  std::vector<int> visits(40 * 50, 0);
  parallel_for(&pool, 40, 1, [&](size_t row, size_t) {
    parallel_for(&pool, 50, 7, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++visits[row * 50 + i];
    });
  });
  for (int count : visits) EXPECT_EQ(count, 1);
}

TEST(ParallelFor, ServesTwoCallersAtOnce) {
  ThreadPool pool(2);
  auto sum_squares = [&pool] {
    uint64_t bad = 0;
    for (int round = 0; round < 500; ++round) {
      std::vector<uint64_t> squares(300);
      parallel_for(&pool, squares.size(), 16, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) squares[i] = i * i;
      });
      for (size_t i = 0; i < squares.size(); ++i) bad += squares[i] != i * i;
    }
    return bad;
  };
  uint64_t other_bad = 1;
  std::thread other([&] { other_bad = sum_squares(); });
  EXPECT_EQ(sum_squares(), 0u);
  other.join();
  EXPECT_EQ(other_bad, 0u);
}

TEST(ParallelFor, CallsAConstFunctionObject) {
  ThreadPool pool(2);
  std::atomic<size_t> total{0};
  const auto add = [&total](size_t begin, size_t end) { total += end - begin; };
  parallel_for(&pool, 1000, 9, add);
  EXPECT_EQ(total.load(), 1000u);
}

}  // namespace
}  // namespace tenon
