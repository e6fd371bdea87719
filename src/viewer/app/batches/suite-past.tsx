import { useEffect, useState } from "preact/hooks";
import type { SuitePastView } from "../../api.ts";
import { ask } from "../data/server-calls.ts";
import { Past } from "../charts/past.tsx";

/** The scores of a suite's batches over time, with the way to each of them. */
export function SuitePast({ suite }: { suite: string }) {
  const [history, setHistory] = useState<SuitePastView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    ask<SuitePastView>("past", new URLSearchParams({ suite })).then(setHistory, (error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    );
  }, [suite]);
  return (
    <main class="live">
      <p class="quiet">
        <a href="#">All batches</a>
      </p>
      <h1>
        <bdi>{suite}</bdi>
      </h1>
      {failure !== null && <p class="error">{failure}</p>}
      {history !== null && history.past.length < 2 && (
        <p class="nothing">A line over time needs two batches that were compared.</p>
      )}
      {history !== null && <Past summary={history} />}
      <ul class="batch-list">
        {history?.past.toReversed().map(({ batch }) => (
          <li key={batch}>
            <a href={`#${new URLSearchParams({ batch }).toString()}`}>
              <bdi>{batch}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}
