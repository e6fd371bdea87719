import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPin } from "../../src/app/compare/pin-file.ts";
import { storedOutput } from "../../src/api/stored-output.ts";
import { answerTextOf } from "../../src/compare/cases/answer.ts";
import { AppError } from "../../src/errors.ts";
import { readPromptfooConfig } from "../../src/init/promptfoo/config.ts";
import { initPromptfoo } from "../../src/init/promptfoo/init-promptfoo.ts";
import { createLiquid } from "../../src/lib/liquid.ts";
import { parseYaml } from "../../src/suite/yaml.ts";
import { jsonValuesIn } from "../../src/text/json-in-text.ts";
import { since } from "../cpu-time.ts";
import { read } from "../dataset/reading.ts";
import { often } from "../often.ts";
import { temporaryFolder } from "../store/batch.ts";
import { openTally } from "./tally.ts";
import { hostile } from "./texts.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const tally = openTally("every reader", 600);

/** More CPU than this for one text is a hang: most take a few milliseconds. */
const longestMs = 5_000;

/** The harm of reading: any error but one for people, a hang, a prototype that was changed. */
async function readingHarm(reading: () => unknown): Promise<string[]> {
  const start = process.cpuUsage();
  const harm: string[] = [];
  try {
    await reading();
  } catch (error) {
    if (!(error instanceof AppError)) harm.push(`a fault of our own: ${String(error).slice(0, 200)}`);
  }
  if (since(start) > longestMs) harm.push("a hang");
  if ("polluted" in {}) harm.push("a changed prototype");
  return harm;
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "a cell of a CSV": (text) => read(`id,input_prompt\n1,${quoted(text)}\n`),
  "a key and a header of a CSV": (text) =>
    read(`${quoted(text)},input_prompt,${quoted(`x${text}`)}\n${quoted(text)},x,y\n`),
  "a CSV by itself": (text) => read(text),
  "a member of JSON Lines": (text) =>
    read(`${JSON.stringify({ input_prompt: text, [text]: text })}\n`, { name: "p.jsonl" }),
  "JSON Lines by itself": (text) => read(`{"input_prompt":${text}}\n`, { name: "p.jsonl" }),
  "a cell of turns": (text) => read(`input_prompt\n${quoted(`[${JSON.stringify(text)}]`)}\n${quoted(text)}\n`),
  "a suite in YAML": (text) => parseYaml(text, "s.yaml"),
  "a text of a suite": (text) => parseYaml(JSON.stringify({ name: text, [text]: 1 }), "s.yaml"),
  "a body of a service": (text) => [
    storedOutput("video-bots", text),
    storedOutput("video-bots", `{"output":{"output_text":[${text}]}}`),
  ],
  "an answer": (text) => [
    answerTextOf("video-bots", JSON.stringify({ output: { output_text: [text], [text]: text } })),
    jsonValuesIn(text),
  ],
  "a pin": (text) => {
    const path = join(temporaryFolder(), "pin.jsonl");
    writeFileSync(path, `${text}\n${JSON.stringify({ tandem_pin: storedVersion, name: text })}\n`);
    readPin(path);
  },
  "a promptfoo file": async (text) => {
    const folder = temporaryFolder();
    const config = JSON.stringify({
      prompts: [text, `file://${text}`],
      providers: [text],
      tests: [
        {
          vars: { [text]: text },
          assert: [
            { type: "javascript", value: text },
            { type: text, value: text },
          ],
        },
      ],
    });
    const path = join(folder, "promptfooconfig.yaml");
    writeFileSync(path, config);
    const to = join(folder, "out");
    const faults = await readingHarm(async () =>
      initPromptfoo(await readPromptfooConfig(path, config), { path, to, name: "demo" }),
    );
    const beside = readdirSync(folder).filter((name) => !["promptfooconfig.yaml", "out"].includes(name));
    if (beside.length > 0 || existsSync("/tmp/owned")) faults.push(`it wrote beside its folder: ${beside.join()}`);
    if (faults.length > 0) throw new Error(faults.join("; "));
  },
};

test.each(Object.keys(readers))("%s is read, or refused with a reason, and runs nothing", async (place) => {
  // Every third text at each change for what takes a while, all of them in `npm run test:slow`.
  const some = hostile.filter((_, index) => often(place !== "a promptfoo file" || index % 3 === 0, true));
  for (const [what, text] of some) tally.tried(what, place, await readingHarm(() => readers[place]?.(text)));
  expect(tally.through()).toEqual([]);
});

test("a template reaches nothing of ours", async () => {
  const liquid = await createLiquid();
  for (const [what, text] of hostile) {
    let filled = "";
    try {
      filled = liquid.fill(liquid.parse(text), { x: text });
    } catch (error) {
      filled = String(error);
    }
    tally.tried(what, "a template", /function|native code/.test(filled) ? ["it shows code of ours"] : []);
  }
  expect(tally.through()).toEqual([]);
});
