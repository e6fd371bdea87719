import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const kinds = (tandem: Tandem): Record<string, number> =>
  Object.fromEntries(
    tandem
      .query<{ outcome: string; n: number }>(
        "SELECT coalesce(outcome, 'unfinished') AS outcome, count(*) AS n FROM job GROUP BY 1",
      )
      .map(({ outcome, n }) => [outcome, n]),
  );

function suiteFor(url: string, limits: string): string {
  return `dataset: p.csv
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY, ${limits} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;
}

/** Opens files until the process may open no more, for as long as the file at HOG exists. */
const hog = `import { closeSync, existsSync, openSync } from "node:fs";
const held = [];
setInterval(() => {
  try {
    while (existsSync(process.env.HOG)) held.push(openSync("/dev/null"));
    for (const file of held.splice(0)) closeSync(file);
  } catch {}
}, 5).unref();
`;

describe("limits of this machine are not failures", () => {
  slowTest("concurrency is lowered to what the file limit allows, and says so", async () => {
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 5 }));
    const tandem = new Tandem().file("p.csv", prompts(300)).under("ulimit -n 64");
    const { code, err } = await tandem.run(...runAt({ prod: service }, "-j", "200"));
    expect(code, err).toBe(0);
    expect(err).toMatch(/prod: concurrency 200 lowered to \d+, because this process may open only 64 files/);
    expect(kinds(tandem)).toEqual({ ok: 300 });
    expect(tandem.query("SELECT DISTINCT outcome FROM attempt")).toEqual([{ outcome: "ok" }]);
    expect(service.most).toBeGreaterThan(1);
    expect(service.most).toBeLessThan(48);
  });

  test("a process without a file left waits until there is one again, and nothing fails", async () => {
    // Each request needs a socket of its own.
    const service = await startService(({ prompt }) => ({ ...record(prompt), headers: { connection: "close" } }));
    const tandem = new Tandem().file("p.csv", prompts(60)).file("hog.mjs", hog).under("ulimit -n 128");
    const gate = join(tandem.folder, "take-all");
    tandem.env({ TANDEM_API_KEY: "sk-test-0123456789", NODE_OPTIONS: "--import ./hog.mjs", HOG: gate });
    const { ended } = tandem.start(...runAt({ prod: service }, "-j", "4"));
    await expect.poll(() => service.received.length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(5);
    writeFileSync(gate, "");
    const refused = (): unknown[] => tandem.query("SELECT 1 FROM attempt WHERE error LIKE '%EMFILE%'");
    await expect.poll(() => refused().length, { timeout: 30_000 }).toBeGreaterThan(0);
    rmSync(gate);
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(kinds(tandem)).toEqual({ ok: 60 });
    expect(tandem.query("SELECT DISTINCT outcome, possibly_paid AS paid FROM attempt ORDER BY outcome")).toEqual([
      { outcome: "not-sent", paid: 0 },
      { outcome: "ok", paid: 0 },
    ]);
    expect(service.received).toHaveLength(60);
    expect(err).toContain("a limit of this machine");
  });

  test("a database that cannot grow stops sending at once: exit 3, what was committed is kept, and a resume finishes", async () => {
    const text = "x".repeat(4_000);
    const service = await startService(({ prompt }) => record(`${prompt} ${text}`));
    // A write beyond the largest file size fails like one on a full disk.
    const tandem = new Tandem().file("p.csv", prompts(400)).under("trap '' XFSZ; ulimit -f 2000");
    const { code, err } = await tandem.run(...runAt({ prod: service }, "--quiet"));
    expect(code, err).toBe(3);
    expect(err).toContain("Could not write to");
    expect(err).toContain("tandem resume");
    expect(err).not.toMatch(/\n\s+at /);
    const { ok = 0, unfinished = 0 } = kinds(tandem);
    expect(ok).toBeGreaterThan(10);
    expect(unfinished).toBeGreaterThan(10);
    const received = service.received.length;
    // Requests in flight are all that was lost.
    expect(received - ok).toBeLessThanOrEqual(4);
    const again = await tandem.under(null).run("resume", "--quiet");
    expect(again.code, again.err).toBe(0);
    expect(kinds(tandem)).toEqual({ ok: 400 });
    expect(service.received.length - received).toBe(400 - ok);
  });
});

slowTest("a disk that is full while the dataset is read is exit 3, and nothing was sent", async () => {
  const service = await startService(({ prompt }) => record(prompt));
  const rows = Array.from({ length: 2_000 }, (_, i) => `${i},${"y".repeat(2_000)} ${i}`);
  const tandem = new Tandem()
    .file("p.csv", `id,input_prompt\n${rows.join("\n")}\n`)
    .under("trap '' XFSZ; ulimit -f 1000");
  const { code, err } = await tandem.run(...runAt({ prod: service }, "--quiet"));
  expect(code, err).toBe(3);
  expect(err).toContain("Nothing was sent.");
  expect(err).not.toMatch(/\n\s+at /);
  expect(service.received).toHaveLength(0);
  tandem.file("p.csv", prompts(2)).under(null);
  expect((await tandem.run(...runAt({ prod: service }, "--quiet"))).code).toBe(0);
  expect(tandem.query("SELECT count(*) AS n FROM batch")).toEqual([{ n: 1 }]);
});

slowTest(
  "a disk that is full at the first thing that is written is exit 3, says so, and keeps nobody from running later",
  async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("p.csv", prompts(2));
    // So little room that a new database, its index of the log, the row of the batch or its lock cannot be written.
    for (const kib of [1, 33, 40, 56, 80]) {
      tandem.under(`trap '' XFSZ; ulimit -f ${kib}`);
      const { code, err } = await tandem.run(...runAt({ prod: service }, "--quiet"));
      expect([code, err], `${kib} KiB`).toEqual([3, expect.stringContaining("Could not write to")]);
      expect(err).not.toMatch(/\n\s+at /);
      tandem.under(null);
      expect((await tandem.run(...runAt({ prod: service }, "--quiet"))).code).toBe(0);
    }
  },
);

describe("time-outs", () => {
  slowTest("what was not sent because no connection stood in time waits, and costs nothing", async () => {
    // It takes the connection and never speaks TLS.
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const tandem = new Tandem().file("p.csv", prompts(3)).file("suite.yaml", suiteFor(url, "concurrency: 3"));
    const { child, ended } = tandem.start("run", "suite.yaml", "--quiet");
    const attempts = (): unknown[] =>
      existsSync(join(tandem.folder, "results", "tandem.db")) ? tandem.query("SELECT * FROM attempt") : [];
    await expect.poll(() => attempts().length, { timeout: 200_000 }).toBeGreaterThan(3);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(tandem.query("SELECT DISTINCT outcome, possibly_paid AS paid FROM attempt")).toEqual([
      { outcome: "not-sent", paid: 0 },
    ]);
    expect(kinds(tandem)).toEqual({ unfinished: 3 });
    expect(tandem.query("SELECT DISTINCT instr(error, 'UND_ERR_CONNECT_TIMEOUT') > 0 AS named FROM attempt")).toEqual([
      { named: 1 },
    ]);
  });

  slowTest(
    "an attempt that takes too long may have been paid, and is retried as often as the retries say",
    async () => {
      const service = await startService(({ prompt }) => (prompt === "prompt 1" ? { act: "hang" } : record(prompt)));
      const tandem = new Tandem().file("p.csv", prompts(3));
      await tandem.run(...runAt({ prod: service }, "--set", "timeout=1s", "--set", "retries=1", "--quiet"));
      expect(kinds(tandem)).toEqual({ ambiguous: 1, ok: 2 });
      expect(service.received.filter(({ prompt }) => prompt === "prompt 1")).toHaveLength(2);
      const [first] = tandem.query<{ error: string }>("SELECT error FROM attempt WHERE outcome = 'ambiguous'");
      expect(first?.error).toContain("time-out of 1 s");
    },
  );

  test("a job ends with its last outcome when its time would be over before it could be sent again", async () => {
    const service = await startService(({ prompt }) => {
      if (prompt === "prompt 1") return { status: 429, headers: { "retry-after": "0.3" }, body: "{}" };
      return prompt === "prompt 2" ? { act: "hang" } : record(prompt);
    });
    const tandem = new Tandem().file("p.csv", prompts(3)).file("suite.yaml", suiteFor(service.url, "job_timeout: 3s"));
    await tandem.run("run", "suite.yaml", "--quiet");
    const { ambiguous, ok, throttled = 0, skipped = 0 } = kinds(tandem);
    // The time of the throttled one may end while it waits, on a slow machine.
    expect({ ambiguous, ok, waited: throttled + skipped }).toEqual({ ambiguous: 1, ok: 1, waited: 1 });
    expect(service.received.filter(({ prompt }) => prompt === "prompt 1").length).toBeGreaterThan(1);
    expect(service.received.filter(({ prompt }) => prompt === "prompt 2")).toHaveLength(1);
  });
});

describe("a budget", () => {
  test("of requests is never passed, and does not count what was throttled", async () => {
    const service = await startService(({ prompt, time }) =>
      time === 1 ? { status: 429, headers: { "retry-after": "0.05" }, body: "{}" } : record(prompt),
    );
    const tandem = new Tandem().file("p.csv", prompts(30));
    const { code, out } = await tandem.run(...runAt({ prod: service }, "--budget", "11", "--quiet"));
    expect(code).toBe(3);
    expect(out).toContain("11 requests are spent (--budget)");
    expect(kinds(tandem)).toEqual({ ok: 11, unfinished: 19 });
  });

  test("that is just enough is no reason to stop", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("p.csv", prompts(9));
    expect((await tandem.run(...runAt({ prod: service }, "--budget", "9", "--quiet"))).code).toBe(0);
  });

  test("of failures ends the run, and a long --max-duration does not end it at once", async () => {
    const service = await startService(() => ({ status: 422, body: "{}" }));
    const tandem = new Tandem().file("p.csv", prompts(30));
    const flags = ["--max-failures", "5", "--max-duration", "720h", "-j", "1", "--no-preflight"];
    const { code, out } = await tandem.run(...runAt({ prod: service }, ...flags, "--quiet"));
    expect(code).toBe(3);
    expect(out).toContain("5 jobs failed (--max-failures 5)");
    expect(kinds(tandem)).toEqual({ rejected: 5, unfinished: 25 });
  });
});
