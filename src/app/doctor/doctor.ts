import { secretHeaders } from "../../suite/key.ts";
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import { openFileLimit } from "../../client/file-limit.ts";
import { isSupportedNode, oldestNode } from "../../lib/node-support.ts";
import { counted, duration, number } from "../../report/say/quantity.ts";
import { openDatabase, databasePath } from "../../store/database.ts";
import { tryCommits } from "../../store/commit-trial.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";
import type { Access } from "../send/sender.ts";
import { type GetAnswer, getJson } from "../send/service-get.ts";
import type { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { certificatesIn } from "../../suite/certificates.ts";
import { z } from "zod";

/** One thing that was looked at. */
export interface Check {
  about: string;
  state: "ok" | "warning" | "failed";
  /** The state that was found. */
  found: string;
  /** Advice; null when there is none. */
  advice: string | null;
}

const ok = (about: string, found: string): Check => ({ about, state: "ok", found, advice: null });
const warning = (about: string, found: string, advice: string): Check => ({ about, state: "warning", found, advice });
const failed = (about: string, found: string, advice: string): Check => ({ about, state: "failed", found, advice });

const gibibyte = 1024 ** 3;
/** Files that are open for other things than requests. */
const otherFiles = 64;
/** A clock that is further off makes times in reports hard to compare. */
const mostSkewMs = 10_000;

/** Checks this machine: Node, SQLite in the results folder, room on its disk, open files. Leaves nothing behind. */
export function machineChecks(out: string, suite: Pick<Suite, "deployments"> | null): Check[] {
  const folder = existingFolder(out);
  return [nodeCheck(process.versions.node), sqliteCheck(out, folder), diskCheck(folder), filesCheck(suite)];
}

function nodeCheck(version: string): Check {
  if (isSupportedNode(version)) return ok("node", version);
  return failed("node", version, `Install Node ${oldestNode} or newer.`);
}

/** The folder of the results, or the nearest above it that exists. */
function existingFolder(out: string): string {
  let folder = resolve(out);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function sqliteCheck(out: string, folder: string): Check {
  const trial = { folder: "" };
  try {
    trial.folder = mkdtempSync(join(folder, ".tandem-doctor-"));
    const { version, ms } = tryCommits(join(trial.folder, "trial.db"));
    const existing = databasePath(out);
    if (existsSync(existing)) openDatabase(existing, { reading: true }).close();
    const found = `SQLite ${version}, a commit in ${folder} takes ${duration(ms)}`;
    if (ms < 250) return ok("database", found);
    return warning("database", found, "Choose a faster, local disk with --results: every request waits for a commit.");
  } catch (error) {
    if (error instanceof AppError) return failed("database", error.message, error.hint ?? "");
    const reason = error instanceof Error ? error.message : String(error);
    return failed("database", `${folder} cannot be written: ${reason}`, "Choose another folder with --results.");
  } finally {
    if (trial.folder !== "") rmSync(trial.folder, { recursive: true, force: true });
  }
}

function diskCheck(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const found = `${(free / gibibyte).toFixed(1)} GB free in ${folder}`;
  const advice = "Make room, or choose another disk with --results; a record takes about 1.5 KB beyond its body.";
  if (free < gibibyte / 20) return failed("disk", found, advice);
  return free < gibibyte ? warning("disk", found, advice) : ok("disk", found);
}

function filesCheck(suite: Pick<Suite, "deployments"> | null): Check {
  const limit = openFileLimit();
  if (limit === null) return ok("open files", "the system does not tell its limit");
  const wanted = (suite?.deployments ?? []).reduce((sum, { concurrency }) => sum + concurrency, otherFiles);
  const found = `${number(limit)} allowed, ${number(wanted)} wanted`;
  if (wanted <= limit) return ok("open files", found);
  return warning("open files", found, "Raise it with `ulimit -n`, or lower concurrency: it will be lowered for you.");
}

/** Checks that a deployment can be reached, knows the key, and has the same time. No run is made. */
export async function deploymentChecks(
  deployment: Deployment,
  access: Access,
  keyVariable: string | null,
): Promise<Check[]> {
  const { name } = deployment;
  if (deployment.isForeign === true) return foreignChecks(deployment, access, keyVariable);
  // The key goes only where it is asked for.
  const status = await getJson({ ...access, key: null }, "/status");
  const reached = reachCheck(name, access, status);
  const way = await connectionChecks(deployment, status.route);
  if (reached.state === "failed") return [reached, ...way];
  return [reached, ...way, await keyCheck(deployment, access, keyVariable), clockCheck(name, status)];
}

/** Checks a deployment that is not the service: that something answers there. A run will tell whether the key is taken. */
async function foreignChecks(deployment: Deployment, access: Access, keyVariable: string | null): Promise<Check[]> {
  const { name } = deployment;
  const answer = await getJson({ ...access, key: null }, "/");
  const about = `${name}: address`;
  const way = await connectionChecks(deployment, answer.route);
  if (answer.status === null) {
    const advice = `${lookAt(name, answer)}, and that the service runs.`;
    return [failed(about, `${access.baseUrl}: ${answer.error ?? "no answer"}`, advice), ...way];
  }
  const [header] = secretHeaders(deployment);
  const key =
    access.key === null ? `${header ?? "none"} is sent` : `the one in ${keyVariable ?? "the environment"} is sent`;
  return [
    ok(about, `${access.baseUrl} answers; the first case of a run tells whether it takes one`),
    ...way,
    ok(`${name}: key`, key),
    clockCheck(name, answer),
  ];
}

/** The parts of the way to look at: the proxy that was taken is one. */
function lookAt(name: string, { route }: GetAnswer): string {
  const proxy = route === null ? "" : ` and the proxy ${route}`;
  return `Check base_url of the deployment ${name}${proxy}`;
}

function reachCheck(name: string, { baseUrl }: Access, answer: GetAnswer): Check {
  const about = `${name}: address`;
  const where = `${baseUrl}/status`;
  const check = lookAt(name, answer);
  if (answer.status === null) {
    return failed(about, `${where}: ${answer.error ?? "no answer"}`, `${check}, and that the service runs.`);
  }
  const connected = answer.connectMs === null ? "" : `connected in ${duration(answer.connectMs)}, `;
  const took = `${connected}answered in ${duration(answer.answerMs ?? 0)}`;
  if (answer.status >= 300 && answer.status < 400) {
    return failed(
      about,
      `${where} redirects to ${answer.location ?? "another address"}`,
      `${check}: redirects are not followed.`,
    );
  }
  if (answer.status === 200 && answer.contentType.includes("html")) {
    return warning(
      about,
      `${where} answers a page of HTML; ${took}`,
      `${check}: a web site may answer there, not the API.`,
    );
  }
  if (answer.status === 200) return ok(about, `${baseUrl}: ${took}`);
  const unknown = answer.status === 404 ? "the service has no /status" : `/status answered ${answer.status}`;
  return warning(
    about,
    `${baseUrl} answers, but whether it is the API is unknown: ${unknown}; ${took}`,
    `${check} if runs fail.`,
  );
}

async function keyCheck(deployment: Deployment, access: Access, variable: string | null): Promise<Check> {
  const { name } = deployment;
  const [header] = secretHeaders(deployment);
  const about = `${name}: key`;
  const balance = await askBalance(access);
  if (access.key === null && balance.state !== "known")
    return ok(about, header === undefined ? "none is needed" : `${header} is sent`);
  const from = variable === null ? "" : ` (from ${variable})`;
  if (balance.state === "refused") {
    const advice = `Check the key in ${variable ?? "the environment"}: it must belong to ${access.baseUrl}.`;
    return failed(about, `refused with status ${balance.status}${from}`, advice);
  }
  if (balance.state === "unknown") {
    return warning(about, `unknown: ${balance.why}${from}`, "The first run will tell whether the key is accepted.");
  }
  const found = `accepted${from}, ${counted(balance.credits, "credit")}`;
  return balance.credits > 0 ? ok(about, found) : warning(about, found, "Add credits to the account before a run.");
}

function clockCheck(name: string, { clock }: GetAnswer): Check {
  const about = `${name}: clock`;
  if (clock === null) return ok(about, "unknown: the service does not state its time");
  // Its header counts whole seconds.
  const skew = Math.max(0, Math.abs(clock.theirs + 500 - clock.ours) - 500);
  if (skew < 1_000) return ok(about, "the same time as here");
  const found = `${duration(skew)} ${clock.theirs < clock.ours ? "behind" : "ahead of"} this machine`;
  return skew > mostSkewMs
    ? warning(about, found, "Set the clock of this machine by NTP if it is the wrong one.")
    : ok(about, found);
}

/** A certificate that ends sooner is worth a warning. */
const soonMs = 30 * 86_400_000;

/** Tells which proxy was taken, and which certificates are used beside those of Node; nothing where neither is. */
export async function connectionChecks(
  { name, connection = {} }: Deployment,
  route: string | null,
  now = Date.now(),
): Promise<Check[]> {
  const { proxy = "env", ca, cert } = connection;
  const from = proxy === "env" ? "from the environment" : `deployments.${name}.proxy`;
  const about = `${name}: proxy`;
  const ways: Check[] = [];
  if (route !== null) ways.push(ok(about, `${route} (${from})`));
  else if (proxy === "none") ways.push(ok(about, "none (proxy: none)"));
  if (ca !== undefined) ways.push(await fileCheck(`${name}: authorities`, ca, { key: "ca", now }));
  if (cert !== undefined) ways.push(await fileCheck(`${name}: certificate`, cert, { key: "cert", now }));
  return ways;
}

async function fileCheck(
  about: string,
  file: string,
  { key, now }: { key: "ca" | "cert"; now: number },
): Promise<Check> {
  const certificates = certificatesIn(await readFile(file, "utf8"));
  const [first] = certificates.toSorted((a, b) => endOf(a) - endOf(b));
  if (first === undefined) return { about, state: "failed", found: `${file} holds no certificate`, advice: null };
  const names = certificates.map(({ subject }) => subject.replaceAll("\n", ", ")).join("; ");
  const until = new Date(endOf(first)).toISOString().slice(0, 10);
  const left = endOf(first) - now;
  const found = `${names}, ${left < 0 ? "expired on" : "until"} ${until} (${file})`;
  if (left > soonMs) return ok(about, found);
  return (left < 0 ? failed : warning)(about, found, `Renew it, and name the new file in \`${key}\`.`);
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/** A service's reply about the credits of a key. */
type Balance =
  | { state: "known"; credits: number }
  /** The service refuses the key. */
  | { state: "refused"; status: number }
  /** It has no such page, or could not be asked; `why` in words. */
  | { state: "unknown"; why: string };

const balanceBody = z.looseObject({ balance: z.number() });

/** Asks `GET /v1/balance/`, which makes no run and costs nothing. Never rejects. */
async function askBalance(access: Access): Promise<Balance> {
  const answer = await getJson(access, "/v1/balance/");
  if (answer.status === null) return { state: "unknown", why: answer.error ?? "no answer came" };
  if (answer.status === 401 || answer.status === 403) return { state: "refused", status: answer.status };
  const body = balanceBody.safeParse(answer.json);
  if (answer.status === 200 && body.success) return { state: "known", credits: body.data.balance };
  const what = answer.status === 404 ? "the service has no /v1/balance/" : `/v1/balance/ answered ${answer.status}`;
  return { state: "unknown", why: what };
}
