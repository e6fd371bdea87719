import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf } from "../e2e/guide-blocks.ts";
import { repository } from "./repository.ts";
import { actionFolder, jobFolder } from "./runner.ts";

const jenkinsfile = blocksOf("docs/guides/ci.md", "groovy")[0]?.text ?? "";
const steps = Array.from(jenkinsfile.matchAll(/^\s*sh '(.*)'$/gm), ([, text = ""]) => text);

/** A step of a shell, as an agent runs it: a script of its own, whose first failing command ends it. */
async function runStep(text: string, { folder, env }: { folder: string; env: Record<string, string> }) {
  const script = join(folder, "..", "script.sh");
  writeFileSync(script, text);
  const child = spawn("sh", ["-xe", script], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, output };
}

/** The workspace of a job on a plain agent: a repository with tandem among its packages, checked out into an empty folder. */
async function workspace() {
  const made = await repository();
  const { tandem } = made;
  expect((await tandem.env(made.env).run("run", "bots/suite.yaml", "--quiet")).code).toBe(0);
  expect((await tandem.run("pin", "latest", "--export", "bots/release-12.jsonl")).code).toBe(0);
  const home = jobFolder();
  const folder = join(home, "workspace");
  for (const name of ["workspace/bots", "workspace@tmp", "home", "bin"])
    mkdirSync(join(home, name), { recursive: true });
  for (const file of ["prompts.csv", "bots/suite.yaml", "bots/release-12.jsonl"])
    writeFileSync(join(folder, file), tandem.text(file));
  // The way to the registry is that of this machine.
  const network = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:npm_config_|node_extra_ca_certs$|https?_proxy$)/i.test(name)),
  ) as Record<string, string>;
  const env = {
    ...network,
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(home, "home"),
    WORKSPACE: folder,
    WORKSPACE_TMP: `${folder}@tmp`,
    npm_config_cache: `${folder}@tmp/npm`,
    BUILD_NUMBER: "7",
    JENKINS_URL: "https://jenkins.test/",
    TANDEM_API_KEY: "sk-test-0123456789",
  };
  const npm = (...args: string[]) => spawnSync("npm", args, { cwd: folder, env, encoding: "utf8" });
  const packed = spawnSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
    cwd: actionFolder,
    encoding: "utf8",
  });
  const tarball = packed.stdout.trim().split("\n").at(-1) ?? "";
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const locked = npm("install", "--save-dev", "--package-lock-only", `./${tarball}`);
  expect(locked.status, locked.stderr).toBe(0);
  return { ...made, folder, env };
}

describe("the Jenkinsfile of the guide", () => {
  test("runs on a plain agent: green where the bot is as good, red with the exit code and a JUnit file where it is worse", async () => {
    expect(steps).toHaveLength(2);
    const { bot, folder, env } = await workspace();
    const [install = "", compare = ""] = steps;
    const installed = await runStep(install, { folder, env });
    expect(installed.status, installed.output).toBe(0);
    // Nothing is written into the home of the agent's user.
    expect(existsSync(join(env.HOME, ".npm"))).toBe(false);
    const fine = await runStep(compare, { folder, env });
    expect(fine.status, fine.output).toBe(0);
    expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain("<testsuite");
    bot.fails = true;
    const worse = await runStep(compare, { folder, env });
    expect(worse.status, worse.output).toBe(1);
    expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain("<failure");
    expect(existsSync(join(folder, "results", "tandem.db"))).toBe(true);
    expect(worse.output).not.toContain(env.TANDEM_API_KEY);
  });

  const hasGroovy = existsSync("/usr/bin/groovy") && existsSync("/usr/bin/java");

  test.skipIf(!hasGroovy)("is Groovy as Jenkins reads it, and says what the steps above are run with", () => {
    const folder = jobFolder();
    writeFileSync(join(folder, "Jenkinsfile"), jenkinsfile);
    const home = join(dirname(realpathSync("/usr/bin/java")), "..");
    const { stdout, stderr, status } = spawnSync(
      "groovy",
      [join(import.meta.dirname, "pipeline.groovy"), join(folder, "Jenkinsfile")],
      { encoding: "utf8", env: { ...process.env, JAVA_HOME: home } },
    );
    expect(status, stderr).toBe(0);
    const calls = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { depth: number; call: string; arguments: unknown[] });
    const of = (name: string) => calls.filter(({ call }) => call === name).map(({ arguments: given }) => given);
    expect(calls.filter(({ depth }) => depth === 1).map(({ call }) => call)).toEqual([
      "agent",
      "triggers",
      "options",
      "environment",
      "stages",
      "post",
    ]);
    expect(of("sh")).toEqual(steps.map((text) => [text]));
    expect(of("npm_config_cache")).toEqual([["/w@tmp/npm"]]);
    expect(of("credentials")).toEqual([["tandem-api-key"]]);
    expect(of("junit")).toEqual([[{ testResults: "junit.xml", allowEmptyResults: true }]]);
    expect(of("archiveArtifacts")).toEqual([[{ artifacts: "results/**", allowEmptyArchive: true }]]);
  });
});
