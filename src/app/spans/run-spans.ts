import { hashText } from "../../lib/hash.ts";
import type { Batch } from "../../store/batches.ts";
import type { AttemptRow } from "../../store/results/attempt-pages.ts";

/** The ids by which a run is known to OpenTelemetry: those of its trace, of its own span, and of that of each request by its number. */
export interface RunSpans {
  traceId: string;
  runId: string;
  requestId: (number: number) => string;
}

/** The ids of a run, made of what it is, so that the same again is the same. */
export function runSpans(
  batch: Pick<Batch, "name" | "createdAt" | "seed">,
  { key, target, repeat, kind }: Pick<AttemptRow, "key" | "target" | "repeat" | "kind">,
): RunSpans {
  const identity = [batch.name, batch.createdAt, batch.seed, key, target, repeat, kind].join("\n");
  return {
    traceId: hashText(`trace ${identity}`, 32),
    runId: hashText(`run ${identity}`, 16),
    requestId: (number) => hashText(`attempt ${number} ${identity}`, 16),
  };
}
