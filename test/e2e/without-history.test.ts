import { describe, expect, test } from "vitest";
import { type Received, record, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

/** A service of our own that counts what it was sent, and answers with it. */
const startOwn = (): Promise<Service> =>
  startService(({ body, path }) => {
    if (path.includes("/v2/"))
      return { ...record("x"), body: JSON.stringify({ url: "u", output: { return_value: 1 } }) };
    const { q } = JSON.parse(body) as { q: string };
    return { body: JSON.stringify({ said: `heard ${q}` }) };
  });

const bodyOf = ({ body }: Received): { [member: string]: unknown } => JSON.parse(body) as { [member: string]: unknown };

const talk = { path: "/chat", answer: "$.said" };
const endpoint = (body: { [member: string]: unknown }): string => JSON.stringify({ ...talk, body });
const alone = endpoint({ q: "{{ input_prompt }}" });

const turns = "id,talk,turn,question\nt1,t,1,one\nt2,t,2,two\ns1,s,1,three\n";
const byRows = "case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }";

const suite = (service: Service, target: string, mapping = byRows): string => `dataset: a.csv
${mapping}
deployments: { ours: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, concurrency: 1 } }
targets:
  bot: ${target}
`;

const target = (described: string, more = ""): string => `{ deployment: ours, endpoint: ${described}${more} }`;

describe("a target that would be sent turns without what was said before", () => {
  test.each<[string, { at: string; described: string; more?: string; says: string }]>([
    [
      "has no $messages in its body",
      { at: "5:79", described: alone, says: "targets.bot.endpoint.body has no place for what was said before" },
    ],
    [
      "has none in its query",
      {
        at: "5:89",
        described: '{ path: /chat, method: GET, answer: $.said, query: { q: "{{ input_prompt }}" } }',
        says: "targets.bot.endpoint.query has no place for what was said before",
      },
    ],
    [
      "is a function",
      {
        at: "5:38",
        described: "functions",
        more: ", example_id: a",
        says: "targets.bot.endpoint is functions, which are sent nothing of what was said before",
      },
    ],
    [
      "sets messages of its own",
      {
        at: "5:83",
        described: "video-bots",
        more: ", example_id: a, body: { messages: [] }",
        says: "targets.bot.body.messages takes the place of what was said before",
      },
    ],
  ])("%s: validate, plan and run refuse it with its place, and nothing is sent", async (_, given) => {
    const { at, described, more = "", says } = given;
    const service = await startOwn();
    const tandem = new Tandem().file("a.csv", turns).file("suite.yaml", suite(service, target(described, more)));
    for (const command of [["check", "--offline"], ["run"], ["run", "--no-preflight"]]) {
      const { code, out, err } = await tandem.run(...command, "suite.yaml");
      expect(code, command[0]).toBe(2);
      const said = flat(out + err);
      expect(said).toContain(`suite.yaml:${at}: ${says}, and the dataset has conversations`);
      expect(said).toContain(
        "write `history: service` beside `endpoint`, if the service keeps the conversation itself",
      );
    }
    const { out } = await tandem.run("check", "--offline", "suite.yaml", "--json");
    const [line, column] = at.split(":").map(Number);
    expect(JSON.parse(out)).toMatchObject({ valid: false, faults: [{ file: "suite.yaml", line, column }] });
    expect(service.received).toHaveLength(0);
    // No batch is left that would be resumed.
    expect((await tandem.run("batches")).out).not.toContain("suite-");
  });

  test("is refused in every form of a conversation, and once for all targets of a matrix", async () => {
    const service = await startOwn();
    const matrix = `deployments: { ours: { base_url: "${service.url}" }, theirs: { base_url: "${service.url}/theirs" } }
matrix: { deployments: [ours, theirs], endpoint: ${alone} }
`;
    const forms: [mapping: string, sheet: string][] = [
      ["case: { turns: script }\n", 'id,script\na,"[""one"",""two""]"\n'],
      ["case: { messages: { role: role, text: content } }\n", "role,content\nuser,one\nassistant,1\nuser,two\n"],
      // An export that needs no mapping.
      ["", "role,content\nuser,one\nassistant,1\nuser,two\n"],
      ["case: { cluster: talk, turn: __order, input: { input_prompt: q } }\n", "talk,q\nt,one\nt,two\n"],
    ];
    for (const [mapping, sheet] of forms) {
      const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", `dataset: a.csv\n${mapping}${matrix}`);
      for (const command of ["check --offline", "run"]) {
        const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
        expect(code, mapping).toBe(2);
        expect(flat(out + err).match(/matrix\.endpoint\.body has no place/g)).toHaveLength(1);
      }
    }
    expect(service.received).toHaveLength(0);
  });

  test("is not refused where no conversation has a second turn, nor where it is not asked", async () => {
    const service = await startOwn();
    const single = new Tandem()
      .file("a.csv", 'id,script\na,one\nb,"[""two""]"\n')
      .file("suite.yaml", suite(service, target(alone), "case: { key: id, turns: script }"));
    expect((await single.run("check", "--offline", "suite.yaml")).code).toBe(0);
    expect((await single.run("run", "suite.yaml")).code).toBe(0);
    expect(service.received.map(bodyOf)).toEqual(expect.arrayContaining([{ q: "one" }, { q: "two" }]));
    expect(service.received).toHaveLength(2);

    const good = target(endpoint({ q: "{{ input_prompt }}", before: "$messages" }));
    const both = new Tandem()
      .file("a.csv", turns)
      .file("suite.yaml", `${suite(service, target(alone))}  good: ${good}\n`);
    expect((await both.run("run", "suite.yaml")).code).toBe(2);
    expect((await both.run("run", "suite.yaml", "--target", "good")).code).toBe(0);
    expect(service.received).toHaveLength(5);
  });

  test("is sent it by $messages, by $conversation, or by a template", async () => {
    const service = await startOwn();
    const said = [
      { role: "user", content: "one" },
      { role: "assistant", content: "heard one" },
    ];
    for (const [name, template, expected] of [
      ["before", "$messages", said],
      ["all", "$conversation", [...said, { role: "user", content: "two" }]],
      ["text", "{% for m in messages %}{{ m.content }};{% endfor %}", "one;heard one;"],
    ] as const) {
      const tandem = new Tandem()
        .file("a.csv", turns)
        .file("suite.yaml", suite(service, target(endpoint({ q: "{{ input_prompt }}", [name]: template }))));
      expect((await tandem.run("check", "--offline", "suite.yaml")).code).toBe(0);
      expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
      const second = service.received
        .slice(-3)
        .map(bodyOf)
        .find(({ q }) => q === "two");
      expect(second?.[name]).toEqual(expected);
    }
  });
});

describe("history: service", () => {
  test("sends the turns one after the other to an endpoint of one's own, and nothing of what was said", async () => {
    const service = await startOwn();
    const mapping = "case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question, session: talk } }";
    const described = endpoint({ q: "{{ input_prompt }}", session: "$session" });
    const text = suite(service, target(described, ", history: service"), mapping);
    const tandem = new Tandem().file("a.csv", turns).file("suite.yaml", text);
    expect((await tandem.run("check", "--offline", "suite.yaml")).code).toBe(0);
    const plan = await tandem.run("check", "--offline", "suite.yaml", "--show", "t2");
    expect([plan.code, plan.out]).toEqual([
      0,
      expect.stringContaining("(turn 2: its service knows what was said before)"),
    ]);
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect([code, err]).toEqual([0, expect.not.stringContaining("warning")]);
    const bodies = service.received.map(bodyOf);
    expect(bodies).toHaveLength(3);
    expect(bodies.filter(({ session }) => session === "t")).toEqual([
      { q: "one", session: "t" },
      { q: "two", session: "t" },
    ]);
    // One that is asked more than once has to tell the runs apart.
    const twice = await tandem.run("run", "suite.yaml", "--repeats", "2");
    expect(flat(twice.err)).toContain(
      "warning: bot keeps conversations itself (history: service), and is sent each of them 2 times",
    );
  });

  test("lets functions be asked turn by turn, without half a history", async () => {
    const service = await startOwn();
    const text = suite(service, target("functions", ", example_id: a, history: service"));
    const tandem = new Tandem().file("a.csv", turns).file("suite.yaml", text);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(service.received.map(bodyOf)).toEqual(
      expect.arrayContaining([{ input_prompt: "one" }, { input_prompt: "two" }, { input_prompt: "three" }]),
    );
    expect(service.received).toHaveLength(3);
  });

  test("is refused where what was said before is sent, with stored answers, and in other words", async () => {
    const service = await startOwn();
    const text = `dataset: a.csv
${byRows}
deployments: { ours: { base_url: "${service.url}" } }
targets:
  a: { deployment: ours, endpoint: video-bots, example_id: a, history: service }
  b: { deployment: ours, endpoint: ${endpoint({ all: "$conversation" })}, history: service }
  c: { deployment: ours, endpoint: ${alone}, history: server }
  d: { answers: question, history: service }
`;
    const tandem = new Tandem().file("a.csv", turns).file("suite.yaml", text);
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(2);
    expect(err.split("\n").map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^suite\.yaml:5:72: targets\.a\.history is for a service that is not sent .*Take the line out\.$/,
        ),
        expect.stringMatching(/^suite\.yaml:6:\d+: targets\.b\.history .*Take the line out, or the history/),
        expect.stringMatching(/^suite\.yaml:7:\d+: targets\.c\.history must be/),
        expect.stringMatching(/^suite\.yaml:8:\d+: targets\.d\.history cannot be used together with answers/),
      ]),
    );
    expect(service.received).toHaveLength(0);
  });

  test("warns of what a conversation begins with, and of a fixed history, where they are not sent", async () => {
    const service = await startOwn();
    const opening = "case: { cluster: talk, turn: turn, opening: before, input: { input_prompt: question } }";
    const sheet = 'talk,turn,question,before\nt,1,one,"[{""role"":""system"",""content"":""Be brief.""}]"\n';
    const tandem = new Tandem().file("a.csv", sheet);
    for (const [mapping, said] of [
      [opening, "suite.yaml:2:45: opening is not sent to bot"],
      ["case: { input: { input_prompt: question, messages: before } }", "suite.yaml:2:52: messages is not sent to bot"],
    ] as const) {
      tandem.file("suite.yaml", suite(service, target(alone, ", history: service"), mapping));
      const { code, err } = await tandem.run("check", "--offline", "suite.yaml");
      expect([code, flat(err)]).toEqual([0, expect.stringContaining(said)]);
    }
  });
});

describe("the suite that init --body writes for a sheet of conversations", () => {
  const init = async (service: Service, sheet: string, body: unknown) => {
    const tandem = new Tandem().env({}).file("a.csv", sheet);
    const url = `${service.url}/chat`;
    const made = await tandem.run("init", "a.csv", "--yes", "--url", url, "--body", JSON.stringify(body));
    expect(made.code, made.err).toBe(0);
    return { tandem, said: made.err };
  };
  const exported = "role,content\nuser,one\nassistant,1\nuser,two\nassistant,2\n";

  test.each([
    ["a row for each turn", turns],
    ["a row for each message", exported],
  ])("%s: has $messages, which it says, and runs", async (_, sheet) => {
    const service = await startOwn();
    const { tandem, said } = await init(service, sheet, { q: "{{ input_prompt }}" });
    expect(said).toContain("Each turn is sent with what was said before: `messages: $messages` was put into the body");
    expect(tandem.text("tandem.yaml")).toContain("# If the service keeps the conversation itself, take it out again");
    expect((await tandem.run("check", "--offline")).code).toBe(0);
    expect((await tandem.run("run")).code).toBe(0);
    expect(service.received.map(bodyOf)).toContainEqual({
      q: "two",
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "heard one" },
      ],
    });
  });

  test("has it before the prompt, where that is the last of a list of messages", async () => {
    const service = await startService(() => ({ body: '{"said":"yes"}' }));
    const system = { role: "system", content: "Be brief." };
    const user = { role: "user", content: "{{ input_prompt }}" };
    const { tandem, said } = await init(service, turns, { prompt: [system, user] });
    expect(said).toContain("`$messages` was put into `prompt`, before the prompt.");
    expect((await tandem.run("run")).code).toBe(0);
    expect(service.received.map(bodyOf)).toContainEqual({
      prompt: [
        system,
        { role: "user", content: "one" },
        { role: "assistant", content: "yes" },
        { role: "user", content: "two" },
      ],
    });
    expect(service.received.map(bodyOf)).toContainEqual({ prompt: [system, { role: "user", content: "three" }] });
  });

  test("says where there is no place for it, is left alone where there is one, and where no conversation has a second turn", async () => {
    const service = await startService(() => ({ body: '{"said":"yes"}' }));
    const text = await init(service, turns, "{{ input_prompt }}");
    expect(text.said).toContain("`tandem run` refuses this: endpoint.body has no place for what was said before");
    expect(text.tandem.text("tandem.yaml")).toContain("# `tandem run` refuses this: endpoint.body");
    expect((await text.tandem.run("run")).code).toBe(2);
    const own = await init(service, turns, { q: "{{ input_prompt }}", before: "{{ messages | json }}" });
    expect(own.tandem.text("tandem.yaml")).not.toContain("$messages");
    const single = await init(service, "role,content\nuser,one\nassistant,1\n", { q: "{{ input_prompt }}" });
    expect(single.tandem.text("tandem.yaml")).not.toContain("$messages");
    expect((await single.tandem.run("run")).code).toBe(0);
  });
});
