// What is behind a World: its arrays, and memory that is kept from step to step for speed alone.
#pragma once

#include <memory>
#include <optional>

#include "tenon/engine/base/parallel.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/displaced_islands.h"
#include "tenon/engine/world/drags.h"
#include "tenon/engine/world/force_model.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/world.h"

namespace tenon {

struct World::Impl {
  WorldData data;
  Mechanisms mechanisms;
  ContactWork contacts;
  ForceModel force;
  DisplacedIslands displaced;
  Drags drags;
  std::unique_ptr<ThreadPool> pool;
  bool diagnostics_stale = true;      // before the first step and after edits
  std::optional<uint64_t> structure;  // calc_structure_hash(data) while nothing has changed

  uint64_t structure_hash() {
    if (!structure) structure = calc_structure_hash(data);
    return *structure;
  }

  void refresh_diagnostics() {
    if (!diagnostics_stale) return;
    data.diagnostics.step = data.step_count;
    data.diagnostics.time = current_time(data);
    data.diagnostics.mechanics = calc_all_mechanics(data);
    measure_joints(data, 0);
    measure_contacts(data);
    diagnostics_stale = false;
  }

  // What the method 'force' has integrated ahead does not hold any more.
  void drop_run() {
    data.force.active = false;
    force.valid = false;
  }

  // What an edit changes in energy and momentum is put down as done by the user, so that the
  // balance goes on showing the integrator's own error only.
  template <class Edit>
  void edit(const Edit& change, uint32_t slot_before, const uint32_t* slot_after) {
    if (slot_before < data.info.size() && data.body_slots.live(slot_before)) {
      book(calc_body_mechanics(data, slot_before), -1);
    }
    change();
    drop_run();
    data.contacts_stale = true;
    if (slot_after != nullptr) book(calc_body_mechanics(data, *slot_after), +1);
    diagnostics_stale = true;
  }
  void book(const Mechanics& m, double sign) {
    data.diagnostics.work_J += sign * (m.kinetic_J + m.potential_J);
    data.diagnostics.linear_impulse += sign * m.linear_momentum;
    data.diagnostics.angular_impulse += sign * m.angular_momentum;
  }
};

}  // namespace tenon
