import { describe, expect, test } from "vitest";
import { flat, Tandem } from "./tandem.ts";

/** A suite over embedded deployments, one for each target, that always say `yes`; a share of the requests to some of them fails. */
function deployed(failing: Record<string, number>, { rows = 60 } = {}): Tandem {
  const names = Object.keys(failing);
  const tandem = new Tandem().file(
    "s.csv",
    `id,question,golden\n${Array.from({ length: rows }, (_, i) => `k${i},question ${i}?,${i % 10 === 0 ? "other" : "yes"}\n`).join("")}`,
  );
  for (const name of names) {
    const rate = failing[name] ?? 0;
    tandem.file(`${name}/bots/x.yaml`, `fallback: "yes ${name}"\n`);
    if (rate > 0) tandem.file(`${name}/deployment.yaml`, `faults: [{ kind: 500-run, rate: ${rate} }]\n`);
  }
  return withTargets(tandem, names);
}

function withTargets(tandem: Tandem, names: readonly string[]): Tandem {
  return tandem.file(
    "suite.yaml",
    `name: s
dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { ${names.map((name) => `${name}: { base_url: "local:./${name}" }`).join(", ")} }
targets: { ${names.map((name) => `${name}: { deployment: ${name}, endpoint: video-bots, example_id: x }`).join(", ")} }
scorers: [{ name: correct, type: contains }]
compare: { choose: best }
`,
  );
}

/** Stored answers of some targets: a column each, with an answer for each row. */
function stored(answers: Record<string, (row: number) => string>, { rows = 60, more = "", columns = "" } = {}): Tandem {
  const names = Object.keys(answers);
  const head = ["id", "question", "golden", ...names, ...(columns === "" ? [] : [columns])];
  const lines = Array.from({ length: rows }, (_, row) =>
    [
      `k${row}`,
      `question ${row}?`,
      `g${row}`,
      ...names.map((name) => answers[name]?.(row) ?? ""),
      ...(columns === "" ? [] : [`${columns}-${row % 5}`]),
    ].join(","),
  );
  return new Tandem().file("s.csv", [head.join(","), ...lines, ""].join("\n")).file(
    "suite.yaml",
    `name: s
dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden${more} }
targets: { ${names.map((name) => `${name}: { answers: ${name} }`).join(", ")} }
scorers: [{ name: correct, type: equals }]
compare: { choose: best }
`,
  );
}

const run = async (tandem: Tandem) => {
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--quiet", "--set", "retries=0");
  return { code, out: flat(out), err: flat(err) };
};

const right = (row: number): string => `g${row}`;
const wrong = (): string => "no";

describe("a choice among doubtful configurations", () => {
  test("is no result where one answers nothing: it is named, and no other is called behind", async () => {
    const { code, out } = await run(deployed({ a: 0, b: 0, down: 1 }));
    expect(code).toBe(3);
    expect(out).toContain("INVALID down stopped answering.");
    expect(out).not.toMatch(/down behind/);
  });

  test("is no result where one fails in 30 %, more than the share that may", async () => {
    const { code, out } = await run(deployed({ a: 0, b: 0, shaky: 0.3 }));
    expect(code).toBe(4);
    expect(out).toMatch(
      /INVALID shaky gave no answer in \d+ of 60 rows \(\d+(\.\d)? %, at most 5 % may be without one\)/,
    );
    expect(out).not.toMatch(/shaky behind/);
  });

  test("counts what all have answered, and names whose gaps the other cases are", async () => {
    const { out } = await run(
      stored({ a: (row) => (row % 3 === 0 ? "no" : `g${row}`), b: (row) => (row < 2 ? "" : `g${row}`) }),
    );
    expect(out).toContain("take b: it is the best of 2 on `correct`");
    expect(out).toContain("answered b 58 of 60; missing: rows 2 and 3");
  });

  test("has nothing to tell of configurations that answered different cases", async () => {
    const { code, out } = await run(
      stored({ a: (row) => (row < 30 ? `g${row}` : ""), b: (row) => (row < 30 ? "" : `g${row}`) }),
    );
    expect(code).toBe(4);
    expect(out).toMatch(/^\S+ 60 rows.* INVALID .*(a|b).* gave no answer|INVALID/);
    expect(out).toContain("30 of 60");
  });

  test("begins anew with a configuration that was added later: all are asked again, and the new one is held against all", async () => {
    const tandem = deployed({ a: 0, b: 0, c: 0 });
    withTargets(tandem, ["a", "b"]);
    expect((await run(tandem)).out).toContain("of 2 on `correct` in 60 rows");
    withTargets(tandem, ["a", "b", "c"]);
    const { out } = await run(tandem);
    expect(out).toContain("of 3 on `correct` in 60 rows");
    const asked = tandem.query<{ count: number }>("SELECT count(*) AS count FROM run_records");
    expect(asked[0]?.count).toBe(60 * 2 + 60 * 3);
  });

  test("cannot tell apart what is alike to the letter, or at the floor in all", async () => {
    const alike = await run(stored({ a: right, b: right, c: right }));
    expect(alike.out).toContain("CANNOT TELL all 3");
    const floor = await run(stored({ a: wrong, b: (row) => `none ${row}` }));
    expect(floor.out).toContain("CANNOT TELL all 2 pass 0 of 60 rows, so `correct` cannot tell them apart");
    expect(floor.code).toBe(0);
  });

  test("names none of five conversations, however many turns they have", async () => {
    const { out, code } = await run(
      stored({ a: right, b: (row) => (row % 5 < 3 ? `g${row}` : "no") }, { columns: "talk", more: ", cluster: talk" }),
    );
    expect(code).toBe(0);
    expect(out).toMatch(/TOO FEW ROWS/);
    expect(out).toMatch(/of 2 on `correct` in 60 rows|are too few to tell which of 2 is the best/);
    expect(out).not.toContain("BEST");
  });

  test("needs two configurations", async () => {
    const { code, err } = await run(stored({ a: right }));
    expect(code).toBe(2);
    expect(err).toMatch(/suite\.yaml:\d+:\d+: compare\.choose needs two targets or more/);
  });
});
