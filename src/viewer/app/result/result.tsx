import { valuesOf } from "../../../compare/slice-name.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { DocRows } from "../../../report/shape/doc.ts";
import type { ReportSummary, ValidityCheck } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { Alarms } from "../charts/alarms.tsx";
import { batchAddress } from "../data/batch-address.ts";
import { Changes } from "./changes.tsx";
import { DrawnCases, JudgeAndPeople } from "../gates/judge-and-people.tsx";
import { Figures, GateMethods, OtherMetrics } from "../gates/gates.tsx";
import { TableFold } from "./table-fold.tsx";
import { fieldTable, sliceDifferences } from "../../../report/doc/difference-tables.ts";
import type { Source } from "../data/source.ts";
import { WordMark, wordClass } from "../parts/state-mark.tsx";
import { NewFailuresView } from "./new-failures.tsx";
import { Next } from "./next.tsx";
import { Ticked } from "../parts/ticked.tsx";
import { paidWords, missingAnswers, reasonHeading, reasonsOf } from "../../../report/say/answers.ts";
import { Alone } from "./alone.tsx";
import { WhereTable } from "./slice-table.tsx";
import { runName } from "../../../report/say/night-names.ts";
import { number } from "../../../report/say/quantity.ts";
import { validityHeading } from "../../../report/say/validity.ts";
import { factWords, shownFacts } from "../../../report/say/findings.ts";
import { reasonPhrase } from "../../../report/doc/reason-list.ts";
import { ChoiceView } from "./choice.tsx";
import { ChoiceFindings } from "./choice-findings.tsx";
import { Said } from "../parts/doc.tsx";
import { RowsLink } from "../parts/rows-link.tsx";

/**
 * The answers a person comes for, on one screen with the first rows of the list below: is it fine, can I rely on it, how
 * sure is it, what changed. Explanations fold away.
 */
export function Result(props: { source: Source; candidate: number; setAddress: SetAddress }) {
  const { source, candidate, setAddress } = props;
  const { summary } = source;
  const { verdict } = summary;
  const isInvalid = verdict.state === "invalid";
  return (
    <section class={`result ${wordClass(verdict.word)}`} aria-labelledby="verdict">
      <div class="headline">
        <WordMark word={verdict.word} />
        <Headline summary={summary} />
      </div>
      {/* Where nothing is decided, what to do now is the finding. */}
      {isInvalid && <Next {...props} />}
      <Figures summary={summary} setAddress={setAddress} />
      <Facts summary={summary} candidate={candidate} setAddress={setAddress} />
      {!isInvalid && <JudgeAndPeople summary={summary} />}
      <div class="assurance">
        {!isInvalid && <Next {...props} />}
        <ValidityView summary={summary} />
      </div>
      <StillOn stillOn={summary.stillOn} opens={source.actions !== null} />
      <Alarms alarms={summary.alarms} />
      <Paid summary={summary} />
      {summary.candidates.length > 0 && <Missing {...{ summary, candidate, setAddress }} />}
      {source.actions !== null && <DrawnCases summary={summary} />}
      <More {...props} />
      {summary.candidates.length === 0 && <Alone source={source} setAddress={setAddress} />}
    </section>
  );
}

/** All that explains the result, folded, so that the rows stand on the first screen. */
function More({ source, candidate, setAddress }: { source: Source; candidate: number; setAddress: SetAddress }) {
  const { summary } = source;
  if (summary.candidates.length === 0) return null;
  const of = { summary, candidate, setAddress };
  return (
    <details class="more-findings">
      <summary>Where it differs, what changed, and how it was measured</summary>
      <ChoiceView summary={summary} setAddress={setAddress} />
      <ChoiceFindings summary={summary} setAddress={setAddress} />
      <div class="where-and-how">
        <WhereTable {...of} />
        <Changes source={source} candidate={candidate} setAddress={setAddress} />
      </div>
      {/* Below both columns, so that what is opened has the whole width. */}
      <div class="explains">
        <NewFailuresView {...of} />
        <Method summary={summary} candidate={candidate} />
        <OtherMetrics {...of} />
        <TableFold table={sliceDifferences(summary, summary.candidates[candidate] ?? "")} {...of} />
        <TableFold table={fieldTable(summary, summary.candidates[candidate] ?? "")} {...of} />
      </div>
    </details>
  );
}

/** Money stands beside the verdict, not in the rows alone. */
function Paid({ summary }: { summary: ReportSummary }) {
  const words = paidWords(summary);
  return words.length === 0 ? null : <p class="paid">{words.join(" · ")}</p>;
}

/** The measurement behind the verdict, and behind how answers differ. */
function Method({ summary, candidate }: { summary: ReportSummary; candidate: number }) {
  const behaviour = summary.behaviour.find((each) => each.candidate === summary.candidates[candidate]);
  return (
    <details class="method">
      <summary>How it was measured</summary>
      <GateMethods summary={summary} />
      {behaviour !== undefined && (
        <>
          <p dir="auto">
            <Ticked text={behaviour.measured} />
          </p>
        </>
      )}
    </details>
  );
}

/** The verdict, large. */
function Headline({ summary }: { summary: ReportSummary }) {
  const { sentence } = summary.verdict;
  return (
    <h1 id="verdict" dir="auto">
      <Ticked text={sentence} />
    </h1>
  );
}

/** A regression that began in an earlier night, as home counts it; `opens`: that night is a click away. */
function StillOn({ stillOn, opens }: { stillOn: ReportSummary["stillOn"]; opens: boolean }) {
  if (stillOn === undefined) return null;
  const { sentence, began } = stillOn;
  return (
    <p class="still-on" dir="auto">
      <span aria-hidden="true">▼ </span>
      <Ticked text={sentence} />
      {opens && (
        <>
          {" "}
          <a href={batchAddress(began.batch)}>Open the {runName(Date.parse(began.startedAt), Date.now())}</a>
        </>
      )}
    </p>
  );
}

/** The lines below the figures; a place leads to its rows. */
function Facts(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const facts = shownFacts(summary.findings, summary.candidates[candidate]);
  if (facts.length === 0) return null;
  return (
    <div class="details">
      {facts.map((fact) => {
        const { label, lines } = factWords(fact, summary);
        const rowsOf = (at: number): DocRows | null => {
          const place = fact.kind === "where" ? fact.places[at] : undefined;
          if (fact.kind !== "where" || place === undefined) return null;
          return { target: fact.candidate, tags: valuesOf(place), group: rowGroup.paired(fact.metric), sort: "rank" };
        };
        return lines.map((line, at) => {
          const to = rowsOf(at);
          return (
            <p key={line} dir="auto">
              <span class="label">{at === 0 && label}</span>{" "}
              <span>
                {to === null ? (
                  <Ticked text={line} copies />
                ) : (
                  <RowsLink to={to} setAddress={setAddress}>
                    <Ticked text={line} />
                  </RowsLink>
                )}
              </span>
            </p>
          );
        });
      })}
    </div>
  );
}

/** Checks that tell if the comparison is valid, with their reasons. */
function ValidityView({ summary }: { summary: ReportSummary }) {
  const { validity, findings } = summary;
  const { state, checks, isPartial = false } = validity;
  const failing = checks.filter(({ ok }) => !ok);
  // A single reason stands in the verdict.
  const isTold = checks.length === 1 && findings.headline.kind === "invalid";
  if ((checks.length === 0 || isTold) && summary.cautions.length === 0) return null;
  const holding = checks.filter(({ ok }) => ok);
  return (
    <div class={`validity ${state}`}>
      <h2>
        {validityHeading({
          state,
          isPartial,
          hasChecks: checks.length > 0 && !isTold,
          spared: summary.stopping?.spared ?? summary.choice?.race?.spared ?? 0,
          missing: missingAnswers(summary.targets),
        })}
      </h2>
      {failing.length > 0 && !isTold && <Checks checks={failing} />}
      {summary.cautions.length > 0 && (
        <ul class="cautions">
          {summary.cautions.map((text) => (
            <li key={text}>
              <span aria-hidden="true">!</span>
              <span dir="auto">
                <Ticked text={text} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {holding.length > 0 && (
        <details>
          <summary>
            {holding.length === 1
              ? "the check holds"
              : `${failing.length === 0 ? "all " : ""}${number(holding.length)} checks hold`}
          </summary>
          <Checks checks={holding} />
        </details>
      )}
    </div>
  );
}

function Checks({ checks }: { checks: ValidityCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul>
      {checks.map(({ ok, text }) => (
        <li key={text} class={ok ? "ok" : "not-ok"}>
          <span aria-hidden="true">{ok ? "✓" : "!"}</span>
          <span class="unseen">{ok ? "holds: " : "does not hold: "}</span>
          <span dir="auto">
            <Ticked text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Number of reasons that are read at a glance: more where they are why nothing is decided. */
const most = { decided: 3, invalid: 6 };

/**
 * The reasons why answers are missing: those of the candidate, and of both sides where the comparison is invalid. Errors
 * that differ only in numbers are one line, which leads to its rows.
 */
function Missing(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const { verdict, targets, candidates } = summary;
  const isInvalid = verdict.state === "invalid";
  const reasons = reasonsOf(targets.filter(({ name }) => isInvalid || name === candidates[candidate])).filter(
    ({ missing }) => isInvalid || missing === "answer",
  );
  if (!reasons.some(({ missing }) => missing === "answer")) return null;
  const shown = isInvalid ? most.invalid : most.decided;
  return (
    <section class="missing" aria-labelledby="missing">
      <h2 id="missing">{reasonHeading(reasons)}</h2>
      <Said
        phrase={{ list: reasons.map((reason) => reasonPhrase(reason, true)), most: shown, noun: "message" }}
        {...{ summary, setAddress }}
      />
      {reasons.length > shown && (
        <RowsLink to={{ text: "errors", sort: "rank" }} setAddress={setAddress}>
          All rows with errors
        </RowsLink>
      )}
    </section>
  );
}
