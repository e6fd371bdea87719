import { useState } from "preact/hooks";
import type { BoundFigure, FigureBound } from "../../../report/query/query-edit.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import type { AskedBeside } from "../data/asked.ts";
import { figureNames } from "../data/columns.ts";
import { FilterIcon } from "../parts/icons.tsx";
import { Menu } from "../parts/menu.tsx";
import { TargetName } from "../parts/target-name.tsx";

type Target = ReportSummary["targets"][number];

interface Props {
  summary: ReportSummary;
  target: Target;
  beside: AskedBeside;
  ask: (text: string) => void;
}

/** A figure of an answer, as it is chosen from a list. */
interface OfferedFigure {
  figure: BoundFigure;
  name: string;
  /** Unit of the number that is typed. */
  unit: string;
}

/** Narrows the rows down by a figure of one target: at least, or at most, some number. It writes into the query. */
export function BoundMenu({ summary, target, beside, ask }: Props) {
  const offered = offeredFigures(summary, target);
  if (offered.length === 0) return null;
  return (
    <Menu
      kind="exports bound"
      name={
        <>
          <span class="unseen">
            Rows by a figure of <TargetName name={target.name} />
          </span>
          <FilterIcon />
        </>
      }
    >
      {(close) => (
        <BoundForm
          offered={offered}
          show={(bound) => {
            close();
            ask(beside.withBound({ ...bound, target: target.name }));
          }}
        />
      )}
    </Menu>
  );
}

function BoundForm(props: { offered: readonly OfferedFigure[]; show: (bound: Omit<FigureBound, "target">) => void }) {
  const { offered, show } = props;
  const [at, choose] = useState(0);
  const [isMost, setMost] = useState(false);
  const [typed, type] = useState("");
  const chosen = offered[at];
  return (
    <form
      class="bound-form"
      onSubmit={(event) => {
        event.preventDefault();
        const value = Number(typed);
        if (chosen !== undefined && typed.trim() !== "" && Number.isFinite(value))
          show({ figure: chosen.figure, isMost, value });
      }}
    >
      <label>
        <span class="unseen">Figure</span>
        <select value={String(at)} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
          {offered.map(({ name }, place) => (
            <option key={name} value={String(place)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">At least or at most</span>
        <select
          value={isMost ? "most" : "least"}
          onChange={({ currentTarget }) => setMost(currentTarget.value === "most")}
        >
          <option value="least">at least</option>
          <option value="most">at most</option>
        </select>
      </label>
      <label>
        <span class="unseen">Number</span>
        <input
          type="number"
          step="any"
          required
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />{" "}
        <span class="quiet">{chosen?.unit}</span>
      </label>
      <button type="submit" class="button">
        Show these rows
      </button>
    </form>
  );
}

/** The figures that are known of a target. */
function offeredFigures({ metrics }: ReportSummary, { latency, cost, tokens }: Target): OfferedFigure[] {
  return [
    ...(latency === null ? [] : [{ figure: "time" as const, name: figureNames.time, unit: "seconds" }]),
    ...(cost === null ? [] : [{ figure: "cost" as const, name: figureNames.cost, unit: "" }]),
    ...(tokens === null ? [] : [{ figure: "tokens" as const, name: figureNames.tokens, unit: "" }]),
    ...metrics.map(({ name, passes }) => ({
      figure: { metric: name },
      name: `Score ${name}`,
      unit: passes ? "from 0 to 1, which passes" : "",
    })),
  ];
}
