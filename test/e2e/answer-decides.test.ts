import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { type Received, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

const count = 40;
const sheet = [
  "id,question,golden",
  ...Array.from({ length: count }, (_, row) => `k${row},question ${row},answer ${row}`),
  "",
].join("\n");

/** The number of the row that is asked, wherever it stands in the request. */
const rowOf = ({ body }: Received): number => Number(/question (\d+)/.exec(body)?.[1] ?? 0);

type Reply = (row: number, time: number) => unknown;

/** Two services, asked for the same sheet; each replies in its own form. */
async function asked({
  replies,
  endpoint,
  extra = "",
}: {
  replies: readonly [Reply, Reply];
  endpoint: readonly [string, string];
  extra?: string;
}) {
  let time = 0;
  const [prod, other] = await Promise.all(
    replies.map((reply) => startService((received) => ({ body: JSON.stringify(reply(rowOf(received), (time += 1))) }))),
  );
  const suite = `name: same
dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments:
  one: { base_url: "${prod?.url}" }
  two: { base_url: "${other?.url}" }
targets:
  prod: { deployment: one, ${endpoint[0]} }
  test: { deployment: two, ${endpoint[1]} }
compare: { baseline: prod${extra} }
scorers: [{ name: correct, type: contains }]
`;
  const tandem = new Tandem().file("s.csv", sheet).file("suite.yaml", suite);
  const { out, err } = await tandem.run("run", "suite.yaml");
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
  expect(batch, err).toBeDefined();
  const read = (name: string): string => tandem.text(`results/${batch?.name}/${name}`);
  const csv: Record<string, string>[] = parse(read("comparison.csv"), { columns: true, bom: true });
  const report: {
    behaviour: { changed: boolean | null; kinds: Record<string, number> }[];
    members: { path: string }[];
  } = JSON.parse(read("report.json"));
  return {
    out: flat(out),
    report,
    changes: csv.map(({ change }) => change ?? ""),
    differ: csv.map((each) => each["answer_differs"]),
  };
}

const chat = (model: string) => `endpoint: chat-completions, model: ${model}`;
const http = (answer: string) => `endpoint: { path: /ask, body: { q: $input_prompt }, answer: ${answer} }`;

/** A chat as one service writes it. */
const plainChat: Reply = (row, time) => ({
  id: `chat-${time}`,
  object: "chat.completion",
  model: "alpha-2026",
  choices: [
    { index: 0, message: { role: "assistant", content: `answer ${row}`, tool_calls: null }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
});

/** The same words in the form of another. */
const richChat: Reply = (row, time) => ({
  id: `x${time}`,
  object: "chat.completion",
  model: "beta-large",
  provider: "somebody",
  status: time % 2 === 0 ? "done" : "completed",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: `answer ${row}`, tool_calls: [], annotations: [] },
      finish_reason: row % 3 === 0 ? "length" : "stop",
      stop_reason: time,
    },
  ],
  usage: { prompt_tokens: 50, completion_tokens: 30 + time, total_tokens: 80 + time },
  trace: { nonce: `n${time * 7919}` },
});

const called =
  (name: (row: number) => string): Reply =>
  (row, time) => ({
    id: `chat-${time}`,
    model: "alpha-2026",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: null,
          tool_calls: [{ id: `call_${time}`, type: "function", function: { name: name(row), arguments: "{}" } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  });

describe("rows of targets that name their answer", () => {
  test.each<[string, Parameters<typeof asked>[0]]>([
    ["two chat models", { replies: [plainChat, richChat], endpoint: [chat("alpha"), chat("beta")] }],
    [
      "two chat models, the first asked twice",
      { replies: [plainChat, richChat], endpoint: [chat("alpha"), chat("beta")], extra: ", noise_repeats: 2" },
    ],
    [
      "two endpoints with other replies",
      {
        replies: [
          (row) => ({ text: `answer ${row}`, model: "a" }),
          (row, time) => ({
            reply: { said: `answer ${row}` },
            status: time % 2 === 0 ? "ok" : "fine",
            nonce: time * 31,
            took: [time],
          }),
        ],
        endpoint: [http("$.text"), http("$.reply.said")],
      },
    ],
    [
      "one endpoint whose other members are random",
      {
        replies: [
          (row, time) => ({ answer: `answer ${row}`, model: "a", score: time / 7, tags: ["x"] }),
          (row, time) => ({ answer: `answer ${row}`, model: "b", score: time / 3, tags: null, warning: "slow" }),
        ],
        endpoint: [http("$.answer"), http("$.answer")],
        extra: ", noise_repeats: 2",
      },
    ],
  ])("are the same where the answers are: %s", async (_, given) => {
    const { out, report, changes, differ } = await asked(given);
    expect(new Set(changes)).toEqual(new Set(["same"]));
    expect(new Set(differ)).toEqual(new Set(["false"]));
    expect(report.behaviour[0]?.kinds).toEqual({ same: count });
    expect(report.behaviour[0]?.changed).not.toBe(true);
    expect(out).not.toContain("not answered as before");
    expect(out).not.toContain("behaves differently");
    // What else differs is told among the details.
    expect(report.members.map(({ path }) => path)).toContain("model");
  });

  test("have changed where the answers have, and no other", async () => {
    const reply: Reply = (row, time) =>
      row < 7 ? { text: `answer ${row}, or so`, took: time } : { text: `answer ${row}`, took: time };
    const given = {
      replies: [(row: number) => ({ text: `answer ${row}` }), reply],
      endpoint: [http("$.text"), http("$.text")],
    } as const;
    const { changes } = await asked(given);
    expect(changes.filter((change) => change === "differs")).toHaveLength(7);
    expect(changes.filter((change) => change === "same")).toHaveLength(count - 7);
  });

  test("have changed where other functions are asked for in place of a text", async () => {
    const endpoint = [chat("alpha"), chat("beta")] as const;
    const same = await asked({ replies: [called(() => "look"), called(() => "look")], endpoint });
    expect(new Set(same.changes)).toEqual(new Set(["same"]));
    const other = await asked({
      replies: [called(() => "look"), called((row) => (row < 5 ? "buy" : "look"))],
      endpoint,
    });
    expect(other.changes.filter((change) => change === "differs")).toHaveLength(5);
  });
});
