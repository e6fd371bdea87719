import type { ComponentChildren } from "preact";
import { columnsIn, isPhrases } from "../../../report/doc/table.ts";
import type { DocColumn, Phrase, DocTable } from "../../../report/shape/doc.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { capitalised } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { AndMore } from "./and-more.tsx";
import { IntervalPicture, reachOfIntervals } from "./interval.tsx";
import { RowsLink } from "./rows-link.tsx";
import { ScrollTable } from "./scroll-table.tsx";
import { WordMark } from "./state-mark.tsx";
import { reportLooks } from "./target-colour.ts";
import { TargetMark } from "./target-mark.tsx";
import { TargetName } from "./target-name.tsx";

/** The batch that a document tells of, and the way to its rows. */
interface Place {
  summary: ReportSummary;
  setAddress: SetAddress;
}

/** A table of a document; `most`: so many lines of it. */
export function DocTableView(props: Place & { table: DocTable; kind?: string; most?: number; where?: string }) {
  const { table, kind = "", most = table.rows.length, where = "", ...place } = props;
  const columns = columnsIn(table, "page");
  return (
    <>
      <ScrollTable name={table.name} kind={kind}>
        <thead>
          <tr>
            {columns.map(({ column, place: at }) => (
              <th key={at} scope="col" class={classes[column.kind ?? "words"]} title={column.about}>
                {column.kind === "chart" ? <span class="unseen">{headOf(column)}</span> : headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, most).map(({ key, cells, state }) => (
            <tr key={key} class={state === undefined ? undefined : `of-state ${state ?? "none"}`}>
              {columns.map(({ column, place: at }) => {
                const cell = cells[at];
                const inside = cell === undefined ? null : <Said phrase={cell.long ?? cell.text} {...place} />;
                if (column.kind === "name")
                  return (
                    <th key={at} scope="row">
                      {inside}
                    </th>
                  );
                const name = column.isTold === true ? textOf(column) : undefined;
                return (
                  <td key={at} class={classes[column.kind ?? "words"]} data-name={name}>
                    {inside}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      <AndMore all={table.rows.length} shown={most} where={where} />
    </>
  );
}

const classes: Record<NonNullable<DocColumn["kind"]> | "words", string | undefined> = {
  name: undefined,
  words: "words",
  number: "number",
  range: "figure",
  chart: "drawn",
};

const textOf = ({ title }: DocColumn): string => (typeof title === "string" ? title : title.name);

/** A letter alone, such as that of p, is a sign, and a name stays as it is. */
const headOf = ({ title }: DocColumn): string =>
  typeof title === "string" && !/^\p{L}\b/u.test(title) ? capitalised(title) : textOf({ title });

/** A text of a document. */
export function Said({ phrase, ...place }: Place & { phrase: Phrase }): ComponentChildren {
  if (typeof phrase === "string") return phrase;
  if (isPhrases(phrase)) return phrase.map((each, at) => <Said key={at} phrase={each} {...place} />);
  if ("name" in phrase) return <bdi>{phrase.name}</bdi>;
  if ("target" in phrase) return <TargetName name={phrase.target} />;
  if ("mark" in phrase) return <TargetMark look={reportLooks(place.summary)(phrase.mark)} />;
  if ("word" in phrase) return <WordMark word={phrase.word} />;
  if ("note" in phrase) return <span class="note">{phrase.note}</span>;
  if ("remark" in phrase) return <p class="quiet">{phrase.remark}</p>;
  if ("drawn" in phrase) {
    const { drawn, metric, among } = phrase;
    return <IntervalPicture gate={drawn} metric={metric} reach={reachOfIntervals(among, metric)} isSmall />;
  }
  if ("list" in phrase) return <SaidList {...phrase} {...place} />;
  if ("link" in phrase)
    return (
      <RowsLink to={phrase.to} setAddress={place.setAddress}>
        <Said phrase={phrase.link} {...place} />
      </RowsLink>
    );
  if ("holds" in phrase) return phrase.holds ? "✓" : "!";
  if ("strong" in phrase)
    return (
      <b>
        <Said phrase={phrase.strong} {...place} />
      </b>
    );
  return (
    <span class="quiet">
      <Said phrase={phrase.quiet} {...place} />
    </span>
  );
}

function SaidList({ list, most, noun, ...place }: Place & Extract<Phrase, { list: unknown }>) {
  if (list.length === 0) return null;
  return (
    <>
      <ul class="first-errors">
        {list.slice(0, most).map((each, at) => (
          <li key={at} dir="auto">
            <span>
              <Said phrase={each} {...place} />
            </span>
          </li>
        ))}
      </ul>
      <AndMore all={list.length} shown={most} where={` ${noun}s`} />
    </>
  );
}
