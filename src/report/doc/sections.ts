import type { DocTable, Phrase } from "../shape/doc.ts";
import type { ReportFlip, ReportGate, ReportSummary } from "../shape/model.ts";
import { isMadeKey } from "../../compare/cases/made-key.ts";
import { speedNotes } from "../model/speed-basis.ts";
import { pAbout, pNames } from "../say/figures.ts";
import { flipBasis, flipWords } from "../say/changes.ts";
import { otherMetric, rowWords } from "../say/names.ts";
import { capitalised, number } from "../say/quantity.ts";
import { behaviourWords } from "../say/findings.ts";
import { basisWords } from "../say/answers.ts";
import { judgeWords } from "../say/judges.ts";
import { uncountedLines } from "../say/validity.ts";
import { findingsTables } from "./choice-findings-tables.ts";
import { choiceTable } from "./choice-table.ts";
import { failureTable, fieldTable, sliceDifferences } from "./difference-tables.ts";
import { gateTable } from "./gate-table.ts";
import { reasonPhrases } from "./reason-list.ts";
import { scoreTable, targetTable } from "./target-table.ts";

/** One part of a section: a sentence, a list of them, or a table. */
type Part = { say: Phrase } | { list: readonly Phrase[]; noun: string } | { table: DocTable };

/** Parts under one title; `folded`: opened with a click where a medium can, `isOfBatch`: about the run, not its result. */
export interface Section {
  title: Phrase;
  parts: readonly Part[];
  folded?: boolean;
  isOfBatch?: boolean;
}

/** The sections of a report below its verdict, in its order. Sections without content are left out. */
export function reportSections(summary: ReportSummary): Section[] {
  const { gates, validity, behaviour, notes, cautions, judges } = summary;
  const basis = basisWords(summary);
  const uncounted = uncountedLines(summary).map((say) => ({ say }));
  const choice = choiceTable(summary, "section");
  const fields = fieldTable(summary, null);
  const failures = failureTable(summary, null);
  return [
    { title: "Metrics", parts: gates.length === 0 ? [] : [...uncounted, ...metricParts(summary)] },
    {
      title: "Scores",
      parts: summary.pairs.length > 0 || summary.targets.length < 2 ? [] : withTable(scoreTable(summary)),
      folded: true,
    },
    {
      title: "How it was decided",
      parts: [list(methodPhrases(summary))],
      folded: true,
    },
    { title: "Choice", parts: choice === null ? [] : [{ table: choice }] },
    ...findingsTables(summary).map(({ table, about }) => ({ title: table.name, parts: [{ table }, { say: about }] })),
    {
      title: "Validity",
      parts: [
        { say: basis ?? "" },
        list(
          validity.checks.map(({ ok, text }) => [{ holds: ok }, " ", text]),
          "check",
        ),
      ],
    },
    flipSection(summary, uncounted),
    {
      title: "Behaviour changed?",
      parts: [list(behaviour.map((each) => `${capitalised(behaviourWords(each, summary))}.`))],
    },
    {
      title: "How it was measured",
      parts: [list(behaviour.map(({ measured }) => measured))],
      folded: true,
    },
    { title: "Targets", parts: targetParts(summary), isOfBatch: true },
    { title: "Judges", parts: [list(judges.map(judgeWords))], folded: true, isOfBatch: true },
    { title: "Where it differs", parts: withTable(sliceDifferences(summary, null), uncounted) },
    { title: fields.name, parts: withTable(fields), folded: true },
    { title: failures.name, parts: withTable(failures), folded: true },
    {
      title: "Notes",
      parts: [list(notes.filter((note) => !cautions.includes(note)))],
      folded: true,
      isOfBatch: true,
    },
  ]
    .map((section) => ({ ...section, parts: section.parts.filter((part) => !isEmpty(part)) }))
    .filter(({ parts }) => parts.length > 0);
}

const list = (lines: readonly Phrase[], noun = "line"): Part => ({ list: lines, noun });
const withTable = (table: DocTable, before: readonly Part[] = []): Part[] =>
  table.rows.length === 0 ? [] : [...before, { table }];
const isEmpty = (part: Part): boolean =>
  "say" in part ? part.say === "" : ("list" in part ? part.list : part.table.rows).length === 0;

/** Metrics with a gate, then those without: their ranges and their p values answer other questions. */
function metricParts(summary: ReportSummary): Part[] {
  const { gates, metrics, pairs } = summary;
  const [gated, free] = [gates.filter(({ state }) => state !== null), gates.filter(({ state }) => state === null)];
  const ratio = metrics.some(({ relative }) => relative) ? "; × says how many times as much it is" : "";
  const named = { name: "Metrics", several: pairs.length > 1 };
  return [
    ...[gated, free].map((some) => ({ table: gateTable(some, summary, named) })),
    { say: `A difference is candidate minus baseline${ratio}.` },
    { say: gated.length === 0 ? "" : `${capitalised(pNames.gate)}: ${pAbout.gate}.` },
    { say: free.length === 0 ? "" : `${capitalised(pNames.metric)}: ${pAbout.metric}.` },
    ...speedNotes(gates, summary).map((note) => ({ say: `${note}.` })),
  ];
}

/** The way in which each gate was decided. */
const methodPhrases = ({ gates, pairs }: ReportSummary): Phrase[] =>
  gates.filter(({ state }) => state !== null).flatMap((gate) => methodOf(gate, pairs.length > 1));

/** The test by which a gate was decided, its reason, and the other details behind it. */
function methodOf({ candidate, name, method, details, cases, groups }: ReportGate, several: boolean): Phrase[] {
  const size = groups === null ? [] : [`${number(cases)} rows in ${groups}.`];
  const sentences = [...(method === "" ? [] : [`${method}.`]), ...size, ...details];
  if (sentences.length === 0) return [];
  return [[...(several ? [{ target: candidate }, ", "] : []), { name }, `: ${sentences.join(" ")}`]];
}

const mostKeys = 8;

/** Cases that fail or pass newly. */
function flipSection(summary: ReportSummary, uncounted: readonly Part[]): Section {
  const found = summary.flips.filter(({ cases }) => cases > 0);
  const basis = flipBasis(summary);
  const metric = found[0]?.metric ?? null;
  const other = otherMetric(metric, summary.verdict.metric);
  const on = other === null ? [] : [" on ", { name: other }];
  const lines = found.map(({ candidate, kind, cases, keys, rows }): Phrase => {
    const named = keys.slice(0, mostKeys).flatMap((key, place) => flipName(key, rows[place]));
    return [
      ...(summary.pairs.length > 1 ? [{ target: candidate }, ": "] : []),
      { strong: number(cases) },
      ` ${flipWords[kind]}`,
      ...named.flatMap((name, place) => [place === 0 ? ": " : ", ", name]),
      named.length > 0 && cases > named.length ? ", …" : "",
    ];
  });
  const parts = [...uncounted, list(lines), { say: basis === null ? "" : `Here ${basis}.` }];
  return { title: ["Newly failing and newly passing", ...on], parts: found.length === 0 ? [] : parts };
}

/** `row 4 (hours-en-3)`: without the key where we made it, without the row where the case is of no file. */
function flipName(key: string, row: ReportFlip["rows"][number] | undefined): Phrase[] {
  const place = row === undefined ? "" : rowWords(row);
  if (isMadeKey(key)) return place === "" ? [] : [place];
  const name = { name: key, most: 60 };
  return [place === "" ? name : [place, " (", name, ")"]];
}

/** The targets with their runs and scores, and what went wrong. */
function targetParts(summary: ReportSummary): Part[] {
  const { targets } = summary;
  return [
    { table: targetTable(summary) },
    list(
      targets.flatMap(({ name, stopped }) =>
        stopped === null ? [] : [[{ target: name }, ` was stopped: ${stopped}`]],
      ),
    ),
    list(reasonPhrases(targets, true), "message"),
  ];
}
