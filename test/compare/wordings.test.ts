import { describe, expect, test } from "vitest";
import { often } from "../often.ts";
import { randomStream } from "../../src/lib/random.ts";
import { drawnByColumns } from "../bench/simulation/dependence.ts";

/** Questions in several wordings, of which a share breaks as a whole: the loss is the limit. */
function wordings(count: number, each: number, by: "key" | "expected", random: ReturnType<typeof randomStream>) {
  return Array.from({ length: count }, (_, question) => {
    const isLost = random.next() < 0.05;
    return Array.from({ length: each }, (_row, wording) => ({
      baseline: 1,
      candidate: isLost ? 0 : 1,
      columns: {},
      key: by === "key" ? `r${question}-${wording}` : `k${question * each + wording}`,
      ...(by === "expected" && { expected: `open from ${question} to ${question + 9}` }),
    }));
  }).flat();
}

describe("wordings of one question", () => {
  test.each([
    [30, 5],
    [12, 5],
  ])(
    "%i questions in %i wordings are counted as questions, by the key's beginning or the expected answer",
    (count, each) => {
      const runs = often(60, 400);
      for (const by of ["key", "expected"] as const) {
        const random = randomStream(`wordings ${count} ${by}`);
        const said = { byRows: 0, regression: 0 };
        for (let run = 0; run < runs; run++) {
          const { byRows, state } = drawnByColumns(wordings(count, each, by, random), `${run}`);
          said.byRows += Number(byRows === "regression") / runs;
          said.regression += Number(state === "regression") / runs;
        }
        expect(said.byRows).toBeGreaterThan(0.02);
        expect(said.regression).toBeLessThanOrEqual(0.065);
      }
    },
  );
});
