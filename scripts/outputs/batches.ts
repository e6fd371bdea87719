import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** A suite whose batches are stored: its files, and the flags of each of its runs. */
interface Made {
  files: Record<string, string>;
  runs?: readonly (readonly string[])[];
}

/** Makes a results folder for each kind of batch that a report has to tell of, by the built command. */
export async function makeBatches(folder: string): Promise<void> {
  const bots = await startBots();
  const address = bots.address();
  if (address === null || typeof address === "string") throw new Error("the bots have no port");
  try {
    for (const [name, { files, runs = [[]] }] of Object.entries(suites(`http://127.0.0.1:${address.port}`))) {
      const cwd = join(folder, name);
      if (existsSync(cwd)) continue;
      mkdirSync(cwd, { recursive: true });
      for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
      for (const flags of runs) await tandem(cwd, ["run", "suite.yaml", "--quiet", ...flags]);
      console.log(name);
    }
    for (const file of ["suite.yaml", "conversations.yaml"]) {
      const cwd = join(folder, `desk-${file.replace(".yaml", "")}`);
      if (existsSync(cwd)) continue;
      mkdirSync(cwd, { recursive: true });
      await tandem(cwd, ["run", path(`datasets/help-desk/${file}`), "--quiet"]);
      console.log(cwd);
    }
  } finally {
    bots.closeAllConnections();
    bots.close();
  }
}

/** A verdict is no failure here; whatever else a run ends with is. */
async function tandem(cwd: string, args: readonly string[]): Promise<void> {
  try {
    const env = { ...process.env, TANDEM_API_KEY: "sk-outputs-0123456789" };
    await promisify(execFile)(process.execPath, [path("dist/main.js"), ...args], { cwd, env });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== 1 && code !== 4) throw error;
  }
}

/** So many rows of each kind, `++` for one that both get right: the answers of each column, in their order. */
function sheet(kinds: Record<string, number>, columns: readonly string[], more: (row: number) => string[] = () => []) {
  const all = Object.entries(kinds).flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  const lines = all.map((kind, row) => {
    const said = { "+": `answer ${row}`, "-": "no idea", " ": "" };
    const answers = Array.from(kind, (mark) => (mark === "+" ? said["+"] : mark === " " ? said[" "] : said["-"]));
    return [`k${row}`, `question ${row}?`, `answer ${row}`, ...answers, ...more(row)].join(",");
  });
  return `${[["id", "question", "golden", ...columns].join(","), ...lines].join("\n")}\n`;
}

const correct = "{ name: correct, type: equals }";
const margin = "gates: [{ metric: correct, margin: 0.05 }]";

/** A suite that compares columns of answers. */
function ofSheet(name: string, more = margin, { targets = ["old", "new"], mapping = "", scorers = correct } = {}) {
  return `name: ${name}
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden${mapping} }
targets:
${targets.map((target) => `  ${JSON.stringify(target)}: { answers: ${JSON.stringify(target)} }`).join("\n")}
scorers: [${scorers}]
${more}
`;
}

/** A suite that asks two bots or more of the service that this script starts. */
function ofBots(name: string, url: string, bots: readonly string[], more: string): string {
  return `name: ${name}
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [kind] }
deployments:
${bots.map((bot) => `  ${bot}: { base_url: "${url}/${bot}", api_key_env: TANDEM_API_KEY, retries: 0, price: 0.01 }`).join("\n")}
targets:
${bots.map((bot) => `  ${bot}: { deployment: ${bot}, endpoint: video-bots, example_id: a }`).join("\n")}
${more}
`;
}

const kindAndLanguage = (row: number): string[] => [
  ["short", "long", "typo"][row % 3] ?? "",
  row % 2 === 0 ? "en" : "de",
];

function suites(url: string): Record<string, Made> {
  const two = ["old", "new"];
  const made = (name: string, kinds: Record<string, number>, more?: string): Made => ({
    files: { "sheet.csv": sheet(kinds, two), "suite.yaml": ofSheet(name, more) },
  });
  const tagged = { mapping: ", tags: [kind, language]" };
  const right = "scorers: [{ name: correct, type: contains, primary: true }, { name: seconds, type: latency }]";
  const asked = (rows: number): string => sheet({ "": rows }, ["kind"], (row) => [row % 2 === 0 ? "even" : "odd"]);
  return {
    pass: made("pass", { "++": 100 }),
    better: made("better", { "++": 54, "-+": 21 }),
    worse: made("worse", { "++": 52, "+-": 6 }),
    regression: made("regression", { "++": 80, "+-": 20 }),
    "within-limit": made("within-limit", { "++": 980, "+-": 20 }),
    "too-few": made("too-few", { "++": 40 }),
    "cannot-tell": made("cannot-tell", { "--": 75 }),
    invalid: made("invalid", { "++": 50, "+ ": 10 }),
    "some-missing": made("some-missing", { "++": 90, "+-": 8, "+ ": 2 }, `${margin.slice(0, -1)}, { errors: 0.05 }]`),
    "no-gate": made("no-gate", { "++": 60, "+-": 10 }, "gates: []"),
    losses: made("losses", { "++": 60, "+-": 3, "-+": 2 }, "gates: [{ metric: correct, losses: 1 }]"),
    "one-target": {
      files: {
        "sheet.csv": sheet({ "+": 30, "-": 8 }, ["old"]),
        "suite.yaml": ofSheet("one-target", "", {
          targets: ["old"],
          scorers: `${correct}, { name: similar, type: chrf }`,
        }),
      },
    },
    "four-candidates": {
      files: {
        "sheet.csv": sheet({ "+++++": 40, "+-+++": 12, "-+++-": 9, "----+": 6 }, ["base", "a", "b", "c", "d"]),
        "suite.yaml": ofSheet("four-candidates", `compare: { baseline: base }\n${margin}`, {
          targets: ["base", "a", "b", "c", "d"],
          scorers: `${correct}, { name: similar, type: chrf }`,
        }),
      },
    },
    "gates-by-tag": {
      files: {
        "sheet.csv": sheet({ "++": 120, "+-": 30, "-+": 6 }, [...two, "kind", "language"], kindAndLanguage),
        "suite.yaml": ofSheet(
          "gates-by-tag",
          "gates: [{ metric: correct, margin: 0.05 }, { metric: correct, margin: 0.2, by: kind }, { metric: similar, margin: 0.1 }]",
          { ...tagged, scorers: `${correct}, { name: similar, type: chrf }, { name: length, type: length }` },
        ),
      },
    },
    "lost-tag": {
      files: {
        "sheet.csv": sheet({ "++": 396, "+-": 4 }, [...two, "kind"], (row) => [row < 396 ? `i${row % 20}` : "refund"]),
        "suite.yaml": ofSheet("lost-tag", margin, { mapping: ", tags: [kind]" }),
      },
    },
    conversations: {
      files: {
        "sheet.csv": sheet({ "++": 30, "+-": 12, "-+": 3 }, [...two, "talk"], (row) => [`talk ${row % 15}`]),
        "suite.yaml": ofSheet("conversations", margin, { mapping: ", cluster: talk" }),
      },
    },
    hostile: {
      files: {
        "sheet.csv": sheet({ "++": 60, "+-": 15 }, [...two, "kind"], (row) => [
          row % 2 === 0 ? "<script>alert(1)</script>" : "=1+1 | **x** `y` \u202E[e](f)",
        ]),
        "suite.yaml": ofSheet("hostile", margin, { mapping: ", tags: [kind]" }),
      },
    },
    nights: {
      files: {
        "sheet.csv": asked(60),
        "suite.yaml": ofBots("nights", url, ["good", "fading"], `${right}\n${margin}`),
      },
      runs: [[], [], [], []],
    },
    repeats: {
      files: {
        "sheet.csv": asked(40),
        "suite.yaml": ofBots(
          "repeats",
          url,
          ["good", "flaky"],
          `${right}\nrepeats: 3\ncompare: { baseline: good, noise_repeats: 2 }\n${margin}`,
        ),
      },
    },
    cases: {
      files: {
        "sheet.csv": asked(12),
        "suite.yaml": ofBots(
          "cases",
          url,
          ["good", "flaky"],
          `${right}\nrepeats: 5\ngates: [{ metric: correct, cases: { pass: 3 of 5 } }]`,
        ),
      },
    },
    "early-stop": {
      files: {
        "sheet.csv": asked(240),
        "suite.yaml": ofBots(
          "early-stop",
          url,
          ["good", "bad"],
          `${right}\ncompare: { baseline: good, stop_when: decided }\n${margin}`,
        ),
      },
    },
    confirm: {
      files: {
        "sheet.csv": asked(60),
        "suite.yaml": ofBots(
          "confirm",
          url,
          ["good", "bad"],
          `${right}\ncompare: { baseline: good, confirm: rerun }\n${margin}`,
        ),
      },
    },
    errors: {
      files: {
        "sheet.csv": asked(60),
        "suite.yaml": ofBots("errors", url, ["good", "broken"], `${right}\n${margin}`),
      },
    },
    judge: {
      files: {
        "sheet.csv": asked(30),
        "suite.yaml": ofBots(
          "judge",
          url,
          ["good", "bad", "strict"],
          `judges: { strict: { deployment: strict, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict, primary: true }, { name: preferred, type: pairwise, target: strict }]
compare: { baseline: good, candidates: [bad] }
gates: [{ metric: helpful, margin: 0.1 }]`,
        ).replace(/^ {2}strict: \{ deployment: strict, endpoint.*\n/m, ""),
      },
    },
  };
}

/** Bots that answer the same from run to run: each by the number of the question, and of its own calls with it. */
async function startBots(): Promise<Server> {
  const times = new Map<string, number>();
  const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    const key = `${request.url} ${body}`;
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    const bot = request.url?.split("/")[1] ?? "";
    const row = Number(/question (\d+)/.exec(body)?.[1] ?? 0);
    const text = textOf(bot, row, { time, body });
    const id = `${bot}${row}t${times.size}`;
    const reply =
      text === null
        ? { detail: `no model for row ${row}` }
        : {
            id,
            url: `https://bots.example.test/agent/?run_id=${id}&uid=u`,
            created_at: "2026-11-20T19:30:12Z",
            output: { output_text: [text], raw_output_text: [text], finish_reason: ["stop"] },
          };
    response.writeHead(text === null ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(reply));
  };
  const server = createServer((request, response) => {
    answered(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** The answer of a bot; null: an error. */
function textOf(bot: string, row: number, { time, body }: { time: number; body: string }): string | null {
  if (bot === "strict")
    return JSON.stringify({ score: body.includes("no idea") ? 0.2 : 0.9, verdict: "A", reason: "so" });
  const isRight =
    bot === "good" ||
    (bot === "bad" && row % 3 !== 0) ||
    (bot === "fading" && (time < 3 || row % 4 !== 0)) ||
    (bot === "flaky" && (row + time) % 4 !== 0 && row !== 5) ||
    (bot === "broken" && row % 5 !== 0);
  if (isRight) return `It is answer ${row}.`;
  return bot === "broken" ? null : "I have no idea.";
}
