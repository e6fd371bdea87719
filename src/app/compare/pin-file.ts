import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { defaultEndpoint, type EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { answerTextOf } from "../../compare/cases/answer.ts";
import { AppError } from "../../errors.ts";
import { version } from "../../lib/version.ts";
import { writeReport } from "../../report/write/output.ts";
import { isBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { pinContent } from "../../store/pins/pin-export.ts";
import { importPin } from "../../store/pins/pin-import.ts";
import { pinFileVersion, type PinHead, type PinnedCase, type PinnedRun } from "../../store/pins/pin-lines.ts";
import { importedName, type Pin } from "../../store/pins/pins.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { usualErrorShare } from "../../suite/usual-values.ts";
import { readPin } from "./read-pin.ts";
import { refuseChosen } from "./chosen-cases.ts";
import { findReference, lastingName, type Reference } from "./batch-reference.ts";

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
    maxErrorShare: usualErrorShare,
    scorers: [],
    pass: { kind: "all", of: null, share: 1 },
    judges: [],
    folder: null,
  };
}
