import type { ReportGate, ReportMetric } from "../../../report/shape/model.ts";
import { NightStrip } from "../charts/night-strip.tsx";
import { Button, ButtonLink, CommandButton, CopyButton } from "../parts/button.tsx";
import { HeatCell } from "../parts/heat-cell.tsx";
import { IntervalPicture, reachOfIntervals } from "../parts/interval.tsx";
import { ThemeSwitch } from "../parts/masthead.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { WordMark } from "../parts/state-mark.tsx";
import { TickAxis } from "../parts/tick-axis.tsx";

const metric: ReportMetric = {
  name: "correct",
  scorer: "correct",
  type: "contains",
  primary: true,
  lowerIsBetter: false,
  passes: true,
  relative: false,
  unit: null,
  min: 0,
  max: 1,
};

const gate: Pick<ReportGate, "interval" | "difference" | "margin"> = {
  difference: -0.133,
  interval: { lower: -0.196, upper: -0.079 },
  margin: 0.05,
};

const words = ["pass", "pass", "too-few-cases", "worse", "regression", "invalid"] as const;
const nights = words.map((word, place) => ({
  batch: `billing-${place}`,
  at: Date.UTC(2026, 10, 17 + place, 2),
  label: `2026-11-${17 + place}`,
  verdict: "pass",
  word,
  otherCases: false,
  changes: [],
  noticed: [],
  scores: {},
}));

/** Every component once, for those who change one: at `#components` of the viewer, in any theme, width and direction. */
export function Components() {
  const reach = reachOfIntervals([gate], metric);
  return (
    <main class="components">
      <h1>Components</h1>
      <p>
        <ThemeSwitch />
      </p>
      <h2>Button</h2>
      <p class="components-line">
        <ButtonLink isMain href="#components">
          See the 17 rows
        </ButtonLink>
        <ButtonLink href="#components">Open</ButtonLink>
        <Button act={() => {}}>Copy summary</Button>
        <CopyButton text="tandem resume billing">Copy resume</CopyButton>
        <CommandButton text="tandem run suite.yaml --repeats 3" />
      </p>
      <h2>Select and chip</h2>
      <div class="components-line">
        <select aria-label="An order">
          <option>gravest first, new before old</option>
        </select>
        <span class="filters">
          <button type="button" aria-pressed="true">
            All <span class="count">120</span>
          </button>
          <button type="button" aria-pressed="false">
            Worse <span class="count">17</span>
          </button>
        </span>
        {words.map((word, place) => (
          <WordMark key={place} word={word} />
        ))}
      </div>
      <h2>Strip of nights</h2>
      <p>
        <NightStrip nights={nights} name="billing" />
      </p>
      <h2>Difference and its axis</h2>
      <IntervalPicture gate={gate} metric={metric} reach={reach} isSmall />
      <TickAxis reach={reach} metric={metric} isBelow />
      <h2>Table and heat map</h2>
      <ScrollTable name="Table" kind="strengths tag-map">
        <thead>
          <tr>
            <th scope="col">language</th>
            <th scope="col" class="number">
              card
            </th>
            <th scope="col" class="number">
              fees
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              <bdi>عربي</bdi>
            </th>
            <HeatCell heat="worse">−100.0</HeatCell>
            <HeatCell heat={null}>−12.5</HeatCell>
          </tr>
          <tr>
            <th scope="row">
              <bdi>हिन्दी</bdi>
            </th>
            <HeatCell heat="better">+20.0</HeatCell>
            <HeatCell heat={null}>0.0</HeatCell>
          </tr>
        </tbody>
      </ScrollTable>
    </main>
  );
}
