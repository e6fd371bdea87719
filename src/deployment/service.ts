import type { AsyncRuns } from "./serving/async-runs.ts";
import type { Configurations } from "./configuration/configurations.ts";
import type { Credits } from "./access/credits.ts";
import type { DeploymentSettings } from "./configuration/deployment-settings.ts";
import type { Faults } from "./faults/faults.ts";
import type { RequestJournal } from "./serving/request-journal.ts";
import type { Keys } from "./access/keys.ts";
import type { Limits } from "./access/limits.ts";
import type { DeploymentLog } from "./log.ts";
import type { RecentRuns } from "./record/recent-runs.ts";

/** Everything that answering a request needs: the parts of one running deployment. */
export interface Service {
  /** Absolute path of the served directory. */
  directory: string;
  settings: DeploymentSettings;
  configurations: Configurations;
  keys: Keys;
  credits: Credits;
  limits: Limits;
  faults: Faults;
  journal: RequestJournal;
  runs: RecentRuns;
  asyncRuns: AsyncRuns;
  log: DeploymentLog;
  /** The host it listens on, which the Host header may name besides loopback. */
  host: string;
}
