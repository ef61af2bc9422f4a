// Mending triangles, each way only where it was asked for.
#pragma once

#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {

// Vertices of equal coordinates become one, as many formats cannot say that they are (STL has no
// vertices, glTF splits them along seams of textures). The number of those that went.
size_t join_equal_vertices(MeshData& mesh);

// The same for vertices closer than `distance`: each goes to the first one of the list that is so
// close. Triangles that lose an edge by it go, too.
size_t weld_vertices(MeshData& mesh, double distance);

// Leaves out triangles with a vertex twice, without area, and second copies of one.
size_t drop_triangles(MeshData& mesh);

// Neighbours are made to agree, and pieces that are closed and inside out are turned; not those
// within another piece, which are cavities. The number of triangles that were turned.
size_t flip_triangles(MeshData& mesh);

}  // namespace tenon::scene
