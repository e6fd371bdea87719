import { Tandem } from "../e2e/tandem.ts";

/** A stored answer of a row on a side. */
export type Said = (row: number, side: string) => string;

const head = "id,question,golden,talk,turn,topic,lang,prod,test,other";

/** A suite of stored answers of three targets, with tags and conversations: no service is asked. */
export function storedDesk(rows: number, said: Said, tandem = new Tandem()): Tandem {
  const lines = Array.from({ length: rows }, (_, row) =>
    [
      `k${row}`,
      `Question ${row}?`,
      `yes ${row}`,
      `c-${Math.floor(row / 2)}`,
      (row % 2) + 1,
      `kind ${String.fromCharCode(97 + (row % 4))}`,
      ["en", "हिन्दी", "عربي"][row % 3],
      ...["prod", "test", "other"].map((side) => said(row, side)),
    ].join(","),
  );
  return tandem.file("desk.csv", [head, ...lines, ""].join("\n")).file(
    "desk.yaml",
    `name: desk
dataset: desk.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question }, expected: golden, tags: [topic, lang] }
targets:
  prod: { answers: prod, endpoint: video-bots }
  test: { answers: test, endpoint: video-bots }
  other: { answers: other, endpoint: video-bots }
scorers:
  - { name: correct, type: contains, primary: true }
  - { name: similar, type: chrf }
compare: { baseline: prod, candidates: [test, other] }
reports: [terminal]
`,
  );
}
