import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./repository.ts";
import { actionFolder, jobFolder, runAction } from "./runner.ts";

test("the action builds itself from its own files, or installs a tarball, and runs", async () => {
  const { tandem, env, commands } = await repository();
  // Only what the action installs is called tandem.
  rmSync(join(commands, "tandem"));
  const folder = join(jobFolder(), "action");
  expect(spawnSync("git", ["clone", "--quiet", actionFolder, folder]).status).toBe(0);
  const inputs = { suite: "bots/suite.yaml" };
  // The way to the registry is that of this machine.
  const way = Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_|node_extra_ca_certs$|https?_proxy$)/i.test(name),
  );
  const network = Object.fromEntries(way.map(([name, value = ""]) => [name, value]));
  const given = { workspace: tandem.folder, inputs, env: { ...network, ...env }, commands, folder };
  const built = await runAction(given);
  expect(built.outputs, built.log).toMatchObject({ "exit-code": "0", verdict: "" });

  const pack = spawnSync("npm", ["pack", "--ignore-scripts", "--pack-destination", tandem.folder], {
    cwd: folder,
    encoding: "utf8",
  });
  const tarball = pack.stdout.trim().split("\n").at(-1) ?? "";
  const installed = await runAction({ ...given, inputs: { ...inputs, package: tarball } });
  expect(installed.outputs, installed.log).toMatchObject({ "exit-code": "0", verdict: "" });
  expect(installed.log).not.toContain(folder);
});
