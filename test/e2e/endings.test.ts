import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { record, startService } from "./service.ts";
import { command, prompts, runAt, Tandem } from "./tandem.ts";

test.skipIf(process.platform === "win32")("a working folder that was deleted is told in a sentence, with 2", () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-e2e-"));
  const shell = ["-c", 'rmdir "$PWD" && exec "$0" "$@"', process.execPath, command, "validate", "--json"];
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
      expect(out).toContain("5 cases");
      expect(out).not.toContain("full.html");
      expect(tandem.text("good.md").length).toBeGreaterThan(100);
      const again = await tandem.run("report", "-o", "full.html");
      expect(again.code, again.err).toBe(3);
      expect(again.err).toContain("ENOSPC");
    },
  );
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
