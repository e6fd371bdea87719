import { useEffect, useState } from "preact/hooks";
import type { ReportMetric } from "../../../report/shape/model.ts";
import type { ReportRun } from "../../../report/shape/row.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import type { CaseNight } from "../../api.ts";
import type { Actions } from "../data/source.ts";
import { TargetName } from "../parts/target-name.tsx";

/** An answer of another night, which stands beside those of this one. */
export interface NightAnswer {
  batch: string;
  /** The night in words. */
  name: string;
  run: ReportRun;
}

const signs: Record<CaseNight["mark"], [sign: string, word: string]> = {
  passed: ["✓", "passed"],
  failed: ["✗", "failed"],
  mixed: ["~", "passed in some tries"],
  error: ["!", "no answer"],
  answered: ["•", "answered"],
  none: ["·", "not asked"],
};

/** A row over the nights of its suite, a mark for each; a click shows the answer of that night beside the others. */
export function NightsStrip(props: {
  actions: Actions;
  rowKey: string;
  target: string;
  metric: ReportMetric | undefined;
  shown: NightAnswer | null;
  show: (answer: NightAnswer | null) => void;
}) {
  const { actions, rowKey, target, metric, shown, show } = props;
  const [nights, setNights] = useState<CaseNight[]>([]);
  const [said, say] = useState("");
  useEffect(() => {
    let isWanted = true;
    void actions.nights(rowKey, target).then(
      (found) => isWanted && setNights(found),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [actions, rowKey, target]);
  if (nights.length < 2) return null;
  const open = async ({ batch, at }: CaseNight): Promise<void> => {
    if (shown?.batch === batch) return show(null);
    try {
      const run = await actions.answerOfNight(batch, rowKey, target);
      say(run === null ? `There is no answer of ${momentLabel(at)}.` : "");
      if (run !== null) show({ batch, name: momentLabel(at), run });
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const wordOf = ({ mark, score }: CaseNight): string =>
    mark === "answered" && metric !== undefined && score !== null ? scoreFigure(score, metric) : signs[mark][1];
  return (
    <section class="nights-strip" aria-label="This row over the nights">
      <h3>
        <TargetName name={target} /> over {nights.length} nights
      </h3>
      <p>
        {nights.map((night) => (
          <button
            key={night.batch}
            type="button"
            class={`mark-${night.mark}`}
            aria-pressed={shown?.batch === night.batch}
            disabled={night.mark === "none"}
            title={`${momentLabel(night.at)}: ${wordOf(night)}`}
            onClick={() => void open(night)}
          >
            <span aria-hidden="true">{signs[night.mark][0]}</span>
            <span class="unseen">{`${momentLabel(night.at)}: ${wordOf(night)}`}</span>
          </button>
        ))}
        <span class="quiet"> {sinceWords(nights)}</span>
      </p>
      <p role="status" class="quiet">
        {said}
      </p>
    </section>
  );
}

/** `failed since 17 Nov 02:00, 3 changes`: since when it is as it is now, and how often it was otherwise before. */
function sinceWords(nights: readonly CaseNight[]): string {
  const asked = nights.filter(({ mark }) => mark !== "none");
  const last = asked.at(-1);
  if (last === undefined || last.mark === "answered") return "";
  const other = asked.findLastIndex(({ mark }) => mark !== last.mark);
  const changes = asked.filter(({ mark }, place) => place > 0 && mark !== asked[place - 1]?.mark).length;
  const since = other === -1 ? "in all of them" : `since ${momentLabel(asked[other + 1]?.at ?? last.at)}`;
  return `${signs[last.mark][1]} ${since}, ${changes === 1 ? "1 change" : `${changes} changes`}`;
}
