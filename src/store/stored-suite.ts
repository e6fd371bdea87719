import { z } from "zod";
import { AppError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import { notOurs, storedJson } from "../lib/stored-json.ts";
import type { Selection } from "../plan/select.ts";
import { suite as suiteForm, type Suite } from "../suite/suite.ts";

/**
 * The step from each version of the stored form to the next. A change of `suite/suite.ts` that a stored suite does not fit adds
 * one, beside a migration of the database, by which an earlier tandem knows that it cannot read it.
 */
const upgrades: ((stored: JsonObject) => JsonObject)[] = [
  // Keys that came while the version was not stored yet. The others stay in their order: it is part of the hash.
  (stored) => ({ ...stored, ...whatCameLater, ...stored }),
];

const whatCameLater = {
  judges: [],
  scorers: [],
  pass: { kind: "all", of: null, share: 1 },
  decision: { gates: [], alpha: 0.05, nights: 1, ignore: [] },
} satisfies Partial<Suite>;

/** A suite as it is stored: with the version of its form, which is no part of its hash. */
export function storableSuite(suite: Suite): string {
  return JSON.stringify({ version: upgrades.length, ...suite });
}

/** The suite that was read last: a run reads its own ten times, which would be a thirtieth of the CPU of a short one. */
let last: { text: string; suite: Suite } | null = null;

/** A stored suite of any version. Throws DATABASE_INVALID where a stranger wrote it, and DATABASE_NEWER. */
export function readSuite(text: string): Suite {
  if (last?.text !== text) last = { text, suite: checkedSuite(text) };
  return last.suite;
}

function checkedSuite(text: string): Suite {
  const { version = 0, ...stored } = storedJson(text, "a suite", isJsonObject);
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) throw notOurs("a suite", text);
  if (version > upgrades.length) {
    throw new AppError(
      "DATABASE_NEWER",
      `A suite is stored in version ${version}; this tandem knows up to ${upgrades.length}.`,
      { hint: "Update tandem." },
    );
  }
  const suite: unknown = upgrades.slice(version).reduce((older, upgrade) => upgrade(older), stored);
  if (!isSuite(suite)) throw notOurs("a suite", text);
  return suite;
}

const isSuite = (value: unknown): value is Suite => suiteForm.safeParse(value).success;

const text = z.string().max(100_000);
const count = z.number().int().min(0);

const selection = z.looseObject({
  grep: text.nullable(),
  tags: z.record(text, z.array(text)),
  keys: z.array(text),
  failed: text.nullable(),
  changed: text.nullable(),
  sample: count.nullable(),
  limit: count.nullable(),
  shard: z.looseObject({ parts: z.array(count), of: count.min(1) }).nullable(),
  targets: z.array(text),
});

export const isSelection = (value: unknown): value is Selection => selection.safeParse(value).success;
