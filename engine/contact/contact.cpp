#include "tenon/engine/contact/contact.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace tenon {
namespace {

auto pair_of(const Touch& t) { return std::tie(t.body_a, t.body_b, t.kind); }
bool pair_before(const Touch& a, const Touch& b) { return pair_of(a) < pair_of(b); }

// The kind as seen from the body with the lower slot.
TouchKind kind_in_order(const Contact& c) {
  if (c.body_a < c.body_b) return c.kind;
  if (c.kind == TouchKind::kSensorA) return TouchKind::kSensorB;
  return c.kind == TouchKind::kSensorB ? TouchKind::kSensorA : c.kind;
}

}  // namespace

std::vector<Push> calc_pushes(std::span<const Contact> contacts) {
  struct Part {
    Push push;
    size_t place = 0;
  };
  std::vector<Part> parts;
  for (size_t place = 0; place < contacts.size(); ++place) {
    const Contact& c = contacts[place];
    Push push{std::min(c.body_a, c.body_b), std::max(c.body_a, c.body_b), {}, 0};
    for (size_t i = 0; i < static_cast<size_t>(c.manifold.count); ++i) {
      push.impulse_W += c.impulse_W[i];
      push.normal += dot(c.impulse_W[i], c.manifold.normal_W);
    }
    if (push.impulse_W == Vec3{} && push.normal == 0) continue;
    if (c.body_a > c.body_b) push.impulse_W = -push.impulse_W;
    parts.push_back({push, place});
  }
  // by place as well, so that sums have one order
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(a.push.body_a, a.push.body_b, a.place) <
           std::tie(b.push.body_a, b.push.body_b, b.place);
  });
  std::vector<Push> pushes;
  for (const Part& part : parts) {
    const Push& p = part.push;
    if (!pushes.empty() && pushes.back().body_a == p.body_a && pushes.back().body_b == p.body_b) {
      pushes.back().impulse_W += p.impulse_W;
      pushes.back().normal += p.normal;
    } else {
      pushes.push_back(p);
    }
  }
  return pushes;
}

std::vector<Push> add_pushes(std::span<const Push> first, std::span<const Push> second) {
  std::vector<Push> sum;
  auto a = first.begin();
  const auto key = [](const Push& p) { return std::tie(p.body_a, p.body_b); };
  for (const Push& b : second) {
    while (a != first.end() && key(*a) < key(b)) sum.push_back(*a++);
    sum.push_back(b);
    if (a == first.end() || key(*a) != key(b)) continue;
    sum.back().impulse_W += a->impulse_W;
    sum.back().normal += a->normal;
    ++a;
  }
  sum.insert(sum.end(), a, first.end());
  return sum;
}

bool is_before(const Contact& a, const Contact& b) {
  return std::tie(a.collider_a, a.collider_b, a.patch) <
         std::tie(b.collider_a, b.collider_b, b.patch);
}

std::span<const Contact> pair_at(std::span<const Contact> sorted, size_t begin) {
  size_t end = begin + 1;
  while (end < sorted.size() && is_same_pair(sorted[end], sorted[begin])) ++end;
  return sorted.subspan(begin, end - begin);
}

size_t find_heir(std::span<const Contact> before, const Contact& old,
                 std::span<const Contact> now) {
  constexpr double kSameWay = 0.7;  // cosine
  if (before.size() == 1 && now.size() == 1) return 0;
  // by the point that bears most
  int bears = 0;
  for (int k = 1; k < old.manifold.count; ++k) {
    if (norm2(old.impulse_W[k]) > norm2(old.impulse_W[bears])) bears = k;
  }
  size_t best = now.size();
  double nearest = 0;
  for (size_t i = 0; i < now.size(); ++i) {
    if (dot(old.manifold.normal_W, now[i].manifold.normal_W) < kSameWay) continue;
    for (int k = 0; k < now[i].manifold.count; ++k) {
      const ContactPoint &x = old.manifold.points[bears], &y = now[i].manifold.points[k];
      const double distance2 = x.feature == y.feature ? -1 : norm2(x.p_W - y.p_W);
      if (best < now.size() && !(distance2 < nearest)) continue;
      best = i;
      nearest = distance2;
    }
  }
  return best;
}

namespace {

// Walks along two sorted lists: calls visit(patches of a pair in `before`, those in `after`).
template <class Visit>
void visit_pairs(std::span<const Contact> before, std::span<const Contact> after, Visit visit) {
  const auto pair = [](const Contact& c) { return std::tie(c.collider_a, c.collider_b); };
  size_t at = 0;
  for (size_t i = 0; i < before.size();) {
    const std::span<const Contact> old = pair_at(before, i);
    while (at < after.size() && pair(after[at]) < pair(old[0])) ++at;
    const bool found = at < after.size() && is_same_pair(after[at], old[0]);
    visit(old, found ? pair_at(after, at) : std::span<const Contact>());
    i += old.size();
  }
}

}  // namespace

void add_impulses(std::span<const Contact> first, std::span<Contact> second) {
  visit_pairs(first, second, [&](std::span<const Contact> old, std::span<const Contact> now) {
    for (const Contact& from : old) {
      const size_t heir_patch = find_heir(old, from, now);
      if (heir_patch == now.size()) continue;
      Contact& c = second[static_cast<size_t>(&now[heir_patch] - second.data())];
      const auto points = static_cast<size_t>(c.manifold.count);
      for (size_t k = 0; k < static_cast<size_t>(from.manifold.count); ++k) {
        size_t heir = 0;
        for (size_t i = 0; i < points; ++i) {
          if (c.manifold.points[i].feature == from.manifold.points[k].feature) heir = i;
        }
        c.impulse_W[heir] += from.impulse_W[k];
      }
    }
  });
}

std::vector<Contact> merge_ended(std::span<const Contact> first, std::span<const Contact> second) {
  std::vector<Contact> all(second.begin(), second.end());
  visit_pairs(first, second, [&](std::span<const Contact> old, std::span<const Contact> now) {
    if (now.empty()) all.insert(all.end(), old.begin(), old.end());
  });
  std::sort(all.begin(), all.end(), is_before);
  return all;
}

std::vector<Contact> find_ended(std::span<const Contact> before, std::span<const Contact> after) {
  std::vector<Contact> ended;
  visit_pairs(before, after, [&](std::span<const Contact> old, std::span<const Contact> now) {
    for (const Contact& c : old) {
      if (find_heir(old, c, now) < now.size()) continue;
      const auto pushes = [](const Vec3& p) { return !(p == Vec3{}); };
      const auto last = c.impulse_W.begin() + c.manifold.count;
      if (std::any_of(c.impulse_W.begin(), last, pushes)) ended.push_back(c);
    }
  });
  return ended;
}

std::vector<Touch> find_touches(std::span<const Contact> contacts, std::span<const Push> pushes) {
  std::vector<Touch> touches;
  for (const Contact& c : contacts) {
    if (c.manifold.count == 0 || c.manifold.distance > 0) continue;
    touches.push_back({std::min(c.body_a, c.body_b), std::max(c.body_a, c.body_b),
                       c.manifold.distance, kind_in_order(c)});
  }
  for (const Push& p : pushes) {
    if (p.normal > 0) touches.push_back({p.body_a, p.body_b, 0, TouchKind::kContact});
  }
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.body_a, a.body_b, a.kind, a.distance) <
           std::tie(b.body_a, b.body_b, b.kind, b.distance);
  });
  const auto last = std::unique(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
    return pair_of(a) == pair_of(b);
  });
  touches.erase(last, touches.end());
  return touches;
}

std::vector<Touch> find_new(std::span<const Touch> before, std::span<const Touch> after) {
  std::vector<Touch> fresh;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(fresh), pair_before);
  return fresh;
}

const Touch* find_touch(std::span<const Touch> touches, uint32_t body_a, uint32_t body_b,
                        TouchKind kind) {
  const Touch wanted{std::min(body_a, body_b), std::max(body_a, body_b), 0, kind};
  const auto found = std::lower_bound(touches.begin(), touches.end(), wanted, pair_before);
  return found != touches.end() && pair_of(*found) == pair_of(wanted) ? &*found : nullptr;
}

}  // namespace tenon
