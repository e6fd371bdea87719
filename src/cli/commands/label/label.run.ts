import { sheetKind } from "../../../dataset/sheet-kind.ts";
import { AppError } from "../../../errors.ts";
import { labelAgreement } from "../../../app/labels/agreement.ts";
import { importLabels } from "../../../app/labels/labels.ts";
import { drawCases } from "../../../app/compare/label-draw.ts";
import { drawSheet } from "../../../app/labels/draw-sheet.ts";
import { labelSheet } from "../../../app/labels/label-sheet.ts";
import { csvOptions } from "../../../report/tables/spreadsheet.ts";
import { csvText } from "../../../report/tables/csv.ts";
import { writeReport } from "../../../report/write/output.ts";
import { checkRead } from "../../../store/batch-state.ts";
import { type Batch, findBatch } from "../../../store/batches.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import type { Connection } from "../../../store/connection.ts";
import type { CommandResult } from "../../command-result.ts";
import { sheetsHere } from "../../sheets-here.ts";
import { needOneDocument } from "../../flags/output-flags.ts";
import { agreementText, drawnText, importedText } from "./label.text.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { LabelFlags } from "./label.ts";

/** Does what `tandem label` is told to, on one batch. */
export async function runLabel(flags: LabelFlags): Promise<CommandResult> {
  const named = withFile(flags);
  using db = openDatabase(databasePath(flags.results), {
    mustExist: true,
    reading: flags.action !== "import" && flags.action !== "draw",
  });
  const batch = findBatch(db, named.batch);
  checkRead(db, batch);
  if (flags.action === "draw") return await makeDraw(db, batch, flags);
  if (flags.action === "export") return await exportSheet(db, batch, flags);
  if (flags.action === "import") return await importSheet(db, batch, { ...flags, ...named });
  const agreement = labelAgreement(db, batch);
  const data = agreement satisfies JsonData["label"];
  return { data, text: agreementText(agreement) };
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
  if (batch === "-" || sheetKind(batch) !== null) return { batch: "latest", file: batch };
  throw new AppError("USAGE", "label import needs a file.", {
    hint: "For example: tandem label import latest labels.csv",
  });
}

async function exportSheet(db: Connection, batch: Batch, flags: LabelFlags): Promise<CommandResult> {
  const { output, sample = null, seed, open, excel, draw, candidate = null, author } = flags;
  needOneDocument(flags.json, [output]);
  if (draw && sample !== null)
    throw new AppError("USAGE", "--draw has its own cases: leave out --sample.", { hint: "label draw chooses them." });
  const ofDraw = author !== "" ? "--author" : candidate !== null ? "--candidate" : null;
  if (!draw && ofDraw !== null) throw new AppError("USAGE", `${ofDraw} goes with --draw.`, { hint: "Add --draw." });
  const whom = { candidate, author: author === "" ? null : author };
  const rows = draw
    ? drawSheet(db, batch, { open, ...whom })
    : labelSheet(db, batch, { sample, seed: seed === "" ? "1" : seed, open });
  await writeReport(output, csvText(rows, { ...csvOptions(batch.suite.csv), ...(excel && { excel }) }), process.stdout);
  if (output === "-") return {};
  const note = `${output}: fill in label (good or bad, or a number), note and author; then tandem label import ${batch.name} ${output}`;
  return { data: { batch: batch.name, file: output } satisfies JsonData["label"], note };
}

/** Draws, and writes the sheet where a file is named. */
async function makeDraw(db: Connection, batch: Batch, flags: LabelFlags): Promise<CommandResult> {
  const { labels = null, seed, metric = null, candidate = null, output, excel } = flags;
  const asked = { labels, seed, scorer: metric, candidate, at: Date.now() };
  const file = output === "-" ? null : output;
  const drawn = drawCases(db, batch, asked);
  if (file !== null)
    await writeReport(
      file,
      csvText(drawSheet(db, batch, { open: true, candidate: drawn.candidate, author: null }), {
        ...csvOptions(batch.suite.csv),
        ...(excel && { excel }),
      }),
      process.stdout,
    );
  const data = { batch: batch.name, ...drawn, file } satisfies JsonData["label"];
  return { data, text: drawnText(batch.name, drawn, file) };
}

async function importSheet(
  db: Connection,
  batch: Batch,
  { file, author }: LabelFlags & { file: string },
): Promise<CommandResult> {
  using sheets = sheetsHere();
  const given = { path: file, author, sheets, at: Date.now() };
  const imported = await importLabels(db, batch, given);
  const data = { batch: batch.name, ...imported } satisfies JsonData["label"];
  return { data, text: importedText(batch.name, imported) };
}
