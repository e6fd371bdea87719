import { createHash } from "node:crypto";
import { existsSync, statSync, closeSync, openSync, readSync } from "node:fs";
import { resolve, basename } from "node:path";
import { defaultEndpoint, type EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { answerTextOf } from "../../compare/cases/answer.ts";
import { AppError, type FileFault } from "../../errors.ts";
import { version } from "../../lib/version.ts";
import { writeReport } from "../../report/write/output.ts";
import { isBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { pinContent } from "../../store/pins/pin-export.ts";
import { importPin } from "../../store/pins/pin-import.ts";
import {
  type PinHead,
  type PinnedCase,
  type PinnedRun,
  pinEnd,
  pinHead,
  pinnedCase,
} from "../../store/pins/pin-lines.ts";
import { importedName, type Pin } from "../../store/pins/pins.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { defaultErrorShare } from "../../suite/default-values.ts";
import { refuseChosen } from "./chosen-cases.ts";
import { findReference, lastingName, type Reference } from "./batch-reference.ts";
import { StringDecoder } from "node:string_decoder";
import type { z } from "zod";
import { showText } from "../../lib/show.ts";
import { storedVersion, versionFault } from "../../lib/stored-version.ts";
import { counted } from "../../report/say/quantity.ts";

/**
 * Writes a pin as JSON lines: a head, then a line for each case with its key, the hash of its input, and the answers and
 * scores of each target, then one by which it is known that nothing is missing or changed. Neither inputs nor whole records are in it. `-` is standard output.
 */
export async function exportPin(
  db: Connection,
  pin: Pin,
  { suite, path }: { suite: string; path: string },
): Promise<void> {
  refuseChosen(db, pin.batches);
  const first = pin.batches[0]?.id ?? 0;
  const { targets, cases } = pinContent(db, pin);
  // Scorers in the form of JSON, in which the file has them.
  const scorers: PinHead["scorers"] = JSON.parse(JSON.stringify(latestScoring(db, first)?.scorers ?? []));
  const head: PinHead = {
    tandem_pin: storedVersion,
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
      cases((target, { body }) => answerTextOf(target.endpoint, body)),
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
 * Opens a reference: the batches it names, by a name that lasts; an exported pin's file is read into the database
 * first, once. Throws BATCH_NOT_FOUND, or PIN_INVALID with every fault of the file and its line.
 */
export function openReference(db: Connection, text: string): string {
  const [path, target] = fileOf(text);
  if (path === null) return lastingName(referenceIn(db, text));
  const name = importFile(db, path);
  return target === null ? name : `${name}:${target}`;
}

/** A reference that is no file; where it looks like one, that is said. */
function referenceIn(db: Connection, text: string): Reference {
  try {
    return findReference(db, text);
  } catch (error) {
    const isPath = /[/\\]|\.jsonl(:|$)/.test(text);
    if (!isPath || !(error instanceof AppError) || error.code !== "BATCH_NOT_FOUND") throw error;
    const what = existsSync(text) ? `${text} is no file` : `There is no file ${text}`;
    throw new AppError("BATCH_NOT_FOUND", `${what}, and no batch or pin of that name.`, {
      hint: "`tandem pin NAME --export FILE` writes the file of a pin.",
      cause: error,
    });
  }
}

/** A file that exists, with the target behind it; null when it is none. */
function fileOf(text: string): [path: string | null, target: string | null] {
  if (!/[./\\]/.test(text)) return [null, null];
  if (isFile(text)) return [resolve(text), null];
  const colon = text.indexOf(":", 2);
  const path = text.slice(0, colon);
  if (colon !== -1 && isFile(path)) return [resolve(path), text.slice(colon + 1)];
  return [null, null];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function importFile(db: Connection, path: string): string {
  const { head, hash, cases } = readPin(path);
  const name = importedName(head.name, hash.slice(0, 8));
  if (isBatch(db, name)) return name;
  const asked = new Map(head.targets.map((target) => [target.name, target.endpoint]));
  const suite = suiteOf(head, path);
  importPin(
    db,
    { name, suite, head, version, at: Date.now() },
    {
      cases: cases(),
      answerBody: (target, run) => bodyOf(asked.get(target) ?? defaultEndpoint, run),
    },
  );
  return name;
}

/** The answer as a body that is read like any other; what else the output held is not known. */
function bodyOf(endpoint: EndpointName, { answer, run_id, url, created_at }: PinnedRun): string {
  const { call, outputSaying } = endpointOf(endpoint);
  return call.bodyOf(outputSaying(answer), { id: run_id, url, createdAt: created_at });
}

/** A suite with as much as a batch needs to be looked at; nothing can be run of it. */
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
    maxErrorShare: defaultErrorShare,
    scorers: [],
    pass: { kind: "all", of: null, share: 1 },
    judges: [],
    folder: null,
  };
}

/** A file of an exported pin that is whole. */
interface PinFile {
  head: PinHead;
  /** Hash of its content: the same content has the same. */
  hash: string;
  /** Read again from the file, one by one. */
  cases: () => Generator<PinnedCase>;
}

const mostFaults = 10;
const pageSize = 1 << 18;

/** Reads and checks a whole file; memory stays flat. Throws PIN_INVALID with every fault and its line. */
export function readPin(path: string): PinFile {
  const faults: FileFault[] = [];
  const fault = (line: number, message: string): void => void faults.push({ file: path, line, column: null, message });
  const hash = createHash("sha256");
  let head: PinHead | null = null;
  let end: z.infer<typeof pinEnd> | null = null;
  let [number, cases] = [0, 0];
  for (const text of linesOf(path)) {
    number += 1;
    if (text.trim() === "") continue;
    if (end !== null) {
      fault(number, "comes after the last line");
      break;
    }
    const read: { value: PinHead | PinnedCase } | string = head === null ? headIn(text) : parsed(text, pinnedCase);
    const closing = head !== null && typeof read === "string" ? parsed(text, pinEnd) : "";
    if (typeof closing !== "string") {
      end = closing.value;
      const message = endFault(end, cases, hash.digest("hex"));
      if (message !== null) fault(number, message);
      continue;
    }
    hash.update(`${text}\n`);
    if (head !== null) cases += 1;
    if (typeof read === "string") fault(number, read);
    else if (head === null && "tandem_pin" in read.value) head = read.value;
    if (head === null || faults.length >= mostFaults) break;
  }
  if (number === 0) fault(1, "is missing: the file is empty");
  if (head !== null && end === null && faults.length === 0) {
    fault(number, `is the last one, after ${counted(cases, "row")}: the file is cut off`);
  }
  if (head === null || end === null || faults.length > 0) throw invalid(path, faults);
  return { head, hash: end.sha256, cases: () => casesOf(path) };
}

/** The cases of a file that was checked. */
function* casesOf(path: string): Generator<PinnedCase> {
  let isFirst = true;
  for (const text of linesOf(path)) {
    if (text.trim() === "") continue;
    const read = isFirst ? "" : parsed(text, pinnedCase);
    isFirst = false;
    if (typeof read !== "string") yield read.value;
  }
}

function headIn(text: string): { value: PinHead } | string {
  if (text.startsWith("version https://git-lfs"))
    return "is a Git LFS pointer, not the file itself: `git lfs pull` brings it";
  const read = parsed(text, pinHead);
  const fault = versionFault(Number(/^\{"tandem_pin":(\d+)/.exec(text)?.[1] ?? storedVersion));
  return typeof read === "string" && fault !== null ? `tandem_pin: ${fault}: export the pin with this tandem` : read;
}

function endFault(end: z.infer<typeof pinEnd>, cases: number, sha256: string): string | null {
  if (end.cases !== cases) return `says that there are ${counted(end.cases, "row")} before it, but there are ${cases}`;
  return end.sha256 === sha256 ? null : "does not agree with the lines before it: they were changed after the export";
}

function parsed<Value>(text: string, schema: z.ZodType<Value>): { value: Value } | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `is no JSON: ${showText(text)}`;
  }
  const found = schema.safeParse(json);
  if (found.success) return { value: found.data };
  const [issue] = found.error.issues;
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "does not fit"}`.replace(/^: /, "");
}

/** Lines without their ends, and without a byte order mark. */
function* linesOf(path: string): Generator<string> {
  const file = opened(path);
  try {
    const [page, decoder] = [Buffer.allocUnsafe(pageSize), new StringDecoder("utf8")];
    let rest: string | null = null;
    for (let size = readSync(file, page); size > 0; size = readSync(file, page)) {
      const text = decoder.write(page.subarray(0, size));
      const whole: string[] = ((rest ?? "") + (rest === null ? text.replace(/^\uFEFF/, "") : text)).split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) yield line.replace(/\r$/, "");
    }
    const last = (rest ?? "") + decoder.end();
    if (last !== "") yield last;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError("PIN_INVALID", `${path} cannot be read: ${why}`, { cause: error });
  }
}

function invalid(path: string, faults: readonly FileFault[]): AppError {
  const reported = faults.map(({ line, message }) => `  ${path}:${line ?? 1}: ${message}`);
  return new AppError(
    "PIN_INVALID",
    [`${basename(path)} is no exported pin of this version:`, ...reported].join("\n"),
    {
      hint: "Make it again with `tandem pin --export FILE`.",
      faults,
    },
  );
}
