import { describe, expect, test } from "vitest";
import type { WorsePlace } from "../../src/compare/summary/places.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";
import { compareCases } from "./compare-cases.ts";

interface Row {
  tags: Record<string, string>;
  /** Passes of both sides. */
  before: boolean;
  now: boolean;
  cluster?: string;
}

const rows = (count: number, tags: Record<string, string>, lost: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ tags, before: true, now: at >= lost }));

function compared(given: readonly Row[]) {
  const cases = given.map(({ before, now, tags, cluster }, at) =>
    aCase(`k${at}`, [says(prod, "a", scored(before)), says(candidate, "b", scored(now))], {
      tags,
      ...(cluster !== undefined && { cluster }),
    }),
  );
  const clustered = given.some(({ cluster }) => cluster !== undefined);
  return compareCases(cases, { ...settings, metrics: [passing()], clustered });
}

const placesIn = (given: readonly Row[]): WorsePlace[] => compared(given).candidates[0]?.places ?? [];

const named = (places: readonly WorsePlace[]): string[] =>
  places.map(({ tag, value, and, worse, cases }) =>
    [`${tag} = ${value}`, ...(and === null ? [] : [`${and.tag} = ${and.value}`]), `${worse} of ${cases}`].join(", "),
  );

/** Most of those with typos are lost, most of them English ones; of the others so many English ones. */
const typos = (plainLost: number): Row[] => [
  ...rows(22, { kind: "typo", language: "en" }, 21),
  ...rows(8, { kind: "typo", language: "de" }, 7),
  ...rows(40, { kind: "plain", language: "en" }, plainLost),
  ...rows(90, { kind: "plain", language: "de" }, 0),
];

describe("places that are surely worse", () => {
  test("are two at most, the second counted without the rows of the first, and the rest beside them", () => {
    const categories = ["fees", "hours", "branches", "opening", "cards", "tools", "mail"];
    const found = placesIn([
      ...rows(20, { kind: "typo", category: "fees" }, 18),
      ...rows(4, { kind: "typo", category: "lost-card" }, 4),
      ...rows(10, { kind: "plain", category: "lost-card" }, 7),
      ...categories.flatMap((category, at) => rows(18, { kind: "plain", category }, at < 2 ? 1 : 0)),
    ]);
    expect(named(found)).toEqual(["kind = typo, 22 of 24", "category = lost-card, 7 of 10"]);
    expect(found.map(({ rest }) => rest)).toEqual([
      { cases: 126, worse: 2 },
      { cases: 126, worse: 2 },
    ]);
    expect(found[1]?.p).toBeLessThan(1e-4);
  });

  test("are none that is worse only because of the rows of another", () => {
    expect(named(placesIn(typos(0)))).toEqual(["kind = typo, 28 of 30"]);
    expect(named(placesIn(typos(2)))).toEqual(["kind = typo, 28 of 30"]);
    expect(named(placesIn(typos(20)))).toEqual(["kind = typo, 28 of 30", "language = en, 20 of 40"]);
  });

  test("are a pair of values where only both together lose", () => {
    const found = placesIn(
      ["en", "hi", "ar", "de"].flatMap((language) =>
        ["fees", "tools", "hours"].flatMap((topic) =>
          rows(25, { language, topic }, language === "hi" && topic === "fees" ? 20 : 1),
        ),
      ),
    );
    expect(named(found)).toEqual(["language = hi, topic = fees, 20 of 25"]);
  });

  test("are none of rows that turn both ways, however many do", () => {
    const random = seededRandom("flaky rows");
    const flaky = Array.from({ length: 60 }, (): Row => {
      const turned = random();
      return { tags: { kind: "hard" }, before: turned > 0.35, now: turned < 0.35 || turned > 0.7 };
    });
    expect(placesIn([...flaky, ...rows(300, { kind: "easy" }, 1)])).toEqual([]);
  });

  test("count a conversation as one", () => {
    const talks = (kind: string, count: number, lost: number): Row[] =>
      Array.from({ length: count }, (_, talk) =>
        rows(6, { kind }, talk < lost ? 6 : 0).map((row) => ({ ...row, cluster: `${kind} ${talk}` })),
      ).flat();
    // Two conversations of eight that break are no place; of twenty all are.
    expect(placesIn([...talks("a", 8, 2), ...talks("b", 40, 0)])).toEqual([]);
    expect(named(placesIn([...talks("a", 20, 20), ...talks("b", 40, 0)]))).toEqual(["kind = a, 120 of 120"]);
  });
});
