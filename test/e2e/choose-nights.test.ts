import { expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

/** Stored answers of two bots, of which one is far better. */
function sheet(best: "a" | "b", rows = 100): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const answers = ["a", "b"].map((name) => (row % 100 < (name === best ? 2 : 30) ? "no" : `g${row}`));
    return [`k${row}`, `question ${row}?`, `g${row}`, ...answers].join(",");
  });
  return ["id,question,golden,a,b", ...lines].join("\n");
}

test("another best one is news in the night in which it is found, and when it is over, and in no night between", async () => {
  const tandem = new Tandem().file(
    "suite.yaml",
    `name: s
dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { a: { answers: a }, b: { answers: b } }
scorers: [{ name: correct, type: equals }]
compare: { baseline: a, choose: best }
`,
  );
  const night = async (best: "a" | "b") => {
    tandem.file("s.csv", sheet(best)).file("notice.json", "");
    const { code, out, err } = await tandem.run(
      "night",
      "suite.yaml",
      "--quiet",
      "--notify-on",
      "change",
      "--notify-command",
      "cat > notice.json",
    );
    const text = tandem.text("notice.json");
    const notice: { word: string; news: { state: string } } | null = text === "" ? null : JSON.parse(text);
    return { code, said: out + err, notice: notice && `${notice.word}, ${notice.news.state}` };
  };
  expect(await night("a")).toMatchObject({ code: 0, notice: null });
  expect(await night("b")).toMatchObject({ code: 1, notice: "changed, new" });
  const still = await night("b");
  expect(still).toMatchObject({ code: 1, notice: null });
  expect(still.said).toContain("the change of the best from a to b is still open, since");
  expect(await night("a")).toMatchObject({ code: 0, notice: "best, over" });
});
