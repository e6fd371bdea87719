import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const text = readFileSync(new URL("../deploy/compose.yaml", import.meta.url), "utf8");
const service = z.object({
  image: z.string().optional(),
  build: z.object({ dockerfile_inline: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  command: z.array(z.string()).default([]),
});
const { services, secrets } = z
  .object({ services: z.record(z.string(), service), secrets: z.record(z.string(), z.object({ file: z.string() })) })
  .parse(parse(text));
const all = Object.values(services);
const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

describe("deploy/compose.yaml", () => {
  test("names one exact version of every image, the Node of the Dockerfile, and the packages of the manifest", () => {
    const inline = all.map(({ build }) => build?.dockerfile_inline ?? "").join("\n");
    const bases = Array.from(inline.matchAll(/^FROM (\S+)/gm), ([, base = ""]) => base);
    const images = [...all.flatMap(({ image }) => image ?? []), ...bases].filter((name) => name !== "tandem");
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/^[\w/]+:\d+\.\d+(?:\.\d+)?-\w+(?:-slim)?$/);
    for (const base of bases.filter((name) => name !== "tandem")) expect(read("Dockerfile")).toContain(`FROM ${base}`);
    const { peerDependencies } = z
      .object({ peerDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read("package.json")));
    for (const [name, version] of Object.entries(peerDependencies)) expect(inline).toContain(` ${name}@${version}`);
  });

  test("holds no secret: passwords and keys are in files beside it, which are in no checkout", () => {
    const variables = all.flatMap(({ environment }) => Object.entries(environment));
    const secret = variables.filter(([name]) => /password|secret|token|key/i.test(name));
    expect(secret.map(([name]) => name)).toEqual(["POSTGRES_PASSWORD_FILE"]);
    for (const [, value] of secret) expect(Object.keys(secrets).map((name) => `/run/secrets/${name}`)).toContain(value);
    expect(text).not.toMatch(/\w+:\/\/\w+:\w+@|sk-\w/);
    const ignored = read(".gitignore").split("\n");
    for (const { file } of Object.values(secrets)) expect(ignored).toContain(`deploy/${file}`);
    expect(ignored).toContain("deploy/worker.env");
  });

  test("opens no port but to this machine", () => {
    const ports = all.flatMap((each) => each.ports);
    expect(ports).not.toEqual([]);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test("names no secret and waits for no service that is not there", () => {
    for (const { secrets: used, depends_on: awaited } of all) {
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(used));
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(awaited)));
    }
    expect(services["worker"]?.command[0]).toBe("worker");
  });
});
