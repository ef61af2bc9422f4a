#include "tenon/benchmarks/engines/engine.h"

namespace tenon {

std::vector<EngineKind> all_engines() {
  std::vector<EngineKind> engines = tenon_engines();
  const auto append = [&](const std::vector<EngineKind>& more) {
    engines.insert(engines.end(), more.begin(), more.end());
  };
#ifdef TENON_WITH_BULLET
  append(bullet_engines());
#endif
#ifdef TENON_WITH_ODE
  append(ode_engines());
#endif
#ifdef TENON_WITH_MUJOCO
  append(mujoco_engines());
#endif
  (void)append;
  return engines;
}

}  // namespace tenon
