import { momentLabel } from "../../../report/words/night-names.ts";
import type { RunLabel } from "../../../report/shape/row.ts";

/** Labels that people gave an answer, as they stood when the report was written. */
export function SaidOfAnswer({ labels }: { labels: readonly RunLabel[] }) {
  return (
    <ul class="said-of" aria-label="What people said of this answer">
      {labels.map(({ scorer, label, note, author, at }) => (
        <li key={`${scorer} ${author}`}>
          <b>
            {label === "good" ? "✓ " : label === "bad" ? "✗ " : ""}
            {label}
          </b>{" "}
          {scorer !== "" && (
            <span class="quiet">
              about <bdi>{scorer}</bdi>{" "}
            </span>
          )}
          <span dir="auto">{note}</span>{" "}
          <span class="quiet">
            <bdi>{author === "" ? "somebody" : author}</bdi>, {momentLabel(at)}
          </span>
        </li>
      ))}
    </ul>
  );
}
