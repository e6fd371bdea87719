import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { type EndpointName, descriptionIn, endpointWord, isDescribed } from "../api/endpoint-name.ts";
import { endpointOf } from "../api/endpoints.ts";
import { storedDescription } from "../api/http/description.ts";
import { AppError } from "../errors.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../lib/json.ts";
import { isArticle, servedFiles } from "../lib/paths/served-folder.ts";
import { showText } from "../lib/show.ts";
import { type Environment, substitute } from "./environment.ts";
import { type Fault, fault } from "../lib/fault.ts";
import { isLoopbackAddress, resolveKey } from "./key.ts";
import type { CaseMapping, Deployment, Suite, Target } from "./suite.ts";

/** A part by which targets are told apart: everything that is sent to it, or the answers that it reads. */
type Part = "address" | "endpoint" | "id" | "body" | "headers" | "key" | "certificate" | "proxy" | "answers";

/** A part as a text that is equal where the same is sent; `isKnown`: no variable of the environment is missing for it. */
interface PartText {
  text: string;
  isKnown: boolean;
}

type Parts = ReadonlyMap<Part, PartText>;
type Compared = Pick<Suite, "targets" | "deployments" | "mapping" | "compare">;

/**
 * Faults of targets that are compared with each other: both sides are the same bot, and nothing says that they are meant
 * to be; or they are said to be, and are not. A value that is not known here, such as a key that only a worker has, is no fault.
 */
export function sameBotFaults(suite: Compared, env: Environment): Fault[] {
  const { compare } = suite;
  if (compare === null) return [];
  const { baseline, candidates, same = false } = compare;
  const partsOf = partsReader(suite, env);
  return candidates.flatMap((candidate) => {
    const [before, now] = [partsOf(baseline), partsOf(candidate)];
    if (before === null || now === null) return [];
    if (same) return notTheSame({ baseline, candidate }, differing(before, now));
    return areEqual(before, now) ? bothTheSame({ baseline, candidate }, now.has("answers")) : [];
  });
}

/** Variables by which CI systems name the commit that they build. */
const commitNames = [
  "GITHUB_SHA",
  "CI_COMMIT_SHA",
  "BITBUCKET_COMMIT",
  "CIRCLE_SHA1",
  "BUILD_SOURCEVERSION",
  "GIT_COMMIT",
];

/**
 * A mark of the bot of each target, which is another one where another bot may have answered: everything that is sent (a header
 * with a version among it) but the key, what an embedded folder holds, and the commit that a CI system builds. Stored answers
 * have that of their column: they are compared themselves.
 */
export function botMarks(suite: Compared, env: Environment): Record<string, string> {
  const partsOf = partsReader(suite, env);
  const commit = commitNames.map((name) => env[name] ?? "").join(" ");
  return Object.fromEntries(
    suite.targets.flatMap(({ name, deployment, stored }) => {
      const parts = partsOf(name);
      if (parts === null) return [];
      const sent = Array.from(parts).flatMap(([part, { text }]) => (part === "key" ? [] : [`${part} ${text}`]));
      if (stored !== undefined) return [[name, hashOf(sent.join("\n"))]];
      const { baseUrl = "" } = suite.deployments.find((each) => each.name === deployment) ?? {};
      const folder = baseUrl.startsWith("local:") ? hashOfFolder(baseUrl.slice("local:".length)) : "";
      return [[name, hashOf([...sent, folder, commit].join("\n"))]];
    }),
  );
}

/** Files of a folder above this size are told apart by size and time. */
const mostRead = 4 * 1024 * 1024;

function hashOfFolder(folder: string): string {
  const made = createHash("sha256");
  const { settings, bots, functions } = servedFiles;
  // A run, or another program, may write beside them.
  const own = [
    ...filesIn(join(folder, settings), false),
    ...[bots, functions].flatMap(({ folder: part, ends }) =>
      filesIn(join(folder, part), false).filter((file) => ends.some((end) => file.endsWith(end))),
    ),
  ];
  const knowledge = own.filter((file) => file.endsWith(".yaml")).flatMap((file) => knowledgeOf(file));
  const files = [...own, ...knowledge.flatMap((path) => filesIn(resolve(folder, path), true))];
  for (const file of [...new Set(files)].toSorted()) {
    const { size, mtimeMs } = statSync(file);
    made.update(`${relative(folder, file)}\n`).update(size > mostRead ? `${size} ${mtimeMs}` : readFileSync(file));
  }
  return made.digest("hex");
}

/** A file itself, or those in a folder, `deep` the articles below it; none where nothing is there. */
function filesIn(path: string, deep: boolean): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats?.isFile() === true ? [path] : [];
  const entries = readdirSync(path, { recursive: deep, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && (!deep || isArticle(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Paths of the files in which a bot looks things up; a bot that cannot be read is refused by who serves it. */
function knowledgeOf(file: string): string[] {
  try {
    const bot: unknown = parse(readFileSync(file, "utf8"));
    const knowledge = isJsonObject(bot) ? bot["knowledge"] : [];
    return Array.isArray(knowledge) ? knowledge.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** A remark on candidates that are the same bot: each is compared with the baseline alone, and one of them says nothing new. */
export function sameCandidateNotes(suite: Compared, env: Environment): string[] {
  const { candidates = [], same = false } = suite.compare ?? {};
  if (same) return [];
  const partsOf = partsReader(suite, env);
  return candidates.flatMap((name, place) => {
    const own = partsOf(name);
    const twin = candidates.slice(0, place).find((other) => {
      const parts = partsOf(other);
      return own !== null && parts !== null && areEqual(own, parts);
    });
    if (twin === undefined) return [];
    return [
      `${twin} and ${name} are the same bot: each is compared with the baseline, and the second says nothing new.`,
    ];
  });
}

interface Names {
  baseline: string;
  candidate: string;
}

/** A fault at each of both targets; what to do about it stands once. */
function bothTheSame({ baseline, candidate }: Names, isStored: boolean): Fault[] {
  const [is, correct] = isStored
    ? ["reads the same answers as", "Name another column for one of them"]
    : ["is sent the same as", "Correct address, endpoint, id, body, headers or key of one of them"];
  const message = (other: string): string => `${is} ${showText(other)}: both sides are the same bot`;
  const hint = `${correct}; or, for an A/A run on purpose, add to the suite: \`compare: { same: true }\``;
  return [fault(["targets", baseline], message(candidate)), fault(["targets", candidate], message(baseline), hint)];
}

function notTheSame({ baseline, candidate }: Names, parts: readonly Part[]): Fault[] {
  if (parts.length === 0) return [];
  const message = `says that both sides are the same bot, but ${showText(candidate)} differs from ${showText(baseline)} in ${parts.join(", ")}`;
  return [fault(["compare", "same"], message, "Take it out where two bots are compared")];
}

/** The parts by the name of a target; null where there is none. Each is made once. */
function partsReader({ targets, deployments, mapping }: Compared, env: Environment): (name: string) => Parts | null {
  const read = new Map<string, Parts | null>();
  return (name) => {
    const before = read.get(name);
    if (before !== undefined) return before;
    const target = targets.find((each) => each.name === name);
    const deployment = deployments.find((each) => each.name === target?.deployment);
    const parts = target === undefined ? null : partsOfTarget(target, { deployment, mapping, env });
    read.set(name, parts);
    return parts;
  };
}

/** Null for a target whose deployment is not there. */
function partsOfTarget(
  target: Target,
  { deployment, mapping, env }: { deployment: Deployment | undefined; mapping: CaseMapping; env: Environment },
): Parts | null {
  const { stored, endpoint, exampleId, body, mode } = target;
  if (stored !== undefined) {
    // Links, times and labels are about the answers, and are none.
    return new Map<Part, PartText>([
      ["answers", known(stored.answer.trim())],
      ["endpoint", known(endpoint)],
    ]);
  }
  if (deployment === undefined) return null;
  const { path, headers, rest } = formOf(endpoint);
  return new Map<Part, PartText>([
    ["address", known(addressOf(deployment, path))],
    ["endpoint", known(`${mode ?? ""} ${rest}`)],
    ["id", known(exampleId)],
    ["body", known(canonicalJson(withBody(constantsIn(mapping), body)))],
    ["headers", headersOf(deployment, headers, env)],
    ["key", keyOf(deployment, env)],
    ["certificate", known(certificateOf(deployment))],
    ["proxy", proxyOf(deployment, env)],
  ]);
}

const known = (text: string): PartText => ({ text, isKnown: true });

const areEqual = (one: Parts, other: Parts): boolean =>
  one.size === other.size && Array.from(one).every(([part, { text }]) => other.get(part)?.text === text);

/** The parts that surely differ. */
function differing(one: Parts, other: Parts): Part[] {
  return Array.from(new Set([...one.keys(), ...other.keys()])).filter((part) => {
    const [before, now] = [one.get(part), other.get(part)];
    if (before === undefined || now === undefined) return true;
    return before.text !== now.text && before.isKnown && now.isKnown;
  });
}

/** Members of a description that are about the reply: the same is sent whatever they are. The place of the answer is not one of them: two answers in a reply can be compared. */
const ofReply = new Set(["id", "url", "created_at", "error", "usage", "statuses"]);

interface Form {
  path: string;
  /** Its own headers, beside those of the deployment. */
  headers: Readonly<Record<string, string>>;
  /** The rest, as one text. */
  rest: string;
}

/** The form of an endpoint's requests. */
function formOf(name: EndpointName): Form {
  if (!isDescribed(name)) return { path: endpointOf(name).call.path, headers: {}, rest: endpointWord(name) };
  const { path, headers = {}, ...rest } = storedDescription.parse(JSON.parse(descriptionIn(name)));
  const asked = Object.entries(rest).flatMap(([member, value]) => (ofReply.has(member) ? [] : [[member, value]]));
  return { path, headers, rest: canonicalJson(Object.fromEntries(asked)) };
}

/** Where requests go: host and port are in one form already, a folder may have two names. */
function addressOf({ baseUrl }: Deployment, path: string): string {
  if (!baseUrl.startsWith("local:")) return withoutLastSlash(`${baseUrl}${path}`);
  const folder = baseUrl.slice("local:".length);
  try {
    return `local:${realpathSync(folder)}${path}`;
  } catch {
    return baseUrl + path;
  }
}

const withoutLastSlash = (address: string): string => address.replace(/\/+$/, "");

/** Names of headers have no case and no order. An embedded deployment is sent none but the endpoint's. */
function headersOf({ baseUrl, connection }: Deployment, ofEndpoint: Form["headers"], env: Environment): PartText {
  const own = baseUrl.startsWith("local:") ? [] : Object.entries(connection?.headers ?? {});
  const written = [...own, ...Object.entries(ofEndpoint)];
  const filled = written.map(([name, value]) => {
    const { text, missing } = substitute(value, env);
    const isKnown = missing.length === 0;
    return { line: `${name.toLowerCase()}: ${(isKnown ? text : value).trim()}`, isKnown };
  });
  return {
    text: hashOf(
      filled
        .map(({ line }) => line)
        .toSorted()
        .join("\n"),
    ),
    isKnown: filled.every(({ isKnown }) => isKnown),
  };
}

/** The key by its hash; where it is not here, the variables that would hold it. */
function keyOf(deployment: Deployment, env: Environment): PartText {
  try {
    const key = resolveKey(deployment, env);
    return known(key === null ? "" : hashOf(key));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text: `variables ${deployment.keyNames.join(" ")}`, isKnown: false };
  }
}

/** The certificate that is shown to the service, whichever file it is in: what is trusted is not sent. */
function certificateOf({ connection }: Deployment): string {
  const { cert } = connection ?? {};
  if (cert === undefined) return "";
  try {
    return hashOf(readFileSync(cert, "utf8").trim());
  } catch {
    return cert;
  }
}

function proxyOf({ baseUrl, connection }: Deployment, env: Environment): PartText {
  const written = connection?.proxy ?? "env";
  if (baseUrl.startsWith("local:")) return known("none");
  if (written === "env") return known(isLoopbackAddress(new URL(baseUrl).hostname) ? "none" : written);
  const { text, missing } = substitute(written, env);
  return { text: hashOf(text), isKnown: missing.length === 0 };
}

/** Values that every case is sent; `variables.NAME` are those that a target's body does not replace as a whole. */
function constantsIn({ input }: CaseMapping): JsonObject {
  const constants: JsonObject = {};
  const variables: JsonObject = {};
  for (const [field, from] of Object.entries(input ?? {})) {
    if (typeof from === "string" || Array.isArray(from) || !("value" in from)) continue;
    const [name = "", member, ...deeper] = field.split(".");
    if (member === undefined) constants[name] = from.value;
    else if (name === "variables" && deeper.length === 0) variables[member] = from.value;
  }
  return Object.keys(variables).length === 0 ? constants : { ...constants, variables };
}

function withBody(constants: JsonObject, body: JsonObject): JsonObject {
  const [own, over] = [constants["variables"], body["variables"]];
  const merged = isJsonObject(own) && isJsonObject(over) ? { variables: { ...own, ...over } } : {};
  return { ...constants, ...body, ...merged };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
