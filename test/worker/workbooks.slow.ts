import { expect, test } from "vitest";
import { rawWorkbook } from "../dataset/raw-workbook.ts";
import { record, type Service, startService } from "../e2e/service.ts";
import { Tandem } from "../e2e/tandem.ts";
import { testDatabase } from "../postgres.ts";
import { readWorkbook } from "../report/read-workbook.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startWorker } from "./worker-process.ts";

const questions = Array.from({ length: 12 }, (_, at) => [`k${at}`, `सवाल ${at} 👩‍🌾`, `answer to सवाल ${at}`]);

/** A sheet as somebody has it: a title, a hidden sheet before it, and a list beside the questions. */
const book = rawWorkbook([
  { name: "Lists", isHidden: true, rows: [["x"], ["y"]] },
  {
    name: "Prompts",
    rows: [
      ["Questions"],
      ["id", "question", "expected", null, "Person"],
      ...questions.map((row, at) => (at < 3 ? [...row, null, "Ann"] : row)),
    ],
  },
]);

const suiteFor = (service: Service): string => `name: sheet
dataset: prompts.xlsx
case: { key: id }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ type: contains }]
reports: [excel]
`;

async function desk() {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(`answer to ${prompt}`));
  await startWorker(url, { env: { TANDEM_API_KEY: "sk-test-0123456789" } });
  const tandem = new Tandem().file("prompts.xlsx", book).file("suite.yaml", suiteFor(service));
  return { service, tandem: tandem.env({ TANDEM_WORKERS: url }) };
}

const asked = ({ received }: Service): string[] =>
  received.map(({ body }) => String(JSON.parse(body).input_prompt)).toSorted();
const all = questions.map(([, question = ""]) => question).toSorted();

test("a workbook is run over workers, and its report is one", async () => {
  const { tandem, service } = await desk();
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(err).toContain('row 1 ("Questions") is taken for a title: the header is row 2');
  expect(asked(service)).toEqual(all);
  const [batch] = JSON.parse((await tandem.run("batches", "--json")).out).batches;
  const read = readWorkbook(readFileSync(join(tandem.folder, "results", String(batch.name), "comparison.xlsx")));
  expect(read["Runs"]?.rows).toHaveLength(13);
}, 120_000);
