#include "tenon/engine/solve_force/contact_response.h"

namespace tenon {

void FreeResponse::respond(std::span<const LoadedBody> loads,
                           std::vector<AnsweringBody>& answer) const {
  answer.clear();
  for (const LoadedBody& l : loads) {
    const Inverse& body = bodies_[l.body];
    if (!(body.inv_mass > 0)) continue;
    AnsweringBody* same = nullptr;
    for (AnsweringBody& a : answer) {
      if (a.body == l.body) same = &a;
    }
    if (same == nullptr) same = &answer.emplace_back(AnsweringBody{l.body, {}});
    same->change.v += body.inv_mass * l.load.force;
    same->change.w += body.inv_I_W * l.load.torque;
  }
}

}  // namespace tenon
