import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { parse } from "yaml";
import { startGithub } from "./github.ts";
import { repository } from "./repository.ts";
import { type ActionRun, action, actionFolder, jobFolder, runAction } from "./runner.ts";

const install = "Install tandem";
const pull = {
  event_name: "pull_request",
  "event.pull_request.number": "7",
  ref_name: "7/merge",
  "event.repository.default_branch": "main",
  token: "token-of-the-job",
  run_id: "55",
  run_attempt: "1",
};
const main = { ...pull, event_name: "push", ref_name: "main" };

const stateOf = (run: ActionRun, name: string): string | undefined =>
  run.steps.find((step) => step.name === name)?.state;

test("a pull request that makes a bot worse gets one comment, which the next run replaces, and fails with the exit code", async () => {
  const { tandem, bot, env, commands } = await repository();
  expect((await tandem.run("run", "bots/suite.yaml", "--quiet")).code).toBe(0);
  expect((await tandem.run("pin", "latest", "--export", "bots/release.jsonl")).code).toBe(0);
  const strangers = Array.from({ length: 100 }, (_, id) => ({
    id,
    body: "<!-- tandem: ./bots/suite.yaml -->",
    user: { type: "User" },
  }));
  const given = {
    workspace: tandem.folder,
    inputs: { suite: "bots/suite.yaml", against: "bots/release.jsonl", args: "--repeats\n1\n", results: "out of it" },
    github: pull,
    env: { ...env, GITHUB_API_URL: await startGithub(strangers) },
    commands,
    replaced: [install],
  };
  bot.fails = true;
  const worse = await runAction(given);
  expect(worse.outputs).toMatchObject({
    "exit-code": "1",
    verdict: "regression",
    results: join(tandem.folder, "out of it"),
  });
  expect(worse.outputs["batch"]).toMatch(/^suite-\d+-\d+$/);
  expect(stateOf(worse, "Verdict")).toBe("failed");
  expect(worse.log).toContain("::error");
  expect(strangers).toHaveLength(101);
  expect(strangers[100]?.body).toContain("<!-- tandem: ./bots/suite.yaml -->\n");
  expect(strangers[100]?.body).toMatch(/regression/i);
  expect(strangers[100]?.body).toContain("https://github.test/owner/bots/actions/runs/55");
  expect(worse.steps.find(({ name }) => name === "Upload the results")).toMatchObject({
    state: "used",
    with: { name: `tandem-compare-0-${worse.outputs["batch"]}`, path: join(tandem.folder, "out of it") },
  });

  bot.fails = false;
  const fine = await runAction(given);
  expect(fine.outputs).toMatchObject({ "exit-code": "0", verdict: "pass" });
  expect(stateOf(fine, "Verdict")).toBe("ran");
  expect(strangers).toHaveLength(101);
  expect(strangers[100]?.body).not.toMatch(/regression found/i);

  const broken = await runAction({ ...given, inputs: { ...given.inputs, args: "--sutie" } });
  expect(broken.outputs).toMatchObject({ "exit-code": "2", verdict: "", batch: "", report: "" });
  expect(strangers[100]?.body).toContain("**tandem could not compare** (exit code 2).");
  expect(strangers[100]?.body).toContain('run has no flag "--sutie".');
});

slowTest("a good run of the default branch is kept as the pin that pull requests are compared with", async () => {
  const { tandem, bot, env, commands } = await repository();
  const inputs = {
    suite: "suite.yaml",
    "working-directory": "bots",
    "pin-cache": "nightly",
    artifact: "",
    comment: "false",
  };
  const given = { workspace: tandem.folder, inputs, env, commands, replaced: [install], temp: jobFolder() };
  const first = await runAction({ ...given, github: main });
  expect(first.outputs).toMatchObject({ "exit-code": "0", verdict: "" });
  expect(stateOf(first, "Upload the results")).toBe("skipped");
  expect(stateOf(first, "Comment the pull request")).toBe("skipped");
  const pin = join(given.temp, "tandem-pin.jsonl");
  expect(first.steps.find(({ name }) => name === "Save the pin")).toMatchObject({
    state: "used",
    with: { path: pin, key: "tandem-pin-nightly-55-1" },
  });
  const kept = readFileSync(pin, "utf8");
  // The cache would bring the file to the job of the pull request, where it lies at the same place.
  bot.fails = true;
  const worse = await runAction({ ...given, github: pull });
  expect(worse.outputs).toMatchObject({ "exit-code": "1", verdict: "regression" });
  expect(stateOf(worse, "Restore the pin")).toBe("used");
  expect(stateOf(worse, "Save the pin")).toBe("skipped");
  const onMain = await runAction({ ...given, github: main });
  expect(onMain.outputs).toMatchObject({ "exit-code": "1" });
  expect(stateOf(onMain, "Save the pin")).toBe("skipped");
  expect(readFileSync(pin, "utf8")).toBe(kept);
});

test("a job that is cancelled ends tandem as Ctrl-C does: what was answered is kept, and the results are uploaded", async () => {
  const { tandem, bot, env, commands } = await repository();
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  bot.onPrompt = cancel;
  const inputs = { suite: "bots/suite.yaml", args: "--rate\n1/s\n--grace\n9s" };
  const run = await runAction({ workspace: tandem.folder, inputs, env, commands, replaced: [install], cancelled });
  expect(run.outputs, run.log).toMatchObject({ "exit-code": "130" });
  expect(run.log).toMatch(/::warning title=suite%3A interrupted::\d+ of 70 requests done; `tandem resume` goes on\n/);
  expect(run.log).not.toContain("gave no answer");
  expect(stateOf(run, "Upload the results")).toBe("used");
  expect(tandem.query("SELECT 1 FROM batch WHERE lock_pid IS NULL")).toHaveLength(1);
});

test("a comment that GitHub refuses is a warning; inputs are words and never run", async () => {
  const { tandem, env, commands } = await repository();
  const hostile = '$(touch PWNED)"; touch PWNED; `touch PWNED`';
  const run = await runAction({
    workspace: tandem.folder,
    inputs: { suite: hostile, against: hostile, args: `--tag\n${hostile}`, results: hostile, "pin-cache": hostile },
    github: pull,
    env: { ...env, GITHUB_API_URL: await startGithub([], 403) },
    commands,
    replaced: [install],
  });
  expect(run.outputs).toMatchObject({ "exit-code": "2" });
  expect(run.log).toContain("::warning::The pull request has no comment: GitHub answered GET");
  expect(stateOf(run, "Comment the pull request")).toBe("ran");
  expect(existsSync(join(tandem.folder, "PWNED"))).toBe(false);
});

test("the artifacts of two jobs of a matrix, and of a job that began no batch, have names of their own", async () => {
  const { tandem, env, commands } = await repository();
  const given = { workspace: tandem.folder, github: main, env, commands, replaced: [install] };
  const names = [];
  for (const [jobIndex, args] of [
    [0, ""],
    [1, ""],
    [2, "--sutie"],
  ] as const) {
    const run = await runAction({ ...given, inputs: { suite: "bots/suite.yaml", args }, jobIndex });
    const upload = run.steps.find(({ name }) => name === "Upload the results");
    expect(upload?.state).toBe("used");
    names.push(upload?.with?.["name"]);
  }
  expect(names[0]).toMatch(/^tandem-compare-0-suite-\d+-\d+$/);
  expect(names[1]).toMatch(/^tandem-compare-1-suite-\d+-\d+$/);
  expect(names[2]).toBe("tandem-compare-2-1");
});

test.each([[""], ["./tandem.tgz"]])(
  "what installs and builds sees nothing of the step's environment but the way to the registry (package: %j)",
  async (packed) => {
    const { tandem, commands } = await repository();
    const folder = jobFolder();
    const seen = join(folder, "seen");
    writeFileSync(join(tandem.folder, "tandem.tgz"), "");
    writeFileSync(join(commands, "npm"), `#!/bin/sh\n{ echo "npm $*"; env; } >> ${seen}\n`, { mode: 0o755 });
    const secrets = {
      TANDEM_API_KEY: "sk-planted-0001",
      SLACK_WEBHOOK: "https://planted.test/0002",
      GITHUB_TOKEN: "planted-0003",
      NODE_OPTIONS: "--planted-0004",
    };
    const way = { HTTPS_PROXY: "http://proxy.test:3128", npm_config_registry: "https://registry.test/" };
    const run = await runAction({
      workspace: tandem.folder,
      inputs: { suite: "none.yaml", package: packed },
      github: main,
      env: { ...secrets, ...way, NODE_ENV: "production" },
      commands,
      folder,
      replaced: action.runs.steps.map(({ name }) => name).filter((name) => name !== install),
    });
    expect(stateOf(run, install), run.log).toBe("ran");
    const said = readFileSync(seen, "utf8");
    expect(said).toMatch(
      packed === "" ? /^npm ci --include=dev --ignore-scripts/ : /^npm install .*--ignore-scripts --omit=dev/,
    );
    expect(said).not.toMatch(/planted|ACTION_PACKAGE|NODE_ENV/);
    for (const value of Object.values(way)) expect(said).toContain(value);
  },
);

test("every action that is used, here and in the guide, is named by its commit, with its version beside it", () => {
  const workflows = readdirSync(join(actionFolder, ".github/workflows")).map((name) => `.github/workflows/${name}`);
  expect(workflows).toContain(".github/workflows/release.yml");
  for (const file of ["action.yml", ...workflows, "docs/guides/ci.md"]) {
    const text = readFileSync(join(actionFolder, file), "utf8");
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)].filter(
      ([, name]) => name?.startsWith("YOUR-ORGANISATION/") !== true,
    );
    expect(used.length, file).toBeGreaterThan(0);
    for (const [line] of used) expect(line, file).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test("CI runs one script on three systems, and says where it never ran", () => {
  const text = readFileSync(join(actionFolder, ".github/workflows/ci.yml"), "utf8");
  const { jobs } = parse(text);
  expect(jobs.check.strategy).toEqual({
    "fail-fast": false,
    matrix: { os: ["ubuntu-latest", "macos-latest", "windows-latest"] },
  });
  expect(jobs.check["runs-on"]).toBe("${{ matrix.os }}");
  expect(jobs.check.steps.at(-1)).toMatchObject({ run: ".ci/run", shell: "bash" });
  expect(text).toMatch(/^# This has never run/m);
  expect(existsSync(join(actionFolder, ".ci/run"))).toBe(true);
});

test("what tests a release cannot publish it, and what publishes it runs none of its code", () => {
  const text = readFileSync(join(actionFolder, ".github/workflows/release.yml"), "utf8");
  const { on, permissions, jobs } = parse(text);
  expect([on, permissions]).toEqual([{ push: { tags: ["v*"] } }, { contents: "read" }]);
  expect(jobs.pack.permissions).toBeUndefined();
  expect(jobs.publish).toMatchObject({ needs: "pack", permissions: { contents: "read", "id-token": "write" } });
  const commands = (job: string): string[] => jobs[job].steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands("pack")).toEqual(expect.arrayContaining(["npm run check", "npm run test:slow", "npm run tarball"]));
  expect(commands("publish")).toEqual(["npm publish ./tandem-*.tgz --provenance"]);
  expect(text).not.toContain("secrets.");
});

test("the forms of issues ask for versions and warn of keys, and Dependabot looks at npm and actions each week", () => {
  const read = (name: string): string => readFileSync(join(actionFolder, ".github", name), "utf8");
  for (const name of ["bug", "feature"]) {
    const form = parse(read(`ISSUE_TEMPLATE/${name}.yml`));
    expect(Object.keys(form)).toEqual(["name", "description", "labels", "body"]);
    const ids = form.body.flatMap(({ id }: { id?: string }) => id ?? []);
    expect(new Set(ids).size, name).toBe(ids.length);
  }
  expect(read("ISSUE_TEMPLATE/bug.yml")).toMatch(/Leave keys[^]*tandem --version\n +node --version\n +tandem check/);
  const { updates } = parse(read("dependabot.yml"));
  expect(updates).toMatchObject(
    ["npm", "github-actions"].map((kind) => ({ "package-ecosystem": kind, schedule: { interval: "weekly" } })),
  );
});

test("no script holds an expression, and every input and output says what it is and stands in the guide", () => {
  const guide = readFileSync(join(actionFolder, "docs/guides/ci.md"), "utf8");
  for (const { name, run } of action.runs.steps) expect(run ?? "", name).not.toContain("${{");
  for (const [name, { description }] of Object.entries(action.inputs)) {
    expect(description, name).toMatch(
      /^(?:Path|Path or name|Name|Lines|true or false|Version of Node|What npm installs)\b/,
    );
    expect(guide).toContain(`| \`${name}\` |`);
  }
  for (const name of Object.keys(action.outputs)) expect(guide).toContain(`\`${name}\``);
  const asked = Object.values(action.inputs).map(({ description }) => description);
  expect(asked.join(" ")).not.toMatch(/secret|token|password/i);
});

test("the scripts of the steps are sound for ShellCheck", (context) => {
  for (const { name, run } of action.runs.steps) {
    if (run === undefined) continue;
    const { error, stdout } = spawnSync("shellcheck", ["--shell", "bash", "-"], {
      input: `set -eo pipefail\n${run}`,
      encoding: "utf8",
    });
    if (error !== undefined) context.skip("shellcheck is not installed on this machine");
    expect(stdout, name).toBe("");
  }
});

test("every command of the guide that runs the suite works as it is written", async () => {
  const { tandem } = await repository();
  const guide = readFileSync(join(actionFolder, "docs/guides/ci.md"), "utf8");
  expect((await tandem.run("run", "bots/suite.yaml", "--quiet")).code).toBe(0);
  expect((await tandem.run("pin", "latest", "--export", "bots/release-12.jsonl")).code).toBe(0);
  const written = Array.from(guide.matchAll(/tandem (run bots\/suite\.yaml[^'\n]*)/g), ([, words = ""]) => words);
  expect(written).toHaveLength(5);
  for (const words of written) {
    const { code, err } = await tandem.run(...words.replace("/results", "results").trim().split(" "));
    expect(code, `${words}: ${err}`).toBe(0);
  }
  expect(tandem.text("junit.xml")).toContain("<testsuites");
});

test("every workflow of the guide is YAML, and gives the action only inputs that there are", () => {
  const guide = readFileSync(join(actionFolder, "docs/guides/ci.md"), "utf8");
  const blocks = Array.from(guide.matchAll(/^```yaml\n(.*?)^```/gms), ([, text = ""]): unknown => parse(text));
  const used = blocks.flatMap(stepsIn).filter(({ uses }) => uses?.includes("/tandem@") === true);
  expect(used).toHaveLength(2);
  for (const step of used) {
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
    expect(Object.keys(step.env ?? {})).toContain("TANDEM_API_KEY");
  }
});

interface Step {
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}

/** Every step anywhere in a workflow, or a part of one. */
function stepsIn(value: unknown): Step[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (typeof value !== "object" || value === null) return [];
  return "uses" in value ? [value as Step] : Object.values(value).flatMap(stepsIn);
}
