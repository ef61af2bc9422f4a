// How the bodies of a world answer to loads at their contacts, as the force model has placed them.
#pragma once

#include "tenon/engine/solve_force/contact_response.h"
#include "tenon/engine/world/force_model.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

// Precondition of respond(): the model's bodies and mechanisms have been placed.
class ForceResponse final : public ContactResponse {
 public:
  ForceResponse(const WorldData& data, const Mechanisms& mechanisms, ForceModel& model)
      : data_(data), mechanisms_(mechanisms), model_(model) {}
  void respond(std::span<const LoadedBody> loads,
               std::vector<AnsweringBody>& answer) const override;

 private:
  const WorldData& data_;
  const Mechanisms& mechanisms_;
  ForceModel& model_;
  // by body slot
  mutable std::vector<Wrench> loads_;
  mutable std::vector<Motion> changes_;
};

}  // namespace tenon
