import { describe, expect, test } from "vitest";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import { ExpectedCounts, type ExpectedProfile } from "../../src/dataset/lint/expected-profile.ts";
import { mismatches } from "../../src/score/proposal/scorer-mismatch.ts";
import { proposedScorers, reasonFor, scorerArgument } from "../../src/score/proposal/proposal.ts";
import { withScorers } from "../../src/suite/flags/scorer-flag.ts";
import { spec } from "../app/scored.ts";
import { suite } from "../store/batch.ts";

function profileOf(texts: readonly (string | null)[]): ExpectedProfile {
  const counts = new ExpectedCounts();
  for (const text of texts) counts.add(text);
  return counts.profile;
}

const repeat = (texts: readonly string[], times: number): string[] => Array.from({ length: times }, () => texts).flat();

/** Expected answers as sheets have them, a few of each. */
const sheets = {
  spans: ["308", "Denver Broncos", "Santa Clara, California", "linebacker Von Miller", "two", "gold", "1893"],
  hindi: ["308", "डेनवर ब्रोंकोस", "कैलिफ़ोर्निया में", "सोना", "दो बार", "१८९३"],
  amharic: ["አዲስ አበባ", "ሐምሌ", "ሁለት ጊዜ", "ነፃ"],
  chinese: ["免费", "丹佛野马", "金色", "一八九三年"],
  phrases: [
    "on Sunday from 11:00 to 16:00",
    "Books and audiobooks are lent for 28 days",
    "On 24 December we close at 13:00",
    "रविवार को सुबह ग्यारह से शाम चार बजे",
  ],
  sentences: [
    "The library is open on Sundays, from eleven to four.",
    "You may borrow books for four weeks.",
    "La biblioteca cierra los viernes.",
    "पुस्तकालय शुक्रवार को बंद रहता है।",
  ],
  arabic: ["المكتبة مغلقة يوم الجمعة.", "يمكنك استعارة الكتب لمدة أربعة أسابيع.", "الدخول مجاني للجميع دائمًا."],
  japanese: ["図書館は金曜日が休みです。", "本は四週間借りられます。", "入場は無料です。"],
  json: ['{"fee": "6.00"}', '{"fee":"9.00","currency":"crowns"}', '[{"id":1}]'],
  lists: ['["5 rupees", "₹5"]', '["Monday"]', '["yes","of course"]'],
  numbers: ["308", "1,234", "१२", "-5", "0.5"],
  units: ["12 km", "3.5 km", "1,200 km", "40 %"],
  dates: ["24 December", "1 May", "3 June", "17 July", "2 April"],
  labels: repeat(["positive", "negative", "neutral"], 5),
  yesNo: repeat(["Yes", "no"], 5),
};

const proposed = (name: keyof typeof sheets, endpoints: EndpointName[] = ["video-bots"]): string[] =>
  proposedScorers(profileOf(sheets[name]), endpoints).map(scorerArgument);

describe("the scorer that fits the expected answers", () => {
  test.each([
    ["spans", ["icontains", "chrf"]],
    ["hindi", ["icontains", "chrf"]],
    ["amharic", ["icontains", "chrf"]],
    ["chinese", ["icontains", "chrf"]],
    ["phrases", ["icontains", "chrf"]],
    ["dates", ["icontains", "chrf"]],
    ["sentences", ["chrf", "icontains"]],
    ["arabic", ["chrf", "icontains"]],
    ["japanese", ["chrf", "icontains"]],
    ["json", ['{ type: json-path, path: $, equals: "{{ expected }}", within: true }']],
    ["lists", ["{ type: contains-any, ignore_case: true }"]],
    ["numbers", ["numeric"]],
    ["units", ["numeric"]],
    ["labels", ["{ type: equals, ignore_case: true }", "icontains"]],
    ["yesNo", ["{ type: equals, ignore_case: true }", "{ type: starts-with, ignore_case: true }"]],
  ] as const)("%s", (name, scorers) => expect(proposed(name)).toEqual(scorers));

  test("of functions is what they return, whatever is expected", () => {
    expect([proposed("json", ["functions"]), proposed("numbers", ["functions", "functions"])]).toEqual([
      ["return-value"],
      ["return-value"],
    ]);
  });

  test("is none where nothing is expected, and blank cells do not count", () => {
    expect(proposedScorers(profileOf([null, "", "  "]), ["video-bots"])).toEqual([]);
    const some = profileOf([...sheets.numbers, ...Array.from({ length: 100 }, () => " ")]);
    expect(proposedScorers(some, ["video-bots"]).map(scorerArgument)).toEqual(["numeric"]);
  });

  test("is told with what shows it", () => {
    const [best] = proposedScorers(profileOf([...sheets.sentences, "Yes"]), ["video-bots"]);
    if (best === undefined) throw new Error("nothing is proposed");
    expect(reasonFor(best)).toBe(
      "The expected answers are sentences in 4 of 5 rows (34 characters in the median). A good answer may use other words: chrf measures how alike they are (0 to 100), and the values are compared without a threshold.",
    );
  });

  test("is one that a suite and a flag take", () => {
    for (const texts of Object.values(sheets)) {
      for (const endpoint of ["video-bots", "functions"] as const) {
        for (const one of proposedScorers(profileOf(texts), [endpoint])) {
          expect(withScorers({ ...suite, scorers: [] }, [scorerArgument(one)]).scorers).toHaveLength(1);
        }
      }
    }
  });
});

describe("a scorer that visibly does not fit", () => {
  const found = (type: string, name: keyof typeof sheets, options = {}): string | null => {
    const specs = [{ ...spec("correct", type, options), primary: true }];
    const [first] = mismatches(specs, profileOf(sheets[name]), ["video-bots"]);
    return first === undefined ? null : `${first.message} -> ${scorerArgument(first.better)}`;
  };

  test("asks for whole sentences", () => {
    expect(found("contains", "sentences")).toBe(
      "correct (contains) asks for the whole text, and the expected answers are sentences (34 characters in the median): a good answer in other words fails -> chrf",
    );
    expect(["icontains", "equals", "starts-with"].map((type) => found(type, "japanese"))).not.toContain(null);
  });

  test("takes JSON for a text, a text for a number, a list for a text, a number for a text to be like", () => {
    expect(found("equals", "json")).toContain("the same value with other spaces fails -> { type: json-path");
    expect(found("icontains", "lists")).toContain("no answer holds the brackets -> { type: contains-any");
    expect(found("numeric", "arabic")).toContain("3 of 3 expected answers have none: they are not graded -> chrf");
    expect(found("chrf", "numbers")).toContain("a right answer in a sentence is far from them -> numeric");
    expect(found("return-value", "numbers")).toContain("no function is asked -> numeric");
  });

  test("is not one that fits, compares with a value of its own, is for some tags, or measures beside another", () => {
    expect(found("contains", "phrases")).toBeNull();
    expect(found("contains", "spans")).toBeNull();
    expect(found("chrf", "sentences")).toBeNull();
    expect(found("numeric", "spans")).not.toBeNull();
    expect(found("contains", "sentences", { value: "please" })).toBeNull();
    const some = { ...spec("a", "contains"), when: { language: ["hi"] } };
    expect(mismatches([some, spec("b", "chrf")], profileOf(sheets.numbers), ["video-bots"])).toEqual([]);
    expect(mismatches([spec("a", "contains")], profileOf([null]), ["video-bots"])).toEqual([]);
  });
});
