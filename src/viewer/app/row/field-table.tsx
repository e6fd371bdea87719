import { useMemo } from "preact/hooks";
import { jsonFields } from "../../../report/model/json-fields.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { counted } from "../../../report/say/quantity.ts";
import type { AnswerSide } from "./shown-answers.ts";

/** Fields that are shown. */
const mostFields = 200;

/** Answers that are JSON objects, and the expected one, field by field: `days_late  expected 4  prod 4  test 3`. */
export function FieldTable({ sides, expected }: { sides: readonly AnswerSide[]; expected: string | null }) {
  const answers = sides.map(({ run }) => run?.answer ?? null);
  const { lines, hasExpected, left } = useMemo(() => fieldsOf(expected, answers), [expected, ...answers]);
  if (lines.length === 0) return null;
  return (
    <section class="field-table">
      <h3>Fields of the answers</h3>
      <ScrollTable name="Fields of the answers">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {hasExpected && <th scope="col">expected</th>}
            {sides.map(({ place, name, letter }) => (
              <th scope="col" key={place}>
                {letter ?? <TargetName name={name} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ path, wanted, values }) => (
            <tr key={path} class={isOtherwise({ path, wanted, values }) ? "differs" : ""}>
              <th scope="row">
                <bdi>{path}</bdi>
              </th>
              {hasExpected && <Cell value={wanted} />}
              {values.map((value, place) => (
                <Cell key={place} value={value} against={wanted ?? values[0] ?? null} />
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {left > 0 && <p class="quiet">{counted(left, "more field")}: see the answers below.</p>}
    </section>
  );
}

/** A value; one that is another than it should be, or than the first side has, is marked. */
function Cell({ value, against }: { value: string | null; against?: string | null }) {
  const isOther = against !== undefined && value !== against;
  return (
    <td dir="auto" class={isOther ? "other" : ""}>
      {value === null ? <span class="quiet">–</span> : isOther ? <mark>{value}</mark> : value}
    </td>
  );
}

const differ = (values: readonly (string | null)[]): boolean => new Set(values).size > 1;

/** A field of which nothing is expected is told by what the sides say. */
const isOtherwise = ({ wanted, values }: FieldLine): boolean => differ(wanted === null ? values : [wanted, ...values]);

interface FieldLine {
  path: string;
  wanted: string | null;
  /** By side; null: it has no such field. */
  values: (string | null)[];
}

/** Nothing where no answer is an object: fields that differ stand first, each group in the order of the first that has them. */
function fieldsOf(
  expected: string | null,
  answers: readonly (string | null)[],
): { lines: FieldLine[]; hasExpected: boolean; left: number } {
  const read = answers.map(jsonFields);
  if (!read.some((fields) => fields !== null)) return { lines: [], hasExpected: false, left: 0 };
  const wanted = jsonFields(expected);
  const paths = new Set([wanted, ...read].flatMap((fields) => Array.from(fields?.keys() ?? [])));
  const all = Array.from(paths, (path): FieldLine => ({
    path,
    wanted: wanted?.get(path) ?? null,
    values: read.map((fields) => fields?.get(path) ?? null),
  }));
  const lines = [...all.filter(isOtherwise), ...all.filter((line) => !isOtherwise(line))];
  return {
    lines: lines.slice(0, mostFields),
    hasExpected: wanted !== null,
    left: Math.max(0, lines.length - mostFields),
  };
}
