import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test, type TestContext } from "vitest";
import { slowTest } from "../often.ts";
import { cached, command, endOfFile, Tandem } from "./tandem.ts";

const hostile = "$(touch PWNED);`touch PWNED`'x\"!&|>PWNED";

const whenOver = endOfFile();

/** A folder with a batch, and pins of names that the command itself would refuse. */
async function folder(): Promise<Tandem> {
  const tandem = new Tandem(whenOver).file("prompts.csv", "question,answer\nOpen?,Nine\n");
  await tandem.run("init", "prompts.csv", "--yes");
  expect((await tandem.run("run", "--quiet")).code).toBe(0);
  const db = new Database(join(tandem.folder, "results/tandem.db"));
  for (const name of ["release 12", "रात", hostile, "two\nlines", "\u202Ereversed", "-rf"]) {
    const { lastInsertRowid } = db.prepare("INSERT INTO pin (name, created_at) VALUES (?, 1)").run(name);
    db.prepare("INSERT INTO pin_batch (pin_id, place, batch_id) VALUES (?, 0, 1)").run(lastInsertRowid);
  }
  db.close();
  for (const shell of ["bash", "fish"]) tandem.file(`completion.${shell}`, (await tandem.run("completion", shell)).out);
  tandem.file("bin/tandem", `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(join(tandem.folder, "bin/tandem"), 0o755);
  return tandem;
}

// Nothing that is completed changes it.
let made: Promise<Tandem> | undefined;
let tandem: Tandem;
beforeEach(async () => {
  tandem = await (made ??= folder());
});

/** The lines that a script of a shell prints, in the folder. */
function printed(context: TestContext, shell: string, script: string): string[] {
  const path = `${join(tandem.folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const env = { ...cached, PATH: path, LC_ALL: "C.UTF-8", TERM: "dumb" };
  const { error, stdout } = spawnSync(shell, ["-c", script], {
    cwd: tandem.folder,
    env,
    encoding: "utf8",
    timeout: 25_000,
  });
  if (error !== undefined) context.skip(`${shell} is not installed on this machine`);
  return stdout.split("\n").filter((line) => line !== "");
}

const inBash = (context: TestContext, line: string, then = 'printf "%s\\n" "${COMPREPLY[@]}"'): string[] =>
  printed(
    context,
    "bash",
    `source ./completion.bash; COMP_LINE=${JSON.stringify(line).replaceAll("$", "\\$")}; COMP_POINT=\${#COMP_LINE}; _tandem; ${then}`,
  );

describe("in bash", () => {
  const words: [line: string, offered: unknown][] = [
    ["tandem che", ["check"]],
    ["tandem report prom", ["prompts", "prompts~1", expect.stringMatching(/^prompts-\d+-\d+$/)]],
    ["tandem run --target=ass", ["assistant"]],
    ["tandem compare prompts:a", ["assistant"]],
    ["tandem check tand", ["tandem.yaml"]],
  ];
  const more: typeof words = [
    ["tandem run --resu", ["--results", "--resume"]],
    ["tandem run --against रा", ["रात"]],
    ["tandem run --target ass", ["assistant"]],
    ["tandem run p.csv --scorer icont", expect.arrayContaining(["icontains"])],
    ["tandem report --results=elsewhere ", []],
  ];

  function isCompleted([line, offered]: (typeof words)[number], context: TestContext): void {
    expect(inBash(context, line)).toEqual(offered);
  }
  test.for(words)("%s is completed", isCompleted);
  slowTest.for(more)("%s is completed", isCompleted);

  slowTest("a name with a space stays one word, behind a quote too", (context) => {
    expect(inBash(context, "tandem pin rel")).toEqual(["release\\ 12"]);
    expect(inBash(context, "tandem pin 'rel")).toEqual(["release 12"]);
    expect(inBash(context, 'tandem pin "rel')).toEqual(["release 12"]);
    expect(inBash(context, "tandem pin release\\ ")).toEqual(["release\\ 12"]);
  });

  test("a hostile name is one word that runs nothing, and one that a terminal would obey is not offered", (context) => {
    const word = 'eval "set -- $quote${COMPREPLY[0]}$quote"; printf "%s\\n" "$#" "$1"';
    expect(inBash(context, "tandem pin $", `quote=; ${word}`)).toEqual(["1", hostile]);
    expect(inBash(context, "tandem pin '$", `quote="'"; ${word}`)).toEqual(["1", hostile]);
    expect(inBash(context, 'tandem pin "\\$', `quote='"'; ${word}`)).toEqual(["1", hostile]);
    expect(inBash(context, "tandem pin ")).toHaveLength(7);
    expect(readdirSync(tandem.folder)).not.toContain("PWNED");
  });
});

test("in zsh a name is inserted as the shell quotes it, and nothing of it is run", (context) => {
  const typed = ["tandem pin rel", "tandem pin \\$", "tandem compare prompts:a", "tandem run --accept"];
  // A function in place of the command prints what it is given; the completion asks the command itself.
  const script = `zmodload zsh/zpty; zpty -b z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -D -u; source <(tandem completion zsh); tandem() { print -r -- G"OT:\${(j:|:)@}:END"; }'
${typed.map((line) => `zpty -w z ${JSON.stringify(line).replaceAll("$", "\\$")}$'\\t'; zpty -r z out '*GOT:*:END*'; print -r -- "$out"`).join("\n")}
zpty -d z`;
  const given = [
    ...printed(context, "zsh", script)
      .join("\n")
      .matchAll(/^GOT:(.*):END/gm),
  ].map(([, words]) => words);
  expect(given).toEqual(["pin|release 12", `pin|${hostile}`, "compare|prompts:assistant", "run|--accept-changes"]);
  expect(readdirSync(tandem.folder)).not.toContain("PWNED");
}, 30_000);

test("in fish they are offered as they are, and nothing is run", (context) => {
  const offered = (line: string): string[] =>
    printed(context, "fish", `source ./completion.fish; complete -C '${line}'`);
  expect(offered("tandem pin ").slice(0, 3)).toEqual([hostile, "रात", "release 12"]);
  expect(offered("tandem pin rel")).toEqual(["release 12"]);
  expect(offered("tandem compare prompts:")).toEqual(["prompts:assistant"]);
  expect(offered("tandem run --accept")).toEqual(["--accept-changes"]);
  expect(readdirSync(tandem.folder)).not.toContain("PWNED");
});

test("PowerShell is answered in Base64, a line for each name: as it is shown, and as it is typed", async () => {
  const offered = async (...words: string[]): Promise<string[]> => {
    const { out } = await tandem.run("__complete", "powershell", btoa(JSON.stringify(words)));
    return out.split("\n").map((line) => Buffer.from(line, "base64").toString("utf8"));
  };
  expect(await offered("pin", "'rel")).toEqual(["release 12\t'release 12'", ""]);
  expect(await offered("run", "--color", "a")).toEqual(["auto\tauto", "always\talways", ""]);
});

test("the database is left as it was, and where there is none nothing is made and nothing is said", async () => {
  const before = readdirSync(join(tandem.folder, "results"));
  expect((await tandem.run("__complete", "fish", "report", "")).out).toContain("latest\n");
  expect(readdirSync(join(tandem.folder, "results"))).toEqual(before);
  const empty = await tandem.run("__complete", "fish", "report", "--results", "none", "");
  expect(empty).toMatchObject({ code: 0, out: "", err: "" });
  expect(existsSync(join(tandem.folder, "none"))).toBe(false);
});
