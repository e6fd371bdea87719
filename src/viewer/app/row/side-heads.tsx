import type { AnswerSide } from "./shown-answers.ts";
import { TargetName } from "../parts/target-name.tsx";

/** The head of a table with a column for each of the answers that stand side by side. */
export function SideHeads({ first, sides }: { first: string; sides: readonly AnswerSide[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {sides.map(({ place, name }) => (
          <th scope="col" key={place}>
            <TargetName name={name} />
          </th>
        ))}
      </tr>
    </thead>
  );
}
