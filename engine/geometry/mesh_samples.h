// Points on a mesh at which contacts are looked for: its corners and edges where it is coarse, and
// so many of its vertices as its distance field can tell apart where it is fine, so that cost
// follows shape and not the number of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tenon/engine/math/vec3.h"

namespace tenon {

struct MeshGeometry;  // mesh.h

struct MeshSamples {
  struct Point {
    Vec3 p;             // in the shape frame
    Vec3 normal;        // unit, the middle of the normals of the faces that meet here
    double cone = 0;    // rad: none of those normals is farther from it
    int triangle = -1;  // one that contains it
    int corner = -1;    // of that triangle; -1: not a vertex but a point within an edge
    int edge = -1;      // of that triangle, from its vertex `edge` on; -1: a vertex
  };
  // Spheres over points: a binary tree in one array, the left child right behind its parent.
  struct Node {
    Vec3 centre;
    double radius = 0;
    int first = 0;  // leaf: points [first, first + count)
    int count = 0;  // 0: an inner node, and `first` is its right child
  };
  std::vector<Point> points;
  std::vector<Node> nodes;
  double spacing = 0;    // m, see make_samples
  double sag = 0;        // m: so much nearer than its samples the surface between them may be to
                         //   something as round as itself
  double dip = 0;        // m: so much lower than all samples near them vertices between may lie,
                         //   along their own normals: what a plane comes nearer
  bool thinned = false;  // some vertices among the candidates are no samples
  bool smooth = false;   // no edge bends by more than kSmoothEdge about a corner
};

// Calls visit(point index) for all points but those below nodes that leave_out(node) says true of.
// Trees halve, so that 128 nodes are enough for any number of points.
template <class LeaveOut, class Visit>
void visit_samples(const MeshSamples& samples, const LeaveOut& leave_out, const Visit& visit) {
  if (samples.nodes.empty()) return;
  std::array<int, 128> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const MeshSamples::Node& node = samples.nodes[at];
    if (leave_out(node)) continue;
    for (int i = node.first; i < node.first + node.count; ++i) visit(i);
    if (node.count > 0) continue;
    stack[top++] = node.first;
    stack[top++] = at + 1;
  }
}

// Edges that bend by less than this, rad, are flat: nothing touches there that does not touch the
// faces beside them.
inline constexpr double kFlatEdge = 1e-3;

// Meshes without sharper edges than this, rad, need be probed one way only against each other.
inline constexpr double kSmoothEdge = 0.6;

struct SampleSpacing {
  double vertices = 0, edges = 0, low = 0;  // m
};

// Candidates are all vertices at which an edge is convex or ends the surface, or from which all
// edges fall, and points within such edges, no farther than `spacing.edges` (> 0, m) apart. Of
// several candidates in one cell of a grid of `spacing.vertices`, whose normals point along the
// same axis, the one with the widest cone of normals stays; of cones that are as wide (to 0.05 rad)
// the one nearest to the middle of the cell. And so do, up to 16 in each cell, those that lie
// lower, along their normals, than all samples around them by more than `spacing.low`. Promise:
// every candidate lies within sqrt(3) spacing.vertices of a sample that faces the same way (the
// largest components of their normals, with their signs, are on the same axis). Vertices within
// flat and hollow parts are none: what touches those does so with its own corners and edges. Cost:
// O(n log n).
MeshSamples make_samples(const MeshGeometry& mesh, const SampleSpacing& spacing);
// The spacing that is chosen for a mesh. Closed: of vertices a tenth of its size, and no less than
// a cell of its field; of points on edges a quarter of its size; low is what sticks out by half a
// percent of it. Open: its mean edge, or half of that for small ones.
SampleSpacing find_sample_spacing(const MeshGeometry& mesh);

}  // namespace tenon
