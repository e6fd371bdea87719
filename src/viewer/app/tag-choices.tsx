import type { TagValue } from "../tags.ts";
import { count } from "./format.ts";

/** For each tag the value that rows shall have of it; choices of several tags hold together. */
export function TagChoices(given: {
  tags: Record<string, { value: string; cases: number }[]>;
  chosen: readonly TagValue[];
  choose: (tags: TagValue[]) => void;
}) {
  const { tags, chosen, choose } = given;
  return Object.entries(tags).map(([name, values]) => {
    const value = chosen.find((each) => each.name === name)?.value;
    const others = chosen.filter((each) => each.name !== name);
    return (
      <label key={name}>
        <select
          aria-label={name}
          value={placeOf(values, value)}
          onChange={(event) => {
            const choice = values[Number(event.currentTarget.value)];
            choose(choice === undefined ? others : [...others, { name, value: choice.value }]);
          }}
        >
          <option value="-1">Every {name}</option>
          {value !== undefined && !values.some((each) => each.value === value) && (
            <option value="other">{value}</option>
          )}
          {values.map((each, index) => (
            <option key={each.value} value={String(index)}>
              {each.value === "" ? "(empty)" : each.value} ({count(each.cases)})
            </option>
          ))}
        </select>
      </label>
    );
  });
}

/** Only the most frequent values of a tag are in the list; a link may name another. */
function placeOf(values: readonly { value: string }[], chosen: string | undefined): string {
  if (chosen === undefined) return "-1";
  const place = values.findIndex(({ value }) => value === chosen);
  return place === -1 ? "other" : String(place);
}
