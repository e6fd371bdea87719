import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";
import { serve } from "../deployment/served.ts";
import { often } from "../often.ts";
import { Tandem } from "./tandem.ts";

const bytesOf = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/media/${name}`, import.meta.url)));
const shaOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

const blue = bytesOf("blue.png");
const red = bytesOf("more/red.png");
const tone = bytesOf("tone.wav");
const notes = bytesOf("notes.txt");

/** A folder with the small dataset of files. */
const withMedia = (): Tandem =>
  new Tandem()
    .file("prompts.csv", bytesOf("prompts.csv"))
    .file("blue.png", blue)
    .file("more/red.png", red)
    .file("tone.wav", tone)
    .file("notes.txt", notes);

const serveBot = (more = ""): Promise<RunningDeployment> =>
  serve({ "bots/a.yaml": "fallback: I do not know.\n", "deployment.yaml": `journal: true\n${more}` });

const suite = (url: string, targets: string, more = ""): string => `name: media
dataset: prompts.csv
case:
  key: id
  input:
    input_prompt: question
    input_images: { column: photo, type: file }
    input_audio: { column: sound, type: file }
    input_documents: { column: notes, type: file }
deployments: { local: { base_url: "${url}", api_key_env: TANDEM_API_KEY, ${more} } }
targets:
${targets}
`;

const bot = "  bot: { deployment: local, endpoint: video-bots, example_id: a }";

/** The files of the first case as a deployment received them: field, type and content. */
const received = ({ journal }: RunningDeployment): string[][] =>
  journal
    .entries()
    .filter(({ body }) => body.includes("What is on it?"))
    .map(({ files }) => files.map(({ field, type, sha256 }) => `${field} ${type} ${sha256}`));

const firstCase = (images: string, audio: string, documents: string): string[] => [
  `${images} image/png ${shaOf(blue)}`,
  `${audio} audio/wav ${shaOf(tone)}`,
  `${documents} text/plain ${shaOf(notes)}`,
];

test("validate and plan tell how many files there are, of which types and sizes, and what a run sends", async () => {
  const { baseUrl } = await serveBot();
  const second = "  again: { deployment: local, endpoint: video-bots, example_id: b }";
  const tandem = withMedia().file("suite.yaml", suite(baseUrl, `${bot}\n${second}`));
  const line = "files: 5 (3 image/png, 1 audio/wav, 1 text/plain), 1.1 kB; the largest case has 943 bytes";
  const [checked, planned] = [
    await tandem.run("check", "--offline", "suite.yaml"),
    await tandem.run("check", "--offline", "suite.yaml"),
  ];
  expect(checked.out).toContain(line);
  expect(planned.out).toContain(line);
  expect(planned.out).toContain("Sends 2.2 kB of files in all; as base64 a third more.");
});

describe("files of a case", () => {
  test("arrive byte for byte: at a bot as a form, submitted too, and at a chat as data URLs", async () => {
    const deployment = await serveBot();
    const others = `  later: { deployment: local, endpoint: video-bots, example_id: a, mode: async }
  chat: { deployment: local, endpoint: chat-completions, model: a }`;
    const tandem = withMedia().file("suite.yaml", suite(deployment.baseUrl, `${bot}\n${others}`));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect([code, out]).toEqual([0, expect.stringContaining("later answers 0 of 3 rows differently from bot")]);
    const form = firstCase("input_images[0]", "input_audio", "input_documents[0]");
    const parts = "messages[0].content";
    const chat = firstCase(`${parts}[1].image_url.url`, `${parts}[2].input_audio`, `${parts}[3].file.file_data`);
    const reported = received(deployment);
    expect(reported).toHaveLength(3);
    expect(reported.filter((files) => files[0] === chat[0])).toEqual([chat]);
    expect(reported.filter((files) => files[0] === form[0])).toEqual([form, form]);
    const stored = tandem.query<{ input: string }>(`SELECT input FROM "case" WHERE key = 'c1'`);
    expect(JSON.parse(stored[0]?.input ?? "")).toMatchObject({
      input_images: [{ file: "blue.png", bytes: 72, sha256: shaOf(blue), type: "image/png" }],
    });
    expect(tandem.text("results/tandem.db")).not.toContain(blue.toString("base64"));
    const [folder] = tandem.query<{ name: string }>("SELECT name FROM batch").map(({ name }) => name);
    const runs = tandem.text(`results/${folder}/runs.csv`);
    expect(runs).toContain('"c1","What is on it?","blue.png","tone.wav","notes.txt"');
    expect(runs).toContain("Received: image/png of 72 bytes, audio/wav of 844 bytes, text/plain of 27 bytes.");
    expect(tandem.text(`results/${folder}/report.html`)).not.toContain(blue.toString("base64"));
  });

  test("of many megabytes are sent as they are read", async () => {
    const deployment = await serveBot();
    const large = Buffer.concat([blue, randomBytes(often(4_000_000, 12_000_000))]);
    const tandem = withMedia()
      .file("blue.png", large)
      .file("prompts.csv", "id,question,photo,sound,notes\nc1,What is on it?,blue.png,,\n")
      .file(
        "suite.yaml",
        suite(deployment.baseUrl, `${bot}\n  chat: { deployment: local, endpoint: chat-completions, model: a }`),
      );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(received(deployment).flat().toSorted()).toEqual([
      `input_images[0] image/png ${shaOf(large)}`,
      `messages[0].content[1].image_url.url image/png ${shaOf(large)}`,
    ]);
  });

  test("go to an endpoint of one's own as parts of a form, or as base64 where its body says so", async () => {
    const forms: FormData[] = [];
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        const body = await buffer(request);
        const type = request.headers["content-type"] ?? "";
        if (type.startsWith("multipart/"))
          forms.push(await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData());
        else bodies.push(body.toString());
        response.writeHead(200, { "content-type": "text/plain" }).end("seen");
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tandem = withMedia()
      .env({})
      .file("prompts.csv", 'id,question,photo\nc1,What is on it?,"[""blue.png"", ""more/red.png""]"\n')
      .file(
        "suite.yaml",
        `dataset: prompts.csv
case: { key: id, input: { input_prompt: question, input_images: { column: photo, type: file } } }
deployments: { ours: { base_url: "${url}" } }
targets:
  form: { deployment: ours, endpoint: { path: /form, multipart: { q: "{{ input_prompt }}", photo: $input_images } } }
  json: { deployment: ours, endpoint: { path: /json, body: { q: "{{ input_prompt }}", images: $input_images.base64 } } }
`,
      );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    const [form] = forms;
    expect(form?.get("q")).toBe("What is on it?");
    const files = (form?.getAll("photo") ?? []).filter((entry) => typeof entry !== "string");
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ["blue.png", "image/png"],
      ["red.png", "image/png"],
    ]);
    const contents = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
    expect(contents.map(shaOf)).toEqual([blue, red].map(shaOf));
    expect(JSON.parse(bodies[0] ?? "")).toEqual({
      q: "What is on it?",
      images: [blue, red].map((content) => content.toString("base64")),
    });
  });
});

describe("a file that may not be sent", () => {
  test("is told with its place by check and run, before anything is sent", async () => {
    const deployment = await serveBot();
    const tandem = withMedia()
      .file(
        "prompts.csv",
        "id,question,photo,sound,notes\nc1,one,blue.png,,\nc2,two,../../etc/passwd,,\nc3,three,no.png,,\n",
      )
      .file("suite.yaml", suite(deployment.baseUrl, bot));
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect([command, code]).toEqual([command, 2]);
      expect(out + err).toContain(
        'prompts.csv:3:8 (row 3): column "photo" names the file "../../etc/passwd", which leads out of the folder',
      );
      expect(out + err).toContain(
        'prompts.csv:4:10 (row 4): column "photo" names the file "no.png", which is not there',
      );
    }
    expect(deployment.journal.received).toBe(0);
  });

  test("because it has changed since the run was planned ends its job alone, without a request", async () => {
    const deployment = await serveBot();
    const tandem = withMedia()
      .file("prompts.csv", "id,question,photo,sound,notes\nc1,one,blue.png,,\nc2,two,blue.png,,\n")
      .file("suite.yaml", suite(deployment.baseUrl, bot, "concurrency: 1, rate: 1/s"));
    const { ended } = tandem.begin("run", "suite.yaml");
    while (deployment.journal.received < 1) await sleep(10);
    tandem.file("blue.png", red);
    await ended;
    expect(tandem.query("SELECT outcome, error FROM attempt ORDER BY (outcome = 'rejected'), job_id")).toEqual([
      { outcome: "ok", error: null },
      {
        outcome: "rejected",
        error: "nothing was sent: the file blue.png holds other bytes than when the run was planned",
      },
    ]);
    expect(deployment.journal.received).toBe(1);
  });
});

test("a run that was killed is not resumed with other bytes than it was planned with", async () => {
  const deployment = await serveBot();
  const rows = Array.from(
    { length: 30 },
    (_, n) => `c${n},question ${n},${n % 2 === 0 ? "blue.png" : "more/red.png"},,\n`,
  );
  const tandem = withMedia()
    .file("prompts.csv", `id,question,photo,sound,notes\n${rows.join("")}`)
    .file("suite.yaml", suite(deployment.baseUrl, bot, "concurrency: 2, rate: 10/s"));
  await tandem.killWhen(() => deployment.journal.received >= 5, "run", "suite.yaml");

  tandem.file("more/red.png", blue);
  const refused = await tandem.run("resume");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("the file more/red.png holds other bytes than when the run was planned (case");
  expect(refused.err).toMatch(/They were looked for in \/.*\. Put the files back/);
  const before = deployment.journal.received;
  const changed = await tandem.run("resume", "--suite", "suite.yaml");
  expect([changed.code, changed.err]).toEqual([2, expect.stringContaining("15 rows changed")]);
  expect(deployment.journal.received).toBe(before);

  tandem.file("more/red.png", red);
  expect((await tandem.run("resume")).code).toBe(0);
  const wrong = deployment.journal.entries().filter(({ body, files }) => {
    const [, number] = /question (\d+)/.exec(body) ?? [];
    return files[0]?.sha256 !== shaOf(Number(number) % 2 === 0 ? blue : red);
  });
  expect(wrong).toEqual([]);
  expect(new Set(deployment.journal.entries().map(({ bodySha }) => bodySha)).size).toBe(30);
});
