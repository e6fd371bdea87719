import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { RunIdentity } from "./record.ts";

/** A run as its address shows it. */
export interface RunView {
  run: RunIdentity;
  uid: string;
  endpoint: ServiceEndpoint;
  exampleId: string;
  /** The request that ran, after the merge; null when it was too large to keep. */
  request: JsonObject | null;
  /** Output of the run; null when it failed or was too large to keep. */
  output: JsonObject | null;
  /** The error of a failed run. */
  error: string | null;
  milliseconds: number;
}

/** Characters of request and output together that are kept. */
const maxKept = 32_768;

/** The last runs, so that their addresses lead somewhere; older ones are forgotten. */
export class RecentRuns {
  private readonly runs = new Map<string, RunView>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** Keeps a run. `size` is about the characters of its request and output. */
  add(view: RunView, size: number): void {
    this.runs.set(view.run.id, size <= maxKept ? view : { ...view, request: null, output: null });
    if (this.runs.size <= this.most) return;
    for (const oldest of this.runs.keys()) {
      this.runs.delete(oldest);
      return;
    }
  }

  find(endpoint: ServiceEndpoint, id: string, uid: string): RunView | null {
    const view = this.runs.get(id);
    return view !== undefined && view.endpoint === endpoint && view.uid === uid ? view : null;
  }
}
