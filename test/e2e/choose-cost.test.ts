import { describe, expect, test } from "vitest";
import { chosen } from "./chosen.ts";
import { flat, Tandem } from "./tandem.ts";

interface Bot {
  /** Rows of a hundred that it fails, from a place on. */
  fails: number;
  from?: number;
  price?: string;
}

/** Stored answers of some bots, with what a run of each costs. */
function priced(bots: Record<string, Bot>, { compare, rows = 200 }: { compare: string; rows?: number }): Tandem {
  const names = Object.keys(bots);
  const lines = Array.from({ length: rows }, (_, row) => {
    const answers = names.map((name) => {
      const { fails = 0, from = 0 } = bots[name] ?? {};
      return (row + from) % 100 < fails ? "=1+1" : `answer ${row}`;
    });
    return [`k${row}`, `question ${row}?`, `answer ${row}`, ...answers].join(",");
  });
  const targets = names.map((name) => {
    const price = bots[name]?.price;
    return `  ${name}: { answers: ${name}${price === undefined ? "" : `, price: ${price}`} }`;
  });
  return new Tandem().file("sheet.csv", [["id", "question", "golden", ...names].join(","), ...lines].join("\n")).file(
    "suite.yaml",
    `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets:
${targets.join("\n")}
scorers: [{ name: correct, type: equals }]
compare: ${compare}
`,
  );
}

const four = {
  a: { fails: 5, price: "2" },
  b: { fails: 6, from: 2, price: "1" },
  c: { fails: 30, from: 50, price: "1.5" },
  d: { fails: 60, price: "0.5" },
};

interface Choice {
  cheapest?: { named: string | null; goodEnough: string[]; ratio: { value: number } | null; sameCost: string[] };
  fronts: { by: string; line: string[]; targets: { target: string; state: string; beatenBy: string | null }[] }[];
}

async function choosing(tandem: Tandem, ...flags: string[]) {
  const found = await chosen(tandem, ...flags);
  const report: { choice: Choice; verdict: { word: string; sentence: string } } = JSON.parse(found.json);
  return { ...found, report };
}

describe("choose: cheapest", () => {
  test("names the cheapest that is good enough, and what it saves, in every format", async () => {
    const { code, out, report, markdown } = await choosing(
      priced(four, { compare: "{ choose: cheapest, margin: 0.1 }" }),
    );
    expect(code).toBe(0);
    expect(out).toContain(
      "take b: the cheapest of those that are surely less than 10 points worse than the best on `correct`",
    );
    expect(markdown).toContain("b costs 50 % less than a, row by row");
    expect(markdown).toContain("| best for its price |");
    expect(markdown).toContain("no, <code>b</code> |");
    expect(report.choice.cheapest).toMatchObject({ named: "b", goodEnough: ["a", "b"], ratio: { value: 0.5 } });
    const [front] = report.choice.fronts;
    expect(front).toMatchObject({ by: "cost", line: ["d", "b", "a"] });
    expect(front?.targets.map(({ target, state }) => `${target} ${state}`)).toEqual([
      "a open",
      "b yes",
      "c no",
      "d yes",
    ]);
  });

  test("takes the better one of two that cost the same within 5 %, and is a change where another was expected", async () => {
    const bots = { ...four, a: { fails: 5, price: "1.04" } };
    const { code, out, report } = await choosing(
      priced(bots, { compare: "{ baseline: b, choose: cheapest, margin: 0.1 }" }),
    );
    expect([code, report.verdict.word]).toEqual([1, "changed"]);
    expect(report.choice.cheapest).toMatchObject({ named: "a", sameCost: ["a", "b"] });
    expect(out).toContain("CHANGED take a: ");
  });

  test("is open, and so no failure unless that is asked for, where none is surely good enough", async () => {
    const tandem = priced(four, { compare: "{ choose: cheapest, margin: 0.001 }" });
    const { code, out } = await choosing(tandem, "--fail-on", "inconclusive");
    expect(code).toBe(4);
    expect(out).toContain("TOO FEW ROWS none of 4 is surely less than 0.1 points worse than the best");
  });

  test("names the cheapest of those that are alike to the letter", async () => {
    const same = { a: { fails: 5, price: "2" }, b: { fails: 5, price: "1" } };
    const { out } = await choosing(priced(same, { compare: "{ choose: cheapest, margin: 0.1 }" }));
    expect(out).toContain("Next: take b, which costs 50 % less than a");
  });

  test.each(["check --offline", "run"])(
    "is refused by %s at its line where a target has no price, before anything is sent",
    async (command) => {
      const { price: _price, ...d } = four.d;
      const tandem = priced({ ...four, d }, { compare: "{ choose: cheapest, margin: 0.1 }" });
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code).toBe(2);
      expect(flat(out + err)).toContain(
        "suite.yaml:7:6: targets.d has no price, and compare.choose is cheapest: it needs one. Write `price: 0.8` there",
      );
    },
  );

  test("takes the price of the deployment, and asks it of a target that is not compared of none", async () => {
    const suite = (price: string): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question } }
deployments: { here: { base_url: "http://127.0.0.1:9"${price} } }
targets:
  a: { deployment: here, endpoint: video-bots, example_id: a }
  b: { deployment: here, endpoint: video-bots, example_id: b }
  beside: { answers: question }
compare: { baseline: a, candidates: [b], choose: cheapest, margin: 0.1 }
`;
    const tandem = new Tandem().file("sheet.csv", "id,question\n1,Hi?\n").file("suite.yaml", suite(""));
    const { err, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(flat(out + err)).toContain(
      "targets.b has no price, and compare.choose is cheapest: it, or its deployment, needs one",
    );
    expect(out + err).not.toContain("targets.beside");
    tandem.file("suite.yaml", suite(", price: 1"));
    const plan = await tandem.run("check", "--offline", "suite.yaml");
    expect(plan.out + plan.err).not.toContain("has no price");
  });

  test("takes the price of a matrix, and asks for one of deployments that it varies", async () => {
    const suite = (price: string, deployments: string): string => `dataset: sheet.csv
case: { key: id, input: { input_prompt: question } }
deployments:
  one: { base_url: "http://127.0.0.1:9" }
  two: { base_url: "http://127.0.0.1:9", price: 2 }
matrix: { ${deployments}, endpoint: video-bots, example_ids: [a, b]${price} }
compare: { choose: cheapest, margin: 0.1 }
`;
    const planned = async (text: string): Promise<string> => {
      const tandem = new Tandem().file("sheet.csv", "id,question\n1,Hi?\n").file("suite.yaml", text);
      const { out, err } = await tandem.run("check", "--offline", "suite.yaml");
      return flat(out + err);
    };
    const [listed, varied] = ["deployments: [one, two]", "vary: { deployment: [one, two] }"];
    for (const deployments of [listed, varied]) {
      const refused = await planned(suite("", deployments));
      expect(refused).toContain("suite.yaml:4:8: deployments.one has no price, and compare.choose is cheapest");
      expect(refused).not.toContain("deployments.two");
      expect(await planned(suite(", price: 1", deployments))).not.toContain("has no price");
    }
  });
});
