import { byMean } from "../../../report/model/choice-order.ts";
import type { ReportChoice } from "../../../report/shape/choice.ts";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";

/** For each configuration the places that it may have, all at once, the highest first. */
export function PlacesPicture(props: { summary: ReportSummary; choice: ReportChoice; about: ReportMetric }) {
  const { summary, choice, about } = props;
  const { ranks } = choice;
  if (ranks.length < 2) return null;
  const lookOf = reportLooks(summary);
  const ordered = byMean(choice, about).flatMap(({ target }) => ranks.filter((rank) => rank.target === target));
  const meanOf = (target: string) => choice.intervals.find((each) => each.target === target)?.mean;
  const last = ranks.length;
  // Those with the same mean share the middle of their places.
  const middleOf = (target: string): number => {
    const mean = meanOf(target);
    const tied = ordered.flatMap((each, place) => (meanOf(each.target) === mean ? [place] : []));
    return tied.reduce((sum, place) => sum + place + 0.5, 0) / tied.length;
  };
  const at = (place: number): string => `${((place / last) * 100).toFixed(3)}%`;
  return (
    <figure class="places">
      <figcaption>
        <h3>Places</h3>
        <p class="quiet" dir="auto">
          The places that each may have, all at once with 95 %; the best is on the left. Where bars share a column,
          nobody can tell who is ahead.
        </p>
      </figcaption>
      <ul>
        {ordered.map(({ target, first, last: worst }) => (
          <li key={target}>
            <span class="who">
              <TargetMark look={lookOf(target)} />
              <TargetName name={target} />
            </span>
            <svg class={lookOf(target).colour} width="100%" height="18" aria-hidden="true">
              <line class="grid" x1="0" x2="100%" y1="9" y2="9" />
              <rect class="span" x={at(first - 1)} width={at(worst - first + 1)} y="4" height="10" rx="3" />
              <circle class="middle" cx={at(middleOf(target))} cy="9" r="3.5" />
            </svg>
            <span class="number" dir="ltr">
              {first === worst ? String(first) : `${first} to ${worst}`}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
