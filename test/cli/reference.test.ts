import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockFile } from "../../scripts/lock-file.ts";
import { commands } from "../../src/cli/commands.ts";
import { cliReference, errorList } from "../../scripts/reference/cli.ts";
import { errorCatalogue, exitCodes } from "../../src/errors.ts";

const path = (name: string): string => new URL(`../../${name}`, import.meta.url).pathname;

describe("the generated pages", () => {
  test("go with a lock file that keeps npm from looking for a compiler: after `npm install`, `npm run generate` puts that in again", () => {
    const text = readFileSync(path("package-lock.json"), "utf8");
    expect(lockFile(text)).toBe(text);
    expect(lockFile(text.replace(/ *"gypfile": false,\n/, ""))).toBe(text);
    expect(text).toContain('"gypfile": false');
  });

  test("name every flag, exit code and error", () => {
    const [reference, errors] = [cliReference(), errorList()];
    const flags = commands.flatMap((command) => Object.keys(command.flags));
    for (const flag of flags) expect(reference).toContain(`\`--${flag}\``);
    for (const { code } of Object.values(exitCodes)) expect(reference).toContain(`| ${code} |`);
    for (const code of Object.keys(errorCatalogue)) expect(errors).toContain(`\`${code}\``);
  });
});

test("every code of the catalogue of errors is used", () => {
  const folder = path("src/");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && name !== "errors.ts",
  );
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  expect(Object.keys(errorCatalogue).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});

test("every flag and argument says what it is for, and every command has an example", () => {
  for (const { command, flags, positionals, examples } of commands) {
    expect(examples.length, command).toBeGreaterThan(0);
    for (const [name, { describe: about }] of Object.entries({ ...flags, ...positionals })) {
      expect(about, `${command} ${name}`).toBeTruthy();
    }
  }
});
