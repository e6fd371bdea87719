import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { suitePathOf, typedSuite } from "../../src/suite/suite-path.ts";
import { temporaryFolder } from "../store/batch.ts";

const folderWith = (files: Record<string, string>): string => {
  const folder = join(temporaryFolder(), "my suites");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

test("a stored suite's file is the one in its folder with its name, as a shell takes it", () => {
  const folder = folderWith({
    "a.yaml": "name: nightly\n",
    "other.yml": "name: other\n",
    "weekly.yaml": "dataset: p.csv\n",
    "broken.yaml": "name: [",
    "list.yaml": "- nightly\n",
  });
  expect(suitePathOf({ name: "nightly", folder })).toBe(join(folder, "a.yaml"));
  expect(typedSuite({ name: "nightly", folder })).toBe(`'${join(folder, "a.yaml")}'`);
  // A suite that gives itself no name has that of its file.
  expect(suitePathOf({ name: "weekly", folder })).toBe(join(folder, "weekly.yaml"));
});

test("where no file or several have the name, none is guessed, and SUITE stands for it", () => {
  const folder = folderWith({ "a.yaml": "name: nightly\n", "b.yaml": "name: nightly\n" });
  expect(typedSuite({ name: "nightly", folder })).toBe("SUITE");
  expect(typedSuite({ name: "gone", folder })).toBe("SUITE");
  expect(typedSuite({ name: "gone", folder: join(folder, "away") })).toBe("SUITE");
  expect(typedSuite({ name: "flags", folder: null })).toBe("SUITE");
});

test.skipIf(process.platform === "win32")("a pipe that nobody writes into is not waited for", () => {
  const folder = folderWith({ "a.yaml": "name: nightly\n" });
  execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
  expect(suitePathOf({ name: "nightly", folder })).toBe(join(folder, "a.yaml"));
});

test("a file below the current folder is typed from there", () => {
  const own = join("test", "fixtures", "suites");
  const path = suitePathOf({ name: "rich", folder: join(process.cwd(), own) });
  expect(path).toBe(relative("", join(process.cwd(), own, "rich.yaml")));
});
