// Reads or inspects a dataset in a process of its own, so that nothing else is in its memory; it begins as the command does.
import { setHeapFlags } from "../../src/cli/start/heap-flags.ts";
import { inspectDataset } from "../../src/dataset/inspect.ts";
import { readDataset } from "../../src/dataset/read.ts";

setHeapFlags();
const [, , how, path] = process.argv;
const mapping = {
  key: "id",
  input: { input_prompt: "question" },
  expected: "golden_answer",
  cluster: null,
  turn: null,
  opening: null,
  tags: ["language"],
};
const options = { files: [path], mapping, endpoints: ["video-bots"] };

let cases = 0;
if (how === "inspect") cases = (await inspectDataset(options)).profile.cases;
else for await (const page of readDataset(options)) cases += page.length;
process.stdout.write(JSON.stringify({ cases, peakBytes: process.resourceUsage().maxRSS * 1024 }));
