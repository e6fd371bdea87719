import type { Agreement, ScorerAgreement } from "../../../app/labels/agreement.ts";
import type { MadeDraw } from "../../../app/compare/label-draw.ts";
import type { Imported } from "../../../app/labels/labels.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import { figure } from "../score/score.text.ts";

/** The draw: how many cases, and how to label them. */
export function drawnText(batch: string, drawn: MadeDraw, file: string | null): string {
  const { baseline, candidate, cases, added, seed } = drawn;
  const before = drawn.drawn - added;
  const more = before === 0 ? "" : `, ${number(added)} of them new`;
  const of = `${counted(drawn.drawn, "row")} of ${number(cases)} drawn at random${more}`;
  const named = batch === "" ? "" : ` ${visible(batch)}`;
  const sheet =
    file === null
      ? `tandem label export${named} --draw --candidate ${shellWord(candidate)} --open -o labels.csv writes the sheet to fill in.`
      : `${file}: fill in label (good or bad, or a number) for every answer; then tandem label import${named} ${file}`;
  return [
    `${visible(batch)}: ${of}, to label the answers of ${visible(baseline)} and ${visible(candidate)} (seed ${visible(seed)})`,
    ...(drawn.examples === undefined ? [] : [examplesText(drawn.examples)]),
    sheet,
  ].join("\n");
}

const examplesText = (examples: number): string =>
  `${counted(examples, "row")} ${examples === 1 ? "was" : "were"} used to write the judge (\`examples\`, or the question stands in its prompt): not drawn`;

/** The counts of an import of labels. */
export function importedText(batch: string, imported: Imported): string {
  const { added, changed, same, blank, notesLeft, otherText, offScale } = imported;
  const parts = [`${counted(added, "label")} added`, `${number(changed)} changed`, `${number(same)} there already`];
  const left = blank === 0 ? "" : `; ${counted(blank, "row")} not filled in`;
  return `${visible(batch)}: ${parts.join(", ")}${left}${notesText(notesLeft)}${otherTextText(batch, otherText)}${offScale.map(offScaleText).join("")}`;
}

const offScaleText = ({ metric, labels, from, to }: Imported["offScale"][number]): string =>
  `\n${counted(labels, "label")} cannot correct ${visible(metric)}, which goes from ${number(from)} to ${number(to)}: write a number of that scale, and import the file again`;

const mostRows = 5;

function notesText(rows: readonly number[]): string {
  if (rows.length === 0) return "";
  const are = rows.length === 1 ? "was" : "were";
  return `\n${counted(rows.length, "note")} without a label ${are} not kept (${rowsText(rows)}): write a label beside the note and import the file again`;
}

function otherTextText(batch: string, rows: readonly number[]): string {
  if (rows.length === 0) return "";
  const [are, its] = rows.length === 1 ? ["was", "its answer has"] : ["were", "their answers have"];
  return `\n${counted(rows.length, "label")} ${are} not stored, because ${its} another text by now (${rowsText(rows)}): write the sheet again (tandem label export ${visible(batch)}), and label what it holds`;
}

function rowsText(rows: readonly number[]): string {
  const more = rows.length > mostRows ? ", ..." : "";
  return `${rows.length === 1 ? "row" : "rows"} ${rows.slice(0, mostRows).join(", ")}${more}`;
}

/** The agreement of scorers with people, and of people with each other. */
export function agreementText(agreement: Agreement): string {
  const { batch, labels, answers, disputed, scale, otherText, scorers, people } = agreement;
  if (labels === 0) {
    return `${visible(batch)} has no labels. \`tandem label export ${batch} -o labels.csv\` writes a sheet to fill in.`;
  }
  const left = [
    ...(disputed === 0 ? [] : [`${counted(disputed, "answer")} left out: as many say good as bad`]),
    ...(otherText === 0 ? [] : [`${counted(otherText, "label")} left out: the answer has another text by now`]),
    ...(scale === 0 ? [] : [`${counted(scale, "label")} left out: numbers of a scale say neither good nor bad`]),
  ];
  return [
    `${visible(batch)}: ${counted(labels, "label")}, ${counted(answers, "answer")} good or bad`,
    ...left,
    ...(scorers.length === 0
      ? ["", "No scorer says pass or fail: there is nothing to compare with the labels."]
      : ["", ...scorerTable(scorers), ...correctedLines(scorers)]),
    ...(people === null ? [] : ["", ...peopleTogether(people, batch)]),
  ].join("\n");
}

/** Agreement of all people together. */
function peopleTogether(people: NonNullable<Agreement["people"]>, batch: string): string[] {
  const { labellers, both, alpha, interval, tooLow, reason } = people;
  const names = labellers.map((name) => visible(name) || "(no name)").join(", ");
  const range = interval === null ? "" : ` (95 %: ${figure(interval.low)} to ${figure(interval.high)})`;
  const found = alpha === null ? "undefined" : figure(alpha);
  const why = reason === null ? "" : `: ${reason}`;
  const together =
    labellers.length < 2
      ? []
      : both === 0
        ? [
            `${names} labelled no answer in common, so it is not known whether they agree: each labels the whole draw (\`tandem label export ${batch} --draw --author NAME\`)`,
          ]
        : [`${names}: ${counted(both, "answer")} by two or more, Krippendorff's alpha ${found}${range}${why}`];
  return [
    ...together,
    ...(tooLow ? ["People do not agree enough: write a better rubric first. Gates do not go by these labels."] : []),
  ];
}

const right = (title: string) => ({ title, align: "right", most: 60 }) as const;

function scorerTable(scorers: readonly ScorerAgreement[]): string[] {
  return [
    ...tableLines(
      [
        { title: "scorer", align: "left", most: 30 },
        right("answers"),
        right("unscored"),
        right("both pass"),
        right("both fail"),
        right("only scorer passes"),
        right("only people pass"),
        right("kappa"),
        right("sensitivity"),
        right("specificity"),
      ],
      scorers.map(({ scorer, answers, unscored, counts, kappa, sensitivity, specificity }) => [
        visible(scorer),
        number(answers),
        number(unscored),
        number(counts.truePass),
        number(counts.trueFail),
        number(counts.falsePass),
        number(counts.falseFail),
        figure(kappa.kappa),
        figure(sensitivity),
        figure(specificity),
      ]),
    ),
    ...(scorers.length === 0
      ? []
      : [
          "kappa: agreement beyond chance, 1 at most; sensitivity: share of the good answers that it passes; specificity: share of the bad ones that it fails",
        ]),
    ...scorers.flatMap(({ scorer, examples = 0 }) =>
      examples === 0
        ? []
        : [
            `${visible(scorer)}: ${counted(examples, "labelled answer")} left out: the judge was written with their cases`,
          ],
    ),
    ...scorers.flatMap(sameWords),
    ...scorers.flatMap(({ scorer, kappa }) =>
      kappa.reason === null ? [] : [`${visible(scorer)}: kappa is undefined: ${kappa.reason}`],
    ),
  ];
}

/** A scorer that says the same of every answer, where people call some good and some bad. */
function sameWords({ scorer, answers, counts }: ScorerAgreement): string[] {
  const { truePass, falsePass, trueFail, falseFail } = counts;
  const isMixed = truePass + falseFail > 0 && trueFail + falsePass > 0;
  const said = trueFail + falseFail === 0 ? "passes" : truePass + falsePass === 0 ? "fails" : null;
  if (said === null || !isMixed || answers < fewestAlike) return [];
  return [`${visible(scorer)} ${said} every one of them: it tells nothing of the answers, and only the labels count`];
}

/** Fewer answers may be graded alike by chance. */
const fewestAlike = 20;

function correctedLines(scorers: readonly ScorerAgreement[]): string[] {
  const lines = scorers.flatMap(({ scorer, targets }) =>
    targets.map(({ target, rate, corrected, interval, reason }) => {
      const said = `${visible(scorer)} of ${visible(target)}: ${figure(rate)} pass`;
      return corrected === null
        ? `${said}; not corrected: ${reason ?? ""}`
        : `${said}; without the scorer's mistakes ${figure(corrected)}${interval === null ? "" : ` (95 %: ${figure(interval.low)} to ${figure(interval.high)})`}`;
    }),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}
