// What a surface is, measured without the code that made it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/scene/forms/forms.h"

namespace tenon::scene {

struct SurfaceFacts {
  int euler = 0;           // vertices - edges + triangles
  int components = 0;      // pieces that hang together
  int lone_edges = 0;      // directed edges without exactly one partner in the other direction
  int repeated_edges = 0;  // directed edges that occur more than once
  int unused_vertices = 0;
  double volume = 0;  // by tetrahedra from the origin
  double area = 0;
  double longest_edge = 0;
  double thinnest = 1;  // least height of a triangle over its longest side
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};

inline SurfaceFacts calc_facts(const Surface& s) {
  SurfaceFacts facts;
  std::map<std::pair<int, int>, int> edges;
  DisjointSets pieces(s.vertices.size());
  std::vector<bool> used(s.vertices.size(), false);
  for (const auto& t : s.triangles) {
    const Vec3 a = s.vertices.at(static_cast<size_t>(t[0])),
               b = s.vertices.at(static_cast<size_t>(t[1])),
               c = s.vertices.at(static_cast<size_t>(t[2]));
    facts.volume += dot(a, cross(b, c)) / 6;
    const double twice = norm(cross(b - a, c - a));
    facts.area += twice / 2;
    const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
    facts.longest_edge = std::max(facts.longest_edge, longest);
    facts.thinnest = std::min(facts.thinnest, twice / (longest * longest));
    for (size_t k = 0; k < 3; ++k) {
      ++edges[{t[k], t[(k + 1) % 3]}];
      used[static_cast<size_t>(t[k])] = true;
      pieces.join(static_cast<uint32_t>(t[k]), static_cast<uint32_t>(t[(k + 1) % 3]));
    }
  }
  int pairs = 0;
  for (const auto& [edge, count] : edges) {
    facts.repeated_edges += count > 1;
    const auto partner = edges.find({edge.second, edge.first});
    facts.lone_edges += partner == edges.end();
    pairs += partner != edges.end();
  }
  facts.euler = static_cast<int>(s.vertices.size()) - (pairs / 2 + facts.lone_edges) +
                static_cast<int>(s.triangles.size());
  for (size_t i = 0; i < s.vertices.size(); ++i) {
    facts.unused_vertices += !used[i];
    facts.components += used[i] && pieces.find(static_cast<uint32_t>(i)) == i;
    facts.low = cwise_min(facts.low, s.vertices[i]);
    facts.high = cwise_max(facts.high, s.vertices[i]);
  }
  return facts;
}

inline Surface surface_of(const Form& form) {
  auto made = make_surface(form);
  if (!made) {
    ADD_FAILURE() << format(made.error());
    return {};
  }
  return std::move(*made);
}

// Closed, manifold, in one piece, outward, and no triangle so thin that its normal is round-off.
inline SurfaceFacts expect_solid(const Form& form, const std::string& what) {
  const SurfaceFacts facts = calc_facts(surface_of(form));
  EXPECT_EQ(facts.lone_edges, 0) << what;
  EXPECT_EQ(facts.repeated_edges, 0) << what;
  EXPECT_EQ(facts.unused_vertices, 0) << what;
  EXPECT_EQ(facts.components, 1) << what;
  EXPECT_GT(facts.volume, 0) << what;
  EXPECT_GT(facts.thinnest, 1e-6) << what;
  return facts;
}

}  // namespace tenon::scene
