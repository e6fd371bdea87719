import { expect, test } from "vitest";
import { commandName } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { parts } from "../../src/parts/parts.ts";

test("every part registers: its commands are in the help", async () => {
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
  const brought = (await Promise.all(parts.map(async ({ commands: load }) => (await load?.()) ?? []))).flat();
  expect(brought.map(commandName)).toEqual(["send", "mcp", "workers"]);
  expect(commands.filter((command) => brought.includes(command))).toEqual(brought);
});
