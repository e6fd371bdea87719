import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../store/batch.ts";
import { often } from "../often.ts";
import { terminalHarm } from "./harm.ts";
import { inside } from "./inside.ts";
import { openTally } from "./tally.ts";
import { hostile } from "./texts.ts";

const tally = openTally("names of files", 30);

const own = [
  "-rf",
  "--out=owned",
  "two\nlines",
  "\u001b[31mred\u001b[2J",
  "\u202egnp.exe",
  "::error::owned",
  "\n::error::owned",
  "##[error]owned",
  "$(touch owned)",
  "`touch owned`",
  "'; touch owned; '",
  '"; touch owned; "',
  "<script>alert(1)</script>",
  "=1+1",
  "~",
  "*",
  " ",
];

/** Every fourth text at each change, all of them in `npm run test:slow`. */
const some = hostile.filter((_, place) => often(place % 4 === 0, true));

/** Texts that can be the name of a file. */
const names = [...new Set([...own, ...some.map(([, text]) => text)])]
  .map((text) => `${text.toWellFormed().replaceAll(/[/\0]/g, "_")}.csv`)
  .filter((name) => Buffer.byteLength(name) <= 255);

/** One folder with every file; the working folder is it while the test goes on. */
function folderOfFiles(): string {
  const [folder, before] = [temporaryFolder(), process.cwd()];
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
  // The last row has a fault: what is told of it names the file.
  for (const name of names)
    writeFileSync(join(folder, name), "id,input_prompt,expected\n1,When?,nine\n1,Where?,here\n");
  return folder;
}

test("a dataset of any name is read or refused, shown as text, and its name runs nothing", async () => {
  const folder = folderOfFiles();
  const to = ["--deployment", "prod=http://127.0.0.1:9", "--example-id", "a"];
  const commands = [
    ["check", "--offline"],
    ["check", "--offline", ...to],
  ];
  for (const [place, name] of names.entries()) {
    for (const [command = "", ...flags] of often([commands[place % commands.length] ?? []], commands)) {
      const { code, out, err } = await inside(command, `./${name}`, ...flags);
      const harm = [
        ...terminalHarm(out),
        ...terminalHarm(err),
        ...(code === 0 || code === 2 ? [] : [`it ends with ${code}: ${err.slice(0, 200)}`]),
      ];
      tally.tried(JSON.stringify(name), command, harm);
    }
  }
  const left = readdirSync(folder).filter((name) => !names.includes(name));
  expect([tally.through(), left, existsSync("owned")]).toEqual([[], [], false]);
});
