// The command line of contact_table.
#pragma once

#include <string>
#include <vector>

#include "tenon/benchmarks/engines/race.h"
#include "tenon/engine/base/result.h"

namespace tenon {

struct ContactTableOptions {
  std::vector<std::string> scenes;
  std::vector<Contestant> contestants;
  RaceSettings race;
  bool growth = false;
  std::vector<int> sizes;  // rings per pole
  bool help = false;
};

inline constexpr const char* kContactTableUsage =
    R"(contact_table [options]   Tenon and other engines on the same scenes with contacts and joints
  --scenes NAME,...   S2 S3 S4 S5_N S6a S6b S7 rings-N (all but the last, with 20, 50, 100, 200 and
                      400 ragdolls)
  --growth            instead of the scenes: ragdolls 20 and 200, rings per pole, and what share of
                      Tenon's step the joints take
  --sizes N,...       rings per pole for --growth (10,20,40,80,160)
  --seconds S         simulated time (10; 3 with --growth)
  --dt T              length of a frame in s, also as a fraction (1/60)
  --reps N            repetitions, of which the least time counts (3)
  --cap S             CPU seconds after which a run stops (20; 200 with --growth)
  --substeps N,...    steps per frame for the peers (1); several make several rows
  --engines NAME[:STEPS],...   also with steps per frame (tenon, bullet, ode, mujoco)
  --phases            what the phases of Tenon's step take
  --help              this text, and the engines built in
)";

Result<ContactTableOptions> parse_contact_options(const std::vector<std::string>& arguments,
                                                  const std::vector<EngineKind>& engines);

}  // namespace tenon
