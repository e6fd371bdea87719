import { gateTable } from "../../../report/doc/gate-table.ts";
import { resultTable } from "../../../report/doc/result-table.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { pValue } from "../../../report/say/figures.ts";
import { gateLine } from "../../../report/say/findings.ts";
import { number } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";
import { gatesByGravity } from "../parts/standing.ts";
import { Ticked } from "../parts/ticked.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { Uncounted } from "./uncounted.tsx";

/** The figures of a result as every medium has them: a line a metric, a candidate or a configuration. */
export function Figures({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const table = resultTable(summary);
  return table === null ? null : <DocTableView table={table} kind="gate-table" {...{ summary, setAddress }} />;
}

/** Each gate in a line, the test that was used and the reasons for it: for readers who doubt the result. */
export function GateMethods({ summary }: { summary: ReportSummary }) {
  const deciding = gatesByGravity(summary.gates).filter(({ state }) => state !== null && state !== "invalid");
  return deciding.map((gate) => (
    <div key={`${gate.candidate} ${gate.name}`} class="measured">
      {deciding.length > 1 && (
        <h3>
          {summary.candidates.length > 1 && (
            <>
              <TargetName name={gate.candidate} />,{" "}
            </>
          )}
          <bdi>{gate.name}</bdi>
        </h3>
      )}
      <p dir="auto">
        <Ticked text={gateLine(gate, summary.metrics)} />
        {gate.p !== null && `; p ${pValue(gate.p)}`}
        {gate.groups !== null && `; in ${gate.groups}`}
      </p>
      {[gate.method, ...gate.details]
        .filter((line) => line !== "")
        .map((line) => (
          <p key={line} dir="auto">
            {line}
          </p>
        ))}
    </div>
  ));
}

/** Metrics that were measured although no gate depends on them. */
export function OtherMetrics(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const name = summary.candidates[candidate];
  const others = summary.gates.filter((gate) => gate.state === null && gate.candidate === name);
  if (others.length === 0) return null;
  return (
    <details>
      <summary>Other metrics ({number(others.length)})</summary>
      <Uncounted summary={summary} />
      <DocTableView
        table={gateTable(others, summary, { name: "Other metrics", several: false })}
        kind="gate-table"
        {...{ summary, setAddress }}
      />
    </details>
  );
}
