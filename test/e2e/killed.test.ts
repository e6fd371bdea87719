import { expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { type Received, record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";
import { checked, watched } from "./watched-judge.ts";

/** A folder with a suite, made ready for its command. */
interface Made {
  tandem: Tandem;
  /** Requests that its services got, by their own count. */
  received?: () => number;
}

/** A command that is killed, and what another process makes of it. */
interface Scene {
  name: string;
  make: () => Promise<Made>;
  /** Requests of the command after which each of its processes is killed. */
  kills: number[];
  line: string[];
  again: string[];
  /** Requests that its limits let be in flight at once. */
  inFlight: number;
  /** The part of the result that no kill may change. */
  same?: (tandem: Tandem) => unknown;
}

const question = (place: number): string => `question ${place}?`;
const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0]);

const sheet = (rows: number): string =>
  [
    "id,question,golden",
    ...Array.from({ length: rows }, (_, place) => `k${place},${question(place)},right${place}`),
  ].join("\n");

/** Bots by example_id, each wrong in this share of the questions, always the same ones. */
function bots(wrong: Readonly<Record<string, number>>, delayMs: number) {
  return startService(({ path, prompt }) => {
    const bot = new URL(path, "http://service").searchParams.get("example_id") ?? "";
    const isWrong = hash32(`${bot} ${numberIn(prompt)}`) % 100 < (wrong[bot] ?? 0);
    return { ...record(isWrong ? "no idea" : `it is right${numberIn(prompt)}`), delayMs };
  });
}

interface Contest {
  rows: number;
  wrong: Readonly<Record<string, number>>;
  delayMs: number;
  concurrency: number;
  /** Lines of the suite. */
  more: string;
}

const contest =
  ({ rows, wrong, delayMs, concurrency, more }: Contest) =>
  async (): Promise<Made> => {
    const service = await bots(wrong, delayMs);
    const targets = Object.keys(wrong).map(
      (name) => `${name}: { deployment: all, endpoint: video-bots, example_id: ${name} }`,
    );
    const tandem = new Tandem().file("p.csv", sheet(rows)).file(
      "suite.yaml",
      `name: desk
dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { all: { base_url: "${service.url}", concurrency: ${concurrency}, retries: 0 } }
targets: { ${targets.join(", ")} }
scorers: [{ name: correct, type: contains }]
reports: [json]
${more}
`,
    );
    return { tandem, received: () => service.received.length };
  };

interface Message {
  role: string;
  content: string;
}

const opening: Message[] = [{ role: "system", content: "Réponds en français 🙂" }];
const talk = { count: 4, turns: 10 };
const tongues = ["नमस्ते", "ما هذا؟", "ምን ነው?", "e\u0301clair"];
const turnOf = (place: number, turn: number): string => `${tongues[turn % 4]} ${place}.${turn}`;

/** A reply that depends on everything that was said before. */
const replyTo = (prompt: string, history: readonly Message[]): string =>
  `${history.length} ${hash32(JSON.stringify(history.map(({ role, content }) => [role, content])))} ${prompt}`;

async function conversations(): Promise<Made> {
  const service = await startService(({ body, prompt }: Received) => {
    const { messages } = JSON.parse(body) as { messages: Message[] };
    return { ...record(replyTo(prompt, messages)), delayMs: 3 };
  });
  const rows = Array.from({ length: talk.count * talk.turns }, (_, at) => {
    const [place, turn] = [Math.floor(at / talk.turns), (at % talk.turns) + 1];
    const history = at === 0 ? JSON.stringify(opening).replaceAll('"', '""') : "";
    return `${place}.${turn},talk ${place},${turn},"${history}",${turnOf(place, turn)},said ${place}.${turn}`;
  });
  const tandem = new Tandem()
    // The order of the rows says nothing: the turns do.
    .file("p.csv", `id,talk,turn,history,question,said\n${rows.toReversed().join("\n")}\n`)
    .file(
      "suite.yaml",
      `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, opening: history, input: { input_prompt: question } }
deployments: { prod: { base_url: ${service.url}, concurrency: 5 } }
targets: { before: { answers: said }, prod: { deployment: prod, endpoint: video-bots, example_id: a } }
repeats: 2
`,
    );
  return { tandem, received: () => service.received.length };
}

interface Answer {
  target: string;
  key: string;
  repeat: number;
  text: string;
}

const answersOf = (tandem: Tandem): Answer[] =>
  tandem.query(
    `SELECT target, case_key AS key, repeat, coalesce(output ->> '$.output_text[0]', output ->> '$.choices[0].message.content') AS text
    FROM run_records ORDER BY 1, 2, 3`,
  );

/** Answers and grades of a whole database. */
const allOf = (tandem: Tandem): unknown => ({
  answers: answersOf(tandem),
  scores: tandem.query("SELECT target, case_key, scorer, repeat, value, pass FROM scores ORDER BY 1, 2, 3, 4"),
});

/** The transcripts, of which every reply follows from what stands before it. */
function transcripts(tandem: Tandem): unknown {
  const answers = answersOf(tandem);
  const texts = new Map(answers.map(({ target, key, repeat, text }) => [`${target} ${key} ${repeat}`, text]));
  for (let place = 0; place < talk.count; place++) {
    const history = place === 0 ? [...opening] : [];
    for (let turn = 1; turn <= talk.turns; turn++) {
      const [key, content] = [`${place}.${turn}`, turnOf(place, turn)];
      const reply = replyTo(content, history);
      expect(texts.get(`before ${key} 1`)).toBe(`said ${key}`);
      for (const repeat of [1, 2]) expect(texts.get(`prod ${key} ${repeat}`)).toBe(reply);
      history.push({ role: "user", content }, { role: "assistant", content: reply });
    }
  }
  return answers;
}

interface Report {
  verdict: { state: string };
  stopping?: { decidedAfter: number | null };
  gates: unknown[];
  choice?: { set: string[]; race: { [member: string]: unknown } };
  confirmation?: unknown;
  judgeWatch?: { state: string; of: number; answered: number }[];
}

/** The report of the latest batch. */
function reportOf(tandem: Tandem): Report {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch WHERE origin IS NULL ORDER BY id DESC");
  return JSON.parse(tandem.text(`results/${batch?.name}/report.json`)) as Report;
}

const scenes: Scene[] = [
  {
    name: "a run of conversations beside stored ones, killed twice",
    make: conversations,
    kills: [25, 30],
    line: ["run", "suite.yaml", "--quiet"],
    again: ["resume", "--quiet"],
    inFlight: 5,
    same: transcripts,
  },
  {
    name: "a run that streams the chats of a deployment on this machine",
    make: async () => ({
      tandem: new Tandem()
        .env({})
        .file("bots/bots/echo.yaml", "greeting: Good day.\nfallback: I do not know.\nlatency: { median_ms: 20 }\n")
        .file("p.csv", prompts(60))
        .file(
          "suite.yaml",
          `dataset: p.csv
deployments: { local: { base_url: "local:./bots", concurrency: 2 } }
targets: { a: { deployment: local, endpoint: chat-completions, model: echo, body: { stream: true } } }
`,
        ),
    }),
    kills: [6],
    line: ["run", "suite.yaml"],
    again: ["resume"],
    inFlight: 2,
  },
  {
    name: "a run whose answers are compared by their embeddings",
    make: async () => {
      const service = await startService(({ path, body, prompt }) => {
        if (!path.includes("embeddings")) return record(`${prompt} is answered`);
        const place = numberIn((JSON.parse(body) as { input: string }).input);
        const data = [{ object: "embedding", index: 0, embedding: [place, 1] }];
        return {
          body: JSON.stringify({ object: "list", data, usage: { prompt_tokens: 3, total_tokens: 3 } }),
          delayMs: 10,
        };
      });
      const tandem = new Tandem().file("p.csv", sheet(20)).file(
        "suite.yaml",
        `dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { prod: { base_url: "${service.url}" }, models: { base_url: "${service.url}/v1", concurrency: 1 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ name: near, type: embedding-similarity, deployment: models, model: small, threshold: 0.5 }]
`,
      );
      return { tandem, received: () => service.received.length };
    },
    kills: [30],
    line: ["run", "suite.yaml", "--no-preflight", "--quiet"],
    again: ["resume", "latest", "--quiet"],
    inFlight: 4,
  },
  {
    name: "a night",
    make: contest({
      rows: 40,
      wrong: { prod: 0, test: 50 },
      delayMs: 40,
      concurrency: 4,
      more: "gates: [{ metric: correct, margin: 0.1 }]",
    }),
    kills: [20],
    line: ["night", "suite.yaml"],
    again: ["night", "suite.yaml"],
    inFlight: 4,
  },
  {
    name: "a night that asks a judge the questions of its check again",
    make: async () => {
      const { tandem, chat } = await watched({ limits: ", concurrency: 1" });
      await checked(tandem);
      return { tandem, received: () => chat.asked.length };
    },
    kills: [20],
    line: ["night", "suite.yaml"],
    again: ["night", "suite.yaml"],
    inFlight: 1,
    same: (tandem) => [
      allOf(tandem),
      reportOf(tandem).judgeWatch?.map(({ state, of, answered }) => ({ state, of, answered })),
    ],
  },
  {
    name: "a run that stops when it is decided",
    make: contest({
      rows: 250,
      wrong: { prod: 0, test: 20 },
      delayMs: 10,
      concurrency: 8,
      more: "compare: { stop_when: decided }\ngates: [{ metric: correct, margin: 0.05 }]",
    }),
    kills: [40],
    line: ["run", "suite.yaml", "--seed", "5"],
    again: ["resume"],
    inFlight: 8,
    same: (tandem) => {
      const { verdict, stopping, gates } = reportOf(tandem);
      expect(stopping?.decidedAfter).toBeGreaterThan(20);
      return [verdict.state, stopping?.decidedAfter, gates];
    },
  },
  {
    // Late enough that one was dropped, and before the end.
    name: "a race",
    make: contest({
      rows: 300,
      wrong: { a: 2, b: 6, c: 50, d: 60 },
      delayMs: 8,
      concurrency: 6,
      more: "compare: { choose: best, race: close }",
    }),
    kills: [130],
    line: ["run", "suite.yaml", "--seed", "5"],
    again: ["resume"],
    inFlight: 6,
    same: (tandem) => {
      const { set, race } = reportOf(tandem).choice ?? {};
      // More was sent and not needed, or less.
      return [set, { ...race, spared: null, saved: null }];
    },
  },
  {
    name: "the second look of a regression",
    make: contest({
      rows: 60,
      wrong: { prod: 0, test: 50 },
      delayMs: 5,
      concurrency: 4,
      more: "compare: { baseline: prod, confirm: rerun }\ngates: [{ metric: correct, margin: 0.05 }]",
    }),
    kills: [150],
    line: ["run", "suite.yaml"],
    again: ["resume"],
    inFlight: 4,
    same: (tandem) => [allOf(tandem), reportOf(tandem).confirmation],
  },
];

const count = (tandem: Tandem, sql: string): number => tandem.query<{ n: number }>(sql)[0]?.n ?? -1;
const inJournal = "SELECT count(*) AS n FROM attempts";
const again = "SELECT count(*) - count(DISTINCT job_id) AS n FROM attempts";

/** Runs the command to its end, and gives what no kill may change. */
async function whole({ make, line, same = allOf }: Scene): Promise<unknown> {
  const { tandem } = await make();
  const { code } = await tandem.run(...line);
  return { code, same: same(tandem) };
}

test.each(scenes)(
  "$name: nothing is lost, nothing that was answered is sent again, and the end is that of one that was never killed",
  async (scene) => {
    const { make, kills, line, inFlight, same = allOf } = scene;
    const { tandem, received } = await make();
    const before = { received: received?.() ?? 0, journal: tandem.has("results") ? count(tandem, inJournal) : 0 };
    let open = 0;
    for (const [place, requests] of kills.entries()) {
      const from = received === undefined ? 0 : received();
      await tandem.killWhen(
        () => (received === undefined ? count(tandem, inJournal) : received()) - from >= requests,
        ...(place === 0 ? line : scene.again),
      );
      const left = count(tandem, "SELECT count(*) AS n FROM sending");
      expect(left).toBeLessThanOrEqual(inFlight);
      open += left;
    }
    const { code, err } = await tandem.run(...scene.again);
    expect({ code, same: same(tandem) }, err).toEqual(await whole(scene));
    expect(tandem.query("SELECT DISTINCT state FROM batch")).toEqual([{ state: "finished" }]);
    expect(tandem.query("SELECT 1 FROM job WHERE outcome IS NULL")).toEqual([]);
    expect(count(tandem, "SELECT count(*) AS n FROM sending")).toBe(0);
    expect(count(tandem, again)).toBeLessThanOrEqual(open);
    if (received === undefined) return;
    // What was in flight may not have arrived.
    const sent = count(tandem, inJournal) - before.journal;
    expect(received() - before.received).toBeLessThanOrEqual(sent);
    expect(received() - before.received).toBeGreaterThanOrEqual(sent - open);
  },
);
