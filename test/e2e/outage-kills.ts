import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record, type Received, type Reply } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const rows = 150;
const concurrency = 6;
const json = { "content-type": "application/json" };

/** What a service does to requests while it is away. */
const absences: readonly [string, () => Reply][] = [
  ["502", () => badGateway(502)],
  ["closed", () => ({ act: "reset" })],
  ["503", () => badGateway(503)],
  ["cut", () => ({ headers: json, body: '{"id":"abcdefabcdef","output":{"outp' })],
  ["empty", () => ({ headers: json, body: "" })],
  ["520", () => badGateway(520)],
];

const refused: Reply = { status: 403, headers: { "content-type": "text/html" }, body: "<html>blocked</html>" };
const tooLarge: Reply = { status: 429, headers: json, body: '{"detail":{"error":"too large for this limit"}}' };
const slowDown: Reply = {
  status: 429,
  headers: { ...json, "retry-after": "0.05" },
  body: '{"detail":{"error":"slow"}}',
};

/** True for a row that is refused whenever it is sent, by the number in its prompt. */
const isRefused = (prompt: string): boolean => Number(prompt.split(" ")[1]) % 60 === 7;
const isTooLarge = (prompt: string): boolean => Number(prompt.split(" ")[1]) === 20;

/** One batch, from its first start over kills and resumes to its end. */
interface Chain {
  tandem: Tandem;
  gateway: Gateway;
  /** Rows that were answered at the last kill. */
  answered: Set<string>;
  kills: number;
  end: () => Promise<void>;
}

/** A service that goes away every now and then, limits, and refuses some rows. */
async function startChain(random: Random, number: number): Promise<Chain> {
  let absence = absences[number % absences.length] ?? ["", () => badGateway()];
  let nextAbsence = 10 + Math.floor(random() * 30);
  const isLimited = number % 3 === 0;
  let left = 10;
  const refill = setInterval(() => (left = Math.min(10, left + 2)), 25).unref();
  const answer = ({ prompt }: Received): Reply => {
    if (isRefused(prompt)) return refused;
    if (isTooLarge(prompt)) return tooLarge;
    if (isLimited && left < 1) return number % 2 === 0 ? badGateway(503) : slowDown;
    left -= 1;
    return { ...record(`answer to ${prompt}`), delayMs: 2 + Math.floor(random() * 20) };
  };
  const comeBack = async (own: Gateway, ms: number): Promise<void> => {
    await setTimeout(ms);
    own.isDown = false;
    absence = absences[Math.floor(random() * absences.length)] ?? absence;
  };
  const gateway = await startGateway({
    during: (own) => {
      if (own.isDown || own.sound.length < nextAbsence) return;
      own.isDown = true;
      nextAbsence = own.sound.length + 15 + Math.floor(random() * 40);
      void comeBack(own, 200 + random() * 900);
    },
    down: () => absence[1](),
    answer,
  });
  const end = async (): Promise<void> => {
    clearInterval(refill);
    await gateway.close();
  };
  return { end, tandem: new Tandem().file("p.csv", prompts(rows)), gateway, answered: new Set(), kills: 0 };
}

interface BookedRequests {
  prompt: string;
  /** Attempts that left for certain, and those of which nobody knows. */
  left: number;
  doubts: number;
  outcome: string | null;
  said: string | null;
}

const booked = (tandem: Tandem): BookedRequests[] =>
  tandem.query(`
    SELECT "case".input ->> '$.input_prompt' AS prompt, job.outcome,
      sum(attempts.outcome NOT IN ('not-sent', 'in-doubt', 'sending')) AS left,
      sum(attempts.outcome IN ('in-doubt', 'sending')) AS doubts,
      (SELECT run_record.body ->> '$.output.output_text[0]' FROM attempt JOIN run_record ON run_record.record = attempt.record
       WHERE attempt.job_id = job.id AND attempt.number = job.attempt) AS said
    FROM job JOIN "case" ON "case".id = job.case_id LEFT JOIN attempts ON attempts.job_id = job.id GROUP BY job.id`);

/** Checks what holds at every moment: each request is in the journal, and nothing that was answered is sent again. */
function check({ tandem, gateway, answered }: Chain, from: number): BookedRequests[] {
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
  const again = gateway.received.slice(from).filter(({ prompt }) => answered.has(prompt));
  expect(again.map(({ prompt }) => prompt)).toEqual([]);
  const received = Map.groupBy(gateway.received, ({ prompt }) => prompt);
  const jobs = booked(tandem);
  for (const { prompt, left, doubts, outcome, said } of jobs) {
    const count = received.get(prompt)?.length ?? 0;
    const label = `${prompt}: received ${count}, booked ${left} and ${doubts} in doubt`;
    expect(count, label).toBeGreaterThanOrEqual(left ?? 0);
    expect(count, label).toBeLessThanOrEqual((left ?? 0) + (doubts ?? 0));
    if (outcome === "ok") {
      expect(said).toBe(`answer to ${prompt}`);
      answered.add(prompt);
    }
  }
  return jobs;
}

/** Runs or resumes, and kills after so many requests or so long; null: it came to its end before. */
async function runUntil(chain: Chain, kill: { requests: number; ms: number } | null): Promise<number | null> {
  const { tandem, gateway } = chain;
  const from = gateway.received.length;
  const isFirst = from === 0;
  const words = isFirst
    ? runAt({ prod: gateway }, "--quiet", "--concurrency", String(concurrency))
    : ["resume", "--quiet"];
  const { child, ended } = tandem.start(...words);
  let since = 0;
  const watch = setInterval(() => {
    const count = gateway.received.length - from;
    if (count > 0 && since === 0) since = performance.now();
    if (kill !== null && count > 0 && (count >= kill.requests || performance.now() - since >= kill.ms))
      child.kill("SIGKILL");
  }, 1);
  const { signal, code, err } = await ended;
  clearInterval(watch);
  // Whatever was on its way to the service has come.
  await setTimeout(40);
  check(chain, from);
  if (signal === "SIGKILL") {
    chain.kills += 1;
    return null;
  }
  if (!err.includes("is finished")) expect([0, 1, 3, 4], err).toContain(code);
  return code;
}

/** What the journal says may have been paid twice: sent again after an attempt that may have been. */
function twiceInJournal(tandem: Tandem): number {
  const attempts = tandem.query<{ job: number; outcome: string; paid: number }>(
    "SELECT job_id AS job, outcome, possibly_paid AS paid FROM attempts ORDER BY job_id, number",
  );
  const inDoubt = new Set<number>();
  let twice = 0;
  for (const { job, outcome, paid } of attempts) {
    if (inDoubt.has(job) && outcome !== "throttled" && outcome !== "not-sent") twice += 1;
    if (paid === 1 || outcome === "sending") inDoubt.add(job);
  }
  return twice;
}

/** The figures of all chains. */
export interface KillFigures {
  chains: number;
  kills: number;
  requests: number;
  refusedRows: number;
  lost: number;
  twice: number;
  outages: number;
}

/**
 * Kills runs, and the resumes of runs, in `chains` batches until so many were hit, while their service goes away, limits
 * what it takes, and refuses some rows. Fails when a request is not in the journal, when an answered row is sent again,
 * when a row has no end, or when the report does not say what may have been paid twice.
 */
export async function surviveOutageKills(kills: number, chains: number): Promise<KillFigures> {
  const random = seededRandom("outage kills");
  const figures: KillFigures = { chains: 0, kills: 0, requests: 0, refusedRows: 0, lost: 0, twice: 0, outages: 0 };
  while (figures.chains < chains || figures.kills < kills) {
    const chain = await startChain(random, figures.chains);
    figures.chains += 1;
    const most = Math.ceil(kills / chains);
    let code: number | null = null;
    for (let round = 0; chain.kills < most && code === null && round < 3 * most; round++)
      code = await runUntil(chain, { requests: 2 + Math.floor(random() * 50), ms: 200 + random() * 2_500 });
    for (let round = 0; round < 6 && code !== 0 && code !== 1 && code !== 4; round++)
      code = await runUntil(chain, null);
    const jobs = check(chain, chain.gateway.received.length);
    expect(jobs).toHaveLength(rows);
    expect(jobs.filter(({ outcome }) => outcome === null)).toEqual([]);
    const failed = jobs.filter(({ outcome }) => outcome !== "ok");
    const own = failed.filter(({ prompt }) => isRefused(prompt) || isTooLarge(prompt));
    // Three that are refused, and one that is too large.
    expect(own).toHaveLength(4);
    const twice = twiceInJournal(chain.tandem);
    const { out, err } = await chain.tandem.run("compare", "--json");
    expect(JSON.parse(out), err).toMatchObject({ possiblyPaidTwice: twice });
    figures.kills += chain.kills;
    figures.requests += chain.gateway.received.length;
    figures.refusedRows += own.length;
    figures.lost += failed.length - own.length;
    figures.twice += twice;
    figures.outages += chain.tandem.query<{ n: number }>("SELECT count(*) AS n FROM outage")[0]?.n ?? 0;
    process.stdout.write(
      `chain ${figures.chains}: ${chain.kills} kills, ${JSON.stringify(failed.map(({ prompt, outcome }) => `${prompt} ${outcome}`))}\n`,
    );
    await chain.end();
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  return figures;
}
