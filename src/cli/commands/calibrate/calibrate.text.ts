import { clusterNoun, clusterWords } from "../../../compare/summary/cluster-words.ts";
import type { MeasureOf } from "../../../compare/comparison-plan.ts";
import type { Calibration } from "../../../app/calibrate/calibrate.ts";
import { loss, measure } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import { nightlyFalseAlarm } from "../../../stats/planning/nights.ts";

/** The measured shares: in plain words first, then as a table. */
export function calibrationText(found: Calibration): string {
  const { target, cases, clusters, clusterColumn, batches, runs, configured, gates, rows, left, notes } = found;
  const within = clusterWords(clusters, cases, clusterColumn);
  const together = within === null ? "cases" : clusterNoun(clusterColumn);
  const size = within === null ? counted(cases, "case") : `${counted(cases, "case")} in ${within}`;
  const names = gates.map(gateWords);
  const { of = "pass" } = gates.find(({ margin }) => margin !== null) ?? gates[0] ?? {};
  const counts = gates.some(({ losses }) => losses !== null);
  const isFewer = runs.candidate < configured.candidate || runs.baseline < configured.baseline;
  const wanted = `the suite compares ${configured.candidate} against ${configured.baseline}, which takes ${configured.candidate + configured.baseline} runs of each case`;
  return [
    `${visible(target)} against itself: ${size} of ${counted(batches.length, "batch", "batches")}, ${counted(runs.candidate, "run")} against ${runs.baseline}${isFewer ? ` (${wanted})` : ""}`,
    `gates: ${names.join(", ")}; ${alphaText(found)}`,
    "",
    ...rows.map((row) => sentence(row, found, of)),
    "",
    ...tableLines(
      [
        { title: "true drop", align: "right", most: 14 },
        { title: "regression", align: "left", most: 30 },
        { title: "pass", align: "right", most: 10 },
        { title: "inconclusive", align: "right", most: 12 },
        { title: "promised", align: "left", most: 40 },
        ...(counts ? [{ title: "losses beyond", align: "right" as const, most: 14 }] : []),
      ],
      rows.map(({ drop, interval, states, promised, kept, keptPass: savedPass, losses }) => {
        const said = saidOf(states);
        return [
          drop === 0 ? "none" : loss(drop, measure(of)),
          `${said.regression} (${percent(interval?.low ?? 0)} to ${percent(interval?.high ?? 1)})`,
          said.pass,
          said.inconclusive,
          promised === null
            ? "–"
            : kept === null
              ? `${percent(promised)} regressions`
              : `at most ${percent(promised)} ${savedPass === null ? "regressions" : "of each"}`,
          ...(counts ? [percent(losses ?? 0)] : []),
        ];
      }),
    ),
    "",
    `${number(rows[0]?.repetitions ?? 0)} imitated comparisons for each drop, whole ${together} drawn with replacement, seed ${found.seed}; in brackets the 95 % interval.`,
    ...(counts
      ? [
          "A gate that counts losses promises no rate: with repeated runs of the same bot it shows how deterministic that bot is.",
        ]
      : []),
    ...(gates.length > 1 ? ["In each gate as many of its own limits are planted as in the first."] : []),
    ...notes.map((note) => `${visible(note)}.`),
    ...(left > 0 ? [`${counted(left, "case")} left out: fewer than two runs, or beyond the first 20,000.`] : []),
  ].join("\n");
}

/** A row as a sentence, about the share of false alarms when nothing has changed, or of drops that are found. */
function sentence(
  { drop, regression, repetitions, states, promised, kept, keptPass: savedPass, losses }: Calibration["rows"][number],
  { nights, passAlpha, gates }: Calibration,
  of: MeasureOf,
): string {
  const size = loss(drop, measure(of));
  if (losses !== null && gates.every(({ margin }) => margin === null)) {
    const what = drop === 0 ? "Where nothing has changed" : `With a true drop of ${size}`;
    return `${what} more cases are lost than allowed in ${percent(losses)}.`;
  }
  const said = saidOf(states);
  if (drop === 0) {
    const month = nights > 1 ? `, over ${nights} nights ${percent(nightlyFalseAlarm(regression, nights))}` : "";
    const alarms = states.regression === 0 ? "none" : said.regression;
    const give = `${alarms} of ${number(repetitions)} comparisons ${states.regression === 0 ? "gives" : "give"} a false alarm`;
    return `Where nothing has changed, ${give}${month} and ${said.pass} pass${verdict(kept, promised)}.`;
  }
  if (kept !== null) {
    if (savedPass === null) {
      return `A true drop of ${size}, which is accepted, makes ${said.regression} call a regression${verdict(kept, promised)}.`;
    }
    const broken = [...(kept ? [] : ["false alarms"]), ...(savedPass ? [] : ["pass"])].join(" and ");
    const more =
      broken === ""
        ? ""
        : `: more ${broken} than the ${percent(kept ? passAlpha : (promised ?? passAlpha))} that are promised`;
    return `A true drop of ${size}, which is just accepted, makes ${said.regression} call a regression and ${said.pass} pass${more}.`;
  }
  const passes = savedPass === false ? `, and ${said.pass} pass${verdict(savedPass, passAlpha)}` : "";
  return `A true drop of ${size} is found in ${said.regression}${passes}.`;
}

/** Shares with one digit that add up to 100: what rounding down leaves goes where it cut off most. */
function saidOf(states: Calibration["rows"][number]["states"]): Record<keyof typeof states, string> {
  const { regression, pass, inconclusive } = states;
  const counts = [regression, pass, inconclusive];
  const all = counts.reduce((sum, count) => sum + count, 0);
  const exact = counts.map((count) => (all === 0 ? 0 : (count * 1000) / all));
  const parts = exact.map(Math.floor);
  const left = all === 0 ? 0 : 1000 - parts.reduce((sum, part) => sum + part, 0);
  const most = exact.map((share, i) => ({ i, cut: share - Math.floor(share) })).toSorted((a, b) => b.cut - a.cut);
  for (const { i } of most.slice(0, left)) parts[i] = (parts[i] ?? 0) + 1;
  const [first = 0, second = 0, third = 0] = parts.map((part) => part / 1000);
  return { regression: percent(first), pass: percent(second), inconclusive: percent(third) };
}

function verdict(kept: boolean | null, promised: number | null): string {
  return kept === false && promised !== null ? `: more than the ${percent(promised)} that are promised` : "";
}

function alphaText({ alpha, nights }: Calibration): string {
  if (nights === 1) return `alpha ${percent(alpha)}`;
  return `alpha ${percent(alpha, 2)} of one comparison, ${percent(nightlyFalseAlarm(alpha, nights))} over ${nights} nights (Sidak)`;
}

/** `correct (limit 5 points)`, `correct by category (losses 0)` */
function gateWords({ metric, of, margin, losses, by }: Calibration["gates"][number]): string {
  const name = by === null ? visible(metric) : `${visible(metric)} by ${visible(by)}`;
  return margin === null ? `${name} (losses ${losses ?? 0})` : `${name} (limit ${loss(margin, measure(of))})`;
}

function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`;
}
