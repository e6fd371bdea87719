import { valuesOf } from "../../../compare/slice-name.ts";
import { useState } from "preact/hooks";
import { commandText, nextWhy, replacingWords, takeWords } from "../../../report/say/next.ts";
import type { Step, StepRows } from "../../../report/shape/next-step.ts";
import { capitalised, counted, number } from "../../../report/say/quantity.ts";
import { missingAnswers } from "../../../report/say/answers.ts";
import type { SetAddress } from "../data/address.ts";
import type { RowsTo } from "../data/batch-address.ts";
import type { SuiteExcerpt } from "../../api.ts";
import type { Actions, Source } from "../data/source.ts";
import { Button, CommandButton, CopyButton } from "../parts/button.tsx";
import { OpenIcon } from "../parts/icons.tsx";
import { showRows } from "../parts/show-rows.ts";
import { worseRowsNext } from "../parts/worse-rows.ts";
import { Ticked } from "../parts/ticked.tsx";

/** The one thing to do next: on a page the rows are a click away, so that nobody is told to open it; all else is copied. */
export function Next({ source, candidate, setAddress }: { source: Source; candidate: number; setAddress: SetAddress }) {
  const { next } = source.summary;
  if (next === null) return null;
  // A file with the rows of one view may not have those that the step is about.
  if (source.view !== null)
    return (
      <p class="next" dir="auto">
        Next: <Ticked text={nextWhy(next)} /> <CommandButton text={commandText(next)} isMain={false} />
      </p>
    );
  const seen = rowsToSee(source, next.step, candidate);
  if (seen !== null) {
    const { before, words, to } = seen;
    const first = [...replacingWords(source.summary).map((text) => `${text}.`), before].join(" ").trim();
    return (
      <p class="next" dir="auto">
        Next: {first !== "" && <span>{first} </span>}
        {to !== null && (
          <Button isMain act={() => showRows(setAddress, to)}>
            <Ticked text={words} /> <OpenIcon />
          </Button>
        )}
      </p>
    );
  }
  const lacking = lackingRows(source, candidate);
  return (
    <p class="next" dir="auto">
      Next:{" "}
      {lacking !== null && (
        <Button isMain act={() => showRows(setAddress, lacking.to)}>
          {lacking.words} <OpenIcon />
        </Button>
      )}{" "}
      <span>
        <Ticked text={lacking === null ? nextWhy(next) : capitalised(nextWhy(next))} />:
      </span>{" "}
      {next.at !== undefined && <SuiteAt at={next.at} actions={source.actions} />}
      <CommandButton text={commandText(next)} isMain={lacking === null} />
    </p>
  );
}

/** The rows without an answer where these are why nothing is decided: they are looked at before anything is run again. */
function lackingRows(source: Source, candidate: number): (Pick<Seen, "words"> & { to: RowsTo }) | null {
  const { verdict, targets } = source.summary;
  if (verdict.state !== "invalid" || missingAnswers(targets).answers === 0) return null;
  const rows = source.count("errors", candidate);
  const which = rows === 1 ? "row" : rows === null ? "rows" : `${number(rows)} rows`;
  return { words: `See the ${which} without an answer`, to: { text: "errors", sort: "rank" } };
}

/** The line of the suite file that is to be changed: its place is copied, and in the viewer the lines around it are shown. */
function SuiteAt({ at, actions }: { at: { file: string; line: number }; actions: Actions | null }) {
  const [shown, show] = useState<SuiteExcerpt | null>(null);
  const [said, say] = useState("");
  const open = async (): Promise<void> => {
    if (actions === null || shown !== null) return show(null);
    try {
      show(await actions.suite());
      say("");
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      {actions !== null && (
        <Button act={() => void open()}>
          {shown === null ? "Show the line" : "Hide the line"} <OpenIcon />
        </Button>
      )}{" "}
      <CopyButton text={`${at.file}:${at.line}`}>
        <bdi>
          {at.file}:{at.line}
        </bdi>
      </CopyButton>{" "}
      <span role="status" class="quiet">
        {said}
      </span>
      {shown !== null && (
        <code class="suite-lines" dir="ltr">
          {shown.lines.map((line, place) => {
            const text = `${String(shown.first + place).padStart(4)}  ${line}\n`;
            return shown.first + place === shown.line ? <mark key={place}>{text}</mark> : text;
          })}
        </code>
      )}
    </>
  );
}

interface Seen {
  /** A sentence before the way to the rows; empty: none. */
  before: string;
  words: string;
  /** Null: there is none to look at. */
  to: RowsTo | null;
}

/** The rows that the step is about, counted as the figures beside them are; null: it is taken elsewhere. */
function rowsToSee(source: Source, step: Step, candidate: number): Seen | null {
  const { summary } = source;
  const plain = (to: RowsTo = {}): Seen => ({
    before: "",
    words: capitalised(nextWhy({ step })),
    to: { sort: "rank", ...to },
  });
  if (step.kind === "look-at-place") {
    return plain({ target: step.target, tags: valuesOf(step.place), text: "worse" });
  }
  if (step.kind === "read") return plain({ target: summary.candidates[candidate] ?? null, text: "worse" });
  if (step.kind === "done") {
    const before = `${takeWords(step) ?? "nothing has to be done"}.`;
    return { before, ...changedRows(source, step.rows, candidate) };
  }
  if (step.kind !== "look") return null;
  const worse = worseRowsNext(summary);
  if (worse !== null) return { before: "", words: worse.words, to: worse.to };
  if (step.rows !== "disputed" && step.rows !== "changed" && summary.candidates.length > 0) return plain();
  const { words, to } = changedRows(source, step.rows, candidate);
  return to === null ? plain() : { before: "", words, to };
}

/** The rows on which configurations disagree, that failed, or that changed; none to look at where there are none. */
function changedRows(source: Source, rows: StepRows, candidate: number): Pick<Seen, "words" | "to"> {
  const { candidates } = source.summary;
  const split = rows === "disputed" ? splitRows(source) : null;
  if (split !== null) return split;
  if (candidates.length === 0) {
    const failed = source.count("failed", 0) ?? 0;
    const words = `See the ${counted(failed, "row")} that failed`;
    return { words, to: failed === 0 ? null : { text: "failed", sort: "score" } };
  }
  const changed = source.count("different", candidate) ?? 0;
  const words = `See the ${changed === 1 ? "row" : `${number(changed)} rows`} that changed`;
  const to: RowsTo = { target: candidates[candidate] ?? null, text: "different", sort: "rank" };
  return { words, to: changed === 0 ? null : to };
}

/** The rows by which many configurations are told apart; null: none is, or the choice is by another metric than the rows are. */
function splitRows(source: Source): Pick<Seen, "words" | "to"> | null {
  const { choice, metrics } = source.summary;
  const [primary] = metrics;
  const rows = source.count("split", 0) ?? 0;
  if (choice === undefined || primary?.name !== choice.metric || rows === 0) return null;
  const which = counted(rows, "row");
  const words = primary.passes
    ? `See the ${which} where some pass and some fail`
    : `See the ${which} with different scores`;
  return { words, to: { text: "split", sort: "rank", isAll: true } };
}
