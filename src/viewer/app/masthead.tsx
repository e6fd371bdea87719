import { useState } from "preact/hooks";
import type { ReportSummary } from "../../report/model.ts";
import { counted, duration, instant } from "./format.ts";
import { applyTheme, storedTheme, type Theme } from "./theme.ts";

/** Which batch this is, and what concerns the whole page. */
export function Masthead({ summary, onHelp }: { summary: ReportSummary; onHelp: () => void }) {
  const { suite, batch, startedAt, durationMs, pairs, cases } = summary;
  return (
    <header class="masthead">
      <div>
        <p class="suite">
          <bdi>{suite}</bdi>
        </p>
        <p class="facts">
          <span title={batch}>{instant(startedAt)}</span>
          {durationMs !== null && <span>took {duration(durationMs)}</span>}
          <span>{counted(cases, "case")}</span>
          {pairs.map(({ baseline, candidate }) => (
            <span key={candidate}>
              <bdi>{candidate}</bdi> against <bdi>{baseline}</bdi>
            </span>
          ))}
        </p>
      </div>
      <div class="tools">
        <ThemeSwitch />
        <button type="button" class="plain" onClick={onHelp} aria-haspopup="dialog">
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

const themes: Theme[] = ["auto", "light", "dark"];

function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <label class="theme">
      <span class="quiet">Colours</span>
      <select
        value={theme}
        onChange={(event) => {
          const chosen = themes.find((each) => each === event.currentTarget.value) ?? "auto";
          setTheme(chosen);
          applyTheme(chosen);
          dispatchEvent(new Event("tandem:theme"));
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each === "auto" ? "as the system" : each}
          </option>
        ))}
      </select>
    </label>
  );
}
