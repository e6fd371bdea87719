import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

describe("a verdict", () => {
  test("of one target whose requests all failed is no success: exit 4, with the errors as one line", async () => {
    let runs = 0;
    const service = await startService(() => {
      const id = `run${1_000_000_000 + runs++}`;
      const detail = { id, url: `https://bots.example.test/?run_id=${id}`, error: `no answer from ${id} in ${runs} s` };
      return { status: 500, body: JSON.stringify({ detail }) };
    });
    const tandem = new Tandem().file("a.csv", "id,input_prompt\n1,one\n2,two\n3,three\n4,four\n").file(
      "suite.yaml",
      `dataset: a.csv
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
    );
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(4);
    expect(out).toContain("INVALID  prod gave no answer in 4 of 4 rows (100 %");
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/run-failed: "no answer from run\d+ in \d s/);
    expect(out).toMatch(
      /Next: find out why prod fails to answer, then ask these rows again:\s+tandem resume \S+ --failed\n/,
    );
    const { code: json, out: reported } = await tandem.run("compare", "latest", "--json");
    expect(json).toBe(4);
    expect(JSON.parse(reported)).toMatchObject({
      comparison: { verdict: "invalid", targets: [{ errorGroups: [{ outcome: "run-failed", jobs: 4 }] }] },
    });
  });

  test("of a bot that is dead in conversations names its error, not the turns that were skipped", async () => {
    const turns = Array.from({ length: 6 }, (_, talk) =>
      [1, 2, 3, 4].map((turn) => `${talk}-${turn},t${talk},${turn},question ${turn}`),
    ).flat();
    const dead = [
      { status: 500, body: '{"detail":"out of memory"}' },
      { status: 422, body: '{"detail":[]}' },
    ];
    for (const [reply, reason, group] of [
      [dead[0], /The reason: ambiguous: "HTTP 500 .*out of memory"/, /6 × test, ambiguous: HTTP 500/],
      [dead[1], /The reason: rejected: "HTTP 422 /, /6 × test, rejected: HTTP 422/],
    ] as const) {
      const service = await startService(({ prompt, path }) => (path.includes("bad") ? { ...reply } : record(prompt)));
      const tandem = new Tandem().file("p.csv", ["id,talk,turn,question", ...turns].join("\n")).file(
        "suite.yaml",
        `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: good }
  test: { deployment: prod, endpoint: video-bots, example_id: bad }
`,
      );
      const { code, out } = await tandem.run("run", "suite.yaml", "--no-preflight", "--details");
      expect(code).toBe(4);
      const text = out.replaceAll(/\s+/g, " ");
      expect(text).toMatch(reason);
      expect(text).not.toMatch(/The (?:most frequent )?reason[^:]*: skipped/);
      const [errors = ""] = /^Targets$.*/ms.exec(out) ?? [];
      expect(errors.replaceAll(/\s+/g, " ")).toMatch(group);
      expect(errors.search(group)).toBeLessThan(errors.indexOf("18 × test, skipped"));
      expect(out).toMatch(/^test .*(?:ambiguous|rejected) 6, skipped 18$/m);
    }
  });

  test("that is based on functions names those that failed: no answer of them is missing, and not all is well", async () => {
    const service = await startService(({ body, path }) => {
      const { n } = (JSON.parse(body) as { variables: { n: number } }).variables;
      const fails = path.includes("=b") && n % 10 === 0;
      const output = { return_value: fails ? null : n, error: fails ? "ValueError: boom" : "", logs: [] };
      return {
        body: JSON.stringify({ id: `run${n}`, url: "https://x.example/r", created_at: "2026-11-20T19:30:12Z", output }),
      };
    });
    const rows = Array.from({ length: 60 }, (_, at) => `${at + 1},${at + 1},${at + 1}`);
    const tandem = new Tandem().file("p.csv", ["id,n,expected", ...rows].join("\n")).file(
      "suite.yaml",
      `dataset: p.csv
case: { key: id, expected: expected, input: { variables.n: { column: n, type: number } } }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY } }
targets:
  a: { deployment: prod, endpoint: functions, example_id: a }
  b: { deployment: prod, endpoint: functions, example_id: b }
scorers: [{ name: right, type: return-value }]
`,
    );
    const { out } = await tandem.run("run", "suite.yaml", "--details");
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toMatch(/b 60 54 .*function-error 6/);
    expect(text).toContain("Based on 60 of 60 rows; 6 answers report an error of the function.");
    expect(text).not.toContain("no answer is missing");
  });

  test("of one target that answered is none, and exit 0", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("a.csv", "id,input_prompt\n1,one\n2,two\n");
    const { code, out } = await tandem.run("run", "a.csv", "--deployment", `prod=${service.url}`, "--example-id", "a");
    expect(code).toBe(0);
    expect(out).toContain("prod answered 2 of 2 requests");
  });

  test("of one target says how many cases pass where a scorer says so", async () => {
    const service = await startService(() => record("one"));
    const tandem = new Tandem().file("a.csv", "id,input_prompt,golden\n1,a,one\n2,b,two\n3,c,three\n4,d,four\n");
    const target = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    const { code, out } = await tandem.run("run", "a.csv", ...target, "--scorer", "contains");
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "prod passes 1 of 4 rows on `contains` metric prod range (95 %) rows contains 25.0 % 4.6 % to 69.9 %",
    );
  });

  describe("where the scorer compares with an expected answer", () => {
    /** A sheet of 40 questions, of which the first have no golden answer. */
    const sheet = (blank: number): string =>
      ["id,question,golden", ...Array.from({ length: 40 }, (_, i) => `k${i},q ${i},${i < blank ? "" : "right"}`)].join(
        "\n",
      );
    const suite = (url: string, more = ""): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }${more}]
compare: { baseline: prod, candidates: [test] }
gates: [{ metric: correct, margin: 0.1 }]
`;

    test("leaves out the four of 40 that have none, on both sides, also where their runs failed", async () => {
      // One of the four has no answer at all.
      const service = await startService(({ prompt }) =>
        prompt === "q 2" ? { status: 500, body: "{}" } : record("that is right"),
      );
      const tandem = new Tandem().file("sheet.csv", sheet(4)).file("suite.yaml", suite(service.url));
      const { code, out } = await tandem.run("run", "suite.yaml");
      expect(code, out).toBe(0);
      expect(out).toContain("PASS");
      expect(out).toContain("correct: 36 of 40 graded; 4 have no expected answer.");
      const { out: json } = await tandem.run("compare", "latest", "--json");
      expect(JSON.parse(json)).toMatchObject({
        comparison: {
          verdict: "pass",
          candidates: [
            {
              metrics: [
                { beside: 4, left: 0, comparison: { n: 36 }, unscored: { baseline: 0 }, missing: { baseline: 0 } },
              ],
            },
          ],
        },
      });
    });

    test("is refused before anything is sent where no case has one: run, plan and validate say what to do", async () => {
      let sent = 0;
      const service = await startService(() => {
        sent += 1;
        return record("right");
      });
      const more = ", { name: fast, type: latency, max: 5s }";
      const tandem = new Tandem().file("sheet.csv", sheet(40)).file("suite.yaml", suite(service.url, more));
      for (const command of [
        ["run", "suite.yaml"],
        ["check", "--offline", "suite.yaml"],
      ]) {
        const { code, out, err } = await tandem.run(...command);
        expect(code, command[0]).toBe(2);
        expect(out + err).toContain("compares with the expected answer, and no case has one");
        expect(out + err).toContain("case: { expected: COLUMN }");
      }
      expect(sent).toBe(0);
    });
  });

  describe("of a gate that these cases leave no choice", () => {
    const sheet = (cases: number): string =>
      ["id,question,golden,topic", ...Array.from({ length: cases }, (_, i) => `k${i},q ${i},right,`)].join("\n");
    const suite = (url: string, gates: string): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [topic] }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }]
compare: { baseline: prod, candidates: [test] }
${gates}`;

    test.each([
      ["{ metric: correct, losses: 12 }", "can never fail: it allows 12 losses", "Allow fewer than that"],
      ["{ metric: correct, by: topic }", 'no row has a value of the tag "topic"', "Name a tag"],
    ])("%s is refused before anything is sent, with what would work", async (gate, why, hint) => {
      let sent = 0;
      const service = await startService(() => {
        sent += 1;
        return record("right");
      });
      const tandem = new Tandem()
        .file("sheet.csv", sheet(12))
        .file("suite.yaml", suite(service.url, `gates: [${gate}]\n`));
      for (const command of ["run", "check --offline"]) {
        const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
        expect(code, `${command}: ${out}${err}`).toBe(2);
        const reported = `${out} ${err}`.replaceAll(/\s+/g, " ");
        expect(reported).toContain(why);
        expect(reported).toContain(hint);
      }
      expect(sent).toBe(0);
      // A trial run is only told.
      const { code, err } = await tandem.run("run", "suite.yaml", "--limit", "12");
      expect(code, err).not.toBe(2);
      expect(err.replaceAll(/\s+/g, " ")).toContain(why);
    });
  });

  describe("of a small sheet", () => {
    const sheet = (cases: number, groups = cases): string =>
      ["id,question,golden,talk", ...Array.from({ length: cases }, (_, i) => `k${i},q ${i},right,t${i % groups}`)].join(
        "\n",
      );
    const suite = (url: string, { mapping = "", more = "" } = {}): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden${mapping} }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }]
${more}`;

    test.each([
      [
        40,
        "",
        "with 40 rows, bots that are equal stay undecided; 59 are enough to say PASS",
        "A REGRESSION takes 6 newly failing, BETTER 5 newly passing, with none the other way.",
      ],
      [
        40,
        "gates: [{ metric: correct, margin: 0.05 }]\n",
        "(limit 5 points): with 40 rows, bots that are equal stay undecided; 59",
        "To decide by these rows alone, put `repeats: 3` and `gates: [{ metric: correct, losses: 0 }]` into suite.yaml.",
      ],
      [
        12,
        "gates: [{ metric: correct, margin: 0.1 }]\n",
        "with 12 rows, bots that are equal stay undecided; 29 are",
        "A REGRESSION takes 5 newly failing",
      ],
      [
        3,
        "gates: [{ metric: correct, margin: 0.1 }]\n",
        "with 3 rows, bots that are equal stay undecided; 29 are",
        "too few for a REGRESSION",
      ],
      [
        12,
        "gates: [{ metric: correct, losses: 0 }]\n",
        "12 rows asked once give a false alarm in 21 % of the runs",
        "with `repeats: 3` in less than 0.1 %",
      ],
    ])("of %i rows, %s: validate, plan and run say what they show, and it runs", async (cases, more, cannot, can) => {
      const service = await startService(() => record("right"));
      const tandem = new Tandem().file("sheet.csv", sheet(cases)).file("suite.yaml", suite(service.url, { more }));
      for (const command of ["check --offline", "run"]) {
        const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
        expect(code, `${command}: ${out}${err}`).toBe(0);
        const reported = `${out} ${err}`.replaceAll(/\s+/g, " ");
        expect(reported, command).toContain(cannot);
        expect(reported, command).toContain(can);
      }
    });

    test("what is said to be shown is what is found: of 40 rows 6 lost are a regression, 5 are none", async () => {
      for (const [lost, exit] of [
        [6, 1],
        [5, 0],
      ] as const) {
        const rows = Array.from({ length: 40 }, (_, i) => `k${i},q ${i},right,right,${i < lost ? "wrong" : "right"}`);
        const tandem = new Tandem().file("s.csv", ["id,question,golden,old,new", ...rows].join("\n")).file(
          "suite.yaml",
          `dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { old: { answers: old }, new: { answers: new } }
scorers: [{ name: correct, type: contains }]
`,
        );
        const plan = await tandem.run("check", "--offline", "suite.yaml");
        expect(plan.out).toContain("A REGRESSION takes 6 newly failing");
        // Nothing can be asked of answers that were given before.
        expect(plan.out).not.toContain("repeats: 3");
        const { code, out } = await tandem.run("run", "suite.yaml");
        expect(code, out).toBe(exit);
      }
    });

    test("counts rows that ask the same as one question", async () => {
      const rows = Array.from({ length: 60 }, (_, i) => `k${i},q ${i % 20},right,t`);
      const service = await startService(() => record("right"));
      const tandem = new Tandem()
        .file("sheet.csv", ["id,question,golden,talk", ...rows].join("\n"))
        .file("suite.yaml", suite(service.url));
      const { out } = await tandem.run("check", "--offline", "suite.yaml");
      expect(out).toContain("with 20 questions (60 rows), bots that are equal stay undecided; 59 are enough");
    });

    test("of few groups of rows runs too, and is told how many groups are enough", async () => {
      const service = await startService(() => record("right"));
      const mapping = { mapping: ", cluster: talk" };
      for (const [groups, words] of [
        [20, "with 20 groups by talk (100 rows), bots that are equal stay undecided; 59 are enough to say PASS"],
        [4, "with 4 groups by talk nothing is decided; 5 are the fewest"],
      ] as const) {
        const tandem = new Tandem()
          .file("sheet.csv", sheet(100, groups))
          .file("suite.yaml", suite(service.url, mapping));
        for (const command of ["check --offline", "run"]) {
          const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
          expect(code, err).toBe(0);
          expect(`${out} ${err}`.replaceAll(/\s+/g, " ")).toContain(words);
        }
      }
      const tandem = new Tandem().file("sheet.csv", sheet(118, 59)).file("suite.yaml", suite(service.url, mapping));
      const { out, err } = await tandem.run("run", "suite.yaml");
      expect(out).toContain("PASS");
      expect(err).not.toContain("stay undecided");
    });
  });

  describe("of two bots", () => {
    const suite = (url: string, { mapping = "", more = "" } = {}): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden${mapping} }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
compare: { baseline: prod, candidates: [test]${more === "" ? "" : ", noise_repeats: 2"} }
${more}`;
    const isTest = (path: string): boolean => path.includes("=test");

    test("that both refuse, by a scorer that asks for whole sentences, is no green pass", async () => {
      const golden = "You can bring the books back on any weekday between nine and five.";
      const rows = Array.from({ length: 160 }, (_, i) => `k${i},q ${i},${golden}`);
      let asked = 0;
      const service = await startService(({ path }) => {
        asked += 1;
        const refuses = isTest(path) ? asked % 50 !== 0 : asked % 4 === 0;
        return record(
          refuses ? "I am sorry, I cannot help with that." : "Bring them back on weekdays from nine to five.",
        );
      });
      const tandem = new Tandem()
        .file("sheet.csv", ["id,question,golden", ...rows].join("\n"))
        .file("suite.yaml", `${suite(service.url)}scorers: [{ type: contains }]\n`);
      const { code, out } = await tandem.run("run", "suite.yaml");
      expect(code, out).toBe(0);
      expect(out).toContain("CANNOT TELL  Both bots pass 0 of 160, so `contains` cannot tell them apart.");
      expect(out).not.toContain("PASS  ");
      const reported = out.replaceAll(/\s+/g, " ");
      expect(reported).toContain(
        "The expected answers are long (typically 66 characters), and contains asks for the whole text. Write only the part that must be in the answer (such as `09:00`), or use chrf or a judge",
      );
      expect((await tandem.run("compare", "latest", "--fail-on", "inconclusive")).code).toBe(4);
    });

    test("of which one loses 13 rows of the one large conversation is no regression", async () => {
      const groups = [
        ...Array.from({ length: 100 }, () => "big"),
        ...Array.from({ length: 57 }, (_, i) => `g${i % 19}`),
      ];
      const rows = groups.map((group, i) => `k${i},q ${i},right,${group}`);
      const service = await startService(({ path, prompt }) =>
        record(isTest(path) && Number(prompt.slice(2)) < 13 ? "wrong" : "right"),
      );
      const tandem = new Tandem()
        .file("sheet.csv", ["id,question,golden,talk", ...rows].join("\n"))
        .file(
          "suite.yaml",
          `${suite(service.url, { mapping: ", cluster: talk" })}scorers: [{ name: correct, type: contains }]\n`,
        );
      const { code, out } = await tandem.run("run", "suite.yaml", "--details");
      expect(code, out).toBe(0);
      expect(out).toContain("TOO FEW ROWS");
      expect(out.replaceAll(/\s+/g, " ")).toContain("157 rows in 20 groups by talk.");
    });

    test("of which one is worse is a regression, which no larger smallest drop follows", async () => {
      const rows = Array.from({ length: 60 }, (_, i) => `k${i},q ${i},right`);
      const service = await startService(({ path, prompt }) =>
        record(isTest(path) && Number(prompt.slice(2)) < 20 ? "wrong" : "right"),
      );
      const tandem = new Tandem()
        .file("sheet.csv", ["id,question,golden", ...rows].join("\n"))
        .file("suite.yaml", `${suite(service.url)}scorers: [{ name: correct, type: contains }]\n`);
      const { code, out } = await tandem.run("run", "suite.yaml");
      expect(code, out).toBe(1);
      expect(out).toContain("REGRESSION");
      expect(out).not.toContain("the smallest that");
    });

    slowTest("that are alike is not slower, although the service gets slower while they are asked", async () => {
      const rows = Array.from({ length: 60 }, (_, i) => `k${i},q ${i},right`);
      let asked = 0;
      const service = await startService(() => ({ ...record("right"), delayMs: 20 + asked++ }));
      const more = "scorers: [{ name: correct, type: contains }, { name: seconds, type: latency }]\n";
      const gates = "gates: [{ metric: correct, margin: 0.1 }, { metric: seconds, of: ratio, margin: 0.2 }]\n";
      const tandem = new Tandem()
        .file("sheet.csv", ["id,question,golden", ...rows].join("\n"))
        .file("suite.yaml", suite(service.url, { more: more + gates }));
      const { code, out } = await tandem.run("run", "suite.yaml", "--json");
      expect(code, out).toBe(0);
      const { comparison } = JSON.parse(out);
      expect(comparison.verdict).not.toBe("regression");
      // All second runs of the baseline at the end made this 0.75.
      expect(comparison.candidates[0].latency.ratio).toBeGreaterThan(0.85);
      expect(comparison.candidates[0].latency.ratio).toBeLessThan(1.18);
    });
  });

  describe("where the sheet was edited between two runs", () => {
    /** A sheet of 120 questions; the first have an edited golden answer. */
    const sheet = (edited: number): string =>
      [
        "id,question,golden",
        ...Array.from({ length: 120 }, (_, i) => `k${i},q ${i},${i < edited ? "left" : "right"}`),
      ].join("\n");
    const suite = (url: string): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: here, endpoint: video-bots, example_id: prod } }
scorers: [{ name: correct, type: contains }]
gates: [{ metric: correct, margin: 0.1 }]
`;

    test("is invalid and no regression, until both are graded by one expected answer, which sends nothing", async () => {
      let sent = 0;
      const service = await startService(() => {
        sent += 1;
        return record("right");
      });
      const tandem = new Tandem().file("sheet.csv", sheet(0)).file("suite.yaml", suite(service.url));
      expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
      expect((await tandem.run("pin", "latest", "--as", "before")).code).toBe(0);
      tandem.file("sheet.csv", sheet(60));
      const { code, out } = await tandem.run("run", "suite.yaml", "--against", "before");
      expect(code, out).toBe(4);
      expect(out).toContain("INVALID");
      const reported = out.replaceAll(/\s+/g, " ");
      expect(reported).toContain("60 of 120 rows were graded by another expected answer in before:prod (50 %)");
      const [, name = ""] = /`tandem score (\S+) --suite FILE`/.exec(reported) ?? [];
      expect(reported).not.toContain("newly fail");
      expect(sent).toBe(240);

      const graded = await tandem.run("score", name, "--suite", "suite.yaml");
      expect(graded.code, graded.err).toBe(0);
      expect(graded.err).toContain(`60 rows have another expected answer than in ${name}`);
      const again = await tandem.run("compare", "latest", "--against", "before");
      expect(again.code, again.out).toBe(0);
      expect(again.out).toContain("PASS");
      expect(sent).toBe(240);
    });

    test("leaves out a few edited cases, and lists them", async () => {
      const service = await startService(() => record("right"));
      const tandem = new Tandem().file("sheet.csv", sheet(0)).file("suite.yaml", suite(service.url));
      await tandem.run("run", "suite.yaml");
      await tandem.run("pin", "latest", "--as", "before");
      tandem.file("sheet.csv", sheet(2));
      const { code, out } = await tandem.run("run", "suite.yaml", "--against", "before");
      expect(code, out).toBe(0);
      const reported = out.replaceAll(/\s+/g, " ");
      expect(reported).toContain(
        "2 rows expect another answer in prod than in before:prod, and are left out of correct: k0, k1",
      );
      const { out: json } = await tandem.run("compare", "latest", "--against", "before", "--json");
      expect(JSON.parse(json)).toMatchObject({
        comparison: { candidates: [{ metrics: [{ otherExpected: 2, worse: 0, comparison: { n: 118 } }] }] },
      });
    });
  });

  describe("of stored answers", () => {
    /** A sheet of 140 questions whose stored answers are right; the first of them are blank. */
    const sheet = (blank: number, url = ""): string =>
      [
        "id,question,golden,before,url",
        ...Array.from({ length: 140 }, (_, i) => `k${i},q ${i},right,${i < blank ? "" : "right"},${url}`),
      ].join("\n");
    const suite = (address: string, candidate: string): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { prod: { base_url: "${address}", api_key_env: TANDEM_API_KEY } }
targets:
  before: { answers: before, run_url: url }
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains }]
compare: { baseline: ${candidate === "before" ? "prod" : "before"}, candidates: [${candidate}] }
`;

    test("with 42 of 140 missing is invalid, not a regression: nothing was asked", async () => {
      const service = await startService(() => record("right"));
      for (const url of ["", "https://bots.example.test/agent/?run_id=aaaabbbbcc01&uid=u"]) {
        const tandem = new Tandem().file("sheet.csv", sheet(42, url)).file("suite.yaml", suite(service.url, "before"));
        const { code, out } = await tandem.run("run", "suite.yaml");
        expect(code, out).toBe(4);
        expect(out).toContain("INVALID  before gave no answer in 42 of 140 rows");
        expect(out.replaceAll(/\s+/g, " ")).toContain('missing: "the row has no stored answer"');
      }
    });

    test("with a few missing are compared without these cases, and those of the candidate may not have been wrong for a pass", async () => {
      const service = await startService(() => record("right"));
      for (const [candidate, verdict] of [
        ["before", "inconclusive"],
        ["prod", "pass"],
      ] as const) {
        const tandem = new Tandem().file("sheet.csv", sheet(4)).file("suite.yaml", suite(service.url, candidate));
        const { code, out } = await tandem.run("run", "suite.yaml", "--json");
        expect(code, out).toBe(0);
        expect(JSON.parse(out)).toMatchObject({
          comparison: {
            verdict,
            candidates: [{ metrics: [{ worse: 0, better: 0, left: 4, comparison: { n: 136 } }] }],
          },
        });
      }
    });
  });
});
