import { reasonPhrase } from "../../../report/doc/reason-list.ts";
import { resultHead, type ResultLine } from "../../../report/doc/result-lines.ts";
import { reportSections } from "../../../report/doc/sections.ts";
import { missingAnswers, paidWords, reasonHeading, reasonsOf } from "../../../report/say/answers.ts";
import { runName } from "../../../report/say/night-names.ts";
import { validityHeading } from "../../../report/say/validity.ts";
import type { DocTable } from "../../../report/shape/doc.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { FrontPicture } from "../charts/front.tsx";
import { comparedAddress } from "../data/batch-address.ts";
import { DocTableView, PhraseList, SectionView } from "../parts/doc.tsx";
import { useReport } from "../parts/report.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { ResultMark, wordClass } from "../parts/state-mark.tsx";
import { Ticked } from "../parts/ticked.tsx";
import { JudgeAndPeople } from "./judge-and-people.tsx";
import { Next } from "./next.tsx";
import { ScoreByTag } from "./score-by-tag.tsx";
import { WhereMap } from "./where-map.tsx";

/** The answers a person comes for, above the first rows: is it fine, what changed, what next. All else folds away. */
export function Result() {
  const { summary, candidate } = useReport();
  const { verdict, stillOn, candidates } = summary;
  const { sentence, figures, lines } = resultHead(
    summary,
    {},
    { history: stillOn === undefined ? [] : [stillOn.sentence], candidate: candidates[candidate] },
  );
  const isInvalid = verdict.state === "invalid";
  return (
    <section class={`result ${wordClass(verdict.word)}`} aria-labelledby="verdict">
      <div class="headline">
        <ResultMark {...summary} />
        <h1 id="verdict" dir="auto">
          <Ticked text={sentence} />
        </h1>
      </div>
      {/* Where nothing is decided, what to do now is the finding. */}
      {isInvalid && <Next />}
      {figures !== null && <DocTableView table={figures} kind="gate-table" most={mostFigures(figures)} />}
      <Lines lines={lines.filter(({ of, isAside }) => of === "fact" && !isAside)} />
      <div class="assurance">
        {!isInvalid && <Next />}
        <Validity />
      </div>
      <Lines
        lines={[...lines.filter(({ of }) => of !== "fact"), ...paidWords(summary).map((text) => lineOf("paid", text))]}
      />
      <Missing />
      <LastTime />
      <More asides={lines.filter(({ isAside }) => isAside)} />
    </section>
  );
}

/** A table of many lines leaves room for the first row on the first screen. */
const mostFigures = ({ rows: { length } }: DocTable): number => (length > 6 ? 5 : length);

const lineOf = (label: string, text: string): ResultLine => ({
  of: "note",
  label,
  lines: [text],
  rows: [],
  isAside: false,
});

/** The lines below the figures; a place leads to its rows. */
function Lines({ lines }: { lines: readonly ResultLine[] }) {
  if (lines.length === 0) return null;
  return (
    <div class="details">
      {lines.flatMap(({ label, lines: own, rows }) =>
        own.map((line, at) => {
          const to = rows[at];
          return (
            <p key={line} dir="auto">
              <span class="label">{at === 0 && label}</span>{" "}
              <span>
                {to === undefined ? (
                  <Ticked text={line} copies />
                ) : (
                  <RowsLink to={to}>
                    <Ticked text={line} />
                  </RowsLink>
                )}
              </span>
            </p>
          );
        }),
      )}
    </div>
  );
}

/** Says whether the data can be relied on, and the checks that do not hold. */
function Validity() {
  const { summary } = useReport();
  const { validity, findings, targets, stopping, choice } = summary;
  const { state, checks, isPartial = false } = validity;
  // A single reason stands in the verdict, and what was not asked yet is no fault.
  if (
    findings.headline.kind === "interrupted" ||
    checks.length === 0 ||
    (checks.length === 1 && findings.headline.kind === "invalid")
  )
    return null;
  const spared = stopping?.spared ?? choice?.race?.spared ?? 0;
  const failing = checks.filter(({ ok }) => !ok);
  return (
    <div class={`validity ${state}`}>
      <h2>{validityHeading({ state, isPartial, hasChecks: true, spared, missing: missingAnswers(targets) })}</h2>
      {failing.length > 0 && (
        <ul>
          {failing.map(({ text }) => (
            <li key={text} class="not-ok" dir="auto">
              <Ticked text={text} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Number of reasons that are read at a glance: more where they are why nothing is decided. */
const most = { decided: 3, invalid: 6 };

/**
 * The reasons why answers are missing: those of the candidate, and of all targets where the comparison is invalid or there is none.
 * Errors that differ only in numbers are one line, which leads to its rows.
 */
function Missing() {
  const { summary, candidate } = useReport();
  const { verdict, targets, candidates } = summary;
  const isAlone = candidates.length === 0;
  const isInvalid = verdict.state === "invalid";
  const reasons = reasonsOf(
    targets.filter(({ name }) => isAlone || isInvalid || name === candidates[candidate]),
  ).filter(({ missing }) => isAlone || isInvalid || missing === "answer");
  if (reasons.length === 0 || (!isAlone && !reasons.some(({ missing }) => missing === "answer"))) return null;
  const shown = isInvalid ? most.invalid : most.decided;
  return (
    <section class="missing" aria-labelledby="missing">
      <h2 id="missing">{reasonHeading(reasons)}</h2>
      <PhraseList
        list={reasons.map((reason) => reasonPhrase(reason, targets.length > 1))}
        most={shown}
        noun="message"
      />
      {reasons.length > shown && <RowsLink to={{ text: "errors", sort: "rank" }}>All rows with errors</RowsLink>}
    </section>
  );
}

/** The way to a comparison of a target alone with the batch before in which it was graded. */
function LastTime() {
  const { summary, source } = useReport();
  const { batch, past, targets, candidates } = summary;
  const [target] = targets;
  const [now, ...before] = past.slice(0, past.findIndex((each) => each.batch === batch) + 1).toReversed();
  const last = before.find(({ scores }) => target !== undefined && target.name in scores);
  if (source.actions === null || candidates.length > 0 || targets.length > 1 || now === undefined || last === undefined)
    return null;
  return (
    <p>
      <a href={comparedAddress(batch, last.batch)}>Compare with the {runName(last.at, now.at)}</a>
    </p>
  );
}

/** All that explains the result, folded, so that the rows stand on the first screen. */
function More({ asides }: { asides: readonly ResultLine[] }) {
  const { summary } = useReport();
  return (
    <details class="more-findings">
      <summary>{moreWords(summary)}</summary>
      <Lines lines={asides} />
      {summary.verdict.state !== "invalid" && <JudgeAndPeople />}
      <FrontPicture />
      <WhereMap />
      <ScoreByTag />
      {reportSections(summary).flatMap((section, at) =>
        section.isOfBatch === true ? [] : [<SectionView key={at} section={section} />],
      )}
    </details>
  );
}

const moreWords = ({ candidates }: ReportSummary): string =>
  candidates.length === 0
    ? "Where its score is lowest, and how it was measured"
    : "Where it differs, what changed, and how it was measured";
