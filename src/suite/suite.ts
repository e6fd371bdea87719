import { z } from "zod";
import type { EndpointName } from "../api/endpoint-name.ts";
import { isEndpoint } from "../api/endpoints.ts";
import { keptPassRule } from "../score/contract/case-pass.ts";
import { keptScorer } from "../score/contract/spec.ts";
import { decisionKeys, gateSettings, historySection, sideKeys } from "./schema/compare-schema.ts";
import { caseSection, type fieldPart, type fieldSource, filesSection, formatSection } from "./schema/dataset-schema.ts";
import { jsonObject, plainValue } from "./schema/form.ts";
import { kept } from "./schema/kept.ts";
import { askedKeys, connectionKeys, limitKeys, priceKey } from "./schema/target-schema.ts";
import { csvForm } from "./schema/csv-schema.ts";
import { reportKeys, runKeys } from "./schema/run-schema.ts";

/**
 * The form of a suite: what code works with, and what is stored with a batch as JSON. Most of it is kept of keys of the
 * suite file (`schema`); what is made of several keys, of paths or of the environment is declared here. The order of keys is
 * part of a suite's hash, and so is what is left out.
 */

const text = z.string();
const list = z.array(text);
const endpoint = z.custom<EndpointName>((name) => typeof name === "string" && isEndpoint(name));

/** The columns that become the parts of a case. A column name, or a Liquid template when it holds `{{` or `{%`. */
const mapping = z.object({
  /** `key`: null where it is made from cluster, turn and input; `input`: null where columns named like request fields map themselves. */
  ...kept(caseSection.shape),
  cluster: text.nullable(),
  /** Every row counts by itself, whatever it asks (`cluster: false`). */
  independent: z.literal(true).exactOptional(),
});

/** Bounds for the files that cases send. */
const files = z.object({
  /** Absolute folders, outside of which nothing is sent: one for each dataset, empty for standard input; or one for all. */
  roots: list,
  /** Absolute paths of the suite and its datasets, which are never sent. */
  own: list.exactOptional(),
  ...kept({ max_file: filesSection.shape.max_file, max_request: filesSection.shape.max_request }),
});

/** A base URL with a key and limits. */
const deployment = z.object({
  name: text,
  /** `http(s)://...` without a trailing slash, or `local:` and the absolute folder of an embedded deployment. */
  baseUrl: text,
  /** Names of environment variables that may hold the key, the first that is set wins; empty for an embedded deployment. */
  keyNames: list,
  /** The way to it, where the address alone does not tell it, with absolute paths. */
  connection: z.object(kept(connectionKeys)).exactOptional(),
  ...kept(limitKeys),
  ...kept(priceKey),
  /** Nothing that is asked there is of the service: it tells neither its state nor a balance. */
  isForeign: z.boolean().exactOptional(),
  /** Nothing that is asked there needs a key: without one it is asked without. Left out: it is needed. */
  keyOptional: z.boolean().exactOptional(),
  /** The base URL as the suite writes it, with the names of its variables, without their defaults. */
  writtenUrl: text.exactOptional(),
  /** Headers of its endpoints that name variables of the environment. */
  endpointHeaders: z.array(z.object({ name: text, value: text })).exactOptional(),
});

const storedColumns = z.object({
  answer: text,
  runId: text.nullable(),
  url: text.nullable(),
  createdAt: text.nullable(),
  /** A person's label of the answer, and a remark. */
  label: text.nullable(),
  note: text.nullable(),
});

const { example_id: _id, model: _model, history: keepsHistory, ...asked } = askedKeys;

/** The receiver of a case: a deployment, an endpoint, a saved configuration, fields that override it. */
const target = z.object({
  /** Unique in the suite. */
  name: text,
  ...kept(asked),
  /** Empty for stored answers, like `exampleId` and `body`. */
  deployment: text,
  endpoint,
  /** The thing that runs there: the saved configuration, or the model; empty where the endpoint says it all. */
  exampleId: text,
  /** Its service keeps conversations itself: turns are sent without what was said before. Left out: they are sent with it. */
  ...kept({ keepsHistory }),
  /** Members that are laid over the case's input; `variables` key by key. */
  body: jsonObject,
  /** Its answers were given before, and are columns of the dataset: nothing is sent. */
  stored: storedColumns.exactOptional(),
  /** The values of a matrix that made it, by the keys of `vary` as they are written. */
  varied: z.record(z.string(), plainValue).exactOptional(),
});

/**
 * Rules by which a comparison comes to its verdict; they also hold for a suite with one target, compared with an
 * earlier batch.
 */
const decision = z.object({
  /** Gates that decide between regression, pass and inconclusive; empty: the primary metric with its default margin. */
  gates: z.array(gateSettings),
  ...kept(decisionKeys),
  /** A regression is asked once more, unless its gate says otherwise. */
  confirm: z.boolean().exactOptional(),
  /** The target that is meant to be chosen; left out: nothing is chosen, or the suite names none. */
  expected: text.exactOptional(),
  /** This run is the second look at a comparison of which no second was declared (--second-look). */
  secondLook: z.literal(true).exactOptional(),
});

/** The sides of a comparison, by names of targets. */
const compare = z.object({ ...kept(sideKeys), baseline: text, candidates: list });

export const suite = z.object({
  name: text,
  /** Absolute paths, or `-` for standard input. */
  datasets: list,
  /** Format of the files; anything that it leaves out is found. */
  format: z.object(kept(formatSection.shape)).exactOptional(),
  mapping,
  /** Where files of the cases are, and how large they may be. */
  files: files.exactOptional(),
  deployments: z.array(deployment),
  targets: z.array(target),
  /** Targets that scorers ask about answers; they get no cases. */
  judges: z.array(target),
  ...kept(runKeys),
  onInDoubt: z.enum(["resend", "hold", "fail"]),
  /** The same over workers, only where the suite says it in so many words; left out: `hold`. */
  onInDoubtOverWorkers: z.enum(["resend", "hold", "fail"]).optional(),
  scorers: z.array(keptScorer),
  /** When an answer as a whole passes. */
  pass: keptPassRule,
  /** null with fewer than two targets. */
  compare: compare.nullable(),
  decision,
  /** The largest share of cases without an answer, per target, with which a comparison is valid. */
  maxErrorShare: z.number(),
  /** Rules for watching its nights; left out: one false alarm in 365 nights. */
  history: z.object(kept(historySection.shape)).exactOptional(),
  ...kept(reportKeys),
  /** Form of its CSV files; where the suite does not say it, it is told by the dataset. Left out: the usual one. */
  csv: csvForm.exactOptional(),
  /** Absolute folder of the suite file; null when the suite came from flags. */
  folder: text.nullable(),
});

/** A suite, checked and complete: every default filled in, every path absolute. It holds no key. */
export type Suite = z.output<typeof suite>;
export type CaseMapping = z.output<typeof mapping>;
export type FieldSource = z.output<typeof fieldSource>;
export type FieldPart = z.output<typeof fieldPart>;
export type MessageColumns = NonNullable<CaseMapping["messages"]>;
/** An entry of `messages` for each side; the text `{{ text }}` in it stands for what was said. */
export type HistoryShape = NonNullable<CaseMapping["history"]>;
export type DatasetFormat = NonNullable<Suite["format"]>;
export type FileSettings = z.output<typeof files>;
export type Deployment = z.output<typeof deployment>;
export type DeploymentConnection = NonNullable<Deployment["connection"]>;
export type { Rate } from "./schema/form.ts";
export type Target = z.output<typeof target>;
/** The columns (or templates) of answers that were given before. */
export interface StoredColumns extends z.output<typeof storedColumns> {}
export type CompareSettings = z.output<typeof compare>;
export type DecisionSettings = z.output<typeof decision>;
