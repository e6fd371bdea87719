import { describe, expect, test } from "vitest";
import { version } from "../../src/lib/version.ts";
import { Tally } from "../../src/runner/tally.ts";
import { stopUnserved } from "../../src/worker/postgres/open-work.ts";
import { remoteProgress, type ServingWorker } from "../../src/worker/postgres/watch.ts";
import { leaveWorker, tellOfWorker } from "../../src/worker/postgres/workers.ts";
import type { Lane } from "../../src/worker/submit/lanes.ts";
import { LaneWatch } from "../../src/worker/submit/watch-lanes.ts";
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
  };
  const lanes = suite.deployments.slice(0, 1).map((deployment): Lane => ({
    name: "prod/chat",
    deployment: { ...deployment, name: "prod" },
    targets: [],
    tally: new Tally(1),
    service,
    stopped: null,
  }));
  const worker = (told: Partial<ServingWorker>): ServingWorker => ({
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
    ...told,
  });
  const watching = () => {
    const notices: string[] = [];
    const onNotice = (message: string): void => void notices.push(message);
    const watch = new LaneWatch({ lanes, hasLeft: () => true, version, onNotice, onEvent: () => undefined });
    return { watch, notices };
  };

  test("says at once that nobody serves its deployment, with the reasons, where all have looked at it", () => {
    const { watch, notices } = watching();
    const elsewhere = { serves: [`8 ${version} prod`], told: ["not prod: another team's reason"] };
    watch.sees([worker({ ...elsewhere, leaves: { [`7 ${version} prod`]: "PROD_KEY is not set." } })], 0);
    const words = `No worker serves prod (mill: PROD_KEY is not set). Start one of tandem ${version} that has its key:`;
    expect(notices).toEqual([expect.stringContaining(words)]);
    watch.sees([worker({ serves: [`7 ${version} prod`] })], 0);
    expect(notices.slice(1)).toEqual(["prod: a worker serves it now."]);
  });

  test("gives a worker time that has not looked yet", () => {
    const { watch, notices } = watching();
    watch.sees([worker({ serves: [`8 ${version} prod`] })], 0);
    expect(notices).toEqual([]);
    watch.sees([worker({ serves: [`8 ${version} prod`] })], 60_000);
    expect(notices.length).toBe(1);
  });
});
