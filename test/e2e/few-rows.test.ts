import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = "id,input_prompt,expected,kind\n1,a,A,x\n2,b,B,x\n3,c,C,y\n4,d,D,y\n";

/** Two bots beside a sheet of four rows; the new one never answers `a`. */
async function startBots() {
  let asked = 0;
  const answer = (prompt: string): ReturnType<typeof record> => {
    asked += 1;
    return record(prompt.toUpperCase());
  };
  const prod = await startService(({ prompt }) => answer(prompt));
  const next = await startService(({ prompt }) => answer(prompt === "a" ? "?" : prompt));
  const flags = ["--deployment", `prod=${prod.url}`, "--deployment", `next=${next.url}`, "--example-id", "a"];
  const tandem = new Tandem().file("a.csv", sheet);
  return {
    run: (...more: string[]) => tandem.run("run", "a.csv", ...flags, ...more),
    counted: () => asked,
    tandem,
  };
}

describe("a run by flags alone of a small sheet", () => {
  test("asks each row three times, and one that newly fails in all runs decides; short columns are tags", async () => {
    const { run, counted, tandem } = await startBots();
    const { code, out, err } = await run("--scorer", "icontains");
    expect(code, err).toBe(1);
    expect(counted()).toBe(24);
    expect(err).toContain("Fewer than 59 rows: each is asked 3 times");
    expect(out.replaceAll(/\s+/g, " ")).toContain("REGRESSION 1 of 4 rows newly fails in all 3 runs of next");
    expect(tandem.query(`SELECT tags FROM "case" ORDER BY id LIMIT 1`)).toEqual([{ tags: '{"kind":"x"}' }]);
  });

  test("is asked and decided as flags say", async () => {
    const { run, counted } = await startBots();
    expect((await run("--scorer", "icontains", "--repeats", "1")).out).toContain("TOO FEW ROWS");
    expect((await run("--scorer", "icontains", "--set", "gates=[]")).err).not.toContain("Fewer than");
    // Nothing that says right or wrong could newly fail.
    expect((await run("--scorer", "chrf")).err).not.toContain("Fewer than");
    expect(counted()).toBe(24);
  });
});

describe("several saved configurations by flags", () => {
  test("are one table with passes and times, and the way to the best of them, which a flag finds", async () => {
    const service = await startService(({ path, prompt }) =>
      record(path.includes("example_id=a") ? prompt.toUpperCase() : "?"),
    );
    const tandem = new Tandem().file("a.csv", `${sheet}5,e,E,x\n6,f,F,y\n`);
    const flags = ["--deployment", `prod=${service.url}`, ...["a", "b", "c"].flatMap((id) => ["--example-id", id])];
    const run = (...more: string[]) => tandem.run("run", "a.csv", ...flags, "--scorer", "icontains", ...more);
    const { out } = await run();
    expect(out).toMatch(/configuration +icontains +time\n +prod:a +6 of 6 .*\n +prod:b +0 of 6 .*\n +prod:c +0 of 6 /);
    expect(out.replaceAll(/\s+/g, " ")).toContain("`--choose best` says which of them is the best");
    const best = await run("--choose", "best");
    expect([best.code, best.out]).toEqual([0, expect.stringContaining("BEST  take prod:a")]);
    expect(best.out).not.toContain("--choose best");
    const wrong = await run("--choose", "worst");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--choose takes best or cheapest")]);
  });
});
