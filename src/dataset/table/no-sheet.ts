import { basename } from "node:path";
import { AppError } from "../../errors.ts";
import { shellWord } from "../../lib/shell-word.ts";

/** Throws DATASET_NOT_FOUND for a file that is no sheet by its name: read as CSV it would make rows of whatever is in it. */
export function refuseNoSheet(path: string, shown: string): void {
  const kind = kinds.find(({ ending }) => ending.test(path));
  if (kind !== undefined)
    throw noSheet(shown, kind.what, typeof kind.advice === "string" ? kind.advice : kind.advice(shown));
}

const noSheet = (shown: string, what: string, advice: string): AppError =>
  new AppError("DATASET_NOT_FOUND", `The dataset ${shown} cannot be used: it is ${what}.`, { hint: advice });

const asRows = "Write its rows as .csv, .xlsx or .jsonl, with the names of the columns first: question,expected_answer";

interface NoSheet {
  ending: RegExp;
  what: string;
  advice: string | ((shown: string) => string);
}

/** A configuration in JavaScript as JSON: its owner runs it, tandem does not. */
function asJson(shown: string): string {
  const json = shown.replace(/\.\w+$/, ".json");
  const code = `import(${JSON.stringify(`./${basename(shown)}`)}).then((m) => console.log(JSON.stringify(m.default)))`;
  return `tandem runs no code to read a dataset or a configuration. For promptfoo, write it as YAML or JSON, in its folder: node -e ${shellWord(code)} > ${shellWord(basename(json))}; then: tandem init ${shellWord(json)}. Its functions are not in that; what they check becomes a scorer of the type module.`;
}

const runsNoCode = `tandem runs no code to read a dataset. Let it write its rows into a file: .csv, .jsonl or .xlsx; or hand them over: PROGRAM | tandem run -`;

/** DuckDB keeps lists and objects as JSON, which CSV would flatten. */
function inJsonLines(shown: string): string {
  const lines = shown.replace(/\.parquet(\.gz)?$/i, ".jsonl");
  const copy = `COPY (FROM ${sqlText(shown)}) TO ${sqlText(lines)}`;
  return `Write its rows as JSON Lines or CSV, with DuckDB: duckdb -c ${shellWord(copy)}; or with pandas: read_parquet(...).to_json(..., orient="records", lines=True).`;
}

const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const kinds: readonly NoSheet[] = [
  { ending: /\.[cm]?[jt]sx?$/i, what: "a program", advice: asJson },
  {
    ending: /\.(?:pyw?|ipynb|rb|php|pl|go|rs|java|kt|cs|c|cpp|swift|lua|r|jl|sh|bash|zsh|ps1|bat|cmd|sql)$/i,
    what: "a program",
    advice: runsNoCode,
  },
  {
    ending: /\.ya?ml(?:\.gz)?$/i,
    what: "YAML, which holds a suite or a configuration",
    advice: `${asRows}. Tests of promptfoo: tandem init promptfooconfig.yaml reads them.`,
  },
  {
    ending: /\.(?:toml|ini|cfg|conf|env|properties|xml|lock)$/i,
    what: "a file of settings or markup",
    advice: asRows,
  },
  {
    ending: /\.(?:md|mdx|markdown|rst|adoc|tex)$/i,
    what: "a text with marks",
    advice: `${asRows}. A table in it can be pasted into a spreadsheet and saved as CSV.`,
  },
  { ending: /\.(?:x?html?|mhtml)$/i, what: "a web page", advice: asRows },
  {
    ending: /\.(?:docx?|odt|rtf|pages|pptx?|odp|key|epub)$/i,
    what: "a document",
    advice: `${asRows}. A table in it can be pasted into a spreadsheet and saved as CSV.`,
  },
  {
    ending: /\.(?:numbers|gsheet)$/i,
    what: "a spreadsheet that cannot be read",
    advice: "Save it as .xlsx or .csv.",
  },
  {
    ending: /\.parquet(?:\.gz)?$/i,
    what: "Parquet",
    advice: inJsonLines,
  },
  {
    ending: /\.(?:zip|tar|tgz|7z|rar|br)$/i,
    what: "packed",
    advice: "Unpack it; a single file may stay packed with gzip (.csv.gz).",
  },
  {
    ending: /\.(?:db|sqlite3?|duckdb|mdb|accdb|pkl|npy|npz|feather|arrow|orc|avro|safetensors)$/i,
    what: "a store of another program",
    advice: "Export its rows: .csv or .jsonl.",
  },
  {
    ending: /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|heic|mp3|wav|m4a|ogg|mp4|mov|webm)$/i,
    what: "a picture or a recording",
    advice: "Name such files in a column of a sheet, with a row for each.",
  },
];
