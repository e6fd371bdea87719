import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFileSync, spawnSync } from "node:child_process";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { record, startService } from "./service.ts";
import { smallDisk } from "./small-disk.ts";
import { command, prompts, runAt, Tandem } from "./tandem.ts";

test.skipIf(process.platform === "win32")("a working folder that was deleted is told in a sentence, with 2", () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-e2e-"));
  const shell = ["-c", 'rmdir "$PWD" && exec "$0" "$@"', process.execPath, command, "check", "--json"];
  const { status, stderr, stdout } = spawnSync("sh", shell, { cwd: folder, encoding: "utf8" });
  expect(stderr).toMatch(/^error The folder that this command was given in was deleted .*\nGo to a folder .*\n$/);
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "USAGE" } });
});

describe("a report that cannot be written because the disk is full", () => {
  test.skipIf(process.platform !== "linux")(
    "ends with 3, and the verdict and the other reports are there",
    async () => {
      const service = await startService(({ prompt }) => record(prompt));
      const tandem = new Tandem().file("p.csv", prompts(5));
      for (const name of ["full.html", "full.json", "full.csv"]) symlinkSync("/dev/full", join(tandem.folder, name));
      const to = ["--deployment", `prod=${service.url}`, "--example-id", "a", "--example-id", "b", "--quiet"];
      const files = ["full.html", "full.json", "full.csv", "good.md"].flatMap((name) => ["-o", name]);
      const { code, out, err } = await tandem.run("run", "p.csv", ...to, ...files);
      expect(code, err).toBe(3);
      expect(err).toContain("error Cannot write full.html: ENOSPC");
      expect(err).toContain("error Cannot write full.csv: ENOSPC");
      expect(err).toContain("tandem report");
      expect(out).toContain("0 of 5 rows");
      expect(out).not.toContain("full.html");
      expect(tandem.text("good.md").length).toBeGreaterThan(100);
      const again = await tandem.run("report", "-o", "full.html");
      expect(again.code, again.err).toBe(3);
      expect(again.err).toContain("ENOSPC");
    },
  );
});

describe.skipIf(process.platform !== "linux")("a comparison where nothing can be written", () => {
  const suite = (url: string): string => `name: desk
dataset: p.csv
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: says-something, type: not-empty }]
gates: [{ metric: says-something, losses: 1 }]
`;

  /** Compares in every way that prints, and looks that each says all of it, what could not be kept, and ends with 3. */
  async function isTold(tandem: Tandem, ...results: string[]): Promise<void> {
    for (const line of [["compare"], ["compare", "--json"], ["compare", "latest:prod", "latest:test"]]) {
      const { code, out, err } = await tandem.run(...line, ...results);
      expect([line, code, err]).toEqual([line, 3, expect.stringContaining("error Could not write to ")]);
      if (line.includes("--json")) expect(JSON.parse(out)).toMatchObject({ comparison: { verdict: "pass" } });
      else expect(out).toMatch(/^PASS /m);
      expect(err).toContain("The comparison is shown and not kept. Make room on the disk, then compare again.");
      expect(err).toContain("error Cannot write ");
      expect(err).not.toMatch(/\n\s+at /);
    }
    expect((await tandem.run("batches", ...results)).out).toContain("  60/60 jobs");
    expect((await tandem.run("history", "desk", ...results)).code).toBe(0);
  }

  test.each(["alone", "beside a process that has the database open"])(
    "prints its verdict where no file may grow, %s",
    async (how) => {
      const service = await startService(({ prompt }) => record(prompt));
      const tandem = new Tandem().file("p.csv", prompts(30)).file("suite.yaml", suite(service.url));
      expect((await tandem.run("run", "suite.yaml", "--quiet")).code).toBe(0);
      // Another process keeps the files that SQLite needs beside a database.
      const other = new Database(join(tandem.folder, "results/tandem.db"));
      onTestFinished(() => void other.close());
      if (how === "alone") other.close();
      else other.pragma("user_version");
      await isTold(tandem.under("trap '' XFSZ; ulimit -f 0"));
    },
  );

  test("prints its verdict on a disk without room for one more byte, and what needs room says so", async ({ skip }) => {
    const disk = smallDisk(4_096);
    if (disk === null) skip("only root mounts a small disk");
    const results = ["--results", join(disk ?? "", "results")];
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("p.csv", prompts(30)).file("suite.yaml", suite(service.url));
    expect((await tandem.run("run", "suite.yaml", "--quiet", ...results)).code).toBe(0);
    expect(() => writeFileSync(join(disk ?? "", "filler"), Buffer.alloc(8_000_000))).toThrow("ENOSPC");
    await isTold(tandem, ...results);
    const { code, err } = await tandem.run("run", "suite.yaml", "--quiet", ...results);
    expect([code, err]).toEqual([3, expect.stringContaining("Nothing was sent. Make room on the disk, then")]);
    expect(service.received).toHaveLength(60);
    rmSync(join(disk ?? "", "filler"));
    expect((await tandem.run("compare", ...results)).code).toBe(0);
  });
});

/** A copy of the command to be broken. */
function ownCopy(): string {
  const app = mkdtempSync(join(tmpdir(), "tandem-broken-"));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  cpSync(dirname(command), join(app, "dist"), { recursive: true });
  symlinkSync(join(dirname(command), "../node_modules"), join(app, "node_modules"));
  return join(app, "dist");
}

describe("a crash at the start never ends with 1, which is a regression", () => {
  test("when a file of the command is missing", async () => {
    const dist = ownCopy();
    for (const name of readdirSync(dist)) if (/^(chunk|begin)/.test(name)) rmSync(join(dist, name));
    const { code, err } = await new Tandem().as(process.execPath, join(dist, "main.js")).run("batches");
    expect(code, err).toBe(70);
    expect(err).toContain("installed");
  });

  test("when the folder that it is started in is gone", async () => {
    const tandem = new Tandem().under('mkdir gone && cd gone && rmdir "$PWD"');
    const { code, err } = await tandem.run("batches");
    expect([2, 3, 70], err).toContain(code);
  });
});

test.skipIf(process.platform === "win32")(
  "what a killed writer has left is gone after the next start, and what a living one writes is not",
  async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("p.csv", prompts(4)).file("to/a.html", "earlier");
    expect((await tandem.run(...runAt({ prod: service }, "--quiet"))).code).toBe(0);
    // Nobody reads from it: the writer waits for ever, with its files begun.
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(tandem.folder, "pipe.csv")]);
    const report = ["report", "-o", "to/a.html", "-o", "pipe.csv"];
    const files = (): string[] => readdirSync(join(tandem.folder, "to")).toSorted();
    const { child, ended } = tandem.start(...report);
    await expect.poll(() => files().length, { interval: 10, timeout: 30_000 }).toBeGreaterThan(1);
    // The check that a file can be written leaves nothing: only what stays is begun.
    let begun: string[] = [];
    await expect
      .poll(
        () => {
          const before = begun;
          begun = files().filter((name) => name !== "a.html");
          return begun.length > 0 && begun.join() === before.join();
        },
        { interval: 300, timeout: 30_000 },
      )
      .toBe(true);
    expect((await tandem.run("report", "-o", "to/b.md")).code).toBe(0);
    expect(files()).toEqual(expect.arrayContaining(begun));
    child.kill("SIGKILL");
    await ended;
    expect((await tandem.run("report", "-o", "to/b.md")).code).toBe(0);
    expect(files()).toEqual(["a.html", "b.md"]);
    expect(tandem.text("to/a.html")).toBe("earlier");
  },
);

test("half of a character in an answer makes JSON that the strictest parser reads, in reports and in what is sent", async () => {
  const service = await startService(({ prompt }) => {
    const { body = "" } = record("X");
    return { body: body.replaceAll('"X"', `"half \\\\ud83d of ${prompt}"`.replaceAll("\\\\", "\\")) };
  });
  const tandem = new Tandem().file("p.csv", "id,talk,turn,question\na,t,1,one\nb,t,2,two\n").file(
    "suite.yaml",
    `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
deployments: { prod: { base_url: ${service.url}, api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a }, new: { deployment: prod, endpoint: video-bots, example_id: b } }
`,
  );
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--json", "--quiet", "-o", "r.json");
  expect([0, 4], err).toContain(code);
  const half = /\\ud[89a-f]/i;
  expect(service.received.filter(({ body }) => body.includes("half"))).toHaveLength(2);
  for (const { body } of service.received) expect(body).not.toMatch(half);
  for (const text of [out, tandem.text("r.json")]) expect(text).not.toMatch(half);
});
