import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

test("the function and the suite in the guide to judges grade answers as they stand there", async () => {
  const guide = readFileSync(new URL("../../docs/guides/judges.md", import.meta.url), "utf8");
  const [, section = ""] = guide.split("## A function as a judge\n");
  const [, code = ""] = /```js\n(.*?)```/s.exec(section) ?? [];
  const [, suite = ""] = /```yaml\n(.*?)```/s.exec(section) ?? [];
  const tandem = new Tandem().file("prompts.csv", "question,answer\nWhen are you open?,From nine to five\nBye,Bye\n");
  await tandem.run("init", "prompts.csv", "--yes");
  tandem.file("bots/functions/short-and-sourced.js", code).file("tandem.yaml", suite);
  const { code: ended, err } = await tandem.run("run", "--quiet");
  expect(ended, err).toBe(0);
  const replies = tandem.query<{ scorer: string; output: string }>("SELECT scorer, output FROM judgements");
  expect(replies).toHaveLength(2);
  for (const { scorer, output } of replies) {
    expect(scorer).toBe("style");
    expect(output).toMatch(/names no source|\d+ words, \d+ sources/);
  }
});
