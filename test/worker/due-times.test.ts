import { expect, test } from "vitest";
import { checkTimetable, dueBetween, nextDue } from "../../src/worker/nights/due-times.ts";

const berlin = { cron: "30 2 * * *", zone: "Europe/Berlin" };
const iso = (times: readonly number[]): string[] => times.map((at) => new Date(at).toISOString());
const between = (from: string, to: string): string[] =>
  iso(dueBetween(berlin, { from: Date.parse(from), to: Date.parse(to) }));

test("a night at a time that summer time skips is spent once, an hour later", () => {
  expect(between("2026-03-28T12:00Z", "2026-03-30T12:00Z")).toEqual([
    "2026-03-29T01:30:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
});

test("a night at a time that comes twice is spent once, however often somebody looks", () => {
  expect(between("2026-10-24T12:00Z", "2026-10-26T12:00Z")).toEqual([
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
  for (const last of ["2026-10-25T00:30:00Z", "2026-10-25T00:31:00Z", "2026-10-25T01:29:00Z"])
    expect(between(last, "2026-10-25T20:00Z"), last).toEqual([]);
});

test("within the hours around a change of the clock a new schedule finds its next time too", () => {
  const next = (from: string): string[] => iso([nextDue(berlin, Date.parse(from))]);
  expect(next("2026-03-29T01:05Z")).toEqual(["2026-03-29T01:30:00.000Z"]);
  expect(next("2026-10-25T00:29Z")).toEqual(["2026-10-25T00:30:00.000Z"]);
  expect(next("2026-10-25T01:05Z")).toEqual(["2026-10-26T01:30:00.000Z"]);
});

test("a due time counts when it comes, and not again from then on", () => {
  const at = Date.parse("2026-06-02T00:30:00Z");
  expect(iso(dueBetween(berlin, { from: at - 1, to: at }))).toEqual(["2026-06-02T00:30:00.000Z"]);
  expect(dueBetween(berlin, { from: at, to: at + 1 })).toEqual([]);
  expect(iso([nextDue(berlin, at)])).toEqual(["2026-06-03T00:30:00.000Z"]);
});

test("whoever was away for years is told of the latest, and nobody waits for them all", () => {
  const everyMinute = { cron: "* * * * *", zone: "UTC" };
  const to = Date.parse("2026-06-02T00:30:00Z");
  const due = dueBetween(everyMinute, { from: 0, to });
  expect(due).toHaveLength(1_440);
  expect(due.at(-1)).toBe(to);
});

test.each([
  ["61 1 * * *", "UTC", /field 1 \(minute\) "61"/],
  ["0 25 * * *", "UTC", /field 2 \(hour\) "25"/],
  ["0 1 * * mo,xx", "UTC", /field 5 \(day of week\)/],
  ["0 1 * *", "UTC", /five fields; "0 1 \* \*" has 4/],
  ["0 0 1 * * *", "UTC", /has 6/],
  ["0 0 31 2 *", "UTC", /never due/],
  ["0 1 * * *", "Europe/Berln", /no "Europe\/Berln"/],
  ["0 1 * * *", "+02:00", /time zone/],
])("%s in %s is refused with what is wrong", (cron, zone, message) => {
  expect(() => checkTimetable({ cron, zone })).toThrow(message);
});

test("names of days and months, steps and lists are times", () => {
  for (const cron of ["30 1 * * *", "*/15 8-18 * * mon-fri", "0 0 1 jan,jul *", "0 0 29 2 *"])
    expect(() => checkTimetable({ cron, zone: "Europe/Berlin" })).not.toThrow();
});
