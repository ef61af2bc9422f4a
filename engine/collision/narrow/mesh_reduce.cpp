#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/mesh_patches.h"

namespace tenon::narrow {
namespace {

constexpr int kMostTouching = 5, kMostInAll = 6;
constexpr double kWorthIt = 0.05;  // of the patch's extent: nearer points are left out
constexpr double kTie = 1e-6;      // of the largest: less is no difference

class Chooser {
 public:
  explicit Chooser(const std::vector<PatchCandidate>& points) : points_(points) {}

  // Adds points with gaps up to `limit` until there are `most`.
  void choose(double limit, int most) {
    if (out.count == 0) add_deepest();
    const double extent = find_extent(limit);
    if (!(extent > 0)) return;
    while (out.count < most) {
      const int next = out.count == 1 ? find_farthest(limit) : find_widest(limit);
      if (next < 0 || distance2_to_chosen(next) < kWorthIt * kWorthIt * extent * extent) return;
      out.index[out.count++] = next;
    }
  }
  ChosenPoints out;

 private:
  static double distance2(const PatchCandidate& a, const PatchCandidate& b) {
    return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
  }
  const PatchCandidate& chosen(int i) const { return points_[out.index[i]]; }
  void add_deepest() {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (points_[i].gap < points_[best].gap) best = i;
    }
    out.index[out.count++] = best;
  }
  double find_extent(double limit) const {
    double far = 0;
    for (const PatchCandidate& x : points_) {
      if (x.gap <= limit) far = std::max(far, distance2(x, chosen(0)));
    }
    return std::sqrt(far);
  }
  double distance2_to_chosen(int i) const {
    double least = 1e300;
    for (int k = 0; k < out.count; ++k) least = std::min(least, distance2(points_[i], chosen(k)));
    return least;
  }
  template <class Score>
  int find_best(double limit, Score score) const {
    int best = -1;
    double most = 0;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      if (points_[i].gap > limit) continue;
      const double s = score(points_[i]);
      if (s > most * (1 + kTie)) {
        most = s;
        best = i;
      }
    }
    return best;
  }
  int find_farthest(double limit) const {
    return find_best(limit, [&](const PatchCandidate& x) { return distance2(x, chosen(0)); });
  }
  // By how much the area of the chosen ones grows, seen from each of its edges; they need not be in
  // order: the largest triangle with any two of them that has no third on its side.
  int find_widest(double limit) const {
    return find_best(limit, [&](const PatchCandidate& x) {
      double most = 0;
      for (int i = 0; i < out.count; ++i) {
        for (int j = 0; j < out.count; ++j) {
          if (i == j) continue;
          const double area = calc_area(chosen(i), chosen(j), x);
          bool outside = area > most;
          for (int k = 0; k < out.count && outside; ++k) {
            if (k != i && k != j) outside = calc_area(chosen(i), chosen(j), chosen(k)) <= 0;
          }
          if (outside) most = area;
        }
      }
      return most;
    });
  }
  static double calc_area(const PatchCandidate& a, const PatchCandidate& b,
                          const PatchCandidate& c) {
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
  }

  const std::vector<PatchCandidate>& points_;
};

}  // namespace

ChosenPoints choose_points(const std::vector<PatchCandidate>& points, double touching) {
  Chooser chooser(points);
  if (points.empty()) return {};
  double deepest = points[0].gap;
  for (const PatchCandidate& x : points) deepest = std::min(deepest, x.gap);
  chooser.choose(deepest + touching, kMostTouching);
  chooser.choose(1e300, kMostInAll);
  return chooser.out;
}

}  // namespace tenon::narrow
