import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { nightCommand } from "../src/cli/commands/night/night.ts";

const read = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8");

const cron = read("cron/tandem-night");
const service = read("systemd/tandem-night.service");
const cronJob = parse(read("kubernetes/tandem-night.yaml")) as unknown;

/** The commands that cron, systemd and Kubernetes start, as words behind `tandem`. */
const started = {
  cron: / && tandem (.*?) 2>>/.exec(cron)?.[1]?.split(" ") ?? [],
  systemd: /^ExecStart=\S+\/tandem (.*)$/m.exec(service)?.[1]?.split(" ") ?? [],
  kubernetes: args(cronJob),
};

/** The words that a CronJob of batch/v1 starts. Throws for a member that is misspelt: the cluster would refuse it. */
function args(value: unknown): string[] {
  const named = z.strictObject({ name: z.string() });
  const container = z.strictObject({
    name: z.string(),
    image: z.string(),
    args: z.array(z.string()),
    envFrom: z.array(z.strictObject({ secretRef: named })),
    volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
  });
  const pod = z.strictObject({
    restartPolicy: z.literal("Never"),
    terminationGracePeriodSeconds: z.int(),
    securityContext: z.strictObject({ fsGroup: z.int() }),
    containers: z.tuple([container]),
    volumes: z.array(
      z.strictObject({ name: z.string(), persistentVolumeClaim: z.strictObject({ claimName: z.string() }) }),
    ),
  });
  const spec = z.strictObject({
    schedule: z.string().regex(/^(?:[\d*/,-]+ ){4}[\d*/,-]+$/),
    timeZone: z.string(),
    concurrencyPolicy: z.literal("Forbid"),
    startingDeadlineSeconds: z.int(),
    jobTemplate: z.strictObject({
      spec: z.strictObject({ backoffLimit: z.literal(0), template: z.strictObject({ spec: pod }) }),
    }),
  });
  const { spec: found } = z
    .strictObject({ apiVersion: z.literal("batch/v1"), kind: z.literal("CronJob"), metadata: named, spec })
    .parse(value);
  const [one] = found.jobTemplate.spec.template.spec.containers;
  expect(found.jobTemplate.spec.template.spec.volumes.map(({ name }) => name)).toEqual(
    one.volumeMounts.map(({ name }) => name),
  );
  expect(() => new Intl.DateTimeFormat("en", { timeZone: found.timeZone })).not.toThrow();
  return one.args;
}

test.each(Object.entries(started))("%s starts a night over workers, with flags that the command has", (_, words) => {
  expect(words.slice(0, 3)).toEqual(["night", "suite.yaml", "--workers"]);
  for (const word of words.filter((each) => each.startsWith("--")))
    expect(Object.keys(nightCommand.flags)).toContain(word.slice(2));
});

test("the file for cron is one that cron takes", () => {
  const lines = cron.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  // A % would end the command there, and cron reads no line that does not end.
  expect(cron).not.toContain("%");
  expect(cron.endsWith("\n")).toBe(true);
  expect(lines.filter((line) => !/^[A-Z]+=\S+$/.test(line))).toEqual([
    expect.stringMatching(/^(?:[\d*]+ ){5}tandem cd \/srv\/bots && /) as unknown,
  ]);
});

const canVerify = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!canVerify)("systemd finds nothing wrong with the units", () => {
  const units = ["tandem-night.service", "tandem-night.timer", "tandem-worker.service"];
  const folder = mkdtempSync(join(tmpdir(), "tandem-units-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of units) {
    // The program is not where it will be.
    const text = read(`systemd/${name}`).replace(/^ExecStart=\S+/m, "ExecStart=/bin/true");
    writeFileSync(join(folder, name), text);
  }
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...units.map((name) => join(folder, name))], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
