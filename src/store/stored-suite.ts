import { z } from "zod";
import { isJsonObject } from "../lib/json.ts";
import { notOurs, requireVersion, storedJson } from "../lib/stored-json.ts";
import { storedVersion } from "../lib/stored-version.ts";
import type { Selection } from "../plan/select.ts";
import { suite as suiteForm, type Suite } from "../suite/suite.ts";

/** A suite as it is stored: with the version of its form, which is no part of its hash. */
export function storableSuite(suite: Suite): string {
  return JSON.stringify({ version: storedVersion, ...suite });
}

/** The suite that was read last: a run reads its own ten times, which would be a thirtieth of the CPU of a short one. */
let last: { text: string; suite: Suite } | null = null;

/** A stored suite. Throws DATABASE_INVALID where a stranger wrote it, and OTHER_VERSION. */
export function readSuite(text: string): Suite {
  if (last?.text !== text) last = { text, suite: checkedSuite(text) };
  return last.suite;
}

function checkedSuite(text: string): Suite {
  const { version, ...suite } = storedJson(text, "a suite", isJsonObject);
  if (typeof version !== "number" || !Number.isInteger(version)) throw notOurs("a suite", text);
  requireVersion(version, "A suite in the database");
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
