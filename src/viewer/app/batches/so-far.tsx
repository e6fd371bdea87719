import { decimal, shareFigure } from "../../../report/words/figures.ts";
import type { SoFar } from "../../../report/shape/so-far.ts";
import { number, counted } from "../../../report/words/quantity.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";

/**
 * Sums and counts of the finished cases, and nothing more: a test that is repeated while cases come in would find
 * something by chance.
 */
export function SoFarTable({ soFar }: { soFar: SoFar }) {
  const { cases, repeats, targets, pairs, later } = soFar;
  return (
    <section class="so-far">
      <h2>So far</h2>
      <p class="quiet">
        Over {counted(cases, "case")} that every target has finished{repeats > 1 && " once, each by its first run"}.
        Nothing is tested and nothing decided before the end: figures that are looked at while they grow turn up
        differences by chance.
      </p>
      {cases > 0 && (targets[0]?.scores ?? []).length > 0 && <Scores soFar={soFar} />}
      {cases > 0 &&
        pairs.map(({ candidate, baseline, same, different }) => (
          <p key={candidate}>
            <bdi>{candidate}</bdi> and <bdi>{baseline}</bdi> said the same in {counted(same, "case")}, something else in{" "}
            {number(different)}.
          </p>
        ))}
      {later.length > 0 && <p class="quiet">Graded at the end: {later.join(", ")}.</p>}
    </section>
  );
}

function Scores({ soFar: { targets, pairs } }: { soFar: SoFar }) {
  const [first] = targets;
  return (
    <ScrollTable name="Scores so far">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          {targets.map(({ name }) => (
            <th scope="col" class="number" key={name}>
              <bdi>{name}</bdi>
            </th>
          ))}
          {pairs.map(({ candidate, baseline }) => (
            <th scope="col" class="number" key={candidate}>
              <bdi>{candidate}</bdi> beside <bdi>{baseline}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {first?.scores.map(({ metric, passes }, place) => (
          <tr key={metric}>
            <th scope="row">
              <bdi>{metric}</bdi>
            </th>
            {targets.map(({ name, scores }) => (
              <td class="number" key={name}>
                {figure(scores[place]?.mean ?? null, passes)}{" "}
                <span class="quiet">of {number(scores[place]?.cases ?? 0)}</span>
              </td>
            ))}
            {pairs.map(({ candidate, metrics: own }) => (
              <td class="number" key={candidate}>
                worse in {number(own[place]?.worse ?? 0)}, better in {number(own[place]?.better ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function figure(mean: number | null, passes: boolean): string {
  if (mean === null) return "–";
  return passes ? shareFigure(mean) : decimal(mean, 3);
}
