import { setTimeout as sleep } from "node:timers/promises";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";
import { serve } from "../deployment/served.ts";
import type { Tandem } from "./tandem.ts";

const bots = { "bots/a.yaml": "greeting: Good day.\n" };

/** A suite of one target that is asked asynchronously; `more` are keys of its deployment. */
export const suite = (url: string, more = ""): string => `name: later
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY, ${more} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a, mode: async } }
`;

interface Booked {
  key: string;
  outcome: string | null;
  attempts: number;
  reattached: number;
  runMs: number | null;
}

/** The jobs of a batch as they are stored. */
export const jobs = (tandem: Tandem): Booked[] =>
  tandem.query(`SELECT "case".key, job.outcome, (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS attempts,
    coalesce(attempt.reattached, 0) AS reattached, attempt.run_ms AS runMs
    FROM job JOIN "case" ON "case".id = job.case_id
    LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt ORDER BY job.id`);

/** A deployment whose runs wait for so long. */
export const slow = (standbyMs: number): Promise<RunningDeployment> =>
  serve({ ...bots, "deployment.yaml": `async: { standby_ms: ${standbyMs} }\njournal: true\n` });

/** Waits until the service has taken so many runs. */
async function taken(deployment: RunningDeployment, runs: number): Promise<void> {
  while (deployment.journal.runs < runs) await sleep(10);
  await sleep(100);
}

/** Waits until so many runs that the service has taken stand in the journal. */
export async function known(deployment: RunningDeployment, tandem: Tandem, runs: number): Promise<void> {
  await taken(deployment, runs);
  while (tandem.query("SELECT 1 FROM sending WHERE run_id IS NOT NULL").length < runs) await sleep(10);
}
