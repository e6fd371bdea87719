import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { type RunningDeployment, startDeployment } from "../../src/deployment/deployment.ts";
import { type Block, blocksOf, pages } from "./guide-blocks.ts";

/**
 * The commands of the pages work as they are written, one after the other, with tandem installed from its tarball into
 * an empty folder. What a page shows as a file is written where it stands.
 */
const checkout = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const tarball = `tandem-${manifest.version}.tgz`;
const folder = mkdtempSync(join(tmpdir(), "tandem-guides-"));
const installed = join(folder, "installed");
const deployments: RunningDeployment[] = [];

const run = "tandem run suite.yaml --quiet";
/** Pages that begin in an empty folder, with the tarball that they install. */
const fromNothing = new Set(["README.md", "start.md"]);
/** Where a reader of another page is at its first command, beyond having a suite. */
const before: Record<string, string> = {
  "ci.md":
    "mkdir repository; mv suite.yaml prompts.csv bots knowledge repository; mv repository bots; git init --quiet",
  "read-a-comparison.md": run,
  "results-elsewhere.md": `${run}; ${run}`,
  "datasets.md": `sed -i 's/^name: .*/name: help-desk/' suite.yaml; ${run}; sed -i '$ s/,/-edited,/' prompts.csv`,
};

/** Sheets of the readers, which pages name and do not show. */
const sheets: Record<string, string> = {
  "dataset.json": '[{ "inputs": { "question": "When are you open?" }, "outputs": { "answer": "9 to 17" } }]\n',
  "dataset.jsonl": '{"input": {"question": "When are you open?"}, "expected": "9 to 17"}\n',
  "promptfooconfig.yaml": "prompts: ['Say {{word}}']\nproviders: [echo]\ntests: [{ vars: { word: hello } }]\n",
  "prompt.txt": "Translate {{input}} to {{language}}\n",
};

beforeAll(async () => {
  mkdirSync(installed);
  execFileSync("npx", ["tsx", checkout("scripts/tarball.ts"), installed], { cwd: checkout(""), stdio: "ignore" });
  writeFileSync(join(installed, "package.json"), "{}\n");
  execFileSync("npm", ["install", "--save-dev", `./${tarball}`], { cwd: installed, stdio: "ignore" });
  for (const name of ["prod", "test"]) {
    const served = join(folder, name);
    cpSync(checkout("datasets/help-desk"), served, { recursive: true });
    const bots = join(served, "bots", name);
    cpSync(join(bots, "bots/helpdesk.yaml"), join(bots, "bots/abc123.yaml"));
    deployments.push(await startDeployment({ directory: bots, logLevel: "silent" }));
  }
});

afterAll(async () => {
  for (const deployment of deployments) await deployment.stop();
  rmSync(folder, { recursive: true, force: true });
});

const isRun = ({ notRun }: Block): boolean => notRun === null;

describe.concurrent.each(pages.filter((page) => blocksOf(page, "sh").some(isRun)))("%s", (page) => {
  test("its commands work as they are written", async () => {
    const project = projectFor(page);
    const { code, said } = await typed(stepsOf(page), project);
    expect(code, said).toBe(0);
  });
});

/** Terminal input of a reader who does what a page says, from its top to its end. */
function stepsOf(page: string): string {
  const steps = blocksOf(page).flatMap((block) => {
    if (block.language === "sh") return isRun(block) ? [`echo "${page}:${block.line}"\n${block.text}`] : [];
    return block.file === null ? [] : [writes(block.file, block.text)];
  });
  const start = fromNothing.has(basename(page)) ? "" : 'export PATH="$PWD/node_modules/.bin:$PATH"';
  return [start, before[basename(page)] ?? "", ...steps].join("\n");
}

const writes = (file: string, text: string): string =>
  `mkdir -p ${dirname(file)}; cat > ${file} <<'END OF ${file}'\n${text}END OF ${file}\n`;

/** A folder with what pages take for granted: the command, a suite on two local bots, and the sheets that they name. */
function projectFor(page: string): string {
  const project = mkdtempSync(join(folder, "project-"));
  if (fromNothing.has(basename(page))) {
    cpSync(join(installed, tarball), join(project, tarball));
    return project;
  }
  symlinkSync(join(installed, "node_modules"), join(project, "node_modules"));
  const helpDesk = checkout("datasets/help-desk");
  for (const name of ["bots", "knowledge"]) cpSync(join(helpDesk, name), join(project, name), { recursive: true });
  cpSync(checkout("docs/pictures/report.png"), join(project, "photo.png"));
  for (const [name, text] of Object.entries({ ...sheets, ...smallHelpDesk() }))
    writeFileSync(join(project, name), text);
  return project;
}

/** The help desk of the demo with a few of its cases, as the suite `nightly`. */
function smallHelpDesk(): Record<string, string> {
  const of = (name: string): string => readFileSync(checkout(`datasets/help-desk/${name}`), "utf8");
  const rows = of("prompts.csv").split("\n");
  const few = rows.filter((row, index) => index === 0 || /^(?:hours|lost-card)-/.test(row));
  // A few cases show no smaller loss.
  const suite = of("suite.yaml").replace("name: help-desk", "name: nightly").replace("margin: 0.05", "margin: 0.2");
  return { "suite.yaml": suite, "prompts.csv": `${few.join("\n")}\n` };
}

/**
 * The terminal of a reader, who stops what goes on until it is stopped. A regression, exit code 1, is no fault: the bots
 * of the demo differ.
 */
const terminal = `set -e -o pipefail
tandem() {
  case $1 in
    view) timeout 5 tandem "$@" --port 0 || [ $? -eq 124 ] ;;
    serve)
      if [ -n "$serving" ]; then kill $serving; wait $serving || true; fi
      command tandem "$@" & serving=$!
      until curl -s -o /dev/null http://127.0.0.1:8787/; do kill -0 $serving; sleep 0.1; done ;;
    *) command tandem "$@" || [ $? -eq 1 ] ;;
  esac
}
npx() {
  case $3 in
    demo | compare | run) command npx "$@" || [ $? -eq 1 ] ;;
    *) command npx "$@" ;;
  esac
}
`;

/** One package is all that npm needs, so that it has no network; notifications go nowhere, which stops nothing. */
const environment = {
  HOME: process.env["HOME"],
  npm_config_offline: "true",
  TANDEM_API_KEY: "sk-test",
  SLACK_WEBHOOK: "http://127.0.0.1:9/",
};

/** Types commands into a terminal. */
async function typed(commands: string, project: string): Promise<{ code: unknown; said: string }> {
  const [prod, candidate] = deployments;
  const filledIn = commands
    .replaceAll("https://api.example.com", prod?.baseUrl ?? "")
    .replaceAll("https://test.example.com", candidate?.baseUrl ?? "")
    .replaceAll("sk-...", "sk-test");
  const path = [dirname(process.execPath), process.env["PATH"]].join(":");
  const child = spawn("bash", ["-c", `${terminal}${filledIn}\nkill $serving 2> /dev/null || true`], {
    cwd: project,
    env: { ...environment, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // With all that it started: what goes on alone would keep its output open.
  const stopAll = (): unknown => process.kill(-(child.pid ?? 0), "SIGKILL");
  const patience = setTimeout(stopAll, 600_000);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (said += part.toString()));
  const [code]: unknown[] = await once(child, "close");
  clearTimeout(patience);
  return { code, said };
}
