import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** A grade as it is stored: `pass`, `fail`, the value of what only measures, or in brackets why it is not graded. */
type Shown = string | number;

interface GradedRow {
  /** What the bot answers to this row; null: it replies with nothing. */
  answer: string | null;
  [column: string]: unknown;
}

/**
 * Runs a suite of these scorers (lines of YAML) over rows whose answers are given, by the real program. The grades of each
 * scorer, by its name, in the order of the rows; `said`: what the command printed.
 */
export async function graded(
  rows: readonly GradedRow[],
  scorers: readonly string[],
  { mapping = "" } = {},
): Promise<{ grades: Record<string, Shown[]>; said: string; tandem: Tandem }> {
  const service = await startService(({ prompt }) => {
    const answer = rows[Number(prompt)]?.answer ?? null;
    if (answer !== null) return record(answer);
    return {
      body: JSON.stringify({ id: "0123456789ab", url: "https://x.example.test/", output: { output_text: [] } }),
    };
  });
  const lines = rows.map((columns, place) =>
    JSON.stringify({ key: String(place), input_prompt: String(place), ...columns, answer: undefined }),
  );
  const tandem = new Tandem().file("rows.jsonl", `${lines.join("\n")}\n`).file(
    "suite.yaml",
    `dataset: rows.jsonl
case: { key: key${rows.some((row) => "expected" in row) ? ", expected: expected" : ""}${mapping} }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers:
${scorers.map((each) => `  - ${each}\n`).join("")}`,
  );
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
  return { grades: gradesOf(tandem), said: out + err, tandem };
}

/** The grades of the only batch, by the name of the scorer, in the order of the rows. */
function gradesOf(tandem: Tandem): Record<string, Shown[]> {
  const stored = tandem.query<{ scorer: string; value: number | null; pass: number | null; reason: string }>(
    `SELECT json_extract(each.value, '$.spec.name') AS scorer, score.value, score.pass, score.reason
     FROM score JOIN scoring ON scoring.id = score.scoring_id JOIN "case" ON "case".id = score.case_id
     JOIN json_each(scoring.scorers) AS each ON each.key = score.scorer ORDER BY "case".place`,
  );
  const grades: Record<string, Shown[]> = {};
  for (const { scorer, value, pass, reason } of stored)
    (grades[scorer] ??= []).push(value === null ? `(${reason})` : pass === null ? value : pass === 1 ? "pass" : "fail");
  return grades;
}
