import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cached, command, Tandem } from "./tandem.ts";

test.each([
  ["tandem repo", ["report"]],
  ["tandem run --concurr", ["--concurrency"]],
  ["tandem run --color al", ["always"]],
  ["tandem run --set compare.noise", ["compare.noise_repeats="]],
])("bash completes %s", async (line, offered) => {
  const tandem = new Tandem();
  const script = await tandem.run("completion", "bash");
  expect(script.code, script.err).toBe(0);
  tandem.file("completion.bash", script.out);
  tandem.file("bin/tandem", `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(join(tandem.folder, "bin/tandem"), 0o755);
  const words = line.split(" ");
  const { stdout, stderr } = spawnSync(
    "bash",
    [
      "-c",
      `source ./completion.bash; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _tandem_yargs_completions; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    {
      cwd: tandem.folder,
      env: { ...cached, SHELL: "/bin/bash", PATH: `${join(tandem.folder, "bin")}:${process.env["PATH"] ?? ""}` },
      encoding: "utf8",
    },
  );
  expect(
    stdout.split("\n").filter((each) => each !== ""),
    stderr,
  ).toEqual(offered);
});

test.each([
  ["zsh", "#compdef tandem"],
  ["fish", "complete"],
])("the script for %s is that shell's", async (shell, part) => {
  const { code, out } = await new Tandem().run("completion", shell);
  expect(code).toBe(0);
  expect(out).toContain(part);
});

test("a shell that yargs knows nothing of is refused with those that it knows", async () => {
  const { code, err } = await new Tandem().run("completion", "powershell");
  expect([code, err]).toEqual([2, expect.stringContaining("fish")]);
});
