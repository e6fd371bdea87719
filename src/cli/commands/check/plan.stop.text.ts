import type { ExpectedStop } from "../../../app/live/expect-stopping.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { amount, number, wholeShare } from "../../../report/say/quantity.ts";
import { visible } from "../../../report/text/visible.ts";

/** The cases until a run is decided, where it stops then. `jobs`: of all cases. */
export function stopLines(
  { why, gate, noise, expected }: ExpectedStop,
  all: { cases: number; jobs: number },
): string[] {
  if (why !== null || gate === null)
    return [`Everything is sent, although it should stop when it is decided: ${why ?? ""}.`];
  const rows = expected.map(({ drop, mean, pass, regression }) => [
    drop === 0 ? "nothing has changed" : `a loss of ${amount(drop)}`,
    number(Math.round(mean)),
    number(Math.round((mean * all.jobs) / Math.max(1, all.cases))),
    wholeShare(pass),
    wholeShare(regression),
    wholeShare(Math.max(0, 1 - pass - regression)),
  ]);
  return [
    `Stops when it is decided (${visible(gate.metric)}, limit ${amount(gate.margin)}). Expected, if ${wholeShare(noise)} of the cases turn by chance:`,
    ...tableLines(
      [
        { title: "if there is", align: "left", most: 40 },
        { title: "cases", align: "right", most: 12 },
        { title: "jobs", align: "right", most: 12 },
        { title: "pass", align: "right", most: 10 },
        { title: "regression", align: "right", most: 10 },
        { title: "open at the end", align: "right", most: 16 },
      ],
      rows,
    ),
  ];
}
