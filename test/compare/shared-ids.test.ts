import { describe, expect, test } from "vitest";
import type { JobResult } from "../../src/store/results/case-result.ts";
import { notesOf } from "../../src/report/say/cautions.ts";
import { compareCases } from "./compare-cases.ts";
import { candidate, prod, says, settings, someCases } from "./case-result.ts";

/** The notes that speak of run ids, of 40 rows asked twice: both runs of prod, and those of test by `idOf`. */
function notes(idOf: (place: number, repeat: number) => Partial<JobResult>): string[] {
  const cases = someCases(40, (place) =>
    [1, 2].flatMap((repeat) => [
      says(prod, "a", { repeat, runId: `prod ${place} ${repeat}` }),
      says(candidate, "a", { repeat, ...idOf(place, repeat) }),
    ]),
  );
  return notesOf(compareCases(cases, settings), {}).filter((note) => note.includes("run id"));
}

describe("run ids that several answers of a target have", () => {
  test("are told with how many there are: repeats of one run fake answers that never vary", () => {
    const said = " of test share a run id. Is there a cache in front of the bot? Check `id:`.";
    expect(notes(() => ({ runId: "one" }))).toEqual([`80 answers${said}`]);
    expect(notes((place, repeat) => ({ runId: place < 20 ? `run ${place}` : `run ${place} ${repeat}` }))).toEqual([
      `40 answers${said}`,
    ]);
  });

  test("are not looked for where answers have no id, or nothing was sent, or nothing was answered", () => {
    expect(notes(() => ({ runId: null }))).toEqual([]);
    expect(notes(() => ({ runId: "one", sentAt: null, doneAt: null }))).toEqual([]);
    expect(notes(() => ({ runId: "one", outcome: "throttled", body: null }))).toEqual([]);
    expect(notes((place, repeat) => ({ runId: `prod ${place} ${repeat}` }))).toEqual([]);
  });
});
