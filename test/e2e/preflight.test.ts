import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { record, type Received, type Reply, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const rows = Array.from({ length: 21 }, (_, i) => `q${i},question ${i},${i === 7 ? "" : `question ${i}`}`).join("\n");

interface Given {
  service: Service;
  /** The example_id of the second target. */
  second?: string;
  scorers?: string;
  rest?: string;
  header?: string;
}

function suiteWith({
  service,
  second = "b",
  scorers = "[{ type: contains }]",
  rest = "",
  header = "id,question,expected",
}: Given): Tandem {
  return new Tandem()
    .file("a.csv", `${header}\n${rows}\n`)
    .file("suite.yaml", suiteText(service, second, scorers, rest));
}

const suiteText = (service: Service, second: string, scorers: string, rest = ""): string => `dataset: a.csv
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  one: { deployment: prod, endpoint: video-bots, example_id: a }
  two: { deployment: prod, endpoint: video-bots, example_id: ${second} }
scorers: ${scorers}
${rest}`;

const idOf = ({ path }: Received): string => new URL(path, "http://x").searchParams.get("example_id") ?? "";
const askedOf = (service: Service, id: string): number => service.received.filter((each) => idOf(each) === id).length;

/** A service that knows some ids, and answers with the question. */
function knowing(...ids: string[]): (received: Received) => Reply {
  return (received) =>
    ids.includes(idOf(received)) ? record(received.prompt) : { status: 404, body: '{"detail":"No such example"}' };
}

describe("before the rest is sent", () => {
  test("a typo in one example_id costs one request of each target; corrected, the other side's answer is kept", async () => {
    const service = await startService(knowing("a", "b"));
    const tandem = suiteWith({ service, second: "typo" });
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(out).toContain("Stopped after one row: two rejected it.");
    expect(out.replaceAll(/\s+/g, " ")).toContain('Check example_id of the target two ("typo")');
    expect(out).toContain("After fixing it, run: tandem resume --suite suite.yaml");
    expect(err).toContain("a.csv, rows 2-22: 21 rows, 20 with an expected answer");
    expect(err).toContain("input_prompt <- question; key <- id; expected <- expected");
    expect(service.received).toHaveLength(2);

    tandem.file("suite.yaml", suiteText(service, "b", "[{ type: contains }]"));
    const again = await tandem.run("resume", "--suite", "suite.yaml");
    expect(again.err).toContain('target two has another example_id ("typo" then, "b" now): two is asked anew.');
    expect(again.out.replaceAll(/\s+/g, " ")).toContain(
      "Changed while the batch was unfinished: target two has another example_id",
    );
    expect([askedOf(service, "a"), askedOf(service, "typo"), askedOf(service, "b")]).toEqual([21, 1, 21]);
    // Nothing of the first attempt is lost.
    const attempts = tandem.query<{ status: number; count: number }>(
      "SELECT status, count(*) AS count FROM attempts GROUP BY 1 ORDER BY 1",
    );
    expect(attempts).toEqual([
      { status: 200, count: 42 },
      { status: 404, count: 1 },
    ]);
  });

  test("a target that answered by another id is asked anew, and graded anew", async () => {
    const service = await startService((received) => {
      return record(idOf(received) === "old" ? "nonsense" : received.prompt);
    });
    const tandem = suiteWith({ service, second: "old" });
    const first = await tandem.run("run", "suite.yaml", "--budget", "30");
    expect(first.code).toBe(3);
    const before = askedOf(service, "old");
    expect(before).toBeGreaterThan(5);
    tandem.file("suite.yaml", suiteText(service, "new", "[{ type: contains }]"));
    const { err } = await tandem.run("resume", "--suite", "suite.yaml");
    expect(err).toContain(`two is asked anew; ${before} answers of before are not used.`);
    expect([askedOf(service, "a"), askedOf(service, "new")]).toEqual([21, 21]);
    const { out } = await tandem.run("compare", "latest", "--json");
    expect(JSON.parse(out).comparison.targets).toMatchObject([{ answered: 21 }, { answered: 21 }]);
    expect(tandem.query("SELECT count(*) AS failed FROM score WHERE pass = 0")).toEqual([{ failed: 0 }]);
  });

  test("a target whose answers are labelled is not asked anew under the same name", async () => {
    const service = await startService(knowing("a", "b"));
    const tandem = suiteWith({ service, second: "b" });
    await tandem.run("run", "suite.yaml", "--budget", "30");
    const db = new Database(join(tandem.folder, "results", "tandem.db"));
    db.exec("INSERT INTO label (job_id, label, value, at) SELECT id, 'good', 1, 1 FROM job WHERE outcome = 'ok'");
    db.close();
    tandem.file("suite.yaml", suiteText(service, "a", "[{ type: contains }]"));
    const { code, err } = await tandem.run("resume", "--suite", "suite.yaml");
    expect(code).toBe(2);
    expect(err).toMatch(/\d+ answers of it are labelled/);
  });

  test("requests that the service calls wrong stop after the first three, with what it said", async () => {
    const service = await startService(() => ({
      status: 422,
      body: '{"detail":[{"msg":"variables.tone is required"}]}',
    }));
    const { code, out } = await suiteWith({ service }).run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(out).toContain("variables.tone is required");
    // One row may be wrong by itself, three in a row are not.
    expect(service.received).toHaveLength(6);
  });

  test("a single row that is a wrong request stops nothing", async () => {
    const wrong = new Set<string>();
    const service = await startService(({ prompt }) => {
      if (wrong.size === 0) wrong.add(prompt);
      return wrong.has(prompt) ? { status: 422, body: '{"detail":[{"msg":"no"}]}' } : record(prompt);
    });
    const { out } = await suiteWith({ service }).run("run", "suite.yaml");
    expect(out).not.toContain("STOPPED");
    expect(service.received).toHaveLength(42);
  });

  test("something that is not the API stops after the first case", async () => {
    const service = await startService((received) =>
      idOf(received) === "a" ? record(received.prompt) : { body: "<html>Welcome to our shop</html>" },
    );
    const { code, out } = await suiteWith({ service }).run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(out).toContain("two rejected it");
    expect(service.received).toHaveLength(2);
  });

  test("a module with another export is refused before anything is sent, with the names that it has", async () => {
    const service = await startService(knowing("a", "b"));
    const tandem = suiteWith({ service, scorers: "[{ name: own, type: module, file: ./own.mjs }]" }).file(
      "own.mjs",
      "export function grade() { return 1; }\n",
    );
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(2);
    expect(err).toContain("the module exports no function default; it exports grade");
    expect(err).toContain("Nothing was sent.");
    expect(service.received).toHaveLength(0);
    // No batch is left that would be resumed.
    expect((await tandem.run("batches")).out).not.toContain("suite-");
  });

  test("a command that is not there is refused before anything is sent", async () => {
    const service = await startService(knowing("a", "b"));
    const { code, err } = await suiteWith({
      service,
      scorers: "[{ name: own, type: command, command: [./none] }]",
    }).run("run", "suite.yaml");
    expect(code).toBe(2);
    expect(err).toContain('The scorer "own" (command) could not grade 3 sample answers');
    expect(service.received).toHaveLength(0);
  });

  test("an answer that no scorer can grade stops after the first case, with the reason", async () => {
    const service = await startService(knowing("a", "b"));
    const tandem = suiteWith({ service, scorers: "[{ name: own, type: module, file: ./own.mjs }]" }).file(
      "own.mjs",
      "export default ({ latency_ms, expected }) => (latency_ms === 1000 ? 1 : { unscored: 'no latitude in it' });\n",
    );
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(out.replaceAll(/\s+/g, " ")).toContain("no scorer can grade the first answer of one: own: no latitude");
    expect(service.received).toHaveLength(2);
  });

  test("headers of other words are understood, and said: Questions, Golden Answers", async () => {
    const service = await startService(knowing("a", "b"));
    const tandem = suiteWith({ service, header: "No,Questions,Golden Answers" });
    const { err, out } = await tandem.run("run", "suite.yaml");
    expect(err).toContain("input_prompt <- Questions; key <- No; expected <- Golden Answers");
    expect(out).not.toContain("no score");
    expect(service.received).toHaveLength(42);
  });

  test("a service that only throttles or fails a request holds nobody back for good", async () => {
    const service = await startService((received) => {
      if (received.time === 1 && idOf(received) === "b") return { status: 500, body: '{"detail":{"error":"later"}}' };
      return record(received.prompt);
    });
    const { out } = await suiteWith({ service }).run("run", "suite.yaml");
    expect(out).not.toContain("STOPPED");
    expect(service.received).toHaveLength(42);
  });

  test("--no-preflight sends everything at once", async () => {
    const service = await startService(knowing("a", "b"));
    const { code } = await suiteWith({ service, second: "typo" }).run("run", "suite.yaml", "--no-preflight");
    expect(code).toBe(3);
    expect(askedOf(service, "a")).toBe(21);
  });
});
