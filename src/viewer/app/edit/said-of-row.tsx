import type { JudgedRow } from "../data/source.ts";
import type { JudgedSide } from "./judging.ts";

/** The labels and votes on the answers that are shown, each with who gave it. */
export function SaidOfRow({ sides, judged }: { sides: readonly JudgedSide[]; judged: JudgedRow }) {
  const nameOf = (jobId: number): string | null => sides.find((side) => side.jobId === jobId)?.name ?? null;
  const labels = sides.flatMap(({ name, jobId }) =>
    (judged.labels[jobId] ?? []).flatMap(({ scorer, label, author }) =>
      scorer === "" ? [{ name, word: ` is ${signs[label] ?? ""}${label}`, author }] : [],
    ),
  );
  const votes = judged.votes.flatMap(({ baselineJob, candidateJob, better, author }) => {
    const [baseline, candidate] = [nameOf(baselineJob), nameOf(candidateJob)];
    if (baseline === null || candidate === null) return [];
    if (better === "neither") return [{ name: "", word: "no difference", author }];
    return [{ name: better === "candidate" ? candidate : baseline, word: " is better", author }];
  });
  if (labels.length + votes.length === 0) return null;
  return (
    <ul class="said-of-row" aria-label="Judged">
      {[...labels, ...votes].map(({ name, word, author }) => (
        <li key={`${name}${word} ${author}`}>
          <bdi>{author === "" ? "somebody" : author}</bdi>:{" "}
          <b>
            <bdi>{name}</bdi>
            {word}
          </b>
        </li>
      ))}
    </ul>
  );
}

const signs: Record<string, string> = { good: "✓ ", bad: "✗ " };
