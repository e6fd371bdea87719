import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };

const text = readFileSync(new URL("../deploy/compose.yaml", import.meta.url), "utf8");
const service = z.object({
  image: z.string().optional(),
  build: z.object({ dockerfile_inline: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  command: z.array(z.string()).default([]),
});
const { services } = z.object({ services: z.record(z.string(), service) }).parse(parse(text));
const all = Object.values(services);
const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

describe("deploy/compose.yaml", () => {
  test("names one exact version of every image, the Node of the Dockerfile, and the packages of workers as the manifest has them", () => {
    const inline = all.map(({ build }) => build?.dockerfile_inline ?? "").join("\n");
    const bases = Array.from(inline.matchAll(/^FROM (\S+)/gm), ([, base = ""]) => base);
    const images = [...all.flatMap(({ image }) => image ?? []), ...bases].filter((name) => name !== "tandem");
    expect(new Set(images).size).toBe(2);
    for (const image of images) expect(image).toMatch(/^[\w/]+:\d+\.\d+(?:\.\d+)?-\w+(?:-slim)?$/);
    for (const base of bases.filter((name) => name !== "tandem")) expect(read("Dockerfile")).toContain(`FROM ${base}`);
    // Workers grade nothing: the packages of scorers are where suites are submitted, and where nights are spent.
    const installs = Array.from(
      inline.matchAll(/^RUN npm install .*?((?: [\w-]+@\S+)+)$/gm),
      ([, names = ""]) => names,
    );
    const { pg, "pg-boss": engine } = manifest.peerDependencies;
    expect(installs).toEqual([` pg@${pg} pg-boss@${engine}`, ` pg@${pg} pg-boss@${engine}`]);
  });

  test("holds no secret: passwords and keys are in files beside it, which are in no checkout", () => {
    expect(all.flatMap(({ environment }) => Object.keys(environment))).toEqual([]);
    expect(text.replaceAll(/[A-Z]+_PASSWORD/g, "")).not.toMatch(/\w+:\/\/\w+:\w+@|sk-\w/);
    expect(all.flatMap((each) => each.env_file)).toEqual(["postgres.env", "worker.env", "worker.env"]);
    expect(read(".gitignore").split("\n")).toContain("deploy/*.env");
    for (const file of readdirSync(new URL("../deploy", import.meta.url))) expect(file).not.toMatch(/\.env$/);
  });

  test("makes the role and the database that the guide makes", () => {
    const statements = (sql: string): string[] =>
      [...sql.matchAll(/^ *((?:CREATE|REVOKE|GRANT) [^;]+);/gm)].map(([, one = ""]) =>
        one.replace(/PASSWORD \S+/, "PASSWORD"),
      );
    const [, guide = ""] = /```sql\n([^`]*)```/.exec(read("docs/guides/several-machines.md")) ?? [];
    expect(statements(guide)).toHaveLength(2);
    expect(statements(read("deploy/postgres.sql"))).toEqual(statements(guide));
  });

  test("opens no port but to this machine", () => {
    const ports = all.flatMap((each) => each.ports);
    expect(ports).not.toEqual([]);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test("waits for no service that is not there, and mounts no file that is not", () => {
    for (const { depends_on: awaited, volumes } of all) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(awaited)));
      for (const volume of volumes.filter((each) => each.startsWith("./")))
        expect(existsSync(new URL(`../deploy/${volume.split(":")[0]}`, import.meta.url)), volume).toBe(true);
    }
    expect(services["worker"]?.command.slice(0, 2)).toEqual(["workers", "serve"]);
    expect(services["worker"]?.depends_on).toEqual({ setup: { condition: "service_completed_successfully" } });
  });
});
