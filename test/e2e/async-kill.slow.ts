import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { serve } from "../deployment/served.ts";
import { prompts, Tandem } from "./tandem.ts";

const cases = 16;
/** Kills of one batch; the process after the last of them may end. */
const mostKills = 4;

const suite = (url: string): string => `name: later
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY, concurrency: 3 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a, mode: async } }
`;

interface Chain {
  kills: number;
  runs: number;
  /** Submissions that were in flight at a kill, by the journal. */
  inDoubt: number;
  forgotten: number;
  finished: number;
}

function isPlanned(tandem: Tandem): boolean {
  const [{ n } = { n: 0 }] = tandem.query<{ n: number }>(
    "SELECT count(*) AS n FROM sqlite_master WHERE name = 'batch'",
  );
  return n > 0 && tandem.query("SELECT 1 FROM batch WHERE state <> 'reading'").length > 0;
}

/** One batch, killed at random moments until it is done; `forget` lets the service lose a run at each kill. */
async function chain(seed: string, forget: boolean): Promise<Chain> {
  const random = seededRandom(seed);
  const deployment = await serve({
    "bots/a.yaml": "greeting: Good day.\n",
    "deployment.yaml": "async: { standby_ms: 1200 }\njournal: true\n",
  });
  const tandem = new Tandem().alone().file("p.csv", prompts(cases)).file("suite.yaml", suite(deployment.baseUrl));
  const known = new Set<string>();
  let [kills, forgotten] = [0, 0];
  for (;;) {
    // It may have been killed before anything was planned.
    const started = tandem.has("results/tandem.db") && isPlanned(tandem);
    const { child, ended } = started ? tandem.start("resume") : tandem.start("run", "suite.yaml", "--no-preflight");
    // To be sure that a run is forgotten takes a process that lives for three questions.
    const isLast = kills >= mostKills;
    const over = await (isLast ? ended : Promise.race([ended, sleep(400 + random() * 3_500).then(() => null)]));
    // A batch that was finished when the process was killed cannot be resumed.
    if (over !== null) {
      expect(over.err).not.toContain("fault in tandem");
      break;
    }
    child.kill("SIGKILL");
    await ended;
    kills += 1;
    // It may have been killed before the tables were made.
    const open =
      tandem.has("results/tandem.db") && isPlanned(tandem)
        ? tandem.query<{ id: string }>("SELECT run_id AS id FROM sending WHERE run_id IS NOT NULL")
        : [];
    const lost = open.find(({ id }) => !known.has(id));
    if (!forget || lost === undefined) continue;
    known.add(lost.id);
    deployment.asyncRuns.forget(lost.id);
    forgotten += 1;
  }
  const one = (sql: string): number => tandem.query<{ n: number }>(sql)[0]?.n ?? -1;
  return {
    kills,
    runs: deployment.journal.runs,
    inDoubt: one("SELECT count(*) AS n FROM attempt WHERE outcome = 'in-doubt'"),
    forgotten,
    finished: one("SELECT count(*) AS n FROM job WHERE outcome = 'ok'"),
  };
}

test.each([false, true])(
  "fifty kills at random moments start no run twice that is not known to be in doubt or forgotten (forgetful service: %s)",
  { timeout: 1_800_000 },
  async (forget) => {
    const totals: Chain = { kills: 0, runs: 0, inDoubt: 0, forgotten: 0, finished: 0 };
    let chains = 0;
    for (; totals.kills < 50; chains++) {
      const ended = await chain(`async ${forget} ${chains}`, forget);
      expect(ended.finished).toBe(cases);
      expect(ended.runs, JSON.stringify(ended)).toBeGreaterThanOrEqual(cases);
      // The one moment that nothing can close lies between a submission and the commit of its id: the journal knows of each.
      expect(ended.runs, JSON.stringify(ended)).toBeLessThanOrEqual(cases + ended.inDoubt + ended.forgotten);
      for (const name of ["kills", "runs", "inDoubt", "forgotten", "finished"] as const) totals[name] += ended[name];
    }
    process.stdout.write(`${chains} chains: ${JSON.stringify(totals)}\n`);
  },
);
