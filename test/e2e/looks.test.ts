import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** Stored answers of two bots, so that nothing is sent; `lost` rows newly fail. */
const sheet = (cases: number, { lost = 0, from = 0, other = "" } = {}): string =>
  [
    "id,question,golden,old,new",
    ...Array.from(
      { length: cases },
      (_, i) => `k${i + from},q ${i + from},right,right${other},${i < lost ? "wrong" : "right"}`,
    ),
  ].join("\n");
const suite = (compare = ""): string => `dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { old: { answers: old }, new: { answers: new } }
scorers: [{ name: correct, type: contains }]
${compare}`;
const stored = (cases: number, compare = ""): Tandem =>
  new Tandem().file("s.csv", sheet(cases)).file("suite.yaml", suite(compare));

interface Looked {
  comparison: {
    verdict: string;
    decision: { alpha: number; look?: { number: number; by: string | null; broken: string | null } };
    gates: { settle: { kind: string; next?: { alpha: number; fewestToPass: number } } | null }[];
  };
  next: string;
}

async function run(tandem: Tandem, ...flags: string[]): Promise<Looked["comparison"] & { next: string; text: string }> {
  const { out, err, code } = await tandem.run("run", "suite.yaml", "--json", ...flags);
  if ((code ?? 2) > 1) throw new Error(err);
  const { comparison, next } = JSON.parse(out) as Looked;
  const text = (await tandem.run("compare", "latest")).out.replaceAll(/\s+/g, " ");
  return { ...comparison, next, text };
}

describe("a comparison that is open", () => {
  test("advises one second look at all cases, made for 1 %, which is told as one; there is no third", async () => {
    const tandem = stored(40);
    const first = await run(tandem);
    expect(first.verdict).toBe("inconclusive");
    expect(first.gates[0]?.settle?.next).toMatchObject({ alpha: 0.01, fewestToPass: 103 });
    expect(first.next).toBe("tandem run suite.yaml --json --second-look");
    expect(first.text).not.toMatch(/look at this comparison|You ran this comparison before/);
    // No new case, and cases of the first that are missing, are no second look.
    expect((await tandem.run("run", "suite.yaml", "--second-look")).err).toContain("there is no row that");
    tandem.file("s.csv", sheet(110, { from: 1 }));
    const lacking = await tandem.run("run", "suite.yaml", "--second-look");
    expect(lacking).toMatchObject({ code: 2 });
    expect(lacking.err).toContain("1 of 40 rows of");
    // 103 rows with none worse are enough at 1 %, as it was said.
    tandem.file("s.csv", sheet(103));
    const second = await run(tandem, "--second-look");
    expect(second).toMatchObject({ verdict: "pass", decision: { alpha: 0.01, look: { number: 2, by: "flag" } } });
    expect(second.text).toContain("This is the 2nd look at this comparison, after suite-");
    expect(second.text).toContain("it asks for more proof than a first one (1 % instead of 5 %)");
    tandem.file("s.csv", sheet(200));
    const third = await tandem.run("run", "suite.yaml", "--second-look");
    expect(third).toMatchObject({ code: 2 });
    expect(third.err).toContain("was the second look at this comparison already");
  });

  test("at 102 rows stays open in the second look, and no further one is offered", async () => {
    const tandem = stored(40);
    await run(tandem);
    tandem.file("s.csv", sheet(102));
    const second = await run(tandem, "--second-look");
    expect(second.verdict).toBe("inconclusive");
    expect(second.gates[0]?.settle?.kind).toBe("last");
    expect(second.next).toBe("tandem view");
    expect(second.text).toContain("This was the second look: a third one would find something by chance too often");
  });

  test("whose suite declares two looks has 3 % in both, and says where the second is not what that is made for", async () => {
    const tandem = stored(40, "compare: { looks: 2 }\n");
    const first = await run(tandem);
    expect(first.decision).toMatchObject({ look: { number: 1, by: "suite" } });
    expect(first.decision.alpha).toBeCloseTo(0.03, 12);
    expect(first.gates[0]?.settle?.next).toMatchObject({ by: "suite" });
    expect(first.next).toContain("tandem run suite.yaml");
    expect(first.next).not.toContain("--second-look");
    tandem.file("s.csv", sheet(68));
    const second = await run(tandem);
    expect(second).toMatchObject({ verdict: "inconclusive", decision: { look: { number: 2, broken: null } } });
    expect(second.text).toContain("the second of two that the suite declares, at 3 % each");
    tandem.file("s.csv", sheet(130));
    const third = await run(tandem);
    expect(third.text).toContain("This is the 3rd look at this comparison");
    expect(third.decision.look?.broken).toContain("more than twice as many");
  });

  test.each([
    ["alpha: 0.1", "sets the level of both looks"],
    ["nights: 30", "cannot be used together with nights"],
    ["stop_when: decided", "looks after every case"],
  ])("refuses two looks beside %s", async (more, why) => {
    const { code, out } = await stored(40, `compare: { looks: 2, ${more} }\n`).run("check", "--offline", "suite.yaml");
    expect(code).toBe(2);
    expect(out).toContain(why);
  });

  test("is counted by its answers: others in the same columns, and a look that passed, are none", async () => {
    const tandem = stored(40);
    await run(tandem);
    tandem.file("s.csv", sheet(40, { other: "!" }));
    expect((await run(tandem)).decision.look?.number).toBe(1);
    tandem.file("s.csv", sheet(60));
    expect(await run(tandem)).toMatchObject({ verdict: "pass", decision: { look: { number: 2 } } });
    expect((await run(tandem)).decision.look?.number).toBe(2);
    // A trial of some rows answers no question about the whole.
    expect((await run(tandem, "--limit", "20")).decision.look).toBeUndefined();
    expect((await run(tandem)).decision.look?.number).toBe(2);
  });

  test("is none where answers are graded in another way: that is another comparison", async () => {
    const tandem = stored(40);
    await run(tandem);
    tandem.file("suite.yaml", suite().replace("contains", "equals"));
    const other = await run(tandem);
    expect(other.decision.look).toMatchObject({ number: 1 });
    expect(other.text).not.toMatch(/look at this comparison|You ran this comparison before/);
  });

  test("of live bots asks for each row three times first; the same bots are counted, another version or commit is not", async () => {
    const service = await startService(({ prompt, path }) =>
      record(prompt === "q 0" && path.includes("test") ? "wrong" : "right"),
    );
    const live = (version: string): string => `dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, headers: { X-Version: "${version}" } } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }]
`;
    const tandem = new Tandem().file("s.csv", sheet(40)).file("suite.yaml", live("1"));
    const first = await run(tandem);
    expect(first.next).toBe("tandem run suite.yaml --json --repeats 3 --second-look");
    expect(first.text).toContain("Next: ask each row 3 times, to see which changes are chance");
    expect((await run(tandem)).decision.look?.number).toBe(2);
    const thrice = await run(tandem, "--repeats", "3");
    expect(thrice.text).toMatch(/You ran this comparison before \(\S+, \S+\)/);
    expect(thrice.text).not.toContain("--repeats 3");
    tandem.file("suite.yaml", live("2"));
    expect((await run(tandem)).decision.look?.number).toBe(1);
    tandem.env({ GITHUB_SHA: "a-new-commit", TANDEM_API_KEY: "sk-test-0123456789" });
    expect((await run(tandem)).decision.look?.number).toBe(1);
    // A night is a first look every time.
    await tandem.run("night", "suite.yaml");
    expect((await tandem.run("compare", "latest")).out).not.toMatch(
      /look at this comparison|You ran this comparison before/,
    );
  });
});
