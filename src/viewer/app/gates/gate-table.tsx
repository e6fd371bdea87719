import { boundAndLimit } from "../../../report/words/gate-words.ts";
import { pValue, range, rangesName, sidesFigures, sizeOfChange } from "../../../report/words/figures.ts";
import type { VerdictState } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { RowsLink } from "../rows/rows-link.tsx";
import { IntervalPicture } from "../parts/interval.tsx";
import type { KnownGate } from "./known-gates.ts";
import { rowsOfGate, Turned } from "./turned.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";

/** Gates or metrics below each other, one line each, their differences drawn on the scale of the metric. */
export function GateTable(given: {
  name: string;
  gates: KnownGate[];
  several: boolean;
  /** The verdict of all: an invalid one says the state of each, and their differences are no findings. */
  verdict?: VerdictState;
  setAddress: SetAddress;
}) {
  const { name, gates, several, verdict = null, setAddress } = given;
  const isDecided = gates.some(({ gate }) => gate.state !== null);
  const hasStates = isDecided && !(verdict === "invalid" && gates.every(({ gate }) => gate.state === verdict));
  return (
    <ScrollTable name={name} kind="gate-table">
      <thead>
        <tr>
          {hasStates && <th scope="col">Result</th>}
          {several && <th scope="col">Candidate</th>}
          <th scope="col">Metric</th>
          <th scope="col" class="figure both">
            Baseline → candidate
          </th>
          <th scope="col" class="number">
            Difference
          </th>
          <th scope="col" class="drawn">
            <span class="unseen">Drawn</span>
          </th>
          {isDecided ? (
            <th scope="col" class="bound">
              Loss, with chance taken into account
            </th>
          ) : (
            <>
              <th scope="col">{rangesName(gates.map(({ gate }) => gate))}</th>
              <th scope="col" class="number">
                p
              </th>
            </>
          )}
          <th scope="col" class="number">
            Worse, better
          </th>
        </tr>
      </thead>
      <tbody>
        {gates.map((known) => (
          <Line
            key={`${known.gate.candidate} ${known.gate.name}`}
            {...{ ...known, several, isDecided, hasStates, isInvalid: verdict === "invalid", setAddress }}
          />
        ))}
      </tbody>
    </ScrollTable>
  );
}

interface LineGiven extends KnownGate {
  several: boolean;
  /** These are gates: each shows the bound that decides beside its limit, and its p is behind how it was measured. */
  isDecided: boolean;
  hasStates: boolean;
  isInvalid: boolean;
  setAddress: SetAddress;
}

function Line({ gate, metric, reach, speed, several, isDecided, hasStates, isInvalid, setAddress }: LineGiven) {
  const { state, candidate, interval, advice } = gate;
  const [before, after] = sidesFigures(gate, metric);
  return (
    <tr class={`gate-line ${state ?? "none"}`}>
      {hasStates && <td>{state !== null && <StateMark state={state} />}</td>}
      {several && (
        <th scope="row">
          <TargetName name={candidate} />
        </th>
      )}
      <th scope="row" title={gate.method}>
        <RowsLink to={rowsOfGate(gate, metric)} setAddress={setAddress}>
          <bdi>{gate.name}</bdi>
        </RowsLink>
        {metric.lowerIsBetter && <span class="note">lower is better</span>}
        {speed !== null && <span class="note">{speed}</span>}
      </th>
      <td class="figure both">
        {before} <span aria-label="to">→</span> {after}
      </td>
      <td class="number">
        {isInvalid ? (
          <span class="quiet">{sizeOfChange(gate.difference, metric)}</span>
        ) : (
          <b>{sizeOfChange(gate.difference, metric)}</b>
        )}
      </td>
      <td class="drawn">
        <IntervalPicture gate={gate} metric={metric} reach={reach} isSmall />
        {advice !== null && state === "inconclusive" && <p class="quiet">{advice}</p>}
      </td>
      {isDecided ? (
        <td class="bound" data-name="loss, with chance taken into account">
          {boundAndLimit(gate, metric) ?? "–"}
        </td>
      ) : (
        <>
          <td class="figure" data-name="range">
            {interval === null ? "–" : range(interval, metric)}
          </td>
          <td class="number" data-name="p">
            {pValue(gate.p)}
          </td>
        </>
      )}
      <td class="number" data-name="worse, better">
        <Turned gate={gate} metric={metric} words={false} setAddress={setAddress} />
      </td>
    </tr>
  );
}
