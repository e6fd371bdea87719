import type { EndpointName } from "../api/endpoint-name.ts";
import type { Price } from "../api/price.ts";
import type { SentFiles } from "../suite/sent-files.ts";
import type { HistoryShape } from "../suite/suite.ts";

/** A target as the runner needs it. */
export interface RunTarget {
  id: number;
  name: string;
  endpoint: EndpointName;
  exampleId: string;
  /** `async`: a run is submitted, and asked for until it has ended; left out: its answer is waited for. */
  mode?: "async";
  /** In the unit of `--max-cost`; left out: not known. */
  price?: Price | null;
  /** JSON object laid over each case's input. */
  body: string;
  /** Texts and patterns of answers that are failures put into words. */
  failedWhen?: readonly string[];
  /** Form of the conversation so far; left out: `{role, content}`. */
  history?: HistoryShape;
  /** The fields of a case that may hold files. */
  files?: SentFiles;
  /** Its jobs that are not finished. */
  unfinished: number;
  /** It has answered a case of this batch before: it needs no first job that goes before the others. Default: false. */
  isProven?: boolean;
}
