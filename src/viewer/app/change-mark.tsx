import type { ReportChange } from "../../report/model.ts";
import { words } from "./format.ts";

const signs: Record<ReportChange["kind"], string> = {
  "error-appeared": "!",
  "error-gone": "○",
  changed: "Δ",
  "newly-flaky": "~",
  "newly-stable": "–",
  differs: "Δ",
  "within-noise": "≈",
  same: "=",
  "not-compared": "·",
};

/** What became of a row, in signs and words: better or worse first, then the kind of change. */
export function ChangeMark({ kind, trend }: Pick<ReportChange, "kind" | "trend">) {
  return (
    <span class="marks">
      {trend !== null && (
        <span class={`mark ${trend}`}>
          <span aria-hidden="true">{trend === "worse" ? "▼" : "▲"}</span> {trend}
        </span>
      )}
      <span class={`mark kind-mark-${kind}`}>
        <span aria-hidden="true">{signs[kind]}</span> {words(kind)}
      </span>
    </span>
  );
}
