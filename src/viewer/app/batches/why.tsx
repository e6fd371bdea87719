import { valuesOf } from "../../../compare/slice-name.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { NightError, WorstSlice } from "../../../report/shape/history.ts";
import type { SuiteReason, WhyLook } from "../../../report/shape/standing.ts";
import { counted } from "../../../report/say/quantity.ts";
import { batchAddress } from "../data/batch-address.ts";
import { words } from "../parts/format.ts";
import { Ticked } from "../parts/ticked.tsx";

const signs: Record<SuiteReason["kind"], string> = { regression: "▼", invalid: "!", unfinished: "■", alarm: "◆" };

/** The reasons to look at a suite, the slice that lost most, and the most frequent error; nothing of one that is quiet. */
export function Why({ why: { reasons, worstSlice, error, last } }: { why: WhyLook }) {
  if (reasons.length === 0) return null;
  return (
    <>
      <ul class="reasons">
        {reasons.map((reason) => (
          <Reason key={reason.sentence} reason={reason} last={last} />
        ))}
      </ul>
      {worstSlice !== null && <Worst worst={worstSlice} />}
      {error !== null && last !== null && <MostFrequent error={error} night={last} reasons={reasons} />}
    </>
  );
}

/** A reason leads to the night that it speaks of: an alarm to that of the change, all else to the last one. */
function Reason({ reason, last }: { reason: SuiteReason; last: WhyLook["last"] }) {
  const { kind, sentence, more, isNew, began } = reason;
  const night = kind === "alarm" ? began : (last ?? began);
  return (
    <li class={`reason ${kind}`} dir="auto">
      <span aria-hidden="true">{signs[kind]} </span>
      {kind === "alarm" && isNew && <span class="tag">new</span>}{" "}
      <a class="reason-head" href={batchAddress(night.batch)}>
        <Ticked text={sentence} />
      </a>
      {more !== null && (
        <>
          . <Ticked text={more} />
        </>
      )}
    </li>
  );
}

/** The slice that lost most, as the way to its rows. */
function Worst({ worst: { batch, candidate, slice, sentence } }: { worst: WorstSlice }) {
  return (
    <p dir="auto">
      <a href={batchAddress(batch, { target: candidate, tags: valuesOf(slice) })}>
        <Ticked text={sentence} />
      </a>
    </p>
  );
}

/** The most frequent error, as the way to its rows; a message that a reason quotes is not told again. */
function MostFrequent(props: { error: NightError; night: { batch: string }; reasons: readonly SuiteReason[] }) {
  const { error, night, reasons } = props;
  const { target, outcome, message, runs } = error;
  const isTold = reasons.some(({ quotesError }) => quotesError);
  const rows = (
    <a href={batchAddress(night.batch, { group: rowGroup.error(target, outcome, message) })}>{counted(runs, "run")}</a>
  );
  if (isTold) {
    return (
      <p>
        {rows} of <bdi>{target}</bdi> failed so.
      </p>
    );
  }
  return (
    <p dir="auto">
      Most frequent error: {rows} of <bdi>{target}</bdi>, {words(outcome)}: <q class="error-text">{message}</q>
    </p>
  );
}
