import { AppError, exitCodes } from "../../errors.ts";
import { type Agreement, labelAgreement, type ScorerAgreement } from "../../app/labels/agreement.ts";
import { importLabels } from "../../app/labels/labels.ts";
import { labelSheet } from "../../app/labels/label-sheet.ts";
import { csvText } from "../../report/tables/csv.ts";
import { writeReport } from "../../report/write/output.ts";
import { counted, number } from "../../report/words/quantity.ts";
import { tableLines } from "../../report/terminal/table.ts";
import { visible } from "../../report/text/visible.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { figure } from "./score.text.ts";
import type { Terminal } from "../terminal.ts";

interface LabelFlags {
  action: "export" | "import" | "agreement";
  batch?: string | undefined;
  file?: string | undefined;
  out: string;
  json: boolean;
  output: string;
  sample?: number | undefined;
  seed: string;
  open: boolean;
  author: string;
  excel: boolean;
}

/** Does what `tandem label` is told to, on one batch. */
export async function runLabel(flags: LabelFlags, terminal: Terminal): Promise<number> {
  const named = withFile(flags);
  const db = openDatabase(databasePath(flags.out), { mustExist: true });
  try {
    const batch = findBatch(db, named.batch);
    if (flags.action === "export") await exportSheet(db, batch, flags, terminal);
    else if (flags.action === "import") await importSheet(db, batch, { ...flags, ...named }, terminal);
    else {
      const agreement = labelAgreement(db, batch);
      terminal.print(flags.json ? JSON.stringify({ version: 1, ...agreement }, null, 2) : agreementText(agreement));
    }
  } finally {
    db.close();
  }
  return exitCodes.ok.code;
}

/** `label import labels.csv` means the latest batch. */
function withFile({ action, batch = "latest", file }: LabelFlags): { batch: string; file: string } {
  if (action !== "import") {
    if (file !== undefined)
      throw new AppError("USAGE", `label ${action} takes no file; got ${file}.`, {
        hint: "Name the file to write with -o.",
      });
    return { batch, file: "" };
  }
  if (file !== undefined) return { batch, file };
  if (batch === "-" || /\.(csv|tsv|jsonl|ndjson)(\.gz)?$/i.test(batch)) return { batch: "latest", file: batch };
  throw new AppError("USAGE", "label import needs a file.", {
    hint: "For example: tandem label import latest labels.csv",
  });
}

async function exportSheet(db: Connection, batch: Batch, flags: LabelFlags, terminal: Terminal): Promise<void> {
  const { output, sample = null, seed, open, excel } = flags;
  if (sample !== null && !(Number.isInteger(sample) && sample >= 1)) {
    throw new AppError("USAGE", `--sample takes a whole number of 1 or more; got ${sample}.`);
  }
  const rows = labelSheet(db, batch, { sample, seed, open });
  await writeReport(output, csvText(rows, { excel, raw: false }), process.stdout);
  if (output === "-") return;
  if (flags.json) terminal.print(JSON.stringify({ version: 1, batch: batch.name, file: output }));
  else
    terminal.note(
      `${output}: fill in label (good or bad, or a number), note and author; then tandem label import ${batch.name} ${output}`,
    );
}

async function importSheet(
  db: Connection,
  batch: Batch,
  { file, author, json }: LabelFlags & { file: string },
  terminal: Terminal,
): Promise<void> {
  const given = { path: file, author, standardInput: process.stdin, folder: process.cwd(), at: Date.now() };
  const imported = await importLabels(db, batch, given);
  const { added, changed, same, blank } = imported;
  if (json) terminal.print(JSON.stringify({ version: 1, batch: batch.name, ...imported }));
  else {
    const parts = [`${counted(added, "label")} added`, `${number(changed)} changed`, `${number(same)} there already`];
    terminal.print(
      `${visible(batch.name)}: ${parts.join(", ")}${blank === 0 ? "" : `; ${counted(blank, "row")} not filled in`}`,
    );
  }
}

function agreementText(agreement: Agreement): string {
  const { batch, labels, answers, disputed, scale, scorers, authors } = agreement;
  if (labels === 0) {
    return `${visible(batch)} has no labels. \`tandem label export ${batch} -o labels.csv\` writes a sheet to fill in.`;
  }
  const left = [
    ...(disputed === 0 ? [] : [`${counted(disputed, "answer")} left out: as many say good as bad`]),
    ...(scale === 0 ? [] : [`${counted(scale, "label")} left out: numbers of a scale say neither good nor bad`]),
  ];
  return [
    `${visible(batch)}: ${counted(labels, "label")}, ${counted(answers, "answer")} good or bad`,
    ...left,
    ...(scorers.length === 0
      ? ["", "No scorer says pass or fail: there is nothing to hold against the labels."]
      : ["", ...scorerTable(scorers), ...correctedLines(scorers)]),
    ...authors.flatMap(({ authors: [one, other], answers: both, kappa }) => [
      "",
      `${visible(one) || "(no name)"} and ${visible(other) || "(no name)"}: ${counted(both, "answer")} by both, kappa ${kappaText(kappa)}`,
    ]),
  ].join("\n");
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
    ...scorers.flatMap(({ scorer, kappa }) =>
      kappa.reason === null ? [] : [`${visible(scorer)}: kappa is undefined: ${kappa.reason}`],
    ),
  ];
}

function correctedLines(scorers: readonly ScorerAgreement[]): string[] {
  const lines = scorers.flatMap(({ scorer, targets }) =>
    targets.map(({ target, rate, corrected, reason }) => {
      const said = `${visible(scorer)} of ${visible(target)}: ${figure(rate)} pass`;
      return corrected === null
        ? `${said}; not corrected: ${reason ?? ""}`
        : `${said}; without the scorer's mistakes ${figure(corrected)}`;
    }),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

const kappaText = ({ kappa, reason }: { kappa: number | null; reason: string | null }): string =>
  kappa === null ? `undefined: ${reason ?? ""}` : figure(kappa);
