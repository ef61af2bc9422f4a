#include <algorithm>
#include <cmath>
#include <utility>

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

// A place moves at the rate n.v + ((p - m) x n).w, m the middle of all and R the farthest from it:
// two of them differ by at most d, the distance of the rows (n, (p - m) x n / R), times how fast
// the pair moves. So one that is left out comes nearer by no more than d times the reach than the
// one beside it, and next comes whichever has
//   gap - d reach                                                                              (1)
// least. Of a ring of many shallow places this takes some all around, and of two walls both.
std::vector<uint32_t> choose_places(const std::vector<PatchPlace>& places, double reach,
                                    double touching, size_t most) {
  std::vector<uint32_t> chosen;
  if (places.empty()) return chosen;
  Vec3 middle;
  for (const PatchPlace& x : places) middle += x.p;
  middle = middle / static_cast<double>(places.size());
  double far2 = 0;
  for (const PatchPlace& x : places) far2 = std::max(far2, norm2(x.p - middle));
  const double scale = far2 > 0 ? 1 / std::sqrt(far2) : 0;
  std::vector<std::pair<Vec3, Vec3>> rows;
  std::vector<double> gap, away2(places.size(), 4);
  double deepest = 0;
  for (const PatchPlace& x : places) {
    rows.push_back({x.n, scale * cross(x.p - middle, x.n)});
    gap.push_back(x.gap - (x.known ? kStaying * touching : 0));
    deepest = std::max(deepest, -x.gap);
  }
  const double way = reach + deepest;
  while (chosen.size() < std::min(most, places.size())) {
    uint32_t best = 0;
    double least = 1e300;
    for (uint32_t i = 0; i < places.size(); ++i) {
      if (away2[i] < 0) continue;
      const double score = gap[i] - way * std::sqrt(away2[i]);
      if (!(score < least)) continue;
      least = score;
      best = i;
    }
    chosen.push_back(best);
    for (uint32_t i = 0; i < places.size(); ++i) {
      const double d2 =
          norm2(rows[i].first - rows[best].first) + norm2(rows[i].second - rows[best].second);
      away2[i] = std::min(away2[i], d2);
    }
    away2[best] = -1;
  }
  return chosen;
}

}  // namespace tenon::narrow
