import { describe, expect, test } from "vitest";
import { newFailureTally } from "../../src/report/model/new-failures.ts";
import { saidShape } from "../../src/text/said-shape.ts";

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
  test("are grouped by what is said, but for names and numbers, where two rows or more say it", () => {
    const tally = newFailureTally();
    for (let place = 0; place < 24; place++) {
      const answer =
        place < 16 ? `I am sorry, I could not find Shop ${place}.` : `Other ${"x".repeat(place)} things are said`;
      tally.add({ answer, before: null });
    }
    expect(tally.result("test")).toEqual({
      candidate: "test",
      rows: 24,
      said: [{ words: "I am sorry, I could not find … #.", rows: 16 }],
    });
    expect(newFailureTally().result("test")).toBeNull();
  });
});
