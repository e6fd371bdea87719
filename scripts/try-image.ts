import { spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { allowedPaths, stagesOf } from "./image/dockerfile.ts";
import { buildLines, mountLines, runLine } from "./image/steps.ts";

/**
 * Does the steps of the Dockerfile without a daemon, and runs what they make: `npm run try-image`, as root on Linux. The system of
 * this machine takes the place of the base, so it does not show that the base has what tandem needs.
 */
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "tandem-image-"));
const places = { folder, context: join(folder, "context"), node: path("node_modules/node/bin/node") };
const mounts = { project: join(folder, "project"), results: join(folder, "results") };
for (const made of [mounts.project, mounts.results]) mkdirSync(made);
chownSync(mounts.results, 1000, 1000);
writeFileSync(join(mounts.project, "prompts.csv"), "question,answer\nOpen?,Nine\n");
for (const allowed of allowedPaths(readFileSync(path(".dockerignore"), "utf8"))) {
  mkdirSync(dirname(join(places.context, allowed)), { recursive: true });
  cpSync(path(allowed), join(places.context, allowed), { recursive: true });
}
const stages = stagesOf(readFileSync(path("Dockerfile"), "utf8"));
const inside = (command: string): string => runLine(stages, places, command);
const fails = (command: string): string =>
  inside(`if ${command} 2>/dev/null; then echo "this should fail: ${command}"; exit 1; fi`);

const lines = [
  "set -e",
  ...buildLines(stages, places),
  ...mountLines(stages, places, mounts),
  fails("touch /opt/tandem/x"),
  fails("touch /project/x"),
  inside('test "$(id -u)" = 1000'),
  inside("tandem --version"),
  inside("tandem demo --quiet --results /results/demo"),
  inside("tandem batches --results /results/demo"),
  inside("cd /tmp && tandem init /project/prompts.csv --yes"),
  `du -sh ${folder}/stage-${stages.length - 1}.upper/opt/tandem`,
];
const { status } = spawnSync("unshare", ["--mount", "--propagation", "private", "bash", "-c", lines.join("\n")], {
  stdio: "inherit",
});
// The mounts ended with the process: what is left are files.
spawnSync("rm", ["-rf", "--one-file-system", folder]);
process.exitCode = status ?? 1;
