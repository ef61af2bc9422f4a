// Points on a mesh at which contacts are looked for: its corners and edges where it is coarse, and
// so many of its vertices as its distance field can tell apart where it is fine, so that cost
// follows shape and not the number of triangles.
#pragma once

#include <vector>

#include "tenon/engine/math/vec3.h"

namespace tenon {

struct MeshSamples {
  struct Point {
    Vec3 p;             // in the shape frame
    int triangle = -1;  // one that contains it
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
};

}  // namespace tenon
