import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { commandName } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { manPage } from "../../src/cli/man-page.ts";
import { exitCodes } from "../../src/errors.ts";

const lines = manPage().split("\n");
const plain = (line: string): string => line.replaceAll(/\\f[BIR]/g, "").replaceAll("\\-", "-");

test("the manual page names every command, flag and exit code", () => {
  const titles = new Set(lines.map(plain).map((line) => line.replace(/^-\w, /, "")));
  for (const command of commands) {
    expect(titles).toContain(`.SS tandem ${command.command}`);
    for (const name of Object.keys(command.flags)) {
      const titled = [...titles].some((line) => line.replace("--no-", "--").split(" ")[0] === `--${name}`);
      expect(titled, `${commandName(command)} --${name}`).toBe(true);
    }
  }
  for (const { code } of Object.values(exitCodes)) expect(titles).toContain(String(code));
});

test("the manual page is ASCII, and obeys nothing but its own few requests", () => {
  expect(manPage()).toMatch(/^\p{ASCII}*$/u);
  const requests = lines.flatMap((line) => line.match(/^[.'](\S*)/)?.[1] ?? []);
  expect(new Set(requests)).toEqual(new Set(["TH", "SH", "SS", "B", "TP", "PP", "RS", "RE", "nf", "fi"]));
  const escapes = manPage().match(/\\(?:f[BIR]|-|&|\(\w\w|\[u[\dA-F]{4,}\]|.?)/g) ?? [];
  expect(escapes.filter((each) => /^\\[^f&([-]?$/.test(each))).toEqual([]);
});

test("the manual page is named as npm wants it, which links no other form", () => {
  expect(manifest.man).toEqual(["dist/man/tandem.1"]);
});

test("the manual page is set without a warning", (context) => {
  const { error, stderr } = spawnSync("groff", ["-z", "-ww", "-man"], { input: manPage(), encoding: "utf8" });
  if (error !== undefined) context.skip("groff is not installed on this machine");
  expect(stderr).toBe("");
});
