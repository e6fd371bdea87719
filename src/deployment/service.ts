import type { Configurations } from "./configurations.ts";
import type { Credits } from "./credits.ts";
import type { DeploymentSettings } from "./deployment-settings.ts";
import type { Faults } from "./faults.ts";
import type { Journal } from "./journal.ts";
import type { Keys } from "./keys.ts";
import type { Limits } from "./limits.ts";
import type { DeploymentLog } from "./log.ts";
import type { RecentRuns } from "./recent-runs.ts";
import type { Reloading } from "./reloading.ts";

/** Everything that answering a request needs: the parts of one running deployment. */
export interface Service {
  /** Absolute path of the served directory. */
  directory: string;
  settings: Reloading<DeploymentSettings>;
  configurations: Configurations;
  keys: Keys;
  credits: Credits;
  limits: Limits;
  faults: Faults;
  journal: Journal;
  runs: RecentRuns;
  log: DeploymentLog;
  /** The host it listens on, which the Host header may name besides loopback. */
  host: string;
}
