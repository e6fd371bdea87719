import { useState } from "preact/hooks";
import type { NextStep } from "../../../report/shape/next-step.ts";
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
  if (/^tandem view(?: |$)/.test(next.command)) {
    const { before, words, to } = rowsToSee(source, next, candidate);
    return (
      <p class="next" dir="auto">
        Next: {before !== "" && <span>{before} </span>}
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
        <Ticked text={lacking === null ? next.why : capitalised(next.why)} />:
      </span>{" "}
      {next.at !== undefined && <SuiteAt at={next.at} actions={source.actions} />}
      <CommandButton text={next.command} isMain={lacking === null} />
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

/** The rows that the step is about, counted as the figures beside them are. */
function rowsToSee(source: Source, { why, rows, done }: NextStep, candidate: number): Seen {
  const { summary } = source;
  const { verdict, lostTags = [], candidates } = summary;
  const plain = (to: RowsTo): Seen => ({ before: "", words: capitalised(why), to: { sort: "rank", ...to } });
  const [lost] = lostTags;
  if (verdict.state === "pass" && lost !== undefined)
    return plain({ target: lost.candidate, tags: [{ name: lost.tag, value: lost.value }] });
  const worse = worseRowsNext(summary);
  if (worse !== null) return { before: "", words: worse.words, to: worse.to };
  if (rows === "disputed") {
    const split = splitRows(source);
    if (split !== null) return { before: done === undefined ? "" : `${done}.`, ...split };
  }
  if (candidates.length === 0) {
    const failed = source.count("failed", 0) ?? 0;
    const words = `See the ${counted(failed, "row")} that failed`;
    if (failed > 0) return { before: "", words, to: { text: "failed", sort: "score" } };
  }
  if (done !== undefined || rows === "changed") {
    const changed = source.count("different", candidate) ?? 0;
    const target = candidates[candidate] ?? null;
    const to: RowsTo = { target, text: "different", sort: "rank" };
    const which = changed === 1 ? "row that changed" : "rows that changed";
    const words = `${done === undefined ? "Look at" : "See"} the ${number(changed)} ${which}`;
    if (done !== undefined) return { before: `${done}.`, words, to: changed === 0 ? null : to };
    if (changed === 0) return { before: "", words: "Look at the answers", to: { sort: "rank" } };
    return { before: "", words, to };
  }
  return plain({});
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
