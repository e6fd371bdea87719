import { expect, test } from "vitest";
import { costBeside, countBeside, timeBeside } from "../../src/report/say/beside.ts";
import { referenceLines, referenceNotes } from "../../src/viewer/app/row/reference-lines.ts";

const reference = (url: string, score: number | null = null, snippet: string | null = null) => ({
  url,
  title: null,
  snippet,
  score,
});

test("references of all sides stand once each, with their place on every side", () => {
  const lines = referenceLines([
    [reference("a", 0.9, "शुल्क"), reference("b"), reference("a")],
    [reference("c"), reference("a", 0.7)],
    [],
  ]);
  expect(lines.map(({ url, places }) => [url, ...places.map((place) => place?.number ?? null)])).toEqual([
    ["a", 1, 2, null],
    ["b", 2, null, null],
    ["a", 3, null, null],
    ["c", null, 1, null],
  ]);
  expect(lines[0]).toMatchObject({ snippet: "शुल्क", places: [{ score: 0.9 }, { score: 0.7, snippet: null }, null] });
});

test("what differs in the references is told of the candidate, and of neither while answers are judged blind", () => {
  const lines = referenceLines([
    [reference("a", 0.9), reference("b")],
    [reference("a", 0.7), reference("c")],
  ]);
  const reported = (roles: ("baseline" | "candidate" | null)[], isBlind: boolean) =>
    lines.map((line) => referenceNotes(line, { roles, isBlind }));
  expect(reported(["baseline", "candidate"], false)).toEqual([
    [null, "0.20 lower"],
    [null, "no longer given"],
    [null, "+ not in the baseline"],
  ]);
  expect(reported(["candidate", "baseline"], false)[0]).toEqual(["0.20 higher", null]);
  for (const isBlind of [true, false]) expect(reported([null, null], isBlind).flat()).toEqual(Array(6).fill(null));
  expect(reported(["candidate", "baseline"], true).flat()).toEqual(Array(6).fill(null));
});

test("figures of a candidate say in words which way they differ, and nothing where they do not", () => {
  expect(timeBeside(762, 790)).toBe("0.03 s slower");
  expect([countBeside(1200, 1540), countBeside(3, 1), countBeside(3, 3), countBeside(null, 3)]).toEqual([
    "340 more",
    "2 fewer",
    null,
    null,
  ]);
  expect([costBeside(0.002, 0.0035), costBeside(2, 1)]).toEqual(["0.0015 dearer", "1 cheaper"]);
});
