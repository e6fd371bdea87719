import { createWriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";
import { wordyText } from "./test/bench/wordy-text.ts";
const rows = Number(process.argv[2]), words = Number(process.argv[3]);
writeFileSync("stored.yaml", `name: stored
dataset: stored.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [topic] }
targets:
  before: { answers: before, endpoint: video-bots }
  after: { answers: after, endpoint: video-bots }
scorers: [{ name: correct, type: contains, primary: true }]
compare: { baseline: before, candidates: [after] }
reports: [terminal]
`);
const text = wordyText("viewer");
const file = createWriteStream("stored.csv");
file.write("id,question,golden,topic,before,after\n");
for (let row = 0; row < rows; row++) {
  const said = text(words);
  const golden = said.slice(Math.floor(said.length * 0.3)).slice(0, 40);
  const other = row % 3 === 0 ? said : `${said.slice(0, said.length / 2)} ${text(Math.ceil(words / 2))}`;
  if (!file.write(`row ${row},${text(8)},${golden},t${row % 40},${said},${other}\n`)) await once(file, "drain");
}
file.end(); await once(file, "close");
