import { describe, expect, test } from "vitest";
import { type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

interface Message {
  role: string;
  content: string;
}

const bodyOf = (body: string): { messages?: Message[]; q?: Message[] } =>
  JSON.parse(body) as { messages?: Message[]; q?: Message[] };

/** A service that repeats the question: a chat as OpenAI has it, and an endpoint that takes messages as `q`. */
const repeating = (): Promise<Service> =>
  startService(({ path, body }) => {
    const { messages, q } = bodyOf(body);
    const content = `On ${(messages ?? q)?.at(-1)?.content}`;
    return {
      body: JSON.stringify(
        path.endsWith("/chat/completions")
          ? {
              id: content,
              choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
            }
          : { reply: content },
      ),
    };
  });

/** What each request said, a line for each: `system: Be brief. / user: One? / ...`. */
const said = ({ received }: Service): string[] =>
  received
    .map(({ body }) => {
      const { messages, q } = bodyOf(body);
      return (messages ?? q ?? []).map(({ role, content }) => `${role}: ${content}`).join(" / ");
    })
    .toSorted();

const json = `[
  {"role": "system", "content": {{ system | dump }}},
  {% for completion in _conversation %}
    {"role": "user", "content": {{ completion.input | dump }}},
    {"role": "assistant", "content": {{ completion.output | dump }}},
  {% endfor %}
  {"role": "user", "content": {{ question | dump }}}
]`;

const yaml = `{% for turn in _conversation %}
- role: user
  content: "{{ turn.input }}"
- role: assistant
  content: "{{ turn.output }}"
{% endfor %}
- role: user
  content: "Please: {{ question }}"
`;

const chat = (url: string): string => `{ id: openai:chat:some-model, config: { apiBaseUrl: "${url}/v1" } }`;
const described = (url: string, body: string): string =>
  `{ id: http, label: ours, config: { url: "${url}/ask", body: ${body}, transformResponse: json.reply } }`;

async function run(tandem: Tandem): Promise<{ code: number | null; err: string }> {
  return tandem.env({ OPENAI_API_KEY: "sk-test-0123456789" }).run("run", "promptfooconfig.yaml");
}

describe("tests of promptfoo whose prompt has what was said before", () => {
  test("are conversations by their ids, those without are one, and one that asks for none is alone", async () => {
    const service = await repeating();
    const tandem = new Tandem().file("chat.json", json).file(
      "promptfooconfig.yaml",
      `prompts: [file://chat.json]
providers: [${chat(service.url)}]
defaultTest: { vars: { system: Be brief. } }
tests:
  - vars: { question: 'Who wrote "Faust"?' }
    metadata: { conversationId: plays }
    assert: [{ type: contains, value: Faust }]
  - { vars: { question: Where is Rome? }, metadata: { conversationId: 7 } }
  - vars: { question: And when? }
    metadata: { conversationId: plays }
    assert: [{ type: contains, value: Faust }, { type: javascript, value: "context.vars._conversation.length > 0" }]
  - { vars: { question: One }, options: { repeat: 2 } }
  - { vars: { question: Alone }, options: { disableConversationVar: true } }
  - { vars: { question: Two } }
`,
    );
    const { code, err } = await run(tandem);
    expect(code, err).toBe(0);
    expect(said(service)).toEqual([
      "system: Be brief. / user: Alone",
      "system: Be brief. / user: One",
      "system: Be brief. / user: One / assistant: On One / user: Two",
      "system: Be brief. / user: Where is Rome?",
      'system: Be brief. / user: Who wrote "Faust"?',
      'system: Be brief. / user: Who wrote "Faust"? / assistant: On Who wrote "Faust"? / user: And when?',
    ]);
    expect(tandem.query("SELECT pass FROM scores WHERE scorer = 'checks' ORDER BY pass")).toEqual([
      { pass: 0 },
      { pass: 1 },
    ]);
    expect(err).toContain("the expectation javascript: it looks at `_conversation`");
    expect(err).toContain("`options.repeat` of a test: a turn is said once");
  });

  test("come from a sheet with a chat in YAML, and are sent to an endpoint of one's own as messages", async () => {
    const service = await repeating();
    const tandem = new Tandem()
      .file("chat.yaml", yaml)
      .file("tests.csv", "question,__expected,__metadata:conversationId\nOne,contains: One,a\nTwo,,b\nThree,,a\n")
      .file(
        "promptfooconfig.yaml",
        `prompts: [file://chat.yaml, "Say {{question}}"]
providers: [${described(service.url, '{ q: "{{prompt}}" }')}]
tests: file://tests.csv
`,
      );
    const { code, err } = await run(tandem);
    expect(code, err).toBe(0);
    expect(said(service)).toEqual([
      "user: Please: One",
      "user: Please: One / assistant: On Please: One / user: Please: Three",
      "user: Please: Two",
    ]);
    expect(err).toContain('the prompt "Say {{question}}": it has no `_conversation`');
  });

  test("are left out with the reason where a conversation has no single beginning", async () => {
    const service = await repeating();
    const tandem = new Tandem().file("chat.json", json).file(
      "promptfooconfig.yaml",
      `prompts: [file://chat.json]
providers: [${chat(service.url)}]
tests:
  - { vars: { system: A, question: One }, metadata: { conversationId: mixed } }
  - { vars: { system: B, question: Two }, metadata: { conversationId: mixed } }
  - { vars: { system: A, question: Three }, metadata: { conversationId: plain } }
`,
    );
    const { err } = await run(tandem);
    expect(said(service)).toEqual(["system: A / user: Three"]);
    expect(err).toContain('the conversation "mixed": it is left out: its turns begin with different messages');
  });

  test("are refused where an endpoint has no place for it, and nothing is sent", async () => {
    const service = await repeating();
    const tandem = new Tandem().file("chat.yaml", yaml).file(
      "promptfooconfig.yaml",
      `prompts: [file://chat.yaml]
providers: [${described(service.url, '{ q: "Answer {{prompt}}" }')}]
tests: [{ vars: { question: One } }, { vars: { question: Two } }]
`,
    );
    const { code, err } = await run(tandem);
    expect([code, service.received]).toEqual([2, []]);
    expect(err).toContain("the target ours: its request has no place for what was said before");
  });

  test.each([
    ["a text", "{% for c in _conversation %}User: {{ c.input }}\n{% endfor %}{{ question }}"],
    ["messages without the answers", json.replace(/.*assistant.*\n/, "")],
    ["one message for all", '[{"role": "user", "content": "{{ _conversation | dump }} {{ question }}"}]'],
  ])("are asked alone with another prompt where one has it as %s, which is named", async (_, prompt) => {
    const service = await repeating();
    const config = (prompts: string[]): string =>
      `prompts: ${JSON.stringify(prompts)}
providers: [${chat(service.url)}]
tests:
  - { vars: { system: A, question: One }, metadata: { conversationId: a } }
  - { vars: { system: A, question: Two }, metadata: { conversationId: a } }
`;
    const refused = await run(new Tandem().file("promptfooconfig.yaml", config([prompt])));
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("write the prompt as a list of messages");
    expect(service.received).toEqual([]);
    const { err } = await run(new Tandem().file("promptfooconfig.yaml", config([prompt, "Say {{ question }}"])));
    expect(said(service)).toEqual(["user: Say One", "user: Say Two"]);
    expect(err).toContain("`conversationId`: no prompt is sent that has `_conversation`");
  });
});
