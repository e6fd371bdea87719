import type { PackedRows } from "../../store/packed-rows.ts";
import { readSuite } from "../../store/stored-suite.ts";
import type { Deployment } from "../../suite/suite.ts";
import { rowsOfText } from "../chunk-body.ts";
import { batchHead, type RemoteHead } from "../postgres/calls.ts";
import type { WorkerSite } from "./site.ts";

/** A batch as a worker knows it. */
export interface KnownBatch extends RemoteHead {
  rows: PackedRows;
  deployments: Deployment[];
}

const mostKnown = 100;

/** The batches of which a worker has chunks, or looks whether it can serve them. */
export class KnownBatches {
  readonly #site: Pick<WorkerSite, "db" | "link">;
  readonly #known = new Map<number, KnownBatch>();

  constructor(site: Pick<WorkerSite, "db" | "link">) {
    this.#site = site;
  }

  /** Null: it was taken away. */
  async of(no: number): Promise<KnownBatch | null> {
    const known = this.#known.get(no);
    if (known !== undefined) return known;
    const head = await this.#site.link.patiently(() => batchHead(this.#site.db, no));
    if (head === null) return null;
    const rows = rowsOfText(head.head);
    const suite = rows["batch"]?.[0]?.["suite"];
    const batch = { ...head, rows, deployments: typeof suite === "string" ? readSuite(suite).deployments : [] };
    if (this.#known.size > mostKnown) this.#known.clear();
    this.#known.set(no, batch);
    return batch;
  }

  /** The same as it is now; `onChanged`: a resume has changed it. */
  async renewed(no: number, onChanged: () => void): Promise<KnownBatch | null> {
    const before = this.#known.get(no);
    this.#known.delete(no);
    const now = await this.of(no);
    if (before !== undefined && before.head !== now?.head) onChanged();
    return now;
  }
}
