import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { z } from "zod";
import { answerText } from "../compare/answer.ts";
import { AppError, type FileFault } from "../errors.ts";
import { hashText } from "../lib/hash.ts";
import { showText } from "../lib/show.ts";
import { version } from "../lib/version.ts";
import { writeReport } from "../report/output.ts";
import { counted } from "../report/quantity.ts";
import type { Connection } from "../store/database.ts";
import { pinContent } from "../store/pin-export.ts";
import { importPin } from "../store/pin-import.ts";
import {
  pinEnd,
  pinFileVersion,
  pinHead,
  type PinHead,
  pinnedCase,
  type PinnedCase,
  type PinnedRun,
} from "../store/pin-lines.ts";
import { importedName, type Pin } from "../store/pins.ts";
import { latestScoring } from "../store/scores.ts";
import type { Suite } from "../suite/suite.ts";
import { findReference, lastingName } from "./reference.ts";

/**
 * Writes a pin as JSON lines: a head, then a line for each case with its key, the hash of its input, and the answers and
 * scores of each target, then one by which it is known that nothing is missing or changed. Neither inputs nor whole records are in it. `-` is standard output.
 */
export async function exportPin(
  db: Connection,
  pin: Pin,
  { suite, path }: { suite: string; path: string },
): Promise<void> {
  const first = pin.batches[0]?.id ?? 0;
  const { targets, cases } = pinContent(db, pin);
  // As JSON, in which the file has them.
  const scorers: PinHead["scorers"] = JSON.parse(JSON.stringify(latestScoring(db, first)?.scorers ?? []));
  const head: PinHead = {
    tandem_pin: pinFileVersion,
    name: pin.name,
    suite,
    created_at: new Date(pin.createdAt).toISOString(),
    batches: pin.batches.map(({ name }) => name),
    targets,
    scorers,
  };
  await writeReport(
    path,
    lines(
      head,
      cases((target, { body }) => answerText(target.endpoint, body)),
    ),
    process.stdout,
  );
}

function* lines(head: PinHead, cases: Iterable<PinnedCase>): Generator<string> {
  const hash = createHash("sha256");
  const line = (of: PinHead | PinnedCase): string => {
    const text = `${JSON.stringify(of)}\n`;
    hash.update(text);
    return text;
  };
  yield line(head);
  let written = 0;
  for (const one of cases) {
    yield line(one);
    written += 1;
  }
  yield `${JSON.stringify({ cases: written, sha256: hash.digest("hex") })}\n`;
}

/**
 * What a reference names in the database, by a name that lasts; an exported pin's file is read into it first, once. Throws BATCH_NOT_FOUND, or PIN_INVALID with every fault of the file and its line.
 */
export async function openReference(db: Connection, text: string): Promise<string> {
  const [path, target] = fileOf(text);
  if (path === null) return lastingName(findReference(db, text));
  const name = await importFile(db, path);
  return target === null ? name : `${name}:${target}`;
}

/** A file that exists, with the target behind it; null when it is none. */
function fileOf(text: string): [path: string | null, target: string | null] {
  if (!/[./\\]/.test(text)) return [null, null];
  if (existsSync(text)) return [resolve(text), null];
  const colon = text.indexOf(":", 2);
  const path = text.slice(0, colon);
  return colon !== -1 && existsSync(path) ? [resolve(path), text.slice(colon + 1)] : [null, null];
}

async function importFile(db: Connection, path: string): Promise<string> {
  const hash = hashText(await readFile(path, "utf8"), 8);
  const { head, cases } = await readPin(path);
  const name = importedName(head.name, hash);
  const known = db.prepare("SELECT 1 FROM batch WHERE name = ?").get(name);
  if (known !== undefined) return name;
  const endpoints = new Map(head.targets.map((target) => [target.name, target.endpoint]));
  const suite = suiteOf(head, path);
  importPin(
    db,
    { name, suite, head, version, at: Date.now() },
    {
      cases,
      answerBody: (target, run) => bodyOf(endpoints.get(target) ?? "video-bots", run),
    },
  );
  return name;
}

/** The answer as a body that is read like any other; what else the output held is not known. */
function bodyOf(endpoint: string, { answer, run_id, url, created_at }: PinnedRun): string {
  const output =
    endpoint === "functions" ? { return_value: answer } : { output_text: answer === null ? null : [answer] };
  return JSON.stringify({ id: run_id, url, created_at, output });
}

/** What a batch must have to be looked at; nothing can be run of it. */
function suiteOf(head: PinHead, path: string): Suite {
  return {
    name: head.suite,
    datasets: [path],
    mapping: { key: null, input: null, expected: null, cluster: null, turn: null, opening: null, tags: [] },
    deployments: [],
    targets: head.targets.map(({ name, endpoint, exampleId }) => ({
      name,
      deployment: "",
      endpoint,
      exampleId,
      body: {},
    })),
    repeats: 1,
    interleave: "off",
    onInDoubt: "fail",
    onAmbiguous: "fail",
    compare: null,
    decision: { gates: [], alpha: 0.05, nights: 1, ignore: [] },
    maxErrorShare: 0.05,
    scorers: [],
    pass: { kind: "all", of: null, share: 1 },
    judges: [],
    folder: null,
  };
}

const mostFaults = 10;

async function readPin(path: string): Promise<{ head: PinHead; cases: PinnedCase[] }> {
  const faults: FileFault[] = [];
  const read = <Value>(line: number, text: string, schema: z.ZodType<Value>): Value | null => {
    const found = parsed(text, schema);
    if (typeof found !== "string") return found.value;
    faults.push({ file: path, line, column: null, message: found });
    return null;
  };
  let head: PinHead | null = null;
  const cases: PinnedCase[] = [];
  const keys = new Set<string>();
  let number = 0;
  const hash = createHash("sha256");
  let isWhole = false;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    if (text.trim() === "") continue;
    if (head === null) {
      head = read(number, text, pinHead);
      if (head === null) break;
      hash.update(`${text}\n`);
      continue;
    }
    const end = parsed(text, pinEnd);
    if (typeof end !== "string") {
      isWhole = true;
      const message = endFault(end.value, cases.length, hash.digest("hex"));
      if (message !== null) faults.push({ file: path, line: number, column: null, message });
      break;
    }
    hash.update(`${text}\n`);
    const one = read(number, text, pinnedCase);
    if (one !== null && keys.has(one.key)) {
      faults.push({
        file: path,
        line: number,
        column: null,
        message: `has the key ${showText(one.key)} a second time`,
      });
    } else if (one !== null) {
      keys.add(one.key);
      cases.push(one);
    }
    if (faults.length >= mostFaults) break;
  }
  if (head !== null && faults.length === 0 && !isWhole) {
    const message = `is cut off after ${counted(cases.length, "case")}: its last line is missing`;
    faults.push({ file: path, line: number, column: null, message });
  }
  if (head !== null && faults.length === 0) return { head, cases };
  throw invalid(path, faults);
}

function endFault(end: z.infer<typeof pinEnd>, cases: number, sha256: string): string | null {
  if (end.cases !== cases) return `says that there are ${counted(end.cases, "case")} before it, but there are ${cases}`;
  return end.sha256 === sha256 ? null : "does not agree with the lines before it: they were changed after the export";
}

function parsed<Value>(text: string, schema: z.ZodType<Value>): { value: Value } | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const found = schema.safeParse(json);
  if (found.success) return { value: found.data };
  const [issue] = found.error.issues;
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "does not fit"}`.replace(/^: /, "");
}

function invalid(path: string, faults: readonly FileFault[]): AppError {
  const told = faults.map(({ line, message }) => `  ${path}:${line ?? 1}: ${message}`);
  return new AppError("PIN_INVALID", [`${basename(path)} is no exported pin of this version:`, ...told].join("\n"), {
    hint: "Make it again with `tandem pin --export FILE`.",
    faults,
  });
}
