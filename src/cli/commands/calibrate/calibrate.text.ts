import { type CalibratedWord, calibratedWords, falseBetter, falseWorse } from "../../../compare/summary/calibration.ts";
import { wordFacts } from "../../../compare/verdict-word.ts";
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
  const claims = gates.some(({ margin }) => margin !== null);
  const isFewer = runs.candidate < configured.candidate || runs.baseline < configured.baseline;
  const wanted = `the suite compares ${configured.candidate} against ${configured.baseline}, which takes ${configured.candidate + configured.baseline} runs of each case`;
  return [
    `${visible(target)} against itself: ${size} of ${counted(batches.length, "batch", "batches")}, ${counted(runs.candidate, "run")} against ${runs.baseline}${isFewer ? ` (${wanted})` : ""}`,
    `gates: ${names.join(", ")}; ${alphaText(found)}`,
    ...(claims ? [countedText] : []),
    "",
    ...rows.flatMap((row) => sentences(row, found, of)),
    "",
    ...wordTable(found, { of, counts }),
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

type Row = Calibration["rows"][number];

const countedText = `counted: the word of each verdict. Where nothing has changed, REGRESSION and WORSE (at most ${percent(falseWorse)}) are false alarms, and BETTER (at most ${percent(falseBetter)}) is a false finding`;

/** A share for each word that was said at all, and for those that every reader looks for. */
function wordTable({ rows }: Calibration, { of, counts }: { of: MeasureOf; counts: boolean }): string[] {
  const always = new Set<CalibratedWord>(["regression", "worse", "pass"]);
  const shown = calibratedWords.filter((word) => always.has(word) || rows.some(({ words }) => words[word] > 0));
  return tableLines(
    [
      { title: "true drop", align: "right", most: 14 },
      ...shown.map((word) => {
        const isFirst = word === "regression";
        return {
          title: wordFacts(word).shown,
          align: isFirst ? ("left" as const) : ("right" as const),
          most: isFirst ? 30 : 14,
        };
      }),
      { title: "promised", align: "left", most: 40 },
      ...(counts ? [{ title: "losses beyond", align: "right" as const, most: 14 }] : []),
    ],
    rows.map(({ drop, interval, words, promised, kept, keptPass: savedPass, losses }) => {
      const said = saidOf(words);
      const range = `(${percent(interval?.low ?? 0)} to ${percent(interval?.high ?? 1)})`;
      return [
        drop === 0 ? "none" : loss(drop, measure(of)),
        ...shown.map((word) => (word === "regression" ? `${said(word)} ${range}` : said(word))),
        promised === null
          ? "–"
          : kept === null
            ? `${percent(promised)} REGRESSION`
            : `at most ${percent(promised)} ${savedPass === null ? "REGRESSION" : "each (REGRESSION, PASS)"}`,
        ...(counts ? [percent(losses ?? 0)] : []),
      ];
    }),
  );
}

/** A row in sentences: about false alarms where nothing has changed, and about drops that are found. */
function sentences(row: Row, found: Calibration, of: MeasureOf): string[] {
  const { drop, losses } = row;
  const size = loss(drop, measure(of));
  if (losses !== null && found.gates.every(({ margin }) => margin === null)) {
    const where = drop === 0 ? "Where nothing has changed" : `With a true drop of ${size}`;
    return [`${where} more cases are lost than allowed in ${percent(losses)}.`];
  }
  return drop === 0 ? unchangedSentences(row, found) : [dropSentence(row, found, size)];
}

function unchangedSentences(row: Row, { nights }: Calibration): string[] {
  const { words, repetitions, promised, kept, keptWorse, keptBetter, falseAlarms } = row;
  const said = saidOf(words);
  const alarms = words.regression + words.worse;
  const month =
    nights > 1 ? `, over ${nights} nights ${percent(nightlyFalseAlarm(falseAlarms?.share ?? 0, nights))}` : "";
  const each = alarms === 0 ? "REGRESSION or WORSE" : `REGRESSION ${said("regression")}, WORSE ${said("worse")}`;
  const give = `${alarms === 0 ? "none" : said("regression", "worse")} of ${number(repetitions)} comparisons ${alarms === 0 ? "gives" : "give"} a false alarm (${each})`;
  const better = words.better === 0 ? "none says BETTER" : `${said("better")} say BETTER`;
  const broken = [
    ...brokenPromise("REGRESSION", kept, promised),
    ...brokenPromise("WORSE", keptWorse, falseWorse),
    ...brokenPromise("BETTER", keptBetter, falseBetter),
  ];
  return [
    `Where nothing has changed, ${give}${month}.`,
    `${said("pass")} say PASS, ${better}${broken.length === 0 ? "" : `: ${broken.join("; ")}`}.`,
  ];
}

function dropSentence(row: Row, { passAlpha }: Calibration, size: string): string {
  const { words, promised, kept, keptPass: savedPass, keptBetter } = row;
  const said = saidOf(words);
  const isAccepted = kept !== null;
  const isJust = isAccepted && savedPass !== null;
  const about = isJust ? ", which is just accepted," : isAccepted ? ", which is accepted," : "";
  const passes = said("pass", "better");
  const isFalsePass = isJust || savedPass === false;
  const broken = [
    ...brokenPromise("REGRESSION", kept, promised),
    ...brokenPromise("PASS", savedPass, passAlpha),
    ...(isJust ? [] : brokenPromise("BETTER", keptBetter, falseBetter)),
  ];
  const list = [`REGRESSION in ${said("regression")}`, `WORSE in ${said("worse")}`];
  const called = isFalsePass ? `${list.join(", ")} and PASS in ${passes}` : list.join(" and ");
  return `A true drop of ${size}${about} is called ${called}${broken.length === 0 ? "" : `: ${broken.join("; ")}`}.`;
}

function brokenPromise(word: string, kept: boolean | null, promised: number | null): string[] {
  return kept === false && promised !== null ? [`more ${word} than the ${percent(promised)} that are promised`] : [];
}

/** Shares of words with one digit, which add up to 100: what rounding down leaves goes where it cut off most. Several words are added up. */
function saidOf(counts: Row["words"]): (...words: readonly CalibratedWord[]) => string {
  const all = calibratedWords.reduce((sum, word) => sum + counts[word], 0);
  const exact = calibratedWords.map((word) => (all === 0 ? 0 : (counts[word] * 1000) / all));
  const parts = exact.map(Math.floor);
  const left = all === 0 ? 0 : 1000 - parts.reduce((sum, part) => sum + part, 0);
  const most = exact.map((share, i) => ({ i, cut: share - Math.floor(share) })).toSorted((a, b) => b.cut - a.cut);
  for (const { i } of most.slice(0, left)) parts[i] = (parts[i] ?? 0) + 1;
  return (...words) =>
    percent(words.reduce((sum, word) => sum + (parts[calibratedWords.indexOf(word)] ?? 0), 0) / 1000);
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
