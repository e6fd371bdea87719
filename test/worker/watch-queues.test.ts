import { describe, expect, test } from "vitest";
import { version } from "../../src/lib/version.ts";
import { Tally } from "../../src/runner/tally.ts";
import { stopUnserved } from "../../src/worker/postgres/open-work.ts";
import { remoteProgress, type ServingWorker } from "../../src/worker/postgres/watch.ts";
import { leaveWorker, tellOfWorker } from "../../src/worker/postgres/workers.ts";
import type { Queue } from "../../src/worker/submit/queues.ts";
import { QueueWatch } from "../../src/worker/submit/watch-queues.ts";
import { fileDatabase } from "../postgres.ts";
import { suite } from "../store/batch.ts";
import { newWorker, runningBatch } from "./books.ts";

const database = fileDatabase();
const deadAfterMs = 15_000;
const none = { lines: [], serves: [], leaves: {} };

describe("what a service refuses one worker", () => {
  test("is not stopped as long as another may serve it: its name at another address says nothing", async () => {
    const db = database();
    const [ours, theirs] = [await runningBatch(db, { jobs: 1 }), await runningBatch(db, { jobs: 1 })];
    const kindOf = ({ service }: { service: number }): string => `${service} 0.0.0 prod`;
    const stop = (): Promise<boolean> =>
      stopUnserved(
        db,
        { service: ours.service, version: "0.0.0", deployment: "prod" },
        { reason: "who?", deadAfterMs },
      );
    const stopped = async (batch: number) => (await remoteProgress(db, batch))?.stopped.map(({ reason }) => reason);
    const refused = await newWorker(db, "refused");
    const other = await newWorker(db, "of another team");
    const leaves = { [kindOf(ours)]: "who?" };
    await tellOfWorker(db, refused, { ...none, leaves });
    // It has just come, and has not looked yet.
    expect(await stop()).toBe(false);
    await tellOfWorker(db, other, { ...none, serves: [kindOf(ours)], leaves: { [kindOf(theirs)]: "no key" } });
    expect(await stop()).toBe(false);
    expect(await stopped(ours.batch)).toEqual([]);
    await tellOfWorker(db, other, { ...none, serves: [kindOf(theirs)], leaves });
    expect(await stop()).toBe(true);
    expect([await stopped(ours.batch), await stopped(theirs.batch)]).toEqual([["who?"], []]);
    await leaveWorker(db, refused);
    await leaveWorker(db, other);
  });
});

describe("the submitter", () => {
  const service = {
    id: 7,
    name: "https://ours.example chat",
    inFlight: 0,
    inFlightOfAll: 0,
    atService: 0,
    inDoubt: 0,
    ready: 1,
    pausedMs: 0,
    concurrency: null,
    rate: null,
    reason: null,
    away: null,
    outages: [],
  };
  const queues = suite.deployments.slice(0, 1).map((deployment): Queue => ({
    name: "prod/chat",
    deployment: { ...deployment, name: "prod" },
    targets: [],
    tally: new Tally(1),
    service,
    stopped: null,
    unserved: null,
  }));
  const worker = (reported: Partial<ServingWorker>): ServingWorker => ({
    id: "1",
    name: "mill",
    host: "here",
    version,
    deployments: ["prod"],
    addresses: [],
    state: "on",
    told: [],
    serves: [],
    leaves: {},
    silentMs: 0,
    inFlight: 0,
    inDoubt: 0,
    ...reported,
  });
  const watching = (waitsForMs: number | null = null) => {
    const notices: string[] = [];
    const onNotice = (message: string): void => void notices.push(message);
    const options = { lanes: queues, hasLeft: () => true, waitsForMs, batch: () => "night-7", version };
    const watch = new QueueWatch({ ...options, onNotice, onEvent: () => undefined });
    return { watch, notices };
  };

  test("says at once that nobody serves its deployment, with the reasons, where all have looked at it", () => {
    const { watch, notices } = watching();
    const elsewhere = { serves: [`8 ${version} prod`], told: ["not prod: another team's reason"] };
    const leaves = { [`7 ${version} prod`]: "PROD_KEY is not set." };
    const others = [worker({ name: "desk" }), worker({ name: "old", state: "draining" }), worker({ silentMs: 60_000 })];
    watch.sees([worker({ ...elsewhere, leaves }), ...others], 0);
    expect(notices).toEqual([]);
    watch.sees([worker({ ...elsewhere, leaves }), ...others], 7_000);
    const words = `No worker serves prod (mill: PROD_KEY is not set; desk: it has not looked at it; old: it ends). Start one of tandem ${version} that has its key:`;
    expect(notices).toEqual([expect.stringContaining(words)]);
    expect(notices[0]).toContain(
      "It is waited for; Ctrl-C leaves what is uploaded, and `tandem resume night-7 --workers URL` continues.",
    );
    expect(queues[0]?.unserved).toEqual({ why: "no worker serves it", since: 0 });
    watch.sees([worker({ serves: [`7 ${version} prod`] })], 0);
    expect(notices.slice(1)).toEqual(["prod: a worker serves it now."]);
    expect(queues[0]?.unserved).toBeNull();
  });

  test("says that those who serve it are paused, and that one which died alone is not there any more", () => {
    const { watch, notices } = watching();
    const serves = [`7 ${version} prod`];
    watch.sees([worker({ serves, state: "paused" })], 0);
    expect(notices[0]).toContain("All workers that serve prod are paused. Unpause them: `tandem workers resume mill`.");
    expect(queues[0]?.unserved?.why).toBe("the workers that serve it are paused");
    const alone = watching();
    alone.watch.sees([worker({ serves, silentMs: 15_000 })], 0);
    expect(alone.notices[0]).toContain("No worker is there.");
  });

  test("waits without a limit, or for as long as it was told, since nobody has served anything of what is left", () => {
    const { watch } = watching();
    watch.sees([], 1_000);
    expect(watch.givesUp(1e9)).toBeNull();
    const limited = watching(60_000).watch;
    limited.sees([worker({ serves: [`7 ${version} prod`] })], 500);
    limited.sees([], 1_000);
    expect(limited.givesUp(60_999)).toBeNull();
    expect(limited.givesUp(61_000)).toContain(
      "no worker serves prod, and the time for that is used up (--wait-for-workers)",
    );
    limited.sees([worker({ serves: [`7 ${version} prod`] })], 61_000);
    expect(limited.givesUp(61_000)).toBeNull();
  });

  test("gives a worker time that has not looked yet", () => {
    const { watch, notices } = watching();
    watch.sees([worker({ serves: [`8 ${version} prod`] })], 0);
    expect(notices).toEqual([]);
    watch.sees([worker({ serves: [`8 ${version} prod`] })], 60_000);
    expect(notices.length).toBe(1);
  });
});
