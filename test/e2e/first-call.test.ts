import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startChat } from "./chat-service.ts";
import { type Received, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const chatKey = "sk-chat-0123456789";

/** An endpoint with a schema of its own: it wants `q`, and answers below `data`. */
const odd = ({ body }: Received): { status?: number; body: string } => {
  const { q } = JSON.parse(body === "" ? "{}" : body) as { q?: string };
  if (q === undefined) return { status: 400, body: '{"error":{"message":"q is required"}}' };
  return { body: JSON.stringify({ id: "r1", meta: { model: "small" }, data: { reply: [{ text: `heard ${q}` }] } }) };
};

interface Tried {
  outcome: string;
  answer: string | null;
  suite: string;
}

describe("a first call", () => {
  test("finds where the answer is, and prints lines of a suite that ask the endpoint so", async () => {
    const service = await startService(odd);
    const tandem = new Tandem().env({}).file("a.csv", "id,question,expected\nq1,one,heard one\nq2,two,heard two\n");
    const url = `${service.url}/chat`;
    const first = await tandem.run("check", "--url", url);
    expect([first.code, first.out]).toEqual([3, expect.stringContaining("q is required")]);
    const tried = await tandem.run("check", "--url", url, "--body", '{"q":"{{ input_prompt }}"}', "--json");
    expect(tried.code).toBe(0);
    const { answer, suite, outcome } = JSON.parse(tried.out) as Tried;
    expect([outcome, answer]).toEqual(["ok", "heard Hello"]);
    expect(parse(suite)).toEqual({
      deployments: { mine: { base_url: service.url } },
      targets: {
        mine: {
          deployment: "mine",
          endpoint: {
            path: "/chat",
            body: { q: "{{ input_prompt }}" },
            answer: "$.data.reply[0].text",
            id: "$.id",
          },
        },
      },
    });
    tandem.file("suite.yaml", `dataset: a.csv\nscorers: [{ type: equals }]\n${suite}`);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(tandem.query("SELECT pass FROM score")).toEqual([{ pass: 1 }, { pass: 1 }]);
  });

  test("that is refused says where a key is read from, and how it goes in another header", async () => {
    const service = await startService(({ authorization }) =>
      authorization === "ApiKey secret-1234" ? { body: '{"reply":"heard one"}' } : { status: 401, body: "{}" },
    );
    const tandem = new Tandem()
      .env({ BOT_KEY: "secret-1234" })
      .file("a.csv", "id,question,expected\nq1,one,heard one\n");
    const init = ["init", "a.csv", "--yes", "--url", `bot=${service.url}/chat`, "--body", '{"q":"{{ input_prompt }}"}'];
    const stopped = await tandem.run(...init);
    expect([stopped.code, stopped.err]).toEqual([
      3,
      expect.stringContaining("refuses the key (HTTP 401), and no suite was written"),
    ]);
    expect(stopped.err).toContain(
      "Set TANDEM_BOT_API_KEY in the environment or in .env; for a key in another header add -H 'X-Api-Key: ${MY_KEY}'",
    );
    expect(tandem.has("tandem.yaml")).toBe(false);
    // Written without asking, a run is refused in the same way.
    expect((await tandem.run(...init, "--offline")).code).toBe(0);
    const refused = await tandem.run("run");
    expect([refused.code, refused.out]).toEqual([3, expect.stringContaining("headers: { X-Api-Key:")]);
    const header = ["-H", "Authorization: ApiKey ${BOT_KEY}"];
    expect((await tandem.run(...init, ...header)).err).toContain(
      "Write over it with --force, or choose another folder with --dir",
    );
    expect((await tandem.run(...init, ...header, "--force")).code).toBe(0);
    expect(tandem.text("tandem.yaml")).toContain("ApiKey ${BOT_KEY}");
    expect(tandem.text("tandem.yaml")).not.toContain("secret-1234");
    expect((await tandem.run("run")).code).toBe(0);
    const tried = await tandem.run("check", "--url", `${service.url}/chat`, ...header);
    expect([tried.code, tried.out]).toEqual([0, expect.stringContaining("The answer is: heard one")]);
  });

  test.each([
    [["-H", "X-Api-Key: secret-1234"], '-H "X-Api-Key" holds a value that may be a key, and a suite never holds one'],
    [["-H", "x-goog-key: secret1234"], '-H "x-goog-key" holds a value that may be a key'],
    [["-H", "X-Api-Key: secret1234${PATH}"], '-H "X-Api-Key" holds a value that may be a key'],
    [["-H", "X-Team"], "-H takes 'Name: value'; got no colon."],
    [["-H", "X-Team:"], "-H takes 'Name: value'; got no value."],
    [["-H", "X-Team: ${NOT_SET}"], "NOT_SET"],
    [["-H", "Host: a"], "-H Host"],
  ])("with a wrong header is refused in a sentence, and nothing is sent: %s", async (flags, said) => {
    const service = await startService(odd);
    const tandem = new Tandem().env({}).file("a.csv", "id,question,expected\nq1,one,heard one\n");
    const { code, err } = await tandem.run("init", "a.csv", "--yes", "--url", `${service.url}/chat`, ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(err).not.toContain("secret-1234");
    expect(service.received).toEqual([]);
  });

  test("whose reply is no answer writes no suite, and says what the service says", async () => {
    const service = await startService(odd);
    const tandem = new Tandem().env({}).file("a.csv", "id,question,expected\nq1,one,heard one\n");
    const { code, err } = await tandem.run("init", "a.csv", "--yes", "--url", `${service.url}/chat`);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/gave no answer \(HTTP 400\), and no suite was written\. It says: .*q is required/),
    ]);
    expect(err).toContain("Say what it takes, such as --body");
    expect(tandem.has("tandem.yaml")).toBe(false);
  });

  test("that nothing answers writes no suite, and says how to write one without asking", async () => {
    const gone = await startService(odd);
    await gone.close();
    const tandem = new Tandem().env({}).file("a.csv", "id,question,expected\nq1,one,heard one\n");
    const init = ["init", "a.csv", "--yes", "--url", `${gone.url}/chat`];
    const refused = await tandem.run(...init);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining("gave no reply, and no suite was written"),
    ]);
    expect(refused.err).toContain("add --offline");
    expect(tandem.has("tandem.yaml")).toBe(false);
    const written = await tandem.run(...init, "--offline");
    expect([written.code, tandem.text("tandem.yaml")]).toEqual([0, expect.stringContaining(gone.url)]);
  });

  test("of two bots writes a suite that compares them, the first as the baseline", async () => {
    const versions = await startService(({ path, body }) => {
      const { q } = JSON.parse(body) as { q: string };
      return { body: JSON.stringify({ reply: path.startsWith("/v2") ? "no" : `heard ${q}` }) };
    });
    const sheet = ["id,question,expected", ...Array.from({ length: 8 }, (_, i) => `q${i},ask ${i},heard ask ${i}`), ""];
    const tandem = new Tandem().env({}).file("a.csv", sheet.join("\n"));
    const body = ["--body", '{"q":"{{ input_prompt }}"}'];
    const twice = ["--url", `a=${versions.url}/v1`, "--url", `a=${versions.url}/v2`];
    const refused = await tandem.run("init", "a.csv", "--yes", ...twice, ...body);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--url: two bots have the name a.")]);
    expect(versions.received).toEqual([]);
    const urls = ["--url", `${versions.url}/v1`, "--url", `new=${versions.url}/v2?lang=en`];
    const made = await tandem.run("init", "a.csv", "--yes", ...urls, ...body);
    expect([made.code, versions.received.length]).toEqual([0, 2]);
    expect(tandem.text("tandem.yaml")).toContain("TANDEM_BASELINE_API_KEY or TANDEM_NEW_API_KEY");
    // One bot alone is no night to which a regression could be new.
    expect((await tandem.run("run", "--target", "new")).code).toBe(0);
    const run = await tandem.run("run");
    expect([run.code, run.out]).toEqual([
      1,
      expect.stringContaining("REGRESSION  8 of 8 rows newly fail in all 3 runs of new on `correct`"),
    ]);
    expect((await tandem.run("run", "--repeats", "1")).out).not.toContain("(new)");
  });

  test("writes the suite of a chat with `init`, which then runs", async () => {
    const chat = await startChat(({ said }) => ({ message: { content: `said ${said}` } }));
    const tandem = new Tandem()
      .env({ TANDEM_MINE_API_KEY: chatKey })
      .file("a.csv", "id,question,answer\nq1,one,said one\nq2,two,said two\n");
    const made = await tandem.run("init", "a.csv", "--yes", "--url", `${chat.url}/v1`, "--model", "gpt-test");
    expect([made.code, made.err]).toEqual([0, expect.stringContaining("The answer is: said one")]);
    expect(made.err).toContain("the key in TANDEM_MINE_API_KEY is sent to");
    expect(made.out).not.toContain("assistant.yaml");
    expect(tandem.text("tandem.yaml")).toContain("endpoint: chat-completions, model: gpt-test");
    expect(tandem.text("tandem.yaml")).not.toContain(chatKey);
    expect((await tandem.run("run")).code).toBe(0);
    // A first call, and each of two rows three times: so few decide by what newly fails in all runs.
    expect(chat.asked).toHaveLength(7);
    expect(tandem.text("tandem.yaml")).toMatch(/^repeats: 3$[^]*^gates: \[\{ metric: correct, losses: 0 \}\]$/m);
    const again = await tandem.run("init", "a.csv", "--yes", "--url", `${chat.url}/v1`, "--model", "gpt-test");
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("tandem.yaml exists already")]);
    expect(chat.asked).toHaveLength(7);
  });

  test("says what it needs: an address, a model, JSON", async () => {
    const tandem = new Tandem().env({});
    const said = async (...args: string[]): Promise<string> => {
      const { code, err } = await tandem.run("check", "--url", ...args);
      expect(code).toBe(2);
      return err;
    };
    expect(await said("here")).toContain(
      "The address of the endpoint is not an address that begins with http:// or https://",
    );
    expect(await said("http://127.0.0.1:1/v1/chat/completions")).toContain("--model is required");
    expect(await said("http://127.0.0.1:1/a", "--body", "{q}")).toContain("--body is not JSON");
    expect(await said("http://127.0.0.1:1/a", "--body", '{"q": "{{ input"}')).toContain("is not Liquid");
    expect(await said("http://127.0.0.1:1/a", "--body", '{"q": "{{ title }}"}')).toContain(
      "--body uses {{ title }}, and a first call has no such field",
    );
    expect(await said("http://127.0.0.1:1/v2/video-bots")).toContain("example_id in the address is required");
  });

  test("is not made by a look at a suite: a deployment that is not the service is only reached, without the key", async () => {
    const chat = await startChat(() => ({ message: { content: "x" } }));
    const tandem = new Tandem()
      .env({ CHAT_KEY: chatKey })
      .file("a.csv", "id,question\nq1,one\n")
      .file(
        "suite.yaml",
        `dataset: a.csv
deployments: { openai: { base_url: "${chat.url}/v1", api_key_env: CHAT_KEY } }
targets: { a: { deployment: openai, endpoint: chat-completions, model: gpt-test } }
`,
      );
    const { code, out } = await tandem.run("check", "suite.yaml");
    expect(code).toBe(0);
    expect(out).toContain("the first case of a run tells whether it takes one");
    expect(out).toContain("the one in CHAT_KEY is sent");
    expect(chat.asked.map(({ authorization }) => authorization)).toEqual([""]);
  });
});
