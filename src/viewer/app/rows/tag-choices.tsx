import type { AskedBeside } from "../data/asked.ts";
import { Menu } from "../parts/menu.tsx";
import { tagName } from "../../../report/say/names.ts";
import { number } from "../../../report/say/quantity.ts";

interface Offered {
  value: string;
  /** Null for one that a link names: only the most frequent values of a tag are counted. */
  cases: number | null;
}

/** Choices of values for each tag: a row is shown if it has one of the values of every tag that is chosen. */
export function TagChoices(props: {
  tags: Record<string, { value: string; cases: number }[]>;
  beside: AskedBeside;
  ask: (text: string) => void;
}) {
  const { tags, beside, ask } = props;
  return Object.entries(tags).map(([name, values]) => {
    const chosen = beside.valuesOf(name);
    const unlisted = chosen.filter((value) => !values.some((each) => each.value === value));
    return (
      <TagChoice
        key={name}
        name={name}
        offered={[...unlisted.map((value) => ({ value, cases: null })), ...values]}
        chosen={chosen}
        choose={(wanted) => ask(beside.withValues(name, wanted))}
      />
    );
  });
}
function TagChoice(props: { name: string; offered: Offered[]; chosen: string[]; choose: (values: string[]) => void }) {
  const { name, offered, chosen, choose } = props;
  return (
    <Menu kind="choice" name={<Chosen name={name} values={chosen} />}>
      {(close) => (
        <fieldset tabIndex={-1}>
          <legend class="unseen">{tagName(name)}</legend>
          {offered.map(({ value, cases }) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...chosen, value] : chosen.filter((each) => each !== value))
                }
              />
              <span>
                <bdi>{shown(value)}</bdi> {cases !== null && <span class="quiet">({number(cases)})</span>}
              </span>
            </label>
          ))}
          <button
            type="button"
            class="link"
            disabled={chosen.length === 0}
            onClick={() => {
              choose([]);
              close();
            }}
          >
            Every {tagName(name)}
          </button>
        </fieldset>
      )}
    </Menu>
  );
}

function Chosen({ name, values }: { name: string; values: readonly string[] }) {
  if (values.length === 0) return <>{`Every ${tagName(name)}`}</>;
  return (
    <>
      <span class="unseen">{tagName(name)}: </span>
      {joined(values)}
    </>
  );
}

/** Each value by itself, whichever way its script runs. */
function joined(values: readonly string[]) {
  return values.map((value, index) => (
    <span key={value}>
      {index > 0 && " or "}
      <bdi>{shown(value)}</bdi>
    </span>
  ));
}

function shown(value: string): string {
  return value === "" ? "(empty)" : value;
}
