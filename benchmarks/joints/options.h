// The command line of joint_table.
#pragma once

#include <string>
#include <vector>

#include "tenon/benchmarks/engines/race.h"
#include "tenon/benchmarks/joints/scenes.h"
#include "tenon/engine/base/result.h"

namespace tenon {

struct TableOptions {
  std::vector<SceneChoice> scenes;
  std::vector<Contestant> contestants;
  RaceSettings race;
  bool growth = false;  // the scenes are sizes of one family
  bool json = false;
  bool help = false;
};

inline constexpr const char* kTableUsage =
    R"(joint_table [SCENE...] [options]   Tenon and other engines on the same jointed mechanisms
  SCENE            chain-N heavy-N net-N bars-N grid-N; without N the usual size
                   (chain-100 heavy-100 net-16 bars-40 without any)
  --growth FAMILY  time per frame and per joint over the sizes of a family
  --sizes N,N,...  sizes for --growth
  --seconds S      simulated time (10; 1 with --growth)
  --dt T           length of a frame in s, also as a fraction (1/60)
  --repeat N       repetitions, of which the least time counts (3)
  --cap S          CPU seconds after which a run stops (20)
  --substeps N,... steps per frame for the peers (1); several make several rows
  --engines E,...  engines by name, E:N with N substeps (Tenon with its usual settings, all peers)
  --json           the same figures as JSON
  --help           this text, and the engines built in
)";

Result<TableOptions> parse_table_options(const std::vector<std::string>& arguments,
                                         const std::vector<EngineKind>& engines);

}  // namespace tenon
