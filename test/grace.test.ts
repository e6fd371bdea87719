import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { graceOf } from "../src/cli/flags/run-flags.ts";
import { action } from "./action/runner.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const defaultGraceS = graceOf({ grace: undefined }, {}) / 1_000;
/** Time for reports, and for the process to end. */
const reportsS = 60;

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:md|ya?ml|service|timer)$/.test(name))
    .map((name) => `${folder}${name}`);

/** All that says how long somebody waits for a command that was told to end, and in which file. */
const settings =
  /(?:TimeoutStopSec=|stop_grace_period: |terminationGracePeriodSeconds: |docker stop --time )(\d+)(\w*)/g;
const found = [...filesIn("deploy/"), ...filesIn("docs/"), "README.md", "Dockerfile"].flatMap((file) =>
  Array.from(read(file).matchAll(settings), ([setting, amount = "", unit = ""]) => ({
    file,
    setting,
    seconds: Number(amount) * (/^m(?:in)?$/.test(unit) ? 60 : 1),
  })),
);

describe("the time that a command has to end", () => {
  test("is as long in units, compose file and guides as it waits for what is in flight, and a minute more", () => {
    const files = new Set(found.map(({ file }) => file));
    for (const file of [
      "deploy/compose.yaml",
      "deploy/systemd/tandem-night.service",
      "deploy/systemd/tandem-worker.service",
      "docs/guides/ci.md",
      "docs/guides/run-at-night.md",
      "docs/guides/several-machines.md",
    ])
      expect(files).toContain(file);
    expect(found.filter(({ seconds }) => seconds !== defaultGraceS + reportsS)).toEqual([]);
  });

  test("is told in words where a person or a manager ends it", () => {
    const words = `${defaultGraceS / 60} minutes`;
    for (const page of [
      "guides/run-at-night.md",
      "guides/ci.md",
      "guides/several-machines.md",
      "reference/performance.md",
    ])
      expect(read(`docs/${page}`)).toMatch(new RegExp(`at most ${words}|up to ${words}|${words} at the most`));
    expect(read("docs/reference/cli.md")).toContain(`as long as a request may take, at most ${defaultGraceS / 60}m`);
  });

  test("is over before GitHub kills a job that is cancelled, 7.5 and 2.5 seconds after it told it", () => {
    const [, grace = ""] = /--grace (\d+)s\)/.exec(action.runs.steps.map(({ run = "" }) => run).join("\n")) ?? [];
    expect(Number(grace)).toBeGreaterThan(0);
    expect(Number(grace)).toBeLessThan(7.5);
    expect(graceOf({ grace: undefined }, { GITHUB_ACTIONS: "true" })).toBe(Number(grace) * 1_000);
    const guide = read("docs/guides/ci.md");
    const inGuide = Array.from(guide.matchAll(/--grace (\d+s)/g), ([, time]) => time);
    expect(new Set(inGuide)).toEqual(new Set([`${grace}s`, "20s"]));
  });
});
