import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { hash32, seededRandom } from "../../src/lib/random.ts";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const concurrency = 6;
const conversations = 8;
const singles = 14;
const names = ["prod", "test", "bench"] as const;
type Name = (typeof names)[number];

type Fault = "throttled" | "failed" | "gateway" | "reset" | "cut" | "rejected" | null;
const faults: Fault[] = ["throttled", "failed", "gateway", "reset", "cut", "rejected"];
/** After these nobody knows whether the run was made. */
const ambiguous = new Set<Fault>(["gateway", "reset", "cut"]);

/** The way in which a service fails at a request, by prompt and by how often it was asked, so that every run is the same. */
const faultOf = (name: Name, { prompt, time }: Received): Fault =>
  faults[hash32(`${name} ${prompt} ${time}`) % 40] ?? null;

const said = (name: Name, prompt: string): string =>
  name === "bench" ? '{"score": 1, "reason": "fine"}' : `${name} answers ${prompt}`;

/** A service that fails in every way it can. */
function faulty(name: Name): (received: Received) => Reply {
  return (received) => {
    const { prompt, time } = received;
    const delayMs = 3 + (hash32(`${prompt} ${time}`) % 10);
    const replies: Record<Exclude<Fault, null>, Reply> = {
      throttled: { status: 429, headers: { "retry-after": "0.05" }, body: '{"detail":{"error":"slow down"}}' },
      failed: { status: 500, body: `{"detail":{"id":"failed${time}","error":"upstream ${hash32(prompt)}"}}` },
      gateway: { status: 502, body: "<html>bad gateway</html>" },
      reset: { act: "reset" },
      cut: { body: '{"id":"abcdefabcdef","output":{"output_te' },
      rejected: { status: 422, body: '{"detail":[]}' },
    };
    const fault = faultOf(name, received);
    return { ...(fault === null ? record(said(name, prompt)) : replies[fault]), delayMs };
  };
}

/** Conversations of two turns, and cases of their own. */
function dataset(): string {
  const turns = Array.from({ length: conversations * 2 }, (_, i) => {
    const [talk, turn] = [Math.floor(i / 2), (i % 2) + 1];
    return `t${talk}.${turn},talk ${talk},${turn},what of ${talk} in turn ${turn}?`;
  });
  const others = Array.from({ length: singles }, (_, i) => `s${i},single ${i},1,question ${i}`);
  return `id,talk,turn,question\n${[...turns, ...others].join("\n")}\n`;
}

function suite(services: Record<Name, Service>, repeats: number): string {
  const deployments = names.map(
    (name) =>
      `  ${name}: { base_url: "${services[name].url}", api_key_env: TANDEM_API_KEY, concurrency: ${concurrency} }`,
  );
  return `name: killed
dataset: p.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
deployments:
${deployments.join("\n")}
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
judges: { bench: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: bench }]
repeats: ${repeats}
`;
}

interface BookedAttempt {
  jobId: number;
  target: Name;
  prompt: string;
  number: number;
  outcome: string;
  possiblyPaid: number;
}

/** Every request that is in the journal, in its order within each job. */
const attemptsIn = (tandem: Tandem): BookedAttempt[] =>
  tandem.query(`
    SELECT attempts.job_id AS jobId, attempts.target, attempts.number, attempts.outcome, attempts.possibly_paid AS possiblyPaid,
      coalesce(question.body, "case".input) ->> '$.input_prompt' AS prompt
    FROM attempts JOIN job ON job.id = attempts.job_id JOIN "case" ON "case".id = job.case_id
    LEFT JOIN question ON question.id = job.question_id ORDER BY attempts.job_id, attempts.number`);

interface BookedJob {
  target: Name;
  prompt: string;
  outcome: string | null;
  said: string | null;
}

const jobsIn = (tandem: Tandem): BookedJob[] =>
  tandem.query(`
    SELECT target.name AS target, coalesce(question.body, "case".input) ->> '$.input_prompt' AS prompt, job.outcome,
      run_record.body ->> '$.output.output_text[0]' AS said
    FROM job JOIN target ON target.id = job.target_id JOIN "case" ON "case".id = job.case_id
    LEFT JOIN question ON question.id = job.question_id
    LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt AND job.outcome = 'ok'
    LEFT JOIN run_record ON run_record.record = attempt.record`);

/** Who was asked what. */
const groupOf = ({ target, prompt }: { target: string; prompt: string }): string => `${target} ${prompt}`;

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Requests that may have been paid twice, by the journal's attempts. */
function twiceInJournal(attempts: readonly BookedAttempt[]): Map<string, number> {
  const twice = new Map<string, number>();
  const inDoubt = new Set<number>();
  for (const attempt of attempts) {
    const { jobId, outcome, possiblyPaid } = attempt;
    const isAgain = inDoubt.has(jobId) && outcome !== "throttled" && outcome !== "not-sent";
    if (isAgain) twice.set(groupOf(attempt), (twice.get(groupOf(attempt)) ?? 0) + 1);
    if (possiblyPaid === 1 || outcome === "sending") inDoubt.add(jobId);
  }
  return twice;
}

/** One batch, from its first start over kills and resumes to its end. */
interface Chain {
  tandem: Tandem;
  services: Record<Name, Service>;
  repeats: number;
  /** Requests, by who was asked what and which time, that were in flight when the process was killed. */
  cutOff: Set<string>;
  /** Groups with the number of their entries that have led to no request: killed in between. */
  missing: Map<string, number>;
  /** Groups whose jobs were all finished at the last kill. */
  finished: Set<string>;
}

function newChain(services: Record<Name, Service>, repeats: number): Chain {
  const tandem = new Tandem().file("p.csv", dataset()).file("suite.yaml", suite(services, repeats));
  return { tandem, services, repeats, cutOff: new Set(), missing: new Map(), finished: new Set() };
}

const receivedBy = ({ services }: Chain): number =>
  names.reduce((sum, name) => sum + services[name].received.length, 0);

const receivedOf = ({ services }: Chain, name: Name): Map<string, Received[]> =>
  grouped(services[name].received, ({ prompt }) => groupOf({ target: name, prompt }));

/** Runs until so many requests were received, and is killed then. Returns null when it came to its end before. */
async function runUntil(chain: Chain, first: boolean, after: number): Promise<{ hadOpen: boolean } | null> {
  const begun = receivedBy(chain);
  const before = Object.fromEntries(names.map((name) => [name, chain.services[name].received.length]));
  const { child, ended } = chain.tandem.start(...(first ? ["run", "suite.yaml", "--quiet"] : ["resume", "--quiet"]));
  const watch = setInterval(() => {
    if (receivedBy(chain) - begun >= after) child.kill("SIGKILL");
  }, 1);
  const { signal, code, err } = await ended;
  clearInterval(watch);
  await new Promise((resolve) => setTimeout(resolve, 40));
  // What was finished before is never sent again.
  for (const name of names) {
    const again = chain.services[name].received
      .slice(before[name])
      .map(({ prompt }) => groupOf({ target: name, prompt }));
    expect(again.filter((group) => chain.finished.has(group))).toEqual([]);
  }
  const hadOpen = check(chain);
  if (signal === "SIGKILL") return { hadOpen };
  // Killed after its last word, a batch has nothing to resume.
  if (!err.includes("is finished")) expect([0, 1, 4], err).toContain(code);
  return null;
}

/** Checks the rules that hold at every moment, and above all after a kill. */
function check(chain: Chain): boolean {
  const db = new Database(join(chain.tandem.folder, "results", "tandem.db"));
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
  const attempts = attemptsIn(chain.tandem);
  const open = attempts.filter(({ outcome }) => outcome === "sending");
  for (const name of names)
    expect(open.filter(({ target }) => target === name).length).toBeLessThanOrEqual(concurrency);
  const booked = grouped(attempts, groupOf);
  for (const name of names) {
    const received = receivedOf(chain, name);
    // Everything that a service got is in the journal.
    for (const group of received.keys()) expect(booked.has(group), group).toBe(true);
    for (const [group, own] of booked) {
      if (own[0]?.target !== name) continue;
      const got = received.get(group)?.length ?? 0;
      const sent = own.filter(({ outcome }) => outcome !== "not-sent").length;
      const doubts = own.filter(({ outcome }) => outcome === "in-doubt" || outcome === "sending").length;
      const label = `${group}: received ${got}, ${JSON.stringify(own)}`;
      expect(got, label).toBeLessThanOrEqual(sent);
      // Only what is in doubt may not have got there.
      expect(got, label).toBeGreaterThanOrEqual(sent - doubts);
      const isOpen = own.some(({ outcome }) => outcome === "sending");
      if (isOpen && sent - got === (chain.missing.get(group) ?? 0)) chain.cutOff.add(`${group} ${got}`);
      chain.missing.set(group, sent - got);
    }
  }
  const jobs = jobsIn(chain.tandem);
  for (const { target, prompt, outcome, said: text } of jobs)
    if (outcome === "ok") expect(text).toBe(said(target, prompt));
  const left = new Set(jobs.filter(({ outcome }) => outcome === null).map(groupOf));
  chain.finished = new Set(jobs.map(groupOf).filter((group) => !left.has(group)));
  return open.length > 0;
}

/** Requests that may have been paid twice, as the services count them. */
function twiceAtServices(chain: Chain): Map<string, number> {
  const twice = new Map<string, number>();
  for (const name of names) {
    for (const [group, requests] of receivedOf(chain, name)) {
      let inDoubt = false;
      for (const [index, request] of requests.entries()) {
        const fault = faultOf(name, request);
        const isCutOff = chain.cutOff.has(`${group} ${index + 1}`);
        if (inDoubt && (fault !== "throttled" || isCutOff)) twice.set(group, (twice.get(group) ?? 0) + 1);
        inDoubt ||= isCutOff || ambiguous.has(fault);
      }
    }
  }
  return twice;
}

/** Checks that nothing is lost, and that the journal knows what was sent again. Returns the number of the latter. */
async function checkEnd(chain: Chain): Promise<number> {
  const jobs = jobsIn(chain.tandem);
  expect(jobs.filter(({ target }) => target !== "bench")).toHaveLength(
    (conversations * 2 + singles) * 2 * chain.repeats,
  );
  expect(jobs.filter(({ outcome }) => outcome === null)).toEqual([]);
  const attempts = attemptsIn(chain.tandem);
  expect(attempts.filter(({ outcome }) => outcome === "sending")).toEqual([]);
  const inJournal = twiceInJournal(attempts);
  const total = [...inJournal.values()].reduce((sum, count) => sum + count, 0);
  const { out, err } = await chain.tandem.run("compare", "--json");
  expect(JSON.parse(out), err).toMatchObject({ possiblyPaidTwice: total });
  // Requests of several runs of a case look the same: which of them was sent again, a service cannot tell.
  if (chain.repeats > 1) return total;
  const atServices = twiceAtServices(chain);
  for (const group of new Set([...inJournal.keys(), ...atServices.keys()])) {
    const label = `${group}: ${JSON.stringify(attempts.filter((attempt) => groupOf(attempt) === group))}`;
    if ((chain.missing.get(group) ?? 0) === 0)
      expect(inJournal.get(group) ?? 0, label).toBe(atServices.get(group) ?? 0);
    else expect(inJournal.get(group) ?? 0, label).toBeGreaterThanOrEqual(atServices.get(group) ?? 0);
  }
  return total;
}

/**
 * Kills runs, and the resumes of runs, until so many were hit, each within this many requests of its start: a few cost
 * less than many, and come as far in several rounds. Two deployments with conversations, then judges; every other chain
 * with two runs of each case. Fails when anything is lost, finished work is sent again, or what may have been paid twice
 * is not what the services counted. Returns how many kills hit a request in flight: the others prove little.
 */
export async function surviveKills(kills: number, mostRequests: number): Promise<number> {
  const random = seededRandom("kill");
  const total = { kills: 0, open: 0, chains: 0, requests: 0, twice: 0 };
  while (total.kills < kills) {
    const services: Record<Name, Service> = {
      prod: await startService(faulty("prod")),
      test: await startService(faulty("test")),
      bench: await startService(faulty("bench")),
    };
    total.chains += 1;
    const chain = newChain(services, total.chains % 2 === 1 ? 2 : 1);
    for (let round = 0; ; round++) {
      const isLast = round >= 8 || total.kills >= kills;
      // Counted in requests, so that a slow machine is killed at the same places.
      const killed = await runUntil(
        chain,
        round === 0,
        isLast ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * mostRequests),
      );
      if (killed === null) break;
      total.kills += 1;
      if (killed.hadOpen) total.open += 1;
    }
    total.twice += await checkEnd(chain);
    total.requests += receivedBy(chain);
    await Promise.all(names.map((name) => services[name].close()));
  }
  process.stdout.write(
    `${total.kills} kills in ${total.chains} chains, ${total.open} of them with requests in flight; ${total.requests} requests, ${total.twice} possibly paid twice\n`,
  );
  return total.open;
}
