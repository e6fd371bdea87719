import { describe, expect, test } from "vitest";
import { type NewFailureTally, newFailureTally } from "../../src/report/model/new-failures.ts";
import { saidShape } from "../../src/text/said-shape.ts";

function filled(
  rows: readonly { prompt: string; fails: string | null; tags?: Record<string, string>; cluster?: string }[],
): NewFailureTally {
  const tally = newFailureTally();
  for (const [place, { prompt, fails, tags = {}, cluster = null }] of rows.entries()) {
    tally.add({
      key: `k${place}`,
      cluster,
      prompt: () => prompt,
      tags,
      failedBy: fails === null ? null : { answer: fails, before: null },
    });
  }
  return tally;
}

describe("the shape of an answer", () => {
  test.each([
    ["I am sorry, I could not find Anna Kern's order 512. Try again.", "I am sorry, I could not find … order #."],
    ["I am sorry, I could not find Bo’s order 7.", "I am sorry, I could not find … order #."],
    ["Thank you for asking. I could not find Anna. Bye.", "Thank you for asking. I could not find …."],
    ['The page "Late fees" was not found.', "The page … was not found."],
    ["मुझे ५१२ के लिए कुछ नहीं मिला। फिर कोशिश करें।", "मुझे # के लिए कुछ नहीं मिला।"],
    ["YOU MUST CALL THE DESK", "YOU MUST CALL THE DESK"],
    ["", ""],
    ["\u202eevil <b>", "\u202eevil <b>"],
  ])("%s", (answer, shape) => expect(saidShape(answer)).toBe(shape));

  test("takes a long answer no longer than a short one", () => {
    expect(saidShape(`${"a".repeat(200_000)} b`).length).toBeLessThanOrEqual(400);
  });
});

describe("the shape of an answer that is a JSON object", () => {
  const before = '{"fee": 3, "status": "on time", "loan": {"days": 4}, "who": "Anna Kern", "tags": []}';

  test.each([
    ['{"fee": 7, "status": "on time", "loan": {"days": 4}, "who": "Anna Kern", "tags": []}', "fee: # instead of #"],
    [
      '{"status": "late", "fee": 9, "loan": {"days": 5}, "who": "Bo", "tags": ["x"]}',
      "fee: # instead of #; loan.days: # instead of #; status: late instead of on time; tags: […] instead of []; who: … instead of …",
    ],
    ['{"fee": 3, "status": "on time", "loan": {"days": 4}, "tags": [], "note": null}', "note: null, new; who: missing"],
    // In what it differs is not known where it does not.
    [before, "fee: #; loan.days: #; status: on time; tags: []; who: …"],
    ['{"fee": 3', "{…: #"],
    ["I could not find Bo's order 7.", "I could not find … order #."],
  ])("%s", (answer, shape) => expect(saidShape(answer, before)).toBe(shape));

  test("is its fields where the answer before is none, and names no more than six", () => {
    expect(saidShape('{"fee": 7, "code": "NOT_FOUND"}', "It is 7.")).toBe("code: NOT_FOUND; fee: #");
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`f${10 + place}`, place]));
    expect(saidShape(JSON.stringify(many))).toBe("f10: #; f11: #; f12: #; f13: #; f14: #; f15: #; 34 more fields");
    expect(saidShape(`{"a": ${"[".repeat(9000)}`).length).toBeLessThanOrEqual(400);
  });

  test("of fields with very long names ends with a whole character", () => {
    const said = ["", "a"].map((lead) => saidShape(JSON.stringify({ [lead + "😀".repeat(300)]: 1 })));
    expect(said.map((shape) => [shape.length > 390, shape.isWellFormed()])).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});

describe("newly failing rows", () => {
  const failing = Array.from({ length: 24 }, (_, place) => ({
    prompt: place < 20 ? `Why was my card ${place} refused at the shop?` : `What about the mail ${place}?`,
    fails: place < 16 ? `I am sorry, I could not find Shop ${place}.` : `Other ${"x".repeat(place)} things are said`,
    tags: { lang: "en" },
  }));
  const passing = Array.from({ length: 120 }, (_, place) => ({
    prompt: `When does the library open on day ${place}?`,
    fails: null,
    tags: { lang: place % 2 === 0 ? "en" : "hi" },
  }));

  test("are grouped by what is said, and have in common what a half that was not looked at confirms", () => {
    const found = filled([...failing, ...passing]).result("test");
    expect(found).toMatchObject({ candidate: "test", rows: 24, whyNoCommon: null });
    expect(found?.said).toEqual([{ words: "I am sorry, I could not find … #.", rows: 16 }]);
    const [first] = found?.common ?? [];
    expect(first?.all).toMatchObject({ failing: 24, failingWith: 20, passing: 120, passingWith: 0 });
    expect(first?.about).toMatch(/^the word "(?:why|was|my|card|refused|at|shop)"$/);
    // Words of the same rows are told once.
    expect(found?.common.filter(({ kind }) => kind === "word")).toHaveLength(1);
    // Half of those that pass are English too: far fewer than all.
    expect(found?.common.every(({ confirmed, p }) => p <= 0.05 && confirmed.failing + confirmed.passing < 144)).toBe(
      true,
    );
  });

  test("have nothing in common where they are few, or turns of conversations, and say why", () => {
    expect(filled([...failing.slice(0, 7), ...passing]).result("test")).toMatchObject({
      common: [],
      whyNoCommon: "it takes 8 newly failing rows, half of them to check with",
    });
    const turns = [...failing, ...passing].map((row) => ({ ...row, cluster: "talk" }));
    expect(filled(turns).result("test")?.whyNoCommon).toContain("turns of one conversation");
    expect(filled(passing).result("test")).toBeNull();
  });

  test("are sampled by lot where there are very many, and what is held does not grow", () => {
    const tally = newFailureTally();
    let asked = 0;
    for (let place = 0; place < 60_000; place++) {
      const fails = place % 10 === 0;
      tally.add({
        key: `k${place}`,
        cluster: null,
        prompt: () => {
          asked += 1;
          return fails && place % 20 === 0 ? "the card is gone" : "the book is here";
        },
        tags: {},
        failedBy: fails ? { answer: "No.", before: null } : null,
      });
    }
    const found = tally.result("test");
    expect(found?.rows).toBe(6000);
    expect(asked).toBeLessThan(30_000);
    expect(found?.common[0]?.all.failing).toBe(3000);
  });
});
