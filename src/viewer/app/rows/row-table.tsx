import type { ComponentChild } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Address, SetAddress } from "../data/address.ts";
import { useNarrow, usePrinting } from "../parts/media.ts";
import { RowLine } from "./row-line.tsx";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { sidePlaces } from "../parts/side-places.ts";
import type { RowList, Source } from "../data/source.ts";
import { useSteps } from "./steps.ts";
import { useVirtual } from "./virtual.ts";
import { TargetName } from "../parts/target-name.tsx";

interface Given {
  source: Source;
  list: RowList;
  /** Another number whenever rows have come. */
  version: number;
  address: Address;
  candidate: number;
  setAddress: SetAddress;
}

/** Number of rows that are printed: paper does not scroll. */
const mostPrinted = 300;

/** The rows as a table of which only the part in sight exists. */
export function RowTable(given: Given) {
  const { source, list, version, address, candidate } = given;
  const { summary } = source;
  const body = useRef<HTMLDivElement>(null);
  const matched = list.matched ?? 0;
  const narrow = useNarrow();
  const printing = usePrinting();
  const rowHeight = narrow ? 132 : 76;
  const items = useVirtual({ body, count: matched, rowHeight });
  const shown = printing ? Array.from({ length: Math.min(matched, mostPrinted) }, (_, index) => index) : items.indexes;
  useSteps({ list, scrollTo: items.scrollTo });
  const { places, compared } = sidePlaces(summary, candidate);
  // A line that is drawn already is not made again while the list scrolls.
  const drawn = useMemo(
    () => new Map<number, ComponentChild>(),
    [list, address, candidate, rowHeight, printing, version],
  );
  return (
    <div
      class={`table ${compared ? "compared" : ""} sides-${places.length}`}
      role="table"
      aria-label="Rows"
      aria-rowcount={matched + 1}
    >
      <TableHead summary={summary} candidate={candidate} />
      <div
        role="rowgroup"
        class="table-body"
        ref={body}
        style={{ height: printing ? "auto" : `${matched * rowHeight}px` }}
      >
        {shown.map((index) => {
          const known = drawn.get(index);
          if (known !== undefined) return known;
          const head = list.head(index);
          const style: Record<string, string> = printing
            ? {}
            : { transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` };
          if (head === null) {
            return (
              <div key={index} class="row waiting" role="row" aria-rowindex={index + 2} style={style}>
                <span role="cell">...</span>
              </div>
            );
          }
          const place = { index, places, compared, style, isOpen: address.row === head.key };
          const line = <RowLine key={head.key} {...given} {...place} head={head} />;
          drawn.set(index, line);
          return line;
        })}
      </div>
      {list.matched === 0 && source.ready() === source.total && <p class="nothing">No row is like that.</p>}
    </div>
  );
}

function TableHead({ summary, candidate }: { summary: ReportSummary; candidate: number }) {
  const { places, compared } = sidePlaces(summary, candidate);
  const [baseline] = compared ? places : [];
  const lookOf = reportLooks(summary);
  return (
    <div role="rowgroup" class="table-head">
      <div role="row" aria-rowindex={1} class="row">
        <span role="columnheader">Row</span>
        {places.map((place) => (
          <span role="columnheader" key={place}>
            <TargetMark look={lookOf(summary.targets[place]?.name ?? "")} />
            <TargetName name={summary.targets[place]?.name ?? ""} />
            {place === baseline && <span class="note">baseline</span>}
          </span>
        ))}
        {compared && <span role="columnheader">Change</span>}
      </div>
    </div>
  );
}
