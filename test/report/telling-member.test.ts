import { expect, test } from "vitest";
import { tellingMember, tellingTexts } from "../../src/report/model/telling-member.ts";

const asked = ["Can I bring my dog to the library?"];
const reply = (more: object): string => JSON.stringify({ id: crypto.randomUUID(), ...more });

test("of two replies in JSON the text that differs is told, not an id and not the question that came back", () => {
  const echo = (before: string) => ({ raw_input_text: `${before} Can I bring my dog to the library?` });
  expect(
    tellingTexts(
      [
        reply({ ...echo("Please:"), out: [{ text: "Yes, on a lead." }] }),
        reply({ ...echo("Kindly:"), out: [{ text: "No dogs here." }] }),
      ],
      asked,
    ),
  ).toEqual(["out[0].text: Yes, on a lead.", "out[0].text: No dogs here."]);
});

test("a text of several words is told before a number, and a number before nothing", () => {
  const sides = (one: object, two: object) =>
    tellingTexts(
      [one, two].map((each) => JSON.stringify({ more: "x".repeat(80), ...each })),
      asked,
    );
  expect(sides({ n: 1, said: "a b" }, { n: 2, said: "a c" })).toEqual(["said: a b", "said: a c"]);
  expect(sides({ n: 1, said: "a b" }, { n: 2, said: "a b" })).toEqual(["n: 1", "n: 2"]);
});

test.each([
  ["a sentence before a time", { at: "2026-11-23 10:00:00" }, "Renew it twice.", "I do not know."],
  ["a sentence before a time, where one side says one word", { at: "2026-11-23 10:00:00" }, "Renew it twice.", "No."],
  ["Japanese before an id", {}, "延長は二回までできます", "わかりません"],
  ["Thai before an id", {}, "ต่ออายุได้สองครั้ง", "ไม่ทราบ"],
  ["a word before an id", {}, "yes", "no"],
])("%s is told", (_, more, one, two) => {
  const replies = [one, two].map((said, place) => {
    const at = Object.fromEntries(Object.entries(more).map(([name, text]) => [name, `${text}.${place}`]));
    return reply({ ...at, more: "x".repeat(80), said });
  });
  expect(tellingTexts(replies, asked)).toEqual([`said: ${one}`, `said: ${two}`]);
});

test.each([
  [['{"price":1}', '{"price":2}']],
  [["plain", "texts"]],
  [[`{"a":"${"b".repeat(90)}"}`, "plain"]],
  [['{"a":1}', '{"a":1}']],
  [['{"a":', '{"b":']],
  [[`{"a":${"[".repeat(50_000)}`, '{"a":1}']],
])("answers that are no replies which differ stay as they are: %#", (said) => {
  expect(tellingTexts(said, asked)).toEqual(said);
});

test("the member in the place of texts that are the same is one that differs in words, and not the question", () => {
  const members = [
    { path: "raw_input_text", baseline: "text", candidate: "text" },
    { path: "echo", baseline: '"Q: can i bring my dog to the library?"', candidate: '"A"' },
    { path: "final", baseline: "text", candidate: "text" },
    { path: "references", baseline: "3", candidate: "null" },
  ];
  expect(tellingMember(members, asked)?.path).toBe("references");
  expect(tellingMember(members.slice(0, 3), asked)?.path).toBe("final");
  expect(tellingMember(members.slice(0, 2), asked)).toBeUndefined();
});
