import { useMemo } from "preact/hooks";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import { isMadeKey, rowWords } from "../../../report/words/row-words.ts";
import type { SetAddress } from "../data/address.ts";
import type { Source } from "../data/source.ts";
import { showRows } from "../parts/show-rows.ts";

/** Number of rows on the first screen. */
const most = 4;

/** The rows of a target by itself that have the lowest scores. */
export function FailedRows({ source, setAddress }: { source: Source; setAddress: SetAddress }) {
  const ready = source.ready();
  const list = useMemo(
    () => source.list({ show: "all", tags: [], text: "", sort: "score", candidate: 0 }),
    [source, ready],
  );
  const [metric] = source.summary.metrics;
  if (metric === undefined) return null;
  const scoreOf = (head: RowHead): number | null => head.sides[0]?.scores[0] ?? null;
  const best = metric.lowerIsBetter ? metric.min : metric.max;
  const heads = Array.from({ length: most }, (_, place) => list.head(place)).flatMap((head) =>
    head === null || scoreOf(head) === null || scoreOf(head) === best ? [] : [head],
  );
  // The list begins with the least value, which is the best one here.
  if (metric.lowerIsBetter || heads.length === 0) return null;
  return (
    <>
      <h2>{metric.passes ? "Failed rows" : "Rows with the lowest score"}</h2>
      <ol class="first-rows">
        {heads.map((head) => (
          <li key={head.key}>
            <button type="button" onClick={() => setAddress({ row: head.key }, true)}>
              <span class="turn">{metric.passes ? "✗ fail" : scoreFigure(scoreOf(head), metric)}</span>
              <span class="what">
                {head.row !== null && <b>{rowWords(head)}</b>} <span dir="auto">{head.question}</span>{" "}
                {!(isMadeKey(head.key) && head.row !== null) && (
                  <span class="quiet" dir="auto">
                    {head.key}
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p class="more">
        <button type="button" class="link" onClick={() => showRows(setAddress, { sort: "score" })}>
          All rows, the lowest score first
        </button>
      </p>
    </>
  );
}
