import { describe, expect, test } from "vitest";
import { type Asked, type ChatReply, type ChatService, startChat as startAnyChat } from "./chat-service.ts";
import { record, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

const sheet = `id,question,topic,expected
1,Where is my bike?,bikes,shed
2,यह कहाँ है?,"लंबा, ""उद्धरण""",यहाँ
3,أين؟ 🙂,عام,هنا
`;

const prompts = {
  "prompts/brief.txt": "Be brief. 🙂 संक्षेप में\n",
  "prompts/about.txt": 'About {{topic}}: {{question}} ({{ row["id"] }})\n',
};

type Written = { [member: string]: unknown };

const key = "sk-test-0123456789";

const startChat = (answer: (asked: Asked) => ChatReply): Promise<ChatService> =>
  startAnyChat(answer, { models: ["m", "n"], key });

function withFiles(files: Readonly<Record<string, string>>): Tandem {
  const tandem = new Tandem().env({ TANDEM_API_KEY: key, TANDEM_PROD_API_KEY: key });
  for (const [name, text] of Object.entries(files)) tandem.file(name, text);
  return tandem;
}

const chatSuite = ({ url }: ChatService, matrix: string): string => `dataset: p.csv
deployments: { prod: { base_url: "${url}" } }
matrix:
  deployments: [prod]
  endpoint: chat-completions
  models: [m]
${matrix}scorers: [{ type: contains }]
`;

const botSuite = ({ url }: Service, matrix: string): string => `dataset: p.csv
deployments: { prod: { base_url: "${url}" } }
matrix:
  deployments: [prod]
  endpoint: video-bots
  example_ids: [a]
${matrix}scorers: [{ type: contains }]
`;

/** Messages and a number of each request, in an order that is always the same. */
const asked = ({ asked: all }: ChatService): string[] =>
  all.map(({ body }) => JSON.stringify([body["temperature"], body["messages"]])).toSorted((a, b) => (a < b ? -1 : 1));

const bodiesOf = ({ received }: Service): Written[] => received.map(({ body }) => JSON.parse(body) as Written);

describe("a matrix of prompts and values", () => {
  test("sends each row as each configuration, with prompts in their places and templates filled", async () => {
    const service = await startChat(() => ({ message: { content: "shed" } }));
    const matrix = '  vary: { "body.temperature": [0, 0.5], prompt: [prompts/brief.txt, prompts/about.txt] }\n';
    const tandem = withFiles({ ...prompts, "p.csv": sheet, "s.yaml": chatSuite(service, matrix) });
    const { code, out } = await tandem.run("run", "s.yaml", "--no-preflight");
    expect(code, out).toBe(0);
    const system = { role: "system", content: "Be brief. 🙂 संक्षेप में" };
    const user = (content: string): Written => ({ role: "user", content });
    const expected = [0, 0.5].flatMap((temperature) =>
      [
        [system, user("Where is my bike?")],
        [system, user("यह कहाँ है?")],
        [system, user("أين؟ 🙂")],
        [user("About bikes: Where is my bike? (1)")],
        [user('About लंबा, "उद्धरण": यह कहाँ है? (2)')],
        [user("About عام: أين؟ 🙂 (3)")],
      ].map((messages) => JSON.stringify([temperature, messages])),
    );
    expect(asked(service)).toEqual(expected.toSorted((a, b) => (a < b ? -1 : 1)));
    const stored = tandem.query("SELECT name FROM target ORDER BY id");
    expect(stored).toEqual(
      ["temperature=0:brief", "temperature=0:about", "temperature=0.5:brief", "temperature=0.5:about"].map((name) => ({
        name,
      })),
    );
    const suite = JSON.stringify(tandem.query("SELECT suite FROM batch"));
    expect(suite.replaceAll("\\", "")).toContain('"varied":{"body.temperature":0.5,"prompt":"prompts/about.txt"}');
    expect(suite).toContain("About {{topic}}");
  });

  test("is the same by flags, with a sheet", async () => {
    const service = await startChat(() => ({ message: { content: "shed" } }));
    const tandem = withFiles({ ...prompts, "p.csv": sheet });
    const where = ["--deployment", `prod=${service.url}`, "--endpoint", "chat-completions", "--no-preflight"];
    const varied = ["--vary", "model=m,n", "--vary", "body.temperature=0.5", "--scorer", "contains"];
    const files = ["--prompt-file", "prompts/brief.txt", "--prompt-file", "prompts/about.txt"];
    const { code, err } = await tandem.run("run", "p.csv", ...where, ...varied, ...files);
    expect(flat(err)).toContain(
      '4 targets: "m:brief", "m:about", "n:brief", "n:about". All are compared with the first (--choose best: which is the best?).',
    );
    expect(code, err).toBe(0);
    expect(service.asked).toHaveLength(12);
    expect(new Set(service.asked.map(({ body }) => body["temperature"]))).toEqual(new Set([0.5]));
    expect(service.asked.some(({ said }) => said === "About bikes: Where is my bike? (1)")).toBe(true);
  });

  test("has a line of its own for each target in the table of a plan, however long what their names share is", async () => {
    const tandem = withFiles({
      "p.csv": sheet,
      "s.yaml": `dataset: p.csv
deployments: { prod: { base_url: "http://127.0.0.1:9" } }
matrix:
  deployments: [prod]
  endpoint: video-bots
  vary: { example_id: [a-bot-with-a-long-name, another-bot-with-one], body.sampling_temperature: [0, 0.5] }
`,
    });
    const { code, out } = await tandem.run("check", "--offline", "s.yaml");
    expect(code).toBe(0);
    const named = out.split("\n").filter((line) => line.includes("http://127.0.0.1:9  video-bots"));
    expect(new Set(named.map((line) => line.slice(0, 30)))).toHaveProperty("size", 4);
  });

  test("is laid by flags over the only target of a suite", async () => {
    const service = await startService(() => record("shed"));
    const suite = `dataset: p.csv
deployments: { prod: { base_url: "${service.url}" } }
targets: { bot: { deployment: prod, endpoint: video-bots, example_id: a, body: { user_language: hi } } }
`;
    const tandem = withFiles({ ...prompts, "p.csv": sheet, "deep/s.yaml": suite.replace("p.csv", "../p.csv") });
    const args = ["deep/s.yaml", "--vary", "body.sampling_temperature=0,1", "--prompt-file", "prompts/about.txt"];
    const plan = JSON.parse((await tandem.run("check", "--offline", ...args, "--json")).out) as {
      targets: { target: string }[];
    };
    expect(plan.targets.map(({ target }) => target)).toEqual(["temperature=0", "temperature=1"]);
    expect((await tandem.run("run", ...args, "--no-preflight")).code).toBe(0);
    expect(bodiesOf(service)).toHaveLength(6);
    expect(bodiesOf(service)).toContainEqual({
      input_prompt: "About bikes: Where is my bike? (1)",
      messages: [],
      user_language: "hi",
      sampling_temperature: 1,
    });
  });

  test("compares prompts that are the question, with a sheet that has none", async () => {
    const service = await startChat(() => ({ message: { content: "x" } }));
    const files = { "a.txt": "Translate {{text_a}} to {{to}}", "b.txt": "{{to}}: {{text_a}}" };
    const matrix = "  vary: { prompt: [a.txt, b.txt] }\n";
    const tandem = withFiles({
      ...files,
      "p.csv": "text_a,to,kind\nhouse,de,noun\nrun,fr,verb\n",
      "s.yaml": chatSuite(service, matrix).replace(/scorers.*\n/, ""),
    });
    expect((await tandem.run("check", "--offline", "s.yaml")).code).toBe(0);
    const { code, err } = await tandem.run("run", "s.yaml", "--no-preflight");
    expect(code, err).toBe(0);
    expect(service.asked.map(({ said }) => said).toSorted()).toEqual([
      "Translate house to de",
      "Translate run to fr",
      "de: house",
      "fr: run",
    ]);
  });

  test("asks before it sends more targets than its limit, and nothing is stored or sent without an answer", async () => {
    const service = await startService(() => record("shed"));
    const values = Array.from({ length: 40 }, (_none, i) => i / 100);
    const matrix = `  vary: { "body.sampling_temperature": ${JSON.stringify(values)} }\n`;
    const tandem = withFiles({ "p.csv": sheet, "s.yaml": botSuite(service, matrix) });
    const refused = await tandem.run("run", "s.yaml");
    expect(refused.code).toBe(2);
    expect(flat(refused.err)).toContain(
      "The matrix makes 40 targets, more than its limit of 20: 3 rows are 120 requests. Nothing was sent. Add --yes, write `limit: 40` into the matrix",
    );
    expect(service.received).toEqual([]);
    expect(tandem.query("SELECT count(*) AS n FROM batch")).toEqual([{ n: 0 }]);
    const planned = await tandem.run("check", "--offline", "s.yaml");
    expect(flat(planned.err)).toContain("A run asks before it sends them, or wants --yes.");
    const { code, out } = await tandem.run("run", "s.yaml", "--yes", "--no-preflight");
    expect(code, out).toBe(0);
    expect(service.received).toHaveLength(120);
    expect(new Set(bodiesOf(service).map((body) => body["sampling_temperature"])).size).toBe(40);
    tandem.file("s.yaml", botSuite(service, `${matrix}  limit: 40\n`));
    expect((await tandem.run("run", "s.yaml", "--no-preflight")).code).toBe(0);
  });

  const stopped = async (): Promise<{ tandem: Tandem; service: Service }> => {
    const service = await startService(() => record("shed"));
    const matrix = "  vary: { prompt: [prompts/brief.txt, prompts/about.txt] }\n";
    const tandem = withFiles({ ...prompts, "p.csv": sheet, "s.yaml": botSuite(service, matrix) });
    expect((await tandem.run("run", "s.yaml", "--budget", "2", "--no-preflight")).code).toBe(3);
    expect(service.received).toHaveLength(2);
    return { tandem, service };
  };

  test("goes on with the prompts that it was begun with, which are stored", async () => {
    const { tandem, service } = await stopped();
    tandem.remove("prompts");
    const resumed = await tandem.run("resume");
    expect(resumed.code, resumed.err).toBe(0);
    expect(bodiesOf(service)).toHaveLength(6);
    const scripts = new Set(bodiesOf(service).map((body) => body["bot_script"]));
    expect(scripts).toEqual(new Set([undefined, "Be brief. 🙂 संक्षेप में"]));
  });

  test("asks a target anew whose prompt file has changed, says so, and checks the new one first", async () => {
    const { tandem, service } = await stopped();
    tandem.file("prompts/about.txt", "{{nothing}}");
    const refused = await tandem.run("resume", "--suite", "s.yaml");
    expect(refused.code).toBe(2);
    expect(flat(refused.err)).toContain("prompts/about.txt:1:1 uses {{nothing}}, and there is no such column");
    expect(service.received).toHaveLength(2);
    tandem.file("prompts/about.txt", prompts["prompts/about.txt"]).file("prompts/brief.txt", "Be long.");
    const { code, err } = await tandem.run("resume", "--suite", "s.yaml", "--no-preflight");
    expect(code, err).toBe(0);
    expect(flat(err)).toContain("brief is asked anew");
    expect(bodiesOf(service).filter((body) => body["bot_script"] === "Be long.")).toHaveLength(3);
    const suite = JSON.stringify(tandem.query("SELECT suite FROM batch"));
    expect(suite).toContain("Be long.");
    expect(suite).not.toContain("Be brief.");
  });

  test("reaches the embedded deployment, which shows the script that it was sent", async () => {
    const bot = "show_prompt: true\nfallback: I do not know.\n";
    const tandem = withFiles({
      "bots/bots/a.yaml": bot,
      "formal.txt": "Answer formally, about {{topic}}.",
      "plain.txt": "Answer.",
      "p.csv": "id,question,topic\n1,Where are bikes?,bikes\n",
      "s.yaml": `dataset: p.csv
case: { key: id, input: { input_prompt: question, variables.topic: topic } }
deployments: { here: { base_url: "local:./bots" } }
matrix: { deployments: [here], endpoint: video-bots, example_ids: [a], prompt_field: bot_script, vary: { prompt: [plain.txt, formal.txt] } }
`,
    });
    const { code, err } = await tandem.run("run", "s.yaml");
    expect(code, err).toBe(0);
    const records = tandem.query("SELECT CAST(body AS TEXT) AS body FROM run_record").map((row) => JSON.stringify(row));
    expect(records).toHaveLength(2);
    expect(records.join("\n")).toContain("Answer formally, about bikes.");
  });
});

describe("braces that nobody fills are refused before anything is sent", () => {
  const single = ({ url }: ChatService, body: string): string => `dataset: p.csv
deployments: { prod: { base_url: "${url}" } }
targets:
  bot: { deployment: prod, endpoint: chat-completions, model: m, body: ${body} }
`;

  test("a name that is no column is told with its place, in the suite and in a prompt file", async () => {
    const service = await startChat(() => ({ message: { content: "x" } }));
    const tandem = withFiles({
      "p.csv": sheet,
      "s.yaml": single(service, '{ system_prompt: "About {{topik}}" }'),
      "t.yaml": chatSuite(service, "  vary: { prompt: [good.txt, bad.txt] }\n"),
      "good.txt": "{{question}}",
      "bad.txt": "One line.\nAnd {{question}} about {{topik}}.",
    });
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "s.yaml");
      expect(code).toBe(2);
      expect(flat(out + err)).toContain(
        's.yaml:4:89: targets.bot.body.system_prompt uses {{topik}}, and there is no such column. Did you mean "topic"? For braces that are sent as they are: {% raw %}{{name}}{% endraw %}.',
      );
      const prompt = await tandem.run(...command.split(" "), "t.yaml");
      expect(prompt.code).toBe(2);
      expect(flat(prompt.out + prompt.err)).toContain(
        "t.yaml:7:30: matrix.vary.prompt[1] bad.txt:2:24 uses {{topik}}, and there is no such column.",
      );
    }
    expect(service.asked).toEqual([]);
  });

  test("templates in messages are filled, and ask in place of the question; raw braces are sent", async () => {
    const service = await startChat(() => ({ message: { content: "x" } }));
    const body = JSON.stringify({
      messages: [
        { role: "system", content: "{% raw %}{{as it is}}{% endraw %}" },
        { role: "user", content: "Is {{question}} about {{topic}}?" },
      ],
      metadata: { topic: "{{topic}}" },
    });
    const tandem = withFiles({ "p.csv": sheet, "s.yaml": single(service, body) });
    const { code, err } = await tandem.run("run", "s.yaml", "--no-preflight", "--limit", "1");
    expect(code, err).toBe(0);
    expect(service.asked.map((each) => each.body)).toMatchObject([
      {
        messages: [
          { role: "system", content: "{{as it is}}" },
          { role: "user", content: "Is Where is my bike? about bikes?" },
        ],
        metadata: { topic: "bikes" },
      },
    ]);
  });

  test("a prompt that its service would fill with nothing is refused", async () => {
    const service = await startService(() => record("x"));
    const tandem = withFiles({
      "p.csv": sheet,
      "a.txt": "About {{topic}}",
      "s.yaml": botSuite(service, "  prompt: a.txt\n  prompt_field: bot_script\n"),
    });
    const { code, err } = await tandem.run("run", "s.yaml");
    expect(code).toBe(2);
    expect(flat(err)).toContain(
      "matrix.prompt a.txt:1:7 uses {{topic}}, which the service fills from variables, and no variable of that name is sent. Map the column: case.input needs `variables.topic: topic`",
    );
    expect(service.received).toEqual([]);
  });
});

describe("a prompt in a conversation", () => {
  test("asks each turn by its template, and the history has what was asked", async () => {
    const service = await startChat(({ said }) => ({ message: { content: `heard ${said}` } }));
    const tandem = withFiles({
      "p.csv": "id,talk,turn,question,topic\n1,t,1,one,a\n2,t,2,two,b\n",
      "a.txt": "{{topic}}: {{question}}",
      "s.yaml": `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
deployments: { prod: { base_url: "${service.url}" } }
targets: { bot: { deployment: prod, endpoint: chat-completions, model: m, prompt: a.txt } }
`,
    });
    const { code, err } = await tandem.run("run", "s.yaml", "--no-preflight");
    expect(code, err).toBe(0);
    expect(service.asked.at(-1)?.body["messages"]).toEqual([
      { role: "user", content: "a: one" },
      { role: "assistant", content: "heard a: one" },
      { role: "user", content: "b: two" },
    ]);
  });
});
