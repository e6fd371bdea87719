import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { hash32, seededRandom } from "../../src/lib/random.ts";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const cases = 60;
const concurrency = 6;
const sides = ["prod", "test"] as const;

/** A service that fails in every way it can, by prompt and by how often it was asked, so that every run is the same. */
function faulty(name: string): (received: Received) => Reply {
  return ({ prompt, time }) => {
    const draw = hash32(`${name} ${prompt} ${time}`) % 40;
    const delayMs = 3 + (draw % 10);
    if (draw === 0)
      return { status: 429, delayMs, headers: { "retry-after": "0.05" }, body: '{"detail":{"error":"slow down"}}' };
    if (draw === 1)
      return { status: 500, delayMs, body: `{"detail":{"id":"failed${time}","error":"upstream ${prompt}"}}` };
    if (draw === 2) return { status: 502, delayMs, body: "<html>bad gateway</html>" };
    if (draw === 3) return { delayMs, act: "reset" };
    if (draw === 4) return { delayMs, body: '{"id":"abcdefabcdef","output":{"output_te' };
    if (draw === 5) return { status: 422, delayMs, body: '{"detail":[]}' };
    return { ...record(`${name} answers ${prompt}`), delayMs };
  };
}

interface BookedJob {
  target: string;
  prompt: string;
  outcome: string | null;
  said: string | null;
  attempts: number;
  inDoubt: number;
  open: number;
  notSent: number;
}

function journal(tandem: Tandem): BookedJob[] {
  return tandem.query<BookedJob>(`
    SELECT target.name AS target, "case".input ->> '$.input_prompt' AS prompt, job.outcome,
      (SELECT body ->> '$.output.output_text[0]' FROM run_record WHERE record = decisive.record AND job.outcome = 'ok') AS said,
      (SELECT count(*) FROM attempts WHERE attempts.job_id = job.id) AS attempts,
      (SELECT count(*) FROM attempts WHERE attempts.job_id = job.id AND outcome = 'in-doubt') AS inDoubt,
      (SELECT count(*) FROM attempts WHERE attempts.job_id = job.id AND outcome = 'sending') AS open,
      (SELECT count(*) FROM attempts WHERE attempts.job_id = job.id AND outcome = 'not-sent') AS notSent
    FROM job JOIN target ON target.id = job.target_id JOIN "case" ON "case".id = job.case_id
    LEFT JOIN attempt AS decisive ON decisive.job_id = job.id AND decisive.number = job.attempt
    GROUP BY job.id`);
}

const received = (service: Service, prompt: string): number =>
  service.received.filter((each) => each.prompt === prompt).length;

/** Checks the rules that hold at every moment, and above all after a kill. */
function checkDoubts(tandem: Tandem, services: Record<string, Service>): void {
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
  const jobs = journal(tandem);
  for (const side of sides) {
    expect(jobs.filter(({ target, open }) => target === side && open > 0).length).toBeLessThanOrEqual(concurrency);
  }
  for (const job of jobs) {
    const service = services[job.target];
    if (service === undefined) throw new Error(`no service ${job.target}`);
    const got = received(service, job.prompt);
    const label = `${job.target} ${job.prompt}: received ${got}, ${JSON.stringify(job)}`;
    // Everything the service got is in the journal, and only what is in doubt may not have got there.
    expect(got, label).toBeLessThanOrEqual(job.attempts - job.notSent);
    expect(got, label).toBeGreaterThanOrEqual(job.attempts - job.notSent - job.inDoubt - job.open);
    if (job.outcome === "ok") expect(job.said).toBe(`${job.target} answers ${job.prompt}`);
  }
}

/**
 * Kills runs, and the resumes of runs, until so many were hit, each within this many requests of its start: a few cost
 * less than many, and come as far in several rounds. Fails when anything is lost, or finished work is sent again.
 * Returns how many kills hit a request in flight: the others prove little.
 */
export async function surviveKills(kills: number, mostRequests: number): Promise<number> {
  const random = seededRandom("kill");
  let killed = 0;
  let interesting = 0;
  while (killed < kills) {
    const services = { prod: await startService(faulty("prod")), test: await startService(faulty("test")) };
    const tandem = new Tandem().file("prompts.csv", prompts(cases));
    const first = [
      "run",
      "prompts.csv",
      "--quiet",
      "--example-id",
      "a",
      "-j",
      String(concurrency),
      ...sides.flatMap((side) => ["--deployment", `${side}=${services[side].url}`]),
    ];
    let finished = new Set<string>();
    for (let round = 0; ; round++) {
      const begun = { prod: services.prod.received.length, test: services.test.received.length };
      const { child, ended } = tandem.start(...(round === 0 ? first : ["resume", "--quiet"]));
      const lastRound = round >= 8 || killed >= kills;
      // Counted in requests, so that a slow machine is killed at the same places.
      const after = lastRound ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * mostRequests);
      const watch = setInterval(() => {
        const since = services.prod.received.length - begun.prod + services.test.received.length - begun.test;
        if (since >= after) child.kill("SIGKILL");
      }, 1);
      const { signal, code, err } = await ended;
      clearInterval(watch);
      await new Promise((resolve) => setTimeout(resolve, 40));
      // Jobs that were finished before are never sent again.
      for (const side of sides) {
        const resent = services[side].received
          .slice(begun[side])
          .filter(({ prompt }) => finished.has(`${side} ${prompt}`));
        expect(resent).toEqual([]);
      }
      checkDoubts(tandem, services);
      if (signal !== "SIGKILL") {
        expect([0, 4], err).toContain(code);
        break;
      }
      killed += 1;
      const jobs = journal(tandem);
      if (jobs.some(({ open }) => open > 0)) interesting += 1;
      finished = new Set(
        jobs.filter(({ outcome }) => outcome !== null).map(({ target, prompt }) => `${target} ${prompt}`),
      );
    }
    const jobs = journal(tandem);
    expect(jobs).toHaveLength(cases * 2);
    expect(jobs.filter(({ outcome, open }) => outcome === null || open > 0)).toEqual([]);
    await Promise.all([services.prod.close(), services.test.close()]);
  }
  return interesting;
}
