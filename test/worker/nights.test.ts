import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { NightKeeper } from "../../src/worker/nights/night-keeper.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import {
  askForNight,
  endNight,
  enterDueTimes,
  homeSeen,
  keepNightTaken,
  type NightEnd,
  putNightBack,
  takeDueNight,
  type TakenNight,
} from "../../src/worker/postgres/nights.ts";
import {
  enterSchedule,
  nightsOf,
  removeSchedule,
  type Schedule,
  schedulesOf,
} from "../../src/worker/postgres/schedules.ts";
import { fileDatabase } from "../postgres.ts";

const database = fileDatabase();
const hourMs = 3_600_000;

async function newSchedule(more: { takeOverMs?: number | null; madeUpMs?: number } = {}): Promise<Schedule> {
  const namespace = randomUUID();
  const entered = await enterSchedule(
    database(),
    {
      namespace,
      name: "nightly",
      cron: "30 1 * * *",
      zone: "UTC",
      suite: "suite.yaml",
      words: ["--keep=3"],
      madeUpMs: 12 * hourMs,
      takeOverMs: hourMs,
      submitter: "desk",
      files: [{ path: "suite.yaml", sha256: "x", bytes: Buffer.from("name: a") }],
      ...more,
    },
    false,
  );
  expect(entered).toBe(true);
  const [schedule] = await schedulesOf(database(), namespace);
  if (schedule === undefined) throw new Error("it is there");
  return schedule;
}

async function newHome(silentMs = 0): Promise<string> {
  const id = randomUUID();
  await homeSeen(database(), { id, name: `home-${id.slice(0, 4)}`, host: "here" });
  await database().query("UPDATE tandem.night_home SET seen_at = seen_at - $2::bigint WHERE id = $1", [id, silentMs]);
  return id;
}

const take = (db: Postgres, schedule: number, home: string): Promise<TakenNight | null> =>
  takeDueNight(db, { schedule, home, token: randomUUID(), lostAfterMs: 60_000 });

const states = async (schedule: number): Promise<string[]> =>
  (await nightsOf(database(), schedule, 9)).map(({ state }) => state).toReversed();

/** A night that is taken. */
async function taken(schedule: number, home: string): Promise<TakenNight> {
  const night = await take(database(), schedule, home);
  if (night === null) throw new Error("a night is there");
  return night;
}

test("however many look at the same moment, one spends a night, and the due time is used up", async () => {
  const { id, dbNow } = await newSchedule();
  const homes = await Promise.all([newHome(), newHome(), newHome(), newHome()]);
  const results = await Promise.all(
    homes.map(async (home) => {
      await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1_000] });
      return take(database(), id, home);
    }),
  );
  const [night, ...others] = results.filter((result) => result !== null);
  expect(others).toEqual([]);
  if (night === undefined) throw new Error("one has it");
  await endNight(database(), night, { exitCode: 1, batch: "nightly-1", verdict: "regression", word: "regression" });
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1_000] });
  for (const home of homes) expect(await take(database(), id, home)).toBeNull();
  expect(await nightsOf(database(), id, 9)).toMatchObject([
    { state: "done", exitCode: 1, batch: "nightly-1", verdict: "regression", byHand: false },
  ]);
});

test("of nights that nobody has used the latest is made up for, and the others are told of once", async () => {
  const { id, dbNow } = await newSchedule();
  const home = await newHome();
  const dueAt = [3, 2, 1].map((nights) => dbNow - nights * hourMs);
  await enterDueTimes(database(), { schedule: id, dueAt });
  const first = await taken(id, home);
  expect(first).toMatchObject({ dueAt: dueAt[2], missed: dueAt.slice(0, 2), instead: null });
  // A night that is not told of, as its process was killed, leaves them to the next.
  await putNightBack(database(), first);
  const again = await taken(id, home);
  expect(again.missed).toEqual(dueAt.slice(0, 2));
  await endNight(database(), again, { exitCode: 0, batch: null, verdict: null, word: null });
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1] });
  expect(await taken(id, home)).toMatchObject({ missed: [] });
});

test("a night that waited for longer than it may is missed, and not spent", async () => {
  const { id, dbNow } = await newSchedule({ madeUpMs: hourMs });
  const home = await newHome();
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 2 * hourMs] });
  expect(await take(database(), id, home)).toBeNull();
  expect(await states(id)).toEqual(["missed"]);
});

test("another one takes the place of the home only after its time, and says so", async () => {
  const { id, dbNow, namespace } = await newSchedule();
  const [old, other] = [await newHome(), await newHome()];
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - hourMs] });
  await endNight(database(), await taken(id, old), { exitCode: 0, batch: null, verdict: null, word: null });
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1_000] });
  expect(await take(database(), id, other)).toBeNull();
  await database().query("UPDATE tandem.night_home SET seen_at = seen_at - 3700000 WHERE id = $1", [old]);
  const night = await taken(id, other);
  expect(night.instead).toMatch(/^home-/);
  const [schedule] = await schedulesOf(database(), namespace);
  expect(schedule?.home?.silentMs).toBeLessThan(hourMs);
  await endNight(database(), night, { exitCode: 0, batch: null, verdict: null, word: null });
  // Whoever comes back finds the history elsewhere.
  await homeSeen(database(), { id: old, name: "old", host: "here" });
  await askForNight(database(), namespace, "nightly");
  expect(await take(database(), id, old)).toBeNull();
});

test("nights that need one folder wait for it, however long it is away", async () => {
  const { id, dbNow } = await newSchedule({ takeOverMs: null });
  const [old, other] = [await newHome(9 * 24 * hourMs), await newHome()];
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - hourMs] });
  await endNight(database(), await taken(id, old), { exitCode: 0, batch: null, verdict: null, word: null });
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1_000] });
  expect(await take(database(), id, other)).toBeNull();
  expect(await taken(id, old)).toMatchObject({ instead: null });
});

test("a night whose worker died is gone on with by its home, and the dead one can enter nothing any more", async () => {
  const { id, dbNow } = await newSchedule();
  const home = await newHome();
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1_000] });
  const dead = await taken(id, home);
  expect(await take(database(), id, home)).toBeNull();
  await database().query("UPDATE tandem.night SET seen_at = seen_at - 61000 WHERE schedule = $1", [id]);
  const again = await taken(id, home);
  expect(again.dueAt).toBe(dead.dueAt);
  expect(await keepNightTaken(database(), dead)).toBe("taken");
  await endNight(database(), dead, { exitCode: 0, batch: null, verdict: null, word: null });
  expect(await states(id)).toEqual(["running"]);
  expect(await keepNightTaken(database(), again)).toBe("kept");
});

test("while a night is spent the next one waits; one that was cut off and followed by another is told of", async () => {
  const { id, dbNow, namespace } = await newSchedule();
  const home = await newHome();
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - hourMs] });
  await taken(id, home);
  await askForNight(database(), namespace, "nightly");
  expect(await take(database(), id, home)).toBeNull();
  await database().query("UPDATE tandem.night SET seen_at = seen_at - 61000 WHERE schedule = $1", [id]);
  expect(await taken(id, home)).toMatchObject({ missed: [dbNow - hourMs] });
  expect(await states(id)).toEqual(["cut off", "running"]);
});

test("a schedule is replaced only when that is said, its nights stay, and with it all goes away", async () => {
  const { id, namespace, dbNow } = await newSchedule();
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - hourMs] });
  const [schedule] = await schedulesOf(database(), namespace);
  if (schedule === undefined) throw new Error("it is there");
  const files = [{ path: "other.yaml", sha256: "y", bytes: Buffer.from("name: b") }];
  const other = { ...schedule, cron: "0 2 * * *", suite: "other.yaml", files };
  expect(await enterSchedule(database(), other, false)).toBe(false);
  expect(await enterSchedule(database(), other, true)).toBe(true);
  expect(await schedulesOf(database(), namespace)).toMatchObject([{ id, cron: "0 2 * * *", suite: "other.yaml" }]);
  expect(await states(id)).toEqual(["due"]);
  const left = "SELECT path FROM tandem.schedule_file WHERE schedule = $1";
  expect(await database().query(left, [id])).toEqual([{ path: "other.yaml" }]);
  const removal = { namespace, name: "nightly", awayMs: 60_000 };
  expect(await removeSchedule(database(), removal)).toEqual({ spent: null, waited: true, batches: [] });
  expect(await removeSchedule(database(), removal)).toBeNull();
  expect(await database().query(left, [id])).toEqual([]);
});

test("a night is told once to end, however often its keeper is stopped, and once more to give up", async () => {
  const { id, dbNow } = await newSchedule();
  await enterDueTimes(database(), { schedule: id, dueAt: [dbNow - 1_000] });
  const { promise: ended, resolve: end } = Promise.withResolvers<NightEnd | null>();
  const reported = new Map<number, number>();
  const keeper = new NightKeeper({
    db: database(),
    home: await newHome(),
    name: "mill",
    spend: async (schedule) => ({
      ended,
      stop: () => void reported.set(schedule.id, (reported.get(schedule.id) ?? 0) + 1),
    }),
    tell: () => undefined,
  });
  const running = keeper.run();
  await expect.poll(() => keeper.spending).toBeGreaterThan(0);
  keeper.stop();
  keeper.stop();
  await expect.poll(() => reported.size).toBe(keeper.spending);
  expect(new Set(reported.values())).toEqual(new Set([1]));
  keeper.giveUp();
  await expect.poll(() => new Set(reported.values())).toEqual(new Set([2]));
  end(null);
  await running;
  expect(keeper.spending).toBe(0);
});
