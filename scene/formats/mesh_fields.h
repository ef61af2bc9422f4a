// Shapes made of triangles, field by field; see fields.h.
#pragma once

#include "tenon/scene/document/mesh_shape.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(MeshShape, "mesh", "Triangles, from a file or written out")

TENON_WORDS(LengthUnit, "m", "cm", "mm", "in", "ft")
TENON_WORDS(UpAxis, "y", "z", "x")
TENON_WORDS(MeshOrigin, "file", "center")
TENON_WORDS(MeshRepair, "weld", "drop", "flip")

template <class V, Is<MeshShape> T>
void describe(V& v, T& s) {
  v.field("file", s.file, spec::plain(),
          "file of triangles, relative to the scene: obj, stl, ply, gltf, glb");
  v.field("units", s.units, spec::plain(), "what lengths in the file are");
  v.field("up", s.up, spec::plain(), "the axis of the file that becomes y");
  v.field("scale", s.scale, spec::scale(), "factor, or one for each axis of the file");
  v.field("origin", s.origin, spec::plain(),
          "where the origin is: as in the file, or the centre of mass");
  v.field("vertices", s.vertices, spec::length().at_least(3), "points, where there is no file");
  v.field("triangles", s.triangles, spec::number().whole().from(0).at_least(1),
          "three vertices each, counted from 0, counter-clockwise seen from outside");
  v.field("repair", s.repair, spec::names(),
          "what to mend: weld close vertices, drop triangles without area, flip inward pieces");
  v.field("weld_distance", s.weld_distance, spec::quantity(kLength, 1e6).above(0),
          "vertices closer than this are welded; else 1e-6 of the longest side");
  v.field("cell", s.cell, spec::quantity(kLength, 1e6).above(0),
          "edge of the cells of its distance field; else chosen");
}

}  // namespace tenon::scene
