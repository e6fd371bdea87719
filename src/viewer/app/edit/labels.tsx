import { momentLabel } from "../../../report/say/night-names.ts";
import { useState } from "preact/hooks";
import type { ReportMetric, ReportRun } from "../../../report/shape/model.ts";
import type { Label, NewLabel } from "../../api.ts";
import { useAuthor } from "./author.ts";
import { AuthorField } from "./author-field.tsx";
import { useDraft } from "./drafts.ts";
import type { Actions } from "../data/source.ts";
import { judgedWith } from "./judging.ts";

interface Props {
  name: string;
  rowKey: string;
  run: ReportRun;
  labels: Label[];
  metrics: readonly ReportMetric[];
  actions: Actions;
  onChange: () => void;
}

/** Lets a person label an answer, or put another score in the place of one of its scores. */
export function LabelForm({ name, rowKey, run, labels, metrics, actions, onChange }: Props) {
  const [said, say] = useState("");
  const [edited, setEdited] = useState(false);
  /** Resolves with whether it is done. */
  const change = async (work: () => Promise<unknown>, done: string, isEdit: boolean): Promise<boolean> => {
    try {
      await work();
      say(done);
      if (isEdit) setEdited(true);
      onChange();
      return true;
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  const aboutOf = ({ scorer, label }: Pick<Label, "scorer" | "label">) => {
    return { what: `${label} of ${scorer === "" ? name : `${scorer} of ${name}`}`, row: rowKey };
  };
  const takeBack = ({ scorer, label, note, author, edits = false }: Label): void => {
    const old = { jobId: run.jobId, scorer, label, note, author };
    void change(() => judgedWith(actions).takeBack(actions, old, aboutOf(old)), "Taken back.", edits);
  };
  return (
    <details class="labels" open={labels.length > 0}>
      <summary>Labels ({labels.length})</summary>
      <ul>
        {labels.map((label) => (
          <li key={`${label.scorer} ${label.author}`}>
            <Said label={label} />{" "}
            <button type="button" class="link" onClick={() => takeBack(label)}>
              Take back
            </button>
          </li>
        ))}
      </ul>
      <NewLabelForm
        name={name}
        about={`${rowKey} ${run.jobId}`}
        scorers={Array.from(new Set(metrics.map((metric) => metric.scorer)))}
        say={say}
        keep={(label) =>
          change(
            () => judgedWith(actions).label(actions, { jobId: run.jobId, ...label }, aboutOf(label)),
            label.scorer === ""
              ? "Kept."
              : "Kept: what is compared from now on counts it. The files of the batch are of before: tandem report writes them again.",
            label.scorer !== "",
          )
        }
      />
      <p role="status" class="quiet">
        {said}
      </p>
      {edited && (
        <button type="button" class="plain" onClick={actions.compareAgain}>
          Compare again with the edited scores
        </button>
      )}
    </details>
  );
}

function Said({ label: { scorer, label, note, author, at, edits = false } }: { label: Label }) {
  return (
    <>
      {scorer !== "" && (
        <span class="quiet">
          {edits ? "edited" : "about"} <bdi>{scorer}</bdi>:{" "}
        </span>
      )}
      <b>{label}</b> <span dir="auto">{note}</span>{" "}
      <span class="quiet">
        <bdi>{author === "" ? "somebody" : author}</bdi>, {momentLabel(at)}
      </span>
    </>
  );
}

/** Chooses what a label is about: the answer, or one of its scores. */
function About(props: { scorers: readonly string[]; scorer: string; choose: (scorer: string) => void }) {
  const { scorers, scorer, choose } = props;
  return (
    <label>
      <span>About</span>
      <select value={scorer} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">the answer</option>
        {scorers.map((each) => (
          <option key={each} value={each}>
            edit the score {each}
          </option>
        ))}
      </select>
    </label>
  );
}

type Written = Omit<NewLabel, "jobId">;

function NewLabelForm(props: {
  name: string;
  /** The answer, by which its note is found again. */
  about: string;
  scorers: string[];
  say: (text: string) => void;
  keep: (label: Written) => Promise<boolean>;
}) {
  const { name, about, scorers, say, keep } = props;
  const [scorer, setScorer] = useState("");
  const [value, setValue] = useState("");
  const { note, setNote, onKept } = useDraft(about);
  const [author] = useAuthor();
  const write = async (label: string): Promise<void> => {
    if (scorer !== "" && (note.trim() === "" || author.trim() === "")) {
      return say("A score is edited by somebody, for a reason: fill in Why and By.");
    }
    const isKept = await keep({ scorer, label, note: note.trim() === "" ? null : note.trim(), author: author.trim() });
    if (!isKept) return;
    onKept();
    setValue("");
  };
  return (
    <form
      aria-label={`Label the answer of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== "") void write(value.trim());
      }}
    >
      <About scorers={scorers} scorer={scorer} choose={setScorer} />
      <label>
        <span>{scorer === "" ? "Note" : "Why"}</span>
        <input dir="auto" value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <AuthorField />
      <button type="button" class="plain" onClick={() => void write("good")}>
        <span aria-hidden="true">✓</span> Good
      </button>
      <button type="button" class="plain" onClick={() => void write("bad")}>
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
    </form>
  );
}
