import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { cached, command, Tandem } from "../e2e/tandem.ts";

const large = 20_000_000;
const calls = 15;

test("many calls for a text of 20 MB in one batch are answered in their order, and each is cut", async () => {
  const tandem = new Tandem()
    .file("sheet.csv", `id,input_prompt,old\nk1,When?,${"x".repeat(large)}\n`)
    .file(
      "suite.yaml",
      "name: desk\ndataset: sheet.csv\ncase: { key: id }\ntargets: { old: { answers: old } }\nreports: []\n",
    );
  const ran = await tandem.run("run", "suite.yaml", "--quiet");
  expect(ran.code, ran.err).toBe(0);
  // A bound of memory for the whole batch. Calls made at once can fit into it too, so that it tells nothing of their order in time.
  const child = spawn(process.execPath, ["--max-old-space-size=700", command, "mcp"], {
    cwd: tandem.folder,
    env: cached,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const messages = Array.from({ length: calls }, (_none, id) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "case", arguments: { key: "k1" } },
  }));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  child.stdin.end(`${JSON.stringify(messages)}\n`);
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(0);
  const answers: { id: number; result: { content: { text: string }[]; isError: boolean } }[] = JSON.parse(
    lines[0] ?? "",
  );
  expect(answers.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
  for (const { result } of answers) {
    expect(result.isError).toBe(false);
    expect(result.content[1]?.text).toContain(`[cut: characters 0 to 2000 of ${large}]`);
    expect(result.content[1]?.text.length).toBeLessThan(20_000);
  }
});
