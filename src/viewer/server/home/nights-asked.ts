import type { ThreadFailure } from "../../../lib/thread-failure.ts";

/** A question to the thread that reads nights: the whole history of a suite, or how it stands. */
export interface NightsAsked {
  id: number;
  kind: "history" | "standing";
  suite: string;
}

/** Its answer, as JSON. */
export type NightsReported =
  | { id: number; kind: "read"; text: string }
  | { id: number; kind: "failed"; failure: ThreadFailure };
