import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { type Reply, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const suite = (url: string, name = "nightly"): string => `
name: ${name}
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer, tags: [language] }
deployments: { prod: { base_url: "${url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ name: correct, type: contains }]
`;

/** Answers a question of the sheet; how many of them wrong is decided before each run. */
async function nightly(rows: number) {
  let wrong = 0;
  const service = await startService(({ prompt }: { prompt: string }): Reply => {
    const number = Number(/\d+/.exec(prompt)?.[0]);
    const text = number < wrong ? "مع السلامة" : `उत्तर ${number}`;
    const output = { output_text: [text], references: number < wrong ? null : [{ title: "t" }] };
    const url = "https://bots.example.test/?run_id=r1";
    return { body: JSON.stringify({ id: "r1", url, created_at: "2026-11-20T19:30:12+00:00", output }) };
  });
  const sheet = (count: number, change = ""): string =>
    [
      "id,language,question,golden_answer",
      ...Array.from({ length: count }, (_, i) => `k${i},hi,प्रश्न ${i}${i === 0 ? change : ""},उत्तर ${i}`),
    ].join("\n");
  const tandem = new Tandem().file("suite.yaml", suite(service.url)).file("prompts.csv", sheet(rows));
  return {
    tandem,
    sheet,
    url: service.url,
    answerWrongly: (count: number) => (wrong = count),
  };
}

/** The comparison that a command printed as JSON. */
function comparisonIn(out: string) {
  const reported: unknown = JSON.parse(out);
  return reported as { batch: string; comparison: { verdict: string; candidates: Record<string, unknown>[] } };
}

test("a night is compared with the night before, with a pin, and with a pin that came as a file", async () => {
  const { tandem, sheet, answerWrongly } = await nightly(60);
  const first = await tandem.run("run", "suite.yaml", "--quiet", "--json");
  expect(first.code).toBe(0);
  expect(comparisonIn(first.out).comparison.verdict).toBeNull();
  expect((await tandem.run("pin", "latest", "--as", "release-12")).code).toBe(0);
  expect((await tandem.run("pin", "release-12", "--export", "pins/release-12.jsonl")).code).toBe(0);

  answerWrongly(12);
  // A row is new, and one asks something else than before.
  tandem.file("prompts.csv", sheet(61, "?"));
  const second = await tandem.run("run", "suite.yaml", "--quiet", "--json", "--against", "release-12");
  expect(second.code).toBe(1);
  const { comparison, batch } = comparisonIn(second.out);
  expect(comparison).toMatchObject({
    verdict: "regression",
    gates: [{ candidate: "prod", baseline: "release-12:prod", state: "regression" }],
    candidates: [
      {
        pairing: { paired: 59, onlyCandidate: { keys: ["k60"] }, inputDiffers: { keys: ["k0"] } },
        metrics: [{ metric: "correct", worse: 11, better: 0 }],
        members: [{ path: "references", change: "became-null", cases: 11 }],
      },
    ],
  });
  const rows = parse(readFileSync(join(tandem.folder, "results", batch, "comparison.csv"), "utf8"), { columns: true });
  expect(rows[0]).toMatchObject({ case_key: "k0", change: "input-differs", verdict: "" });
  expect(rows[1]).toMatchObject({
    case_key: "k1",
    verdict: "worse",
    "prod.correct": "0",
    "release-12:prod.correct": "1",
  });
  expect(rows[60]).toMatchObject({ case_key: "k60", change: "only-candidate", "release-12:prod.answer": "" });

  // The same again, from what is stored; and the two nights by name.
  const again = await tandem.run("compare", "--json");
  expect(again.code).toBe(1);
  expect(comparisonIn(again.out).comparison).toEqual(comparison);
  const between = await tandem.run("compare", "nightly~1:prod", "nightly:prod");
  expect(between.code).toBe(1);
  expect(between.out).toMatch(
    /REGRESSION {2}prod is worse than prod of \d+ \w+, \d\d:\d\d(?::\d\d)? on `correct`: 11 of\s+59\s+rows newly\s+fail/,
  );

  // The nights are compared with the pin: that they are alike says nothing of what is wrong in them.
  expect((await tandem.run("run", "suite.yaml", "--quiet", "--against", "release-12")).code).toBe(1);
  const alike = await tandem.run("compare", "nightly~1:prod", "nightly:prod");
  expect(alike.code).toBe(0);
  expect(alike.out).not.toMatch(/is over|is still open|was not found again/);

  // A machine that starts empty has only the file.
  rmSync(join(tandem.folder, "results"), { recursive: true });
  const empty = await tandem.run("run", "suite.yaml", "--quiet", "--json", "--against", "pins/release-12.jsonl");
  expect(empty.code).toBe(1);
  expect(comparisonIn(empty.out).comparison.candidates[0]).toMatchObject({
    baseline: "release-12:prod",
    pairing: { paired: 59 },
    metrics: [{ worse: 11 }],
    members: [],
    drift: null,
  });
  const listed = await tandem.run("batches", "--suite", "nightly");
  expect(listed.out).toMatch(/nightly-\d+-\d+ +finished +regression/);
  // Scores are listed with their interval, also if cases ran twice.
  const scored = listed.out.match(/correct [\d.]+ %/g) ?? [];
  expect(scored.length).toBeGreaterThan(1);
  expect(listed.out.match(/correct [\d.]+ % \([\d.]+ % to [\d.]+ %\)/g)).toHaveLength(scored.length);

  // A file that lost its end, or was changed by hand, is no reference.
  const lines = readFileSync(join(tandem.folder, "pins/release-12.jsonl"), "utf8").split("\n");
  tandem.file("cut.jsonl", lines.slice(0, 41).join("\n"));
  const cut = await tandem.run("run", "suite.yaml", "--against", "cut.jsonl");
  expect(cut).toMatchObject({
    code: 2,
    err: expect.stringContaining("is the last one, after 40 rows: the file is cut off"),
  });
  tandem.file("changed.jsonl", lines.join("\n").replace('"pass":true', '"pass":false'));
  const changed = await tandem.run("run", "suite.yaml", "--against", "changed.jsonl");
  expect(changed).toMatchObject({ code: 2, err: expect.stringContaining("they were changed after the export") });
  expect((await tandem.run("compare")).code).toBe(1);
});

test("what it is compared with must be there before anything is sent", async () => {
  const { tandem } = await nightly(3);
  const missing = await tandem.run("run", "suite.yaml", "--against", "release-13");
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('no batch "release-13"') });
  tandem.file("broken.jsonl", `{"tandem_pin":${storedVersion}}\n`);
  const broken = await tandem.run("run", "suite.yaml", "--against", "broken.jsonl");
  expect(broken).toMatchObject({ code: 2, err: expect.stringContaining("broken.jsonl:1: name: ") });
  for (const [version, writer] of [
    [1, "an unreleased tandem"],
    [storedVersion + 1, "a newer one"],
  ]) {
    tandem.file("other.jsonl", `{"tandem_pin":${version}}\n`);
    const other = await tandem.run("run", "suite.yaml", "--against", "other.jsonl");
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining(`other.jsonl:1: tandem_pin: is of ${writer}`),
    });
  }
  expect(tandem.query("SELECT 1 FROM batch")).toEqual([]);
});

test("what cannot be compared with a reference is said before anything is sent", async () => {
  const { tandem, url } = await nightly(6);
  await tandem.run("run", "suite.yaml", "--quiet");
  await tandem.run("pin", "latest", "--as", "release-12");
  await tandem.run("pin", "release-12", "--export", "release-12.jsonl");
  const changed = suite(url).replace("type: contains", "type: icontains");
  const targets =
    "targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a }, canary: { deployment: prod, endpoint: video-bots, example_id: c } }";
  tandem.file("changed.yaml", changed.replace(/^targets: .*$/m, targets));
  const stored = await tandem.run("run", "changed.yaml", "--quiet", "--against", "release-12");
  expect(stored.code).toBe(4);
  expect(stored.err).toContain("canary is not compared: release-12 has no target of that name (it has: prod).");
  expect(stored.err).toMatch(
    /correct is not compared: (nightly-\S+) defines it differently \(grade it again: tandem score \1 --suite FILE\)/,
  );
  expect(stored.out.replaceAll(/\s+/g, " ")).toContain("Next: grade the other side by `correct` as it is now");
  const file = await tandem.run("run", "changed.yaml", "--quiet", "--against", "release-12.jsonl");
  expect(file.err).toContain("correct is not compared: release-12 defines it differently (grade it where it was run");

  // The advice is followed: a pin is a batch by another name.
  expect((await tandem.run("score", "release-12", "--suite", "changed.yaml")).code).toBe(0);
  const graded = await tandem.run("compare", "nightly~1", "--against", "release-12", "--json");
  expect(comparisonIn(graded.out).comparison.candidates[0]).toMatchObject({ metrics: [{ comparison: { n: 6 } }] });

  const renamed = suite(url).replace("targets: { prod:", "targets: { next:");
  tandem.file("renamed.yaml", renamed);
  const before = tandem.query("SELECT 1 FROM batch").length;
  const none = await tandem.run("run", "renamed.yaml", "--against", "release-12");
  expect(none).toMatchObject({
    code: 2,
    err: expect.stringContaining("release-12 has none of the targets of nightly"),
  });
  expect(tandem.query("SELECT 1 FROM batch")).toHaveLength(before);
});

test("a comparison that says nothing is refused with what to write instead", async () => {
  const { tandem } = await nightly(3);
  await tandem.run("run", "suite.yaml", "--quiet");
  await tandem.run("pin", "nightly", "--as", "week");
  const refused = async (...args: string[]): Promise<string> => {
    const { code, err } = await tandem.run("compare", ...args);
    expect(code).toBe(2);
    return err;
  };
  expect(await refused("nightly:prod", "week:prod")).toContain("a comparison with itself says nothing");
  expect(await refused("nightly", "--against", "week")).toContain("week is nightly-");
  expect(await refused("nightly:prod")).toContain("tandem compare BATCH:TARGET nightly:prod");
  expect(await refused("nightly:prod", "nightly:prd")).toContain('Did you mean "prod"?');
  expect(await refused("nightl:prod", "nightly:prod")).toContain('Did you mean "nightly"?');
  expect(await refused("nightly~3:prod", "nightly:prod")).toContain("nightly has 1 here, of which ~0 is the first.");
  expect(await refused("nightly", "nightly", "--against", "week")).toContain("--against is for one batch");
});

test("a night keeps the batches that its pin named, when the pin is moved, and when it is removed", async () => {
  const { tandem, answerWrongly } = await nightly(60);
  await tandem.run("run", "suite.yaml", "--quiet");
  await tandem.run("run", "suite.yaml", "--quiet");
  await tandem.run("pin", "nightly~1", "nightly", "--as", "base");
  await tandem.run("pin", "nightly", "--as", "other");
  answerWrongly(20);
  const ran = await tandem.run("run", "suite.yaml", "--quiet", "--json", "--against", "base");
  expect(ran.code).toBe(1);
  const night = comparisonIn(ran.out).batch;
  const kept = readFileSync(join(tandem.folder, "results", night, "report.md"), "utf8");
  await tandem.run("run", "suite.yaml", "--quiet");

  // A pin that no run was compared with says nothing of runs.
  expect((await tandem.run("pin", "latest", "--as", "other", "--replace")).out).not.toContain("Earlier");
  expect((await tandem.run("pin", "latest", "--as", "base", "--replace")).out).toContain(
    "Earlier runs keep what they were compared with.",
  );
  const stillThere = async (): Promise<void> => {
    const again = await tandem.run("compare", night, "--json");
    expect(again.code, again.err).toBe(1);
    expect(comparisonIn(again.out).comparison).toEqual(comparisonIn(ran.out).comparison);
    expect((await tandem.run("report", night)).code).toBe(0);
    expect(readFileSync(join(tandem.folder, "results", night, "report.md"), "utf8")).toBe(kept);
    const worse = await tandem.run("export", night, "--form", "comparison", "--where", "worse", "-o", "worse.csv");
    expect(worse.code, worse.err).toBe(0);
    expect(parse(readFileSync(join(tandem.folder, "worse.csv"), "utf8"))).toHaveLength(21);
    expect((await tandem.run("export", night, "--form", "runs", "-o", "runs.csv")).code).toBe(0);
    const { batches } = JSON.parse((await tandem.run("batches", "--json")).out) as { batches: { name: string }[] };
    expect(batches.find(({ name }) => name === night)).toMatchObject({ verdict: "regression" });
  };
  await stillThere();
  // Named anew, it is the pin as it is now, beside what the night came to.
  const now = await tandem.run("compare", night, "--against", "base", "--json");
  expect(now.code, now.err).toBe(0);
  expect(comparisonIn(now.out).comparison.verdict).toBe("pass");
  await stillThere();

  expect((await tandem.run("pin", "base", "--remove")).code).toBe(0);
  await stillThere();
  expect(await tandem.run("batches", "remove", "nightly~3", "--yes")).toMatchObject({
    code: 2,
    err: expect.stringContaining(`cannot be removed: ${night} was compared with it`),
  });
});

test("an inconclusive comparison ends with 0, and with 4 when that is asked", async () => {
  const { tandem, url, answerWrongly } = await nightly(12);
  tandem.file("suite.yaml", `${suite(url)}repeats: 2\n`);
  expect((await tandem.run("run", "suite.yaml", "--quiet")).code).toBe(0);
  answerWrongly(1);
  // The latest batch of the suite when the run began, which the run itself is later.
  const ran = await tandem.run("run", "suite.yaml", "--quiet", "--against", "nightly");
  expect([ran.code, ran.out]).toEqual([
    0,
    expect.stringContaining("run suite.yaml --quiet --against nightly --repeats 3\n"),
  ]);
  const { code, out } = await tandem.run("compare", "--details", "--fail-on", "inconclusive");
  expect(out).toMatch(/correct .* 1 +0 +12$/m);
  expect(code).toBe(4);
  expect(out).toMatch(/TOO FEW ROWS {2}1 of 12 rows newly fails in prod on `correct`/);
  expect(out).toMatch(/would prove a\s+regression/);
});

test("pins are listed, replaced and removed", async () => {
  const { tandem } = await nightly(3);
  await tandem.run("run", "suite.yaml", "--quiet");
  await tandem.run("run", "suite.yaml", "--quiet");
  expect((await tandem.run("pin", "nightly", "nightly~1", "--as", "week")).out).toMatch(
    /^week is nightly-\S+, nightly-/,
  );
  expect(await tandem.run("pin", "nightly", "--as", "week")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--replace"),
  });
  expect((await tandem.run("pin", "nightly", "--as", "week", "--replace")).code).toBe(0);
  expect(JSON.parse((await tandem.run("pin", "--json")).out)).toMatchObject({
    pins: [{ name: "week", batches: [expect.stringMatching(/^nightly-\S+$/)] }],
  });
  expect((await tandem.run("pin")).out).toMatch(/^week +nightly +20\d\d-\d\d-\d\d +nightly-\S+$/m);
  expect(await tandem.run("pin", "week", "--as", "nightly")).toMatchObject({
    code: 2,
    err: expect.stringContaining('"nightly" is the name of a suite or of a batch'),
  });
  expect((await tandem.run("pin", "week", "--remove")).code).toBe(0);
  expect((await tandem.run("pin")).out).toContain("There is no pin yet");
  expect(existsSync(join(tandem.folder, "results", "tandem.db"))).toBe(true);
});
