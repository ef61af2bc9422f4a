#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/mesh_patches.h"

namespace tenon::narrow {
namespace {

constexpr int kMostTouching = 4, kMostSoon = 6, kMostInAll = 7;
// Of the extent of those to choose from: points nearer to one that is chosen are left out.
constexpr double kWorthIt = 0.1;
constexpr double kTie = 1e-6;      // of the largest: less is no difference

class Chooser {
 public:
  explicit Chooser(const std::vector<PatchCandidate>& points) : points_(points) {}

  // Adds points of those that `allows` names until there are `most`, none nearer to another than a
  // part of the extent.
  template <class Allows>
  void choose(Allows allows, double extent, int most) {
    while (out.count < most) {
      const int next = out.count == 1 ? find_farthest(allows) : find_widest(allows);
      if (next < 0 || distance2_to_chosen(next) < kWorthIt * kWorthIt * extent * extent) return;
      out.index[out.count++] = next;
    }
  }
  void add_deepest() {
    int now = 0, soon = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (points_[i].gap < points_[now].gap) now = i;
      if (points_[i].soon < points_[soon].soon) soon = i;
    }
    out.index[out.count++] = now;
    if (soon != now) out.index[out.count++] = soon;
  }
  // From the deepest to the farthest.
  template <class Allows>
  double find_extent(Allows allows) const {
    double far = 0;
    for (const PatchCandidate& x : points_) {
      if (allows(x)) far = std::max(far, distance2(x, chosen(0)));
    }
    return std::sqrt(far);
  }
  ChosenPoints out;

 private:
  static double distance2(const PatchCandidate& a, const PatchCandidate& b) {
    return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
  }
  const PatchCandidate& chosen(int i) const { return points_[out.index[i]]; }

  double distance2_to_chosen(int i) const {
    double least = 1e300;
    for (int k = 0; k < out.count; ++k) least = std::min(least, distance2(points_[i], chosen(k)));
    return least;
  }
  template <class Allows, class Score>
  int find_best(Allows allows, Score score) const {
    int best = -1;
    double most = 0;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      if (!allows(points_[i])) continue;
      const double s = score(points_[i]);
      if (s > most * (1 + kTie)) {
        most = s;
        best = i;
      }
    }
    return best;
  }
  template <class Allows>
  int find_farthest(Allows allows) const {
    return find_best(allows, [&](const PatchCandidate& x) { return distance2(x, chosen(0)); });
  }
  // By how much the area of the chosen ones grows, seen from each of its edges; they need not be in
  // order: the largest triangle with any two of them that has no third on its side.
  template <class Allows>
  int find_widest(Allows allows) const {
    return find_best(allows, [&](const PatchCandidate& x) {
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
  chooser.add_deepest();
  const double limit = std::max(deepest, 0.0) + touching;
  const auto soon = [&](const PatchCandidate& x) { return x.soon <= limit; };
  const auto now = [&](const PatchCandidate& x) { return x.gap <= limit; };
  const auto any = [](const PatchCandidate&) { return true; };
  const double extent = chooser.find_extent(soon);
  chooser.choose(now, extent, kMostTouching);
  chooser.choose(soon, extent, kMostSoon);
  chooser.choose(any, chooser.find_extent(any), kMostInAll);
  return chooser.out;
}

}  // namespace tenon::narrow
