import { useMemo } from "preact/hooks";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { number } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import type { Source } from "../data/source.ts";
import { RowsLink } from "../parts/rows-link.tsx";
import { keyWords, rowWords } from "../../../report/say/names.ts";

/** Number of rows on the first screen. */
const most = 4;

/** The rows in which a target by itself failed, the lowest score first. */
export function FailedRows({ source, setAddress }: { source: Source; setAddress: SetAddress }) {
  const ready = source.ready();
  const list = useMemo(
    () => source.list({ text: "failed", sort: "score", candidate: 0, isBeside: true }),
    [source, ready],
  );
  const [metric] = source.summary.metrics;
  const heads = Array.from({ length: most }, (_, place) => list.head(place)).flatMap((head) => head ?? []);
  if (metric === undefined || heads.length === 0) return null;
  const said = ({ sides }: RowHead): string =>
    metric.passes ? "✗ fail" : scoreFigure(sides[0]?.scores[0] ?? null, metric);
  return (
    <>
      <h2>Failed rows</h2>
      <ol class="first-rows">
        {heads.map((head) => (
          <li key={head.key}>
            <button type="button" onClick={() => setAddress({ row: head.key }, true)}>
              <span class="turn">{said(head)}</span>
              <RowTitle head={head} />
            </button>
          </li>
        ))}
      </ol>
      <p class="more">
        <RowsLink to={{ text: "failed", sort: "score" }} setAddress={setAddress}>
          {list.matched === null ? "All that failed" : `All ${number(list.matched)} that failed`}
        </RowsLink>
      </p>
    </>
  );
}

/** A row as its reader knows it: its number in the sheet, what was asked, and its key unless we made that. */
function RowTitle({ head }: { head: RowHead }) {
  return (
    <span class="what">
      {head.row !== null && <b>{rowWords(head)}</b>} <span dir="auto">{head.question}</span>{" "}
      <span class="quiet" dir="auto">
        {keyWords(head)}
      </span>
    </span>
  );
}
