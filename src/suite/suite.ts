import type { EndpointName } from "../api/endpoint-name.ts";
import type { Price } from "../api/price.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { ReportName } from "../report/formats/formats.ts";
import type { PassRule } from "../score/contract/case-pass.ts";
import type { ScorerSpec } from "../score/contract/spec.ts";
import type { GateSettings } from "./gate-settings.ts";

/** A suite, checked and complete: every default filled in, every path absolute. It holds no key. It is stored with the batch as JSON. */
export interface Suite {
  name: string;
  /** Absolute paths, or `-` for standard input. */
  datasets: string[];
  /** Format of the files; anything that it leaves out is found. */
  format?: DatasetFormat;
  mapping: CaseMapping;
  /** Where files of the cases are, and how large they may be; left out: no field of a case holds files. */
  files?: FileSettings;
  deployments: Deployment[];
  targets: Target[];
  /** Targets that scorers ask about answers; they get no cases. */
  judges: Target[];
  repeats: number;
  /** Number of cases by which one side may lead; null when the sides do not wait for each other. */
  interleave: "off" | "strict";
  onInDoubt: "resend" | "hold" | "fail";
  /** The same over workers, only where the suite says it in so many words; left out: `hold`. */
  onInDoubtOverWorkers?: Suite["onInDoubt"] | undefined;
  onAmbiguous: "retry" | "fail";
  scorers: ScorerSpec[];
  /** When an answer as a whole passes. */
  pass: PassRule;
  /** null with fewer than two targets. */
  compare: CompareSettings | null;
  decision: DecisionSettings;
  /** The largest share of cases without an answer, per target, with which a comparison is valid. */
  maxErrorShare: number;
  /** Rules for watching its nights; left out: one false alarm in 365 nights. */
  history?: { nightsPerFalseAlarm: number };
  /** Reports that are written when a run ends; left out: all of them. */
  reports?: ReportName[];
  /** Absolute folder of the suite file; null when the suite came from flags. */
  folder: string | null;
}

/** The columns that become the parts of a case. A column name, or a Liquid template when it holds `{{` or `{%`. */
export interface CaseMapping {
  /** null: the key is made from cluster, turn and input. */
  key: string | null;
  /** Request field (dots nest) to where it comes from; null: columns named like request fields map themselves. */
  input: Record<string, FieldSource> | null;
  /** null: `expected` or `golden_answer` where the dataset has such a column. */
  expected: string | null;
  cluster: string | null;
  /** Every row counts by itself, whatever it asks (`cluster: false`); left out: that is not said. */
  independent?: true;
  turn: string | null;
  /** Column with whole conversations, a JSON list of what the user says: each becomes cases `KEY/1`, `KEY/2` ... */
  turns?: string;
  /** Columns of a sheet with a row for each message: the rows of a conversation become its turns. */
  messages?: MessageColumns;
  opening: string | null;
  tags: string[];
  /** Form of the conversation so far in the request; left out: `{role, content}`. */
  history?: HistoryShape;
  /** Column with the times that order the rows of a cluster, with `turn: __order`; left out: as they stand. */
  orderBy?: string;
  /** Column with scorers of the row itself. */
  scorers?: string;
}

/** The columns of a message. */
export type MessageColumns = {
  /** Column that says who wrote it. */
  role: string;
  text: string;
};

/** An entry of `messages` for each side; the text `{{ text }}` in it stands for what was said. */
export type HistoryShape = { user: JsonObject; assistant: JsonObject };

/** The source of a request field; a list makes a list of the values of its entries, without the empty ones. */
export type FieldSource = FieldPart | FieldPart[];

/** A column or template, read as the field needs it (null) or as it is told; or the same value for every case. */
export type FieldPart =
  | string
  | { column: string; type: "text" | "number" | "boolean" | "json" | "file" | null }
  | { value: JsonValue };

/** Bounds for the files that cases send. */
export interface FileSettings {
  /** Absolute folders, outside of which nothing is sent: one for each dataset, empty for standard input; or one for all. */
  roots: string[];
  /** Absolute paths of the suite and its datasets, which are never sent; left out: in a batch of an earlier version. */
  own?: string[];
  /** Bytes of one file, and of all files of a case. */
  maxFile: number;
  maxRequest: number;
}

/** Format of a dataset's files. */
export interface DatasetFormat {
  /** One character; null: found. */
  delimiter: string | null;
  /** A name that TextDecoder knows; null: told by the bytes. */
  encoding: string | null;
  /** false: the first row of a table is data, and its columns are called by letters; left out: it names them. */
  header?: false;
  /** Fills up rows that are too short, drops empty cells at their ends, and takes quotes inside of cells as they are. */
  lenient: boolean;
}

/** A base URL with a key and limits. */
export interface Deployment {
  name: string;
  /** `http(s)://...` without a trailing slash, or `local:` and the absolute folder of an embedded deployment. */
  baseUrl: string;
  /** Names of environment variables that may hold the key, the first that is set wins; empty for an embedded deployment. */
  keyNames: string[];
  /** The way to it, where the address alone does not tell it; left out: it does. */
  connection?: DeploymentConnection;
  /** Nothing that is asked there needs a key: without one it is asked without. Left out: it is needed. */
  keyOptional?: boolean;
  /** Nothing that is asked there is of the service: it tells neither its state nor a balance. Left out: something is. */
  isForeign?: boolean;
  /** Headers of its endpoints that name variables of the environment; left out: none. */
  endpointHeaders?: { name: string; value: string }[];
  concurrency: number;
  rate: Rate | null;
  /** One attempt, from its first byte sent to its last byte received. */
  timeoutMs: number;
  /** Time to make a connection (suite key `connect_timeout`, default 10s). */
  connectTimeoutMs: number;
  /** One job with all its attempts and waits, from its first attempt (suite key `job_timeout`, default 6h). */
  jobTimeoutMs: number;
  /** Longest wait for a service that cannot be reached (suite key `wait_for_service`); left out: see `AccountLimits`. */
  waitForServiceMs?: number;
  /** Further attempts after the first, for what may be tried again. */
  retries: number;
  /** In a unit of the owner's choice; null: not known. */
  price: Price | null;
}

/** The way to a deployment as it is written: values from the environment are looked up when something is sent. */
export interface DeploymentConnection {
  /** Header to its value, with `${NAME}` in it. */
  headers?: Record<string, string>;
  /** `env`, `none` or an address with `${NAME}` in it; left out: `env`. */
  proxy?: string;
  /** Absolute paths of PEM files. */
  ca?: string;
  cert?: string;
  certKey?: string;
}

/** A limit of at most `count` requests in any `windowMs` milliseconds. */
export interface Rate {
  count: number;
  windowMs: number;
}

/** The receiver of a case: a deployment, an endpoint, a saved configuration, fields that override it. */
export interface Target {
  /** Unique in the suite. */
  name: string;
  /** Empty for stored answers, like `exampleId` and `body`. */
  deployment: string;
  endpoint: EndpointName;
  /** The thing that runs there: the saved configuration, or the model; empty where the endpoint says it all. */
  exampleId: string;
  /** `async`: runs are submitted, and asked for until they have ended; left out: their answers are waited for. */
  mode?: "async";
  /** Its service keeps conversations itself: turns are sent without what was said before. Left out: they are sent with it. */
  keepsHistory?: true;
  /** Left out: that of its deployment. */
  price?: Price;
  /** Members that are laid over the case's input; `variables` key by key. */
  body: JsonObject;
  /** Its answers were given before, and are columns of the dataset: nothing is sent. */
  stored?: StoredColumns;
}

/** The columns (or templates) of answers that were given before; null: there is none. */
export interface StoredColumns {
  answer: string;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  /** A person's label of the answer, and a remark. */
  label: string | null;
  note: string | null;
}

export interface CompareSettings {
  /** Target names. */
  baseline: string;
  candidates: string[];
  /** The baseline runs at least this many times per case. */
  noiseRepeats: number;
  /** Both sides are the same bot, on purpose; left out: they are not meant to be. */
  same?: true;
}

/**
 * Rules by which a comparison comes to its verdict; they also hold for a suite with one target, compared with an
 * earlier batch.
 */
export interface DecisionSettings {
  /** Gates that decide between regression, pass and inconclusive; empty: the primary metric with its default margin. */
  gates: GateSettings[];
  /**
   * Share of false alarms: comparisons in which a gate finds a regression although nothing is worse than the margin,
   * over all the nights.
   */
  alpha: number;
  /** The number of runs over which alpha is spent. */
  nights: number;
  /** Member paths of output whose differences do not count. */
  ignore: string[];
  /** Nothing more is sent once the gates are decided; left out: everything is sent. */
  stopWhen?: "decided";
  /** A regression is asked once more, unless its gate says otherwise; left out: it is not. */
  confirm?: boolean;
  /** Looks that are declared before the first; left out: one. */
  looks?: 2;
  /** This run is the second look at a comparison of which no second was declared (--second-look); left out: it is not. */
  secondLook?: true;
}
