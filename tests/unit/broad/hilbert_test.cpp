#include "tenon/engine/collision/broad/detail/hilbert.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace tenon {
namespace {

// What defines the curve: it visits every cell once, and each step goes to a neighbouring cell.
TEST(Hilbert, VisitsEveryCellOnceInSingleSteps) {
  for (int bits = 1; bits <= 5; ++bits) {
    const int side = 1 << bits;
    struct Cell {
      int x = -1, y = -1, z = -1;
    };
    std::vector<Cell> cells(static_cast<size_t>(side * side * side));
    for (int x = 0; x < side; ++x) {
      for (int y = 0; y < side; ++y) {
        for (int z = 0; z < side; ++z) {
          const uint64_t h = broad::kHilbert.index(
              static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z), bits);
          ASSERT_LT(h, cells.size());
          ASSERT_EQ(cells[h].x, -1) << "two cells in one place";
          cells[h] = {x, y, z};
        }
      }
    }
    for (size_t h = 1; h < cells.size(); ++h) {
      const int distance = std::abs(cells[h].x - cells[h - 1].x) +
                           std::abs(cells[h].y - cells[h - 1].y) +
                           std::abs(cells[h].z - cells[h - 1].z);
      ASSERT_EQ(distance, 1) << "bits " << bits << ", place " << h;
    }
  }
}

}  // namespace
}  // namespace tenon
