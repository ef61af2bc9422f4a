// What the records of a world file mean.
#pragma once

#include <map>

#include "tenon/scene/aero/world_state.h"
#include "tenon/scene/document/document.h"

namespace tenon::scene::aero {

Document make_document(const WorldState& state, Notes& notes);

// The bodies of a document by their numbers in the file.
class Numbers {
 public:
  // The bodies of both stand in the same order. The document must outlive this.
  Numbers(const WorldState& state, const Document& document);
  // nullptr after an error.
  const Body* find(int number, Place place, Notes& notes) const;

 private:
  const Document& document_;
  std::map<int, size_t> index_;
};

// The parts of it that name bodies.
void add_links(const WorldState& state, const Numbers& numbers, Document& document, Notes& notes);
void add_forces(const WorldState& state, const Numbers& numbers, Document& document, Notes& notes);

std::string body_name(int number);

}  // namespace tenon::scene::aero
