import { valuesOf } from "../../../compare/slice-name.ts";
import { rowsOfGate } from "../../../report/doc/gate-table.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { missingAnswers } from "../../../report/say/answers.ts";
import { commandText, nextWhy, replacingWords, takeWords } from "../../../report/say/next.ts";
import { capitalised, counted, number } from "../../../report/say/quantity.ts";
import { subjectOfHeadline } from "../../../report/shape/findings.ts";
import type { NextStep, StepRows } from "../../../report/shape/next-step.ts";
import type { RowsTo } from "../data/batch-address.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { CopiedCode } from "../parts/copied-code.tsx";
import { OpenIcon } from "../parts/icons.tsx";
import { type Report, useReport } from "../parts/report.tsx";
import { showRows } from "../parts/rows-link.tsx";
import { gatesByGravity } from "../parts/standing.ts";
import { Ticked } from "../parts/ticked.tsx";

/** The one thing to do next: on a page the rows are a click away, so that nobody is told to open it; all else is copied. */
export function Next() {
  const report = useReport();
  const { next } = report.summary;
  if (next === null) return null;
  // A file with the rows of one view may not have those that the step is about.
  if (report.source.view !== null)
    return (
      <p class="next" dir="auto">
        Next: <Ticked text={nextWhy(next)} /> <CopiedCode text={commandText(next)} look="button" />
      </p>
    );
  const seen = rowsToSee(report, next);
  if (seen !== null) {
    const { before, words, to } = seen;
    const first = [...replacingWords(report.summary).map((text) => `${text}.`), before].join(" ").trim();
    return (
      <p class="next" dir="auto">
        Next: {first !== "" && <span>{first} </span>}
        {to !== null && <RowsButton words={words} to={to} />}
      </p>
    );
  }
  const lacking = lackingRows(report);
  return (
    <p class="next" dir="auto">
      Next: {lacking !== null && <RowsButton {...lacking} />}{" "}
      <span>
        <Ticked text={lacking === null ? nextWhy(next) : capitalised(nextWhy(next))} />:
      </span>{" "}
      {next.at !== undefined && (
        <CopyButton text={`${next.at.file}:${next.at.line}`}>
          <bdi>
            {next.at.file}:{next.at.line}
          </bdi>
        </CopyButton>
      )}
      <CopiedCode text={commandText(next)} look={lacking === null ? "main" : "button"} />
    </p>
  );
}

function RowsButton({ words, to }: { words: string; to: RowsTo }) {
  const { setAddress } = useReport();
  return (
    <Button isMain act={() => showRows(setAddress, to)}>
      <Ticked text={words} /> <OpenIcon />
    </Button>
  );
}

/** The rows without an answer where these are why nothing is decided: they are looked at before anything is run again. */
function lackingRows({ source, summary, candidate }: Report): { words: string; to: RowsTo } | null {
  const { verdict, targets } = summary;
  if (verdict.state !== "invalid" || missingAnswers(targets).answers === 0) return null;
  const rows = source.count("errors", candidate);
  const which = rows === 1 ? "row" : rows === null ? "rows" : `${number(rows)} rows`;
  return { words: `See the ${which} without an answer`, to: { text: "errors", sort: "rank" } };
}

interface Seen {
  /** A sentence before the way to the rows; empty: none. */
  before: string;
  words: string;
  /** Null: there is none to look at. */
  to: RowsTo | null;
}

/** The rows that the step is about, counted as the figures beside them are; null: it is taken elsewhere. */
function rowsToSee(report: Report, next: NextStep): Seen | null {
  const { summary } = report;
  const { step } = next;
  const plain = (to: RowsTo = {}): Seen => ({
    before: "",
    words: capitalised(nextWhy({ step })),
    to: { sort: "rank", ...to },
  });
  if (step.kind === "look-at-place") return plain({ target: step.target, tags: valuesOf(step.place), text: "worse" });
  if (step.kind === "read") return plain({ target: step.target, text: "worse" });
  if (step.kind === "done")
    return { before: `${takeWords(step) ?? "nothing has to be done"}.`, ...changedRows(report, step.rows) };
  if (step.kind !== "look") return null;
  const worse = worseRows(report, next);
  if (worse !== null) return { before: "", ...worse };
  if (step.rows !== "disputed" && step.rows !== "changed" && summary.candidates.length > 0) return plain();
  const changed = changedRows(report, step.rows);
  return changed.to === null ? plain() : { before: "", ...changed };
}

/** The rows by which the gate that says most is lost, where the step is about these; null: it is about others. */
function worseRows({ summary }: Report, next: NextStep): Pick<Seen, "words" | "to"> | null {
  const { verdict, gates, metrics } = summary;
  if (verdict.word !== "regression" && verdict.word !== "worse") return null;
  const [gate] = gatesByGravity(gates);
  const metric = metrics.find(({ name }) => name === gate?.metric);
  const rows = next.step.kind === "look" ? next.step.rows : null;
  if (gate === undefined || metric === undefined) return null;
  if (rows === "bad-by-people")
    return {
      words: capitalised(nextWhy(next)),
      to: { target: gate.candidate, text: "labelled:bad", sort: "rank" },
    };
  if (rows !== "worse" || gate.worse === 0) return null;
  return {
    words: `Look at the ${gate.worse === 1 ? "row" : `${number(gate.worse)} rows`} that got worse`,
    to: { ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, "worse") },
  };
}

/** The candidate whose changes are looked at: the first that may replace the baseline, else the one of the headline. */
function candidateOf({ summary, candidate }: Report): string | null {
  const better = summary.pairs.length > 1 ? summary.pairs.find(({ word }) => word === "better") : undefined;
  return (better ?? subjectOfHeadline(summary.findings.headline))?.candidate ?? summary.candidates[candidate] ?? null;
}

/** The rows on which configurations disagree, that failed, or that changed; none to look at where there are none. */
function changedRows(report: Report, rows: StepRows): Pick<Seen, "words" | "to"> {
  const { source, summary } = report;
  const split = rows === "disputed" ? splitRows(report) : null;
  if (split !== null) return split;
  if (summary.candidates.length === 0) {
    const failed = source.count("failed", 0) ?? 0;
    const words = `See the ${counted(failed, "row")} that failed`;
    return { words, to: failed === 0 ? null : { text: "failed", sort: "score" } };
  }
  const target = candidateOf(report);
  const changed = source.count("different", Math.max(0, summary.candidates.indexOf(target ?? ""))) ?? 0;
  const whose = target === null || summary.candidates.length === 1 ? "" : ` of ${target}`;
  const words = `See the ${changed === 1 ? "row" : `${number(changed)} rows`}${whose} that changed`;
  return { words, to: changed === 0 ? null : { target, text: "different", sort: "rank" } };
}

/** The rows by which many configurations are told apart; null: none is, or the choice is by another metric than the rows are. */
function splitRows({ source, summary: { choice, metrics } }: Report): Pick<Seen, "words" | "to"> | null {
  const [primary] = metrics;
  const rows = source.count("split", 0) ?? 0;
  if (choice === undefined || primary?.name !== choice.metric || rows === 0) return null;
  const which = counted(rows, "row");
  const words = primary.passes
    ? `See the ${which} where some pass and some fail`
    : `See the ${which} with different scores`;
  return { words, to: { text: "split", sort: "rank", isAll: true } };
}
