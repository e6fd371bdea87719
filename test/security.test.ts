import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("every threat in the documentation names what keeps it out and tests that are there", () => {
  const [, table = ""] = /## Threats\n+([\s\S]*?)\n\n/.exec(read("docs/security.md")) ?? [];
  const rows = table.split("\n").slice(2);
  expect(rows.length).toBeGreaterThan(14);
  for (const row of rows) {
    const [, , what = "", kept = "", tests = ""] = row.split("|").map((cell) => cell.trim());
    expect(
      [what, kept].every((cell) => cell !== ""),
      row,
    ).toBe(true);
    const named = [...tests.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path);
    expect(named.length, row).toBeGreaterThan(0);
    for (const path of named) expect(existsSync(join(root, path)), path).toBe(true);
  }
  for (const [, path = ""] of read("docs/security.md").matchAll(/`(test\/[^`]+)`/g))
    expect(existsSync(join(root, path)), path).toBe(true);
});

interface Component {
  type: string;
  name: string;
  version?: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  licenses?: unknown[];
}

const bill: {
  bomFormat: string;
  specVersion: string;
  components: Component[];
  dependencies: { dependsOn: string[] }[];
} = JSON.parse(read("dist/bom.cdx.json"));

test("the bill of materials lists every package of which something is built in, as the notices do, with version, licence and hash", () => {
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: manifest.name, version: manifest.version } },
  });
  const libraries = bill.components.filter(({ type }) => type === "library");
  const listed = libraries.map(({ name, version }) => `${name} ${version}`);
  const noticed = [...read("dist/NOTICES.txt").matchAll(/^-{80}\n(\S+) (\d\S*) \(/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual(noticed.toSorted());
  for (const { name, version, purl, hashes, licenses } of libraries) {
    expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect(hashes?.[0], name).toMatchObject({ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) });
    expect(licenses, name).toHaveLength(1);
  }
  expect(bill.dependencies[0]?.dependsOn).toHaveLength(bill.components.length);
});

test("the bill of materials has the SHA-256 of every binary in the package", () => {
  const binaries = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:node|wasm|so|dll|dylib)$/.test(path))
    .map((path) => `dist/${path}`);
  expect(binaries.length).toBeGreaterThan(8);
  const files = new Map(bill.components.filter(({ type }) => type === "file").map((each) => [each.name, each.hashes]));
  expect([...files.keys()].toSorted()).toEqual(binaries.toSorted());
  for (const path of binaries) {
    const content = createHash("sha256")
      .update(readFileSync(join(root, path)))
      .digest("hex");
    expect(files.get(path), path).toEqual([{ alg: "SHA-256", content }]);
  }
});

test("the bill of materials is in the package, and the policy says how soon a fix of a part comes", () => {
  expect(manifest.files).toContain("dist");
  expect(manifest.files.filter((each) => each.startsWith("!"))).not.toContainEqual(
    expect.stringMatching(/bom|^!dist\/.*json/),
  );
  expect(read("SECURITY.md")).toMatch(/bom\.cdx\.json[\s\S]*7 days[\s\S]*30 days/);
});
