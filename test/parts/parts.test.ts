import { expect, test } from "vitest";
import { commandName } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { faultsOf } from "../../src/lib/fault.ts";
import { parts } from "../../src/parts/parts.ts";
import { sqlPart } from "../../src/parts/sql.ts";
import { scorerKit } from "../../src/score/catalogue.ts";
import { scorerSpec } from "../../src/score/contract/spec.ts";
import { registry } from "../../src/score/registry.ts";

test("every part registers: its commands are in the help, its scorers in the suite", async () => {
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
  const brought = (await Promise.all(parts.map(async ({ commands: load }) => (await load?.()) ?? []))).flat();
  expect(brought.map(commandName)).toEqual(["send", "mcp", "worker", "workers", "schedule"]);
  expect(commands.filter((command) => brought.includes(command))).toEqual(brought);
  const types = registry.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["is-xml", "is-html", "is-sql"]));
  expect(parts.flatMap(({ scorers = [] }) => scorers)).toHaveLength(3);
});

const advice =
  "needs the package node-sql-parser, which is not installed. Install it beside tandem: npm install node-sql-parser@5.4.0";

test("a scorer whose package is missing is a fault of its entry, and is not made", async () => {
  const entry = { type: "is-sql", database: "sqlite", tables: ["("] };
  const places = (isInstalled: boolean): (string | null)[][] =>
    sqlPart.scorers.flatMap(({ register }) =>
      faultsOf(register({ ...scorerKit, isInstalled: () => isInstalled }).schema, entry).map(({ path, message }) => [
        path.join("."),
        message,
      ]),
    );
  expect(places(true)).toEqual([["tables", expect.stringContaining("is not a regular expression")]]);
  expect(places(false)).toEqual([["type", advice], ...places(true)]);
  for (const { register } of sqlPart.scorers) {
    await expect(register(scorerKit).prepare(scorerSpec({ type: "is-sql" }))).resolves.toBeUndefined();
    const lacking = register({ ...scorerKit, isInstalled: () => false });
    await expect(lacking.prepare(scorerSpec({ type: "is-sql" }))).rejects.toThrow(`it ${advice}`);
  }
});
