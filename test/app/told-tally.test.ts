import { describe, expect, test } from "vitest";
import { toldTally } from "../../src/app/provider/told-tally.ts";

/** What twelve answers with this output tell. */
function toldBy(output: Record<string, string | number>) {
  const tally = toldTally("video-bots", new Set());
  for (let answer = 0; answer < 12; answer++) tally.add({ body: JSON.stringify({ output }), headers: null });
  return tally.told();
}

describe("what twelve answers tell of their service", () => {
  test("is no day and no time, but a version that is written like one", () => {
    expect(Object.keys(toldBy({ generated_on: "2026-11-30", time: 3, usedAt: 1_780_000_000 }))).toEqual([]);
    expect(toldBy({ model_version: "2026-11-30" })).toMatchObject({ model_version: [{ text: "2026-11-30" }] });
  });

  test("is never shown where it may be a key or somebody's address", () => {
    const told = toldBy({
      api_key: "abcdefgh",
      note: "use sk-live-abcdefghij",
      owner: "anna@example.test",
      tone: "kind",
    });
    const shown = Object.entries(told).map(([name, values]) => [name, values.map(({ text }) => text)]);
    expect(Object.fromEntries(shown)).toEqual({ api_key: [null], note: [null], owner: [null], tone: ["kind"] });
  });
});
