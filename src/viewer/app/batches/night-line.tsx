import { Fragment } from "preact";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { Night, NightTarget } from "../../../report/shape/history.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { difference, range, scoreFigure } from "../../../report/words/figures.ts";
import type { NightSpeed } from "../../../report/model/speed-basis.ts";
import { number, price } from "../../../report/words/quantity.ts";
import { batchAddress } from "../data/batch-address.ts";
import { words } from "../parts/format.ts";
import { IntervalPicture, type Reach } from "../parts/interval.tsx";
import { Ticked } from "../parts/ticked.tsx";
import { Tick } from "./tick.tsx";
import type { SetTick } from "./ticks.ts";
import { NightVerdict } from "../charts/verdict-sign.tsx";
import { nightDay } from "../../../report/words/night-names.ts";

interface LineGiven {
  night: Night;
  targets: readonly string[];
  candidates: readonly string[];
  metrics: readonly ReportMetric[];
  reach: Reach | null;
  speed: NightSpeed;
  hasCost: boolean;
  ticks: readonly string[];
  setTick: SetTick;
}

/** A night as a line: verdict, scores, difference, newly failing cases, errors, latency and cost; below it what changed. */
export function NightLine(given: LineGiven) {
  const { noticed, changes, why } = given.night;
  const columns = 6 + given.targets.length + given.candidates.length + Number(given.hasCost);
  return (
    <>
      <NightFigures {...given} />
      {(noticed.length > 0 || changes.length > 0 || why !== null) && (
        <tr class="night-about">
          <td colSpan={columns} dir="auto">
            <Changes night={given.night} />
          </td>
        </tr>
      )}
    </>
  );
}

function NightFigures({ night, targets, candidates, metrics, reach, speed, hasCost, ticks, setTick }: LineGiven) {
  return (
    <tr class="night-line">
      <td>
        {night.targets.length > 0 && (
          <Tick
            name={night.batch}
            shown={`night of ${nightDay(night, { at: Date.now() })}`}
            ticks={ticks}
            setTick={setTick}
          />
        )}
      </td>
      <th scope="row" class="night">
        <a href={batchAddress(night.batch)}>{night.label}</a>
      </th>
      <td>
        <NightVerdict night={night} />
      </td>
      {targets.map((name) => (
        <td class="number" key={name} data-name={name}>
          {valueText(night, name, metrics)}
        </td>
      ))}
      {candidates.map((name) => (
        <Difference key={name} night={night} candidate={name} metrics={metrics} reach={reach} />
      ))}
      <td class="number" data-name="newly failing">
        <NewlyFailing night={night} />
      </td>
      <td class="number" data-name="errors" title={errorText(night)}>
        <Errors night={night} targets={targets} />
      </td>
      <td class="number" data-name={speed.title.toLowerCase()}>
        {figures(night, targets, (target) => speed.figure(target, night))}
      </td>
      {hasCost && (
        <td class="number" data-name="cost">
          {figures(night, targets, ({ cost, runs }) =>
            cost === null || runs === 0 ? "–" : price((cost / runs) * 1000),
          )}
        </td>
      )}
    </tr>
  );
}

function Changes({ night: { noticed, changes, why } }: { night: Night }) {
  const also = [...changes, ...(why === null ? [] : [why])].join("; ");
  return (
    <>
      {noticed.map((sentence) => (
        <div class="cautions" key={sentence}>
          <span aria-hidden="true">◆ </span>
          <Ticked text={sentence} />
        </div>
      ))}
      {also}
    </>
  );
}

/** The difference, and its bounds as a picture on the scale of all nights. */
function Difference(given: { night: Night; candidate: string; metrics: readonly ReportMetric[]; reach: Reach | null }) {
  const { night, candidate, metrics, reach } = given;
  const found = night.differences.find((each) => each.candidate === candidate);
  const metric = metrics.find(({ name }) => name === found?.metric);
  if (found === undefined || metric === undefined || found.difference === null) return <td class="difference">–</td>;
  const { interval } = found;
  return (
    <td class="difference" data-name="difference">
      {difference(found.difference, metric, false)}
      {interval !== null && <span class="quiet"> ({range(interval, metric)})</span>}
      {reach !== null && <IntervalPicture gate={found} metric={metric} reach={reach} isSmall />}
    </td>
  );
}

function valueText({ targets }: Night, name: string, metrics: readonly ReportMetric[]): string {
  const found = targets.find(({ target }) => target === name);
  const metric = metrics.find((each) => each.name === found?.metric);
  if (found === undefined || found.value === null) return "–";
  return metric === undefined ? String(found.value) : scoreFigure(found.value, metric);
}

/** The newly failing cases of each candidate, as the way to their rows. */
function NewlyFailing({ night: { batch, differences } }: { night: Night }) {
  if (differences.length === 0) return <>–</>;
  return (
    <>
      {differences.map(({ candidate, newlyFailing: cases }, place) => {
        const rows = { target: candidate, group: rowGroup.flip("pass-to-fail") };
        const isLink = cases !== null && cases > 0;
        return (
          <Fragment key={candidate}>
            {place > 0 && " / "}
            {isLink ? <a href={batchAddress(batch, rows)}>{number(cases)}</a> : (cases ?? "–")}
          </Fragment>
        );
      })}
    </>
  );
}

/** The runs without an answer of each target, as the way to their rows. */
function Errors({ night, targets }: { night: Night; targets: readonly string[] }) {
  const text = figures(night, targets, ({ failed, runs }) =>
    failed === 0 ? "0" : `${number(failed)} of ${number(runs)}`,
  );
  if (!night.targets.some(({ failed }) => failed > 0)) return <>{text}</>;
  return <a href={batchAddress(night.batch, { show: "errors" })}>{text}</a>;
}

function errorText({ error }: Night): string | undefined {
  return error === null ? undefined : `${error.runs} × ${words(error.outcome)}: ${error.message}`;
}

/** A figure of each target in the order of the head, with a dash for one that the night does not have. */
function figures(night: Night, names: readonly string[], figure: (target: NightTarget) => string): string {
  const all = names.map((name) => {
    const found = night.targets.find(({ target }) => target === name);
    return found === undefined ? "–" : figure(found);
  });
  return new Set(all).size <= 1 && all[0] === "–" ? "–" : all.join(" / ");
}
