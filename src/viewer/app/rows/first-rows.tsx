import { useMemo } from "preact/hooks";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { ChangeMark } from "../parts/change-mark.tsx";
import type { SetAddress } from "../data/address.ts";
import { sidePlaces } from "../parts/side-places.ts";
import { type Reason, reasonHeading, reasonsOf } from "../../../report/words/reason-words.ts";
import type { RowList, Source } from "../data/source.ts";
import { ReasonList } from "./reason-list.tsx";
import { RowTitle } from "./row-title.tsx";
import { RowsLink } from "./rows-link.tsx";
import { worseRowsWords } from "../../../report/words/worse-rows-words.ts";

/** Number of rows that fit on the first screen. */
const most = 6;

/** The rows that tell most: answers that turned into errors, what got worse, and what changed. */
export function FirstRows(given: { source: Source; version: number; candidate: number; setAddress: SetAddress }) {
  const { source, candidate, setAddress } = given;
  const ready = source.ready();
  const list = useMemo(
    () => source.list({ show: "all", tags: [], text: "", labelled: "any", sort: "rank", candidate }),
    [source, ready, candidate],
  );
  const alike = alikeErrors(source.summary, candidate);
  const isLeft = ({ changes }: RowHead): boolean => {
    const { kind, rank } = changes[candidate] ?? { kind: "same", rank: 0 };
    return rank >= 1 && (alike.length === 0 || kind !== "error-appeared");
  };
  const heads = headsOf(list, most - Math.min(alike.length, mostAlike), isLeft);
  const isReading = list.matched === null || ready < source.total;
  const worse = source.count("worse", candidate) ?? 0;
  const errors = source.summary.verdict.state === "invalid" ? reasonsOf(source.summary.targets) : [];
  // Where data are not complete each error stands once: the rows would repeat the first of them.
  if (errors.some(({ missing }) => missing === "answer")) return <Errors reasons={errors} setAddress={setAddress} />;
  return (
    <section aria-labelledby="first-rows">
      <h2 id="first-rows">Look at these first</h2>
      {heads.length === 0 && alike.length === 0 && (
        <p class="quiet">
          {isReading ? "Reading ..." : "No row asks for it: nothing got worse, and no answer differs."}
        </p>
      )}
      {alike.length > 0 && <ReasonList reasons={alike} most={mostAlike} several setAddress={setAddress} />}
      {heads.length > 0 && (
        <ol class="first-rows">
          {heads.map((head) => (
            <FirstRow key={head.key} {...given} head={head} />
          ))}
        </ol>
      )}
      {worse > most && !isReading && (
        <p class="more">
          <RowsLink to={{ show: "worse", sort: "rank" }} setAddress={setAddress}>
            {worseRowsWords(source.summary, { candidate, rows: worse })}
          </RowsLink>
        </p>
      )}
    </section>
  );
}

/** Errors of the candidate that stand on top, and heads of the list that are looked through for the rows below them. */
const mostAlike = 3;
const mostLookedAt = 100;

/** The errors of a candidate, where some are alike: as rows of their own they would hide all others. */
function alikeErrors({ targets, candidates }: ReportSummary, candidate: number): Reason[] {
  const own = targets.filter(({ name }) => name === candidates[candidate]);
  const reasons = reasonsOf(own).filter(({ missing }) => missing === "answer");
  return reasons.some(({ jobs }) => jobs > 1) ? reasons : [];
}

function headsOf(list: RowList, count: number, isWanted: (head: RowHead) => boolean): RowHead[] {
  const heads: RowHead[] = [];
  const end = Math.min(mostLookedAt, list.matched ?? mostLookedAt);
  for (let index = 0; index < end && heads.length < count; index++) {
    const head = list.head(index);
    if (head !== null && isWanted(head)) heads.push(head);
  }
  return heads;
}

/** The reasons why answers are missing, the most frequent first, and a way to their rows. */
function Errors({ reasons, setAddress }: { reasons: readonly Reason[]; setAddress: SetAddress }) {
  return (
    <section aria-labelledby="first-rows">
      <h2 id="first-rows">{reasonHeading(reasons)}</h2>
      <ReasonList reasons={reasons} most={most} several setAddress={setAddress} />
      <p class="more">
        <RowsLink to={{ show: "errors", sort: "rank" }} setAddress={setAddress}>
          All rows with errors
        </RowsLink>
      </p>
    </section>
  );
}

function FirstRow(given: { source: Source; candidate: number; setAddress: SetAddress; head: RowHead }) {
  const { source, candidate, setAddress, head } = given;
  const { summary } = source;
  const change = head.changes[candidate];
  const [metric] = summary.metrics;
  const values = sidePlaces(summary, candidate).places.map((place) => {
    const side = head.sides[place];
    return side === undefined || side.failed ? null : (side.scores[0] ?? null);
  });
  return (
    <li>
      <button type="button" onClick={() => setAddress({ row: head.key }, true)}>
        {change !== undefined && <ChangeMark kind={change.kind} trend={change.trend} brief />}
        <RowTitle head={head} />
        {metric !== undefined && <Turn values={values} metric={metric} />}
      </button>
    </li>
  );
}

/** `pass → fail`; nothing where a side has no score, or both have the same. */
function Turn({ values, metric }: { values: (number | null)[]; metric: ReportMetric }) {
  const [before, after] = values;
  if (before === undefined || before === null || after === undefined || after === null || before === after) return null;
  const said = (value: number): string =>
    metric.passes && value === 1 ? "pass" : metric.passes && value === 0 ? "fail" : scoreFigure(value, metric);
  return (
    <span class="turn">
      {said(before)} <span aria-label="to">→</span> {said(after)}
    </span>
  );
}
