import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Section } from "../../../report/doc/sections.ts";
import { columnsIn, isPhrases } from "../../../report/doc/table.ts";
import type { DocColumn, Phrase, DocTable } from "../../../report/shape/doc.ts";
import { capitalised, number } from "../../../report/say/quantity.ts";
import { IntervalPicture, reachOfIntervals } from "./interval.tsx";
import { usePrinting } from "./media.ts";
import { useReport } from "./report.tsx";
import { RowsLink } from "./rows-link.tsx";
import { ScrollTable } from "./scroll-table.tsx";
import { WordMark } from "./state-mark.tsx";
import { TargetMark } from "./target-mark.tsx";
import { TargetName } from "./target-name.tsx";
import { Ticked } from "./ticked.tsx";

/** Lines of a table, and of a list, of a section. */
const mostLines = 40;

/** A section of the report: its title, and its parts, folded where it is read only on a question. */
export function SectionView({ section: { title, parts, folded = false } }: { section: Section }) {
  const inside = parts.map((part, at) => {
    if ("table" in part) return <DocTableView key={at} table={part.table} most={mostLines} />;
    if ("list" in part) return <PhraseList key={at} list={part.list} most={mostLines} noun={part.noun} />;
    return (
      <p key={at} class="quiet" dir="auto">
        <Said phrase={part.say} />
      </p>
    );
  });
  if (folded)
    return (
      <details class="section">
        <summary>
          <Said phrase={title} />
        </summary>
        {inside}
      </details>
    );
  return (
    <section class="section">
      <h2>
        <Said phrase={title} />
      </h2>
      {inside}
    </section>
  );
}

/** A table of a document; `most`: so many lines of it, the others on a click. */
export function DocTableView(props: { table: DocTable; kind?: string; most?: number }) {
  const { table, kind = "", most = table.rows.length } = props;
  const { shown, more } = useFirst(table.rows, most, table.noun);
  const columns = columnsIn(table, "page");
  if (table.rows.length === 0) return null;
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
          {shown.map(({ key, cells, state }) => (
            <tr key={key} class={state === undefined ? undefined : `of-state ${state ?? "none"}`}>
              {columns.map(({ column, place: at }) => {
                const cell = cells[at];
                const inside = cell === undefined ? null : <Said phrase={cell.long ?? cell.text} />;
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
      {more}
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
function Said({ phrase }: { phrase: Phrase }): ComponentChildren {
  const { lookOf } = useReport();
  // In an element: a text that a component gives bare is not looked at for what hides in it.
  if (typeof phrase === "string") return phrase.includes("`") ? <Ticked text={phrase} /> : <>{phrase}</>;
  if (isPhrases(phrase)) return phrase.map((each, at) => <Said key={at} phrase={each} />);
  if ("name" in phrase) return <bdi>{phrase.name}</bdi>;
  if ("target" in phrase) return <TargetName name={phrase.target} />;
  if ("mark" in phrase) return <TargetMark look={lookOf(phrase.mark)} />;
  if ("word" in phrase) return <WordMark word={phrase.word} />;
  if ("note" in phrase) return <span class="note">{phrase.note}</span>;
  if ("remark" in phrase) return <p class="quiet">{phrase.remark}</p>;
  if ("drawn" in phrase) {
    const { drawn, metric, among } = phrase;
    return <IntervalPicture gate={drawn} metric={metric} reach={reachOfIntervals(among, metric)} />;
  }
  if ("list" in phrase) return <PhraseList {...phrase} />;
  if ("link" in phrase)
    return (
      <RowsLink to={phrase.to}>
        <Said phrase={phrase.link} />
      </RowsLink>
    );
  if ("holds" in phrase) return phrase.holds ? "✓" : "!";
  if ("strong" in phrase)
    return (
      <b>
        <Said phrase={phrase.strong} />
      </b>
    );
  return (
    <span class="quiet">
      <Said phrase={phrase.quiet} />
    </span>
  );
}

/** Lines, of which the first `most` are shown until somebody asks for the others. */
export function PhraseList({ list, most, noun }: { list: readonly Phrase[]; most: number; noun: string }) {
  const { shown, more } = useFirst(list, most, noun);
  if (list.length === 0) return null;
  return (
    <>
      <ul class="first-errors">
        {shown.map((each, at) => (
          <li key={at} dir="auto">
            <span>
              <Said phrase={each} />
            </span>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** The first lines, and a button for the others. */
function useFirst<Line>(
  lines: readonly Line[],
  most: number,
  noun: string,
): { shown: readonly Line[]; more: ComponentChildren } {
  const [isWhole, setWhole] = useState(false);
  const isPrinted = usePrinting();
  if (isWhole || isPrinted || lines.length <= most) return { shown: lines, more: null };
  return {
    shown: lines.slice(0, most),
    more: (
      <p class="more">
        <button type="button" class="link" onClick={() => setWhole(true)}>
          and {number(lines.length - most)} more {noun}s
        </button>
      </p>
    ),
  };
}
