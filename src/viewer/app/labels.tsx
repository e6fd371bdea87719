import { useEffect, useState } from "preact/hooks";
import type { ReportMetric, ReportRun } from "../../report/model.ts";
import type { Label } from "../api.ts";
import { instant } from "./format.ts";
import type { Actions } from "./source.ts";

/** What people said of the answers of a row, read again after each change. */
export function useLabels(actions: Actions | null, rowKey: string): [Record<string, Label[]>, () => void] {
  const [labels, setLabels] = useState<Record<string, Label[]>>({});
  const [version, again] = useState(0);
  useEffect(() => {
    let wanted = true;
    void actions?.labels(rowKey).then((found) => wanted && setLabels(found));
    return () => {
      wanted = false;
    };
  }, [actions, rowKey, version]);
  return [labels, () => again((times) => times + 1)];
}

interface Given {
  name: string;
  run: ReportRun;
  labels: Label[];
  metrics: readonly ReportMetric[];
  actions: Actions;
  onChange: () => void;
}

const authorPlace = "tandem-author";

/** Says of an answer, or of one of its scores, what a person thinks of it. */
export function LabelForm({ name, run, labels, metrics, actions, onChange }: Given) {
  const [scorer, setScorer] = useState("");
  const [value, setValue] = useState("");
  const [note, setNote] = useState("");
  const [author, setAuthor] = useState(() => localStorage.getItem(authorPlace) ?? "");
  const [said, say] = useState("");
  const scorers = [...new Set(metrics.map((metric) => metric.scorer))];
  const keep = async (label: string): Promise<void> => {
    if (scorer !== "" && note.trim() === "") return say("Say why the score should be another.");
    try {
      localStorage.setItem(authorPlace, author);
      await actions.label({
        jobId: run.jobId,
        scorer,
        label,
        note: note.trim() === "" ? null : note.trim(),
        author: author.trim(),
      });
      say("Kept.");
      setNote("");
      setValue("");
      onChange();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details class="labels" open={labels.length > 0}>
      <summary>Labels ({labels.length})</summary>
      <ul>
        {labels.map((label) => (
          <li key={`${label.scorer} ${label.author}`}>
            <b>{label.label}</b> {label.scorer !== "" && <span class="quiet">{label.scorer}</span>}{" "}
            <span dir="auto">{label.note}</span>{" "}
            <span class="quiet">
              {label.author === "" ? "somebody" : label.author}, {instant(label.at)}
            </span>
          </li>
        ))}
      </ul>
      <form
        aria-label={`Label the answer of ${name}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim() !== "") void keep(value.trim());
        }}
      >
        <label>
          <span>About</span>
          <select value={scorer} onChange={(event) => setScorer(event.currentTarget.value)}>
            <option value="">the answer</option>
            {scorers.map((each) => (
              <option key={each} value={each}>
                the score {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{scorer === "" ? "Note" : "Why"}</span>
          <input dir="auto" value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        <label>
          <span>By</span>
          <input class="short" value={author} onInput={(event) => setAuthor(event.currentTarget.value)} />
        </label>
        <button type="button" class="plain" onClick={() => void keep("good")}>
          <span aria-hidden="true">✓</span> Good
        </button>
        <button type="button" class="plain" onClick={() => void keep("bad")}>
          <span aria-hidden="true">✗</span> Bad
        </button>
        <label>
          <span>or a number</span>
          <input
            class="short"
            inputMode="decimal"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="plain">
          Keep
        </button>
        <span role="status" class="quiet">
          {said}
        </span>
      </form>
    </details>
  );
}

/** The request as a command line, to try it by hand. */
export function CopyCurl({ run, actions }: { run: ReportRun; actions: Actions }) {
  const [said, say] = useState("");
  const [shown, show] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    try {
      const text = await actions.curl(run.jobId);
      show(text);
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch (error) {
      say(error instanceof Error && shown === null ? error.message : "Copy it from here");
    }
  };
  return (
    <>
      <button type="button" class="link" onClick={() => void copy()}>
        {said === "" ? "Copy as curl" : said}
      </button>
      {shown !== null && <pre class="curl">{shown}</pre>}
    </>
  );
}
