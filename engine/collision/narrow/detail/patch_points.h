// Collects the points of a contact patch: drops what is too far apart or double, reduces what is
// too many.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "tenon/engine/collision/narrow/detail/patch_frame.h"
#include "tenon/engine/collision/narrow/manifold.h"

namespace tenon::detail {

// Lateral places closer than this share of the smaller shape are one point; flush faces may stick
// out by as much. Wide enough to ride over the jitter of a resting stack, so that names hold.
inline constexpr double kSlop = 1e-5;
// A patch must hold a point this close (share of the smaller shape) to the exact distance.
inline constexpr double kDeepest = 1e-6;

// A point of the patch: lateral place, heights of both surfaces there, names.
struct PatchPoint {
  Vec2 x;
  double zA, zB;
  uint16_t idA, idB;
  double gap() const { return zB - zA; }
  uint32_t order() const { return (static_cast<uint32_t>(idA) << 16) | idB; }
};

class PatchPoints {
 public:
  // Points with a gap above `limit` are refused. Two points closer than `slop` are one (the first
  // wins). Reduction tells gaps and areas apart only beyond `slop`.
  PatchPoints(double limit, double slop) : limit_(limit), slop_(slop) {}

  // Whether the roles P, Q of the following calls are A, B (false) or B, A (true).
  void set_swapped(bool swapped) { swapped_ = swapped; }
  bool swapped() const { return swapped_; }

  // A point at lateral place x where the surface of P has height zP and that of Q zQ.
  void add(const Vec2& x, double zP, double zQ, uint16_t idP, uint16_t idQ) {
    add_spaced(x, zP, zQ, idP, idQ, slop_);
  }
  // The same, but refused within `spacing` of a point that is already there.
  void add_spaced(const Vec2& x, double zP, double zQ, uint16_t idP, uint16_t idQ, double spacing) {
    const double gap = swapped_ ? zP - zQ : zQ - zP;
    if (!(gap <= limit_)) return;
    for (int i = 0; i < count_; ++i) {
      if (norm2(points_[i].x - x) < spacing * spacing) return;
    }
    push(swapped_ ? PatchPoint{x, zQ, zP, idQ, idP} : PatchPoint{x, zP, zQ, idP, idQ}, gap);
  }
  // Refused where a point with the same name is there already.
  void add_named(const Vec2& x, double zP, double zQ, uint16_t idP, uint16_t idQ);

  int count() const { return count_; }
  const PatchPoint& operator[](int i) const { return points_[i]; }
  double slop() const { return slop_; }
  double least_gap() const { return least_gap_; }  // infinite where there is no point

  // Leaves at most `most` points: takes away, one by one, the point that contributes least to the
  // area [Visvalingam1993], never the only deepest one. Equal contributions (a regular polygon) are
  // settled by name, so that round-off does not change the choice from step to step.
  void reduce(int most);

  // Reduces to Manifold::kMaxPoints, makes names unique and writes the points in order of name, the
  // deepest of them with the gap `distance`, that of the shapes.
  void write(const PatchFrame& frame, double distance, Manifold& out);

 private:
  static constexpr int kCapacity = 64;

  void push(const PatchPoint& point, double gap) {
    if (count_ == kCapacity) reduce(Manifold::kMaxPoints);
    points_[count_++] = point;
    least_gap_ = gap < least_gap_ ? gap : least_gap_;
  }
  void sort_by_name();
  void find_least_gap();
  void make_names_unique();
  void lift_to(double distance);
  void lower_deepest_to(double distance);
  int find_least_useful(const int* ring, int count, double floor) const;

  double limit_, slop_;
  double least_gap_ = std::numeric_limits<double>::infinity();
  bool swapped_ = false;
  int count_ = 0;
  std::array<PatchPoint, kCapacity> points_;
};

}  // namespace tenon::detail
