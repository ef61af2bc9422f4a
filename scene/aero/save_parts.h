// The parts of writing a world file.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/document.h"

namespace tenon::scene::aero {

struct WrittenBody {
  int number = 0;
  Pose X_WB;    // of the document's body frame
  Vec3 center;  // of gravity in it, where the file's points are from
  bool dynamic = false;
};

struct Writer {
  const Document& document;
  std::string text = {};
  std::vector<Error> warnings = {};
  std::map<std::string, WrittenBody> bodies = {};  // those that were written, by name
  std::deque<WrittenBody> nails = {};              // those that stand for the world
  int next_number = 1;
  int force_records = 0;        // so far
  std::string force_name = {};  // of the force that is being written
  bool force_named = false;     // whether one of its records has the name

  void warn(Place place, std::string message, std::string value);
  // A body, or a new nail at the point where the world is meant. nullptr: it was left out.
  const WrittenBody* find(const Reference& reference, const Vec3& point_W);
  // As the file counts it.
  static Vec3 point_of(const WrittenBody& body, const Vec3& point_B);
};

std::string body_name(int number);
// "  #: name NAME", or nothing where the name is the label itself.
std::string name_remark(const std::string& name, const std::string& label);
std::string numbers(const Vec3& v);
std::string numbers(const Quat& q);

void write_bodies(Writer& w);
void write_links(Writer& w);
void write_forces(Writer& w);

}  // namespace tenon::scene::aero
