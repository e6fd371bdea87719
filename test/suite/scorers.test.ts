import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadSuite } from "../../src/suite/load.ts";
import type { Suite } from "../../src/suite/suite.ts";

async function load(scorers: string): Promise<Suite> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-scorers-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "suite.yaml");
  const head =
    "dataset: a.csv\ndeployments: { prod: { base_url: local:. } }\ntargets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }\n";
  await writeFile(path, `${head}${scorers}\n`);
  return (await loadSuite(path, {})).suite;
}

async function faults(scorers: string): Promise<string[]> {
  const error: unknown = await load(scorers).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof Error)) throw new Error("the suite is valid");
  return error.message
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^.*?suite\.yaml:/, ""));
}

describe("scorers in a suite", () => {
  test("that are a name alone are told how to write them", async () => {
    expect(await faults("scorers: [icontains, nonsense]")).toEqual([
      "4:11: scorers[0] must be a map of keys: write { type: icontains } in place of icontains",
      '4:22: scorers[1] must be a map of keys, got "nonsense"',
    ]);
  });

  test("have a place for what is only seen by making them: templates, schemas, and bounds that nothing lies between", async () => {
    const found = await faults(`scorers:
  - { name: a, type: json-schema, schema: { type: objekt } }
  - { name: b, type: contains, value: "{{ row.x " }
  - { name: c, type: contains-any, value: [fine, "{% if %}"] }
  - { name: d, type: length, min: 5, max: 2 }
  - { name: e, type: regex, value: "a{{2}" }
  - { name: f, type: judge, target: nobody, rubric: "{{ x | nosuch }}" }
  - { name: g, type: contains, value: "{{ row.x }}" }
  - { name: h, type: module, file: ./none.js }`);
    expect(found).toEqual([
      expect.stringMatching(/^5:43: scorers\[0\]\.schema is not a JSON Schema: /),
      expect.stringMatching(/^6:39: scorers\[1\]\.value is not a Liquid template: /),
      expect.stringMatching(/^7:50: scorers\[2\]\.value\[1\] is not a Liquid template: /),
      expect.stringMatching(/^8:35: scorers\[3\]\.min is 5, more than max, which is 2: nothing could pass/),
      expect.stringMatching(/^10:37: scorers\[5\]\.target names the judge "nobody"/),
      expect.stringMatching(/^10:53: scorers\[5\]\.rubric is not a Liquid template: /),
      expect.stringMatching(/^12:36: scorers\[7\]\.file is "\.\/none\.js", and there is no file /),
    ]);
  });

  test("are complete once they are read: name, primary, weight and tags", async () => {
    const { scorers, pass } = await load(`scorers:
  - { type: contains, when: { language: hi, level: [1, 2] } }
  - { name: seconds, type: latency, max: 20s, weight: 0.5 }
pass: { mean: 0.8 }`);
    expect(scorers).toEqual([
      {
        name: "contains",
        type: "contains",
        primary: true,
        weight: 1,
        when: { language: ["hi"], level: ["1", "2"] },
        options: expect.objectContaining({ not: false }),
      },
      {
        name: "seconds",
        type: "latency",
        primary: false,
        weight: 0.5,
        when: null,
        options: { max: "20s", not: false },
      },
    ]);
    expect(pass).toEqual({ kind: "mean", of: null, share: 0.8 });
    expect(JSON.parse(JSON.stringify(scorers))).toEqual(scorers);
  });

  test("that do not exist, or have keys that do not, are named with their place and what was meant", async () => {
    expect(
      await faults(`scorers:
  - { name: a, type: contans }
  - { name: b, type: chrf, treshold: 50 }
  - { name: c }
  - { name: d, type: regex, value: "(" }
  - { name: e, type: latency, max: 20 }
  - { name: f, type: contains, on: "output_text[" }`),
    ).toEqual([
      '5:22: scorers[0].type is "contans", which does not exist. Did you mean "contains"?',
      '6:28: scorers[1] unknown key "treshold". Did you mean "threshold"?',
      expect.stringMatching(/^7:5: scorers\[2\]\.type is required\. Known: equals, /),
      expect.stringMatching(/^8:36: scorers\[3\]\.value is not a regular expression: /),
      "9:36: scorers[4].max must be a duration such as 20s or 500ms",
      "10:36: scorers[5].on has its end at character 13 (unclosed bracketed selection): it must be a path such as output_text[0]",
    ]);
  });

  test("that count in the mean of a row have values between 0 and 1 where more is better", async () => {
    const found = await faults(`scorers:
  - { name: whole, type: row-mean, of: [checks, distance, stars, kind, passes, typo] }
  - { type: checks }
  - { name: distance, type: edit-distance }
  - { name: stars, type: judge, target: prod, rubric: Is it good?, scale: { min: 1, max: 5 } }
  - { name: kind, type: judge, target: prod, rubric: Is it kind? }
  - { name: passes, type: all-of, of: [stars] }
  - { name: typo, type: bleu, treshold: 1 }`);
    const told = "whose values do not lie between 0 and 1 where more is better. To count whether it passes,";
    expect(found.filter((line) => line.includes("[0].of"))).toEqual([
      `5:49: scorers[0].of[1] names "distance", ${told} give it a threshold and name a scorer { type: all-of, of: [distance] } here and in the rows.`,
      `5:59: scorers[0].of[2] names "stars", ${told} name a scorer { type: all-of, of: [stars] } here and in the rows.`,
    ]);
  });

  test("may not have one name twice, two primaries, or be made of each other", async () => {
    expect(
      await faults(`scorers:
  - { name: a, type: contains, primary: true }
  - { name: a, type: equals, primary: true }
  - { type: is-json }
  - { type: is-json }
  - { name: x, type: all-of, of: [y, a] }
  - { name: y, type: any-of, of: [x] }
  - { name: z, type: mean, of: { b: 2 } }
pass: { all: [c] }`),
    ).toEqual([
      '6:13: scorers[1].name "a" is the name of two scorers',
      "6:39: scorers[1].primary is the second primary scorer. A comparison is about one: keep one of them.",
      '8:5: scorers[3] is the second one named "is-json", by its type. Give it a name.',
      '9:34: scorers[4].of makes "x" depend on itself',
      '10:34: scorers[5].of makes "y" depend on itself',
      expect.stringMatching(/^11:\d+: scorers\[6\]\.of.* names the scorer "b", which does not exist/),
      expect.stringMatching(/^12:\d+: pass\.all\[0\] names the scorer "c", which does not exist/),
    ]);
  });
});
