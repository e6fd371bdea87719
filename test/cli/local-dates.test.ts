import { afterAll, beforeAll, expect, test } from "vitest";
import { batchesRemovalText } from "../../src/cli/commands/batches/remove.text.ts";
import { pinListText } from "../../src/cli/commands/pin/pin.text.ts";
import { scoringsText } from "../../src/cli/commands/score/score.text.ts";
import { momentLabel } from "../../src/report/say/night-names.ts";

/** An evening in UTC, which is the next day in Auckland. */
const createdAt = Date.UTC(2026, 10, 19, 23, 30);
const zone = process.env["TZ"];

beforeAll(() => {
  process.env["TZ"] = "Pacific/Auckland";
});
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test("pins, batches that would go and scorings have the date of the machine, not of UTC", () => {
  expect(momentLabel(createdAt)).toBe("2026-11-20 12:30");
  const batches = [{ id: 1, name: "desk-1" }];
  const pins = pinListText([{ name: "release", batches, createdAt }], new Map([[1, "desk"]]));
  expect(pins.split("\n").at(-1)).toMatch(/^release\s+desk\s+2026-11-20\s+desk-1$/);
  const going = batchesRemovalText([{ name: "desk-1", createdAt, state: "stopped", reason: null, jobs: 3 }], {
    staying: [],
  });
  expect(going.split("\n").at(-1)).toBe("  desk-1  2026-11-20  stopped, 3 jobs");
  const scoring = {
    id: 7,
    batchId: 1,
    suiteHash: "abc",
    scorers: [],
    rule: { kind: "all" as const, of: null, share: 1 },
  };
  const began = {
    ...scoring,
    version: "1",
    answers: 3,
    askedFrom: 0,
    complete: true,
    createdAt,
    finishedAt: createdAt,
  };
  const scorings = scoringsText("desk-1", [began]);
  expect(scorings).toMatch(/^ *7\s+2026-11-20 12:30\s+abc\s+3\s+counts\s+1/m);
  // The head does not speak of another zone.
  expect(scorings).not.toContain("UTC");
});
