#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/mesh_patches.h"

namespace tenon::narrow {
namespace {

// One more than touch: what rocks on a side must see where it will fall on the other.
constexpr int kMostTouching = 4, kMostSoon = kMostTouching + 2, kMostInAll = 4;
// Of the extent of those to choose from: points nearer to one that is chosen are left out.
constexpr double kWorthIt = 0.12;
constexpr double kStaying = 0.1;  // of what touches: by so much others must be deeper to take over
constexpr double kTie = 1e-6;     // of the largest: less is no difference

// Farthest points first: each is the one farthest from all that are chosen already.
class Chooser {
 public:
  explicit Chooser(const std::vector<PatchCandidate>& points)
      : points_(points), away2_(points.size(), 1e300) {}

  void add(int i) {
    out.index[out.count++] = i;
    for (size_t k = 0; k < points_.size(); ++k) {
      const double u = points_[k].u - points_[i].u, v = points_[k].v - points_[i].v;
      away2_[k] = std::min(away2_[k], u * u + v * v);
    }
  }
  void add_deepest(double touching) {
    int now = 0, soon = 0;
    const auto depth = [&](int i) {
      return points_[i].gap - (points_[i].known ? kStaying * touching : 0);
    };
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (depth(i) < depth(now)) now = i;
      if (points_[i].soon < points_[soon].soon) soon = i;
    }
    add(now);
    if (points_[soon].soon < points_[now].soon - touching && away2_[soon] > 0) add(soon);
  }
  // From the deepest to the farthest.
  template <class Allows>
  double find_extent(Allows allows) const {
    double far = 0;
    for (size_t i = 0; i < points_.size(); ++i) {
      if (allows(points_[i])) far = std::max(far, away2_[i]);
    }
    return std::sqrt(far);
  }
  // Adds points of those that `allows` names until there are `most`, none nearer to another than
  // `apart`.
  template <class Allows>
  void choose(Allows allows, double apart, int most) {
    while (out.count < most) {
      int best = -1;
      double far2 = apart * apart;
      for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
        if (!allows(points_[i]) || !(away2_[i] > far2 * (1 + kTie))) continue;
        best = i;
        far2 = away2_[i];
      }
      if (best < 0) return;
      add(best);
    }
  }
  ChosenPoints out;

 private:
  const std::vector<PatchCandidate>& points_;
  std::vector<double> away2_;  // from the nearest chosen one
};

}  // namespace

ChosenPoints choose_points(const std::vector<PatchCandidate>& points, double touching) {
  if (points.empty()) return {};
  Chooser chooser(points);
  double deepest = points[0].gap;
  for (const PatchCandidate& x : points) deepest = std::min(deepest, x.gap);
  chooser.add_deepest(touching);
  const double limit = std::max(deepest, 0.0) + touching;
  const auto soon = [&](const PatchCandidate& x) { return x.soon <= limit; };
  const auto now = [&](const PatchCandidate& x) { return x.gap <= limit; };
  const auto stays = [&](const PatchCandidate& x) { return x.known && x.gap <= limit; };
  const auto any = [](const PatchCandidate&) { return true; };
  const double extent = chooser.find_extent(soon);
  // what held goes on holding, unless it stands for a part of the patch only
  chooser.choose(stays, kWorthIt * extent, kMostTouching);
  chooser.choose(now, (chooser.out.count >= 3 ? 3 : 1) * kWorthIt * extent, kMostTouching + 1);
  chooser.choose(soon, kWorthIt * extent, kMostSoon);
  chooser.choose(any, 2 * kWorthIt * chooser.find_extent(any), kMostInAll);
  return chooser.out;
}

}  // namespace tenon::narrow
