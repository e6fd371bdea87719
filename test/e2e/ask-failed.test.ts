import { expect, test } from "vitest";
import { record, type Reply, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

/** Two targets of one service, one of which may fail. */
const suite = (url: string, more = ""): string => `dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: expected${more} }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: good }
  test: { deployment: here, endpoint: video-bots, example_id: new }
scorers: [{ name: correct, type: icontains }]
gates: [{ metric: correct, losses: 0 }]
`;

const replies: Record<string, Reply> = {
  refused: { status: 422, body: '{"detail":[]}' },
  broken: { status: 500, body: '{"detail":"out of memory"}' },
};

test.each(["refused", "broken"])(
  "rows that were %s are asked again in their batch by resume --failed, and no other row is",
  async (how) => {
    let isFailing = true;
    const service = await startService(({ prompt, path }) =>
      isFailing && path.includes("new") && /^q[345]$/.test(prompt) ? { ...replies[how] } : record(prompt),
    );
    const rows = Array.from({ length: 40 }, (_, row) => `k${row},q${row},q${row}`);
    const tandem = new Tandem()
      .file("p.csv", ["id,question,expected", ...rows].join("\n"))
      .file("suite.yaml", suite(service.url));
    const first = await tandem.run("run", "suite.yaml");
    expect([1, 4], first.out).toContain(first.code);
    const [, command = ""] =
      /Next: .*then ask these rows again: (tandem resume \S+ --failed)/.exec(flat(first.out)) ?? [];
    expect(command, first.out).not.toBe("");
    // A resume alone has nothing to do.
    expect((await tandem.run("resume")).code).toBe(2);
    isFailing = false;
    const before = service.received.length;
    const again = await tandem.run(...command.split(" ").slice(1));
    expect([again.code, again.out.split(/\s/)[0]], again.err).toEqual([0, "PASS"]);
    expect(service.received).toHaveLength(before + 3);
    expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1")).toEqual([{ outcome: "ok", n: 80 }]);
    // What was asked before is kept, and the report says what was done.
    expect(tandem.query("SELECT count(*) AS n FROM attempt WHERE outcome <> 'ok'")).toEqual([{ n: 3 }]);
    expect(tandem.query("SELECT text FROM change")).toEqual([{ text: "3 runs without an answer were asked again" }]);
    const none = await tandem.run("resume", "--failed");
    expect(flat(none.err)).toContain("every run has an answer, so none is asked again");
    expect(service.received).toHaveLength(before + 3);
  },
);

test("the later turns of a conversation are asked with the turn that had no answer", async () => {
  let isFailing = true;
  const service = await startService(({ prompt, path }) =>
    isFailing && path.includes("new") && prompt === "t1-2" ? { ...replies["refused"] } : record(prompt),
  );
  const turns = [0, 1, 2].flatMap((talk) =>
    [1, 2, 3].map((turn) => `${talk}/${turn},${talk},${turn},t${talk}-${turn},t`),
  );
  const tandem = new Tandem()
    .file("p.csv", ["id,talk,turn,question,expected", ...turns].join("\n"))
    .file("suite.yaml", suite(service.url, ", cluster: talk, turn: turn"));
  await tandem.run("run", "suite.yaml");
  expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1 ORDER BY 1")).toEqual([
    { outcome: "ok", n: 16 },
    { outcome: "rejected", n: 1 },
    { outcome: "skipped", n: 1 },
  ]);
  isFailing = false;
  const before = service.received.length;
  const again = await tandem.run("resume", "--failed");
  expect(again.code, again.err).toBe(0);
  expect(service.received).toHaveLength(before + 2);
  expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1")).toEqual([{ outcome: "ok", n: 18 }]);
});
