import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { installedIn } from "./trial/installed.ts";
import { fetchedInstaller, installers, npmHere, type FetchedInstaller } from "./trial/installers.ts";
import { fetchedNode } from "./trial/nodes.ts";
import { ends, start } from "./trial/process.ts";
import { checksTypes, uses } from "./trial/uses.ts";

/**
 * Packs the checkout, installs the file into empty folders with every installer on every Node that is supported, on a
 * path without a compiler, and uses it: `npm run try-install -- pnpm bun --node 24`. The types are looked at once for
 * each installer, because they do not depend on Node. Ends with 1 where something does not work, is too large, or is
 * more than it should be. With `--here` it takes the Node and the npm that run it, and installs without a network.
 */
const limits = { packages: 30, megabytes: 30 };
/** What package managers, and the starters that they write, call beside Node. */
const programs = ["sh", "env", "dirname", "basename", "sed", "uname", "cat", "readlink"];

const { values, positionals } = parseArgs({
  options: { node: { type: "string", multiple: true }, here: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = installers.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name.split(" ")[0] ?? ""),
);
const folder = mkdtempSync(join(tmpdir(), "tandem-installs-"));
const tarball = `tandem-${manifest.version}.tgz`;
const way = values.here ? { npm_config_offline: "true" } : network();
const rows: string[][] = [];
const typed = new Set<string>();
try {
  // With `--here` the checkout is built already.
  const pack = values.here
    ? ["exec", "--", "tsx", "scripts/tarball.ts", folder]
    : ["run", "--silent", "tarball", "--", folder];
  execFileSync("npm", pack, { stdio: ["ignore", "inherit", "inherit"] });
  if (values.here) rows.push(await tryWith(npmHere(), process.execPath));
  for (const line of values.here ? [] : (values.node ?? ["22", "24", "26"])) {
    const node = await fetchedNode(folder, line);
    for (const each of wanted) rows.push(await tryWith(await fetchedInstaller(folder, each), node));
  }
  const strict = wanted.find(({ name }) => name === "npm 12");
  if (!values.here && strict !== undefined)
    await tryForms(await fetchedInstaller(folder, strict), await fetchedNode(folder, "24"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const head = ["installer", "node", "installed", "packages", "MB", ...Object.keys(uses), "types"];
const widths = head.map((name, column) =>
  Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), name.length),
);
for (const row of [head, ...rows]) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
process.exitCode = rows.flat().some((cell) => cell.startsWith("NO")) ? 1 : 0;

/** A row of the table; what went wrong is told at once. */
async function tryWith(installer: FetchedInstaller, node: string): Promise<string[]> {
  const place = emptyProject(installer, node);
  const version = (await ends(start(["node", "--version"], place))).trim();
  const title = `${installer.name.split(" ")[0]} ${installer.version}`;
  const command = [...installer.installs, ...installer.install(`./${tarball}`)];
  console.log(`\n$ ${[title, ...installer.install(`./${tarball}`)].join(" ")}   # Node ${version}`);
  const installed = await outcome(async () => console.log((await ends(start(command, place))).trim()));
  if (installed.startsWith("NO")) return [title, version, installed];
  const { packages, megabytes } = installedIn(place.folder);
  const cells = [
    within(String(packages), packages <= limits.packages),
    within(megabytes.toFixed(1), megabytes <= limits.megabytes),
  ];
  for (const use of Object.values(uses)) cells.push(await outcome(() => use(installer, place)));
  cells.push(await outcome(() => typesOnce(installer, place)));
  return [title, version, installed, ...cells];
}

/** Forms that npm 12 refuses unless it is told: the guide names its error and the flag. Where they work is this machine alone. */
async function tryForms(installer: FetchedInstaller, node: string): Promise<void> {
  const server = createServer((_request, response) => response.end(readFileSync(join(folder, tarball))));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  const forms = [
    { form: `http://127.0.0.1:${port}/${tarball}`, flag: "--allow-remote=root", code: "EALLOWREMOTE" },
    { form: `git+file://${process.cwd()}`, flag: "--allow-git=root", code: "EALLOWGIT" },
  ];
  for (const { form, flag, code } of forms) {
    const place = emptyProject(installer, node, [...programs, "git", "ls", "rm", "mkdir"]);
    const command = [...installer.installs, ...installer.install(form)];
    // What it builds calls npm itself.
    const called = `#!/bin/sh\nexec ${installer.installs.join(" ")} "$@"\n`;
    writeFileSync(join(place.env["PATH"] ?? "", "npm"), called, { mode: 0o755 });
    const refused = await ends(start(command, place)).then(
      () => "NO: it was installed",
      (error: unknown) => (String(error).includes(code) ? "refused, as the guide says" : `NO: ${String(error)}`),
    );
    const told = await outcome(() => ends(start([...command, flag], place)));
    console.log(`npm ${installer.version} install ${form.replace(/:.*/, "")}: ${refused}; with ${flag}: ${told}`);
    rows.push([`npm ${installer.version}`, form.replace(/:.*/, ""), refused.startsWith("NO") ? "NO" : "refused", told]);
  }
  server.close();
}

async function typesOnce({ name }: FetchedInstaller, place: ReturnType<typeof emptyProject>): Promise<string> {
  if (typed.has(name)) return "-";
  typed.add(name);
  await checksTypes(place);
  return "yes";
}

/** A folder with nothing but the file to install, and an environment with no compiler and no settings of this machine. */
function emptyProject(
  { files = {} }: FetchedInstaller,
  node: string,
  called = programs,
): { folder: string; env: NodeJS.ProcessEnv } {
  const home = mkdtempSync(join(folder, "home-"));
  const bin = join(home, "bin");
  const project = join(home, "project");
  for (const each of [bin, project]) mkdirSync(each);
  symlinkSync(node, join(bin, "node"));
  for (const name of called) symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(bin, name));
  cpSync(join(folder, tarball), join(project, tarball));
  for (const [name, text] of Object.entries({ "package.json": "{}\n", ...files }))
    writeFileSync(join(project, name), text);
  return { folder: project, env: { ...way, PATH: bin, HOME: home, npm_config_prefix: home, PREFIX: home } };
}

/** The way to the registry: its address, certificates and proxies, as npm has them on this machine. */
function network(): NodeJS.ProcessEnv {
  const certificates = process.env["NODE_EXTRA_CA_CERTS"] ?? settingOfNpm("cafile");
  const registry = settingOfNpm("registry");
  const given = {
    NODE_EXTRA_CA_CERTS: certificates,
    npm_config_cafile: certificates,
    npm_config_registry: registry,
    YARN_NPM_REGISTRY_SERVER: registry?.replace(/\/$/, ""),
    HTTPS_PROXY: process.env["HTTPS_PROXY"],
    HTTP_PROXY: process.env["HTTP_PROXY"],
    NO_PROXY: process.env["NO_PROXY"],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function settingOfNpm(name: string): string | undefined {
  const said = execFileSync("npm", ["config", "get", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const value = said.trim();
  return value === "null" || value === "" ? undefined : value;
}

async function outcome(work: () => Promise<unknown>): Promise<string> {
  const from = performance.now();
  try {
    const word = await work();
    return word === "-" ? "-" : `${((performance.now() - from) / 1000).toFixed(1)} s`;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return "NO";
  }
}

function within(figure: string, isWithin: boolean): string {
  return isWithin ? figure : `NO: ${figure}`;
}
