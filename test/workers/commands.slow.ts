import { describe, expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { startChat } from "../e2e/chat-service.ts";
import { record, type Service, startService } from "../e2e/service.ts";
import { bePatient, flat, prompts, Tandem } from "../e2e/tandem.ts";
import { sharedWorkers } from "./shared-workers.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789", KEY: "sk-chat-0123456789" };

// Each of these is known to work on one machine (test/e2e): here, that it does over workers as well.
const url = sharedWorkers([{ env: key }, { env: key }]);
const desk = (): Tandem => new Tandem().env({ TANDEM_WORKERS: url() });
const overWorkers = (tandem: Tandem, ...args: string[]) => tandem.run(...args, "--workers");

const kinds = (tandem: Tandem): Record<string, number> =>
  Object.fromEntries(
    tandem
      .query<{ kind: string; jobs: number }>(
        "SELECT kind || ' ' || coalesce(outcome, 'open') AS kind, count(*) AS jobs FROM job GROUP BY 1",
      )
      .map(({ kind, jobs }) => [kind, jobs]),
  );

/** Nothing was sent twice, and the books have as much as the service has received. */
function sentOnce(services: readonly Service[], sent: number): void {
  const received = services.flatMap(({ received: all }) => all);
  expect(received.length).toBe(sent);
  expect(new Set(received.map(({ path, body }) => path + body)).size).toBe(sent);
}

const plain = (service: Service, more = "", deployment = ""): string => `name: plain
dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}", concurrency: 4${deployment} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
${more}`;

const slowly = (delayMs: number) => startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs }));

describe("limits of a command over workers", () => {
  test("a limit of cost stops the run with the sum, and a resume sends the rest", async () => {
    const service = await slowly(10);
    const tandem = desk()
      .file("suite.yaml", plain(service, "", ", price: 0.01"))
      .file("prompts.csv", prompts(60));
    const { code, err } = await overWorkers(tandem, "run", "suite.yaml", "--max-cost", "0.2");
    expect({ code, err }).toEqual({ code: 3, err });
    expect(err).toMatch(/0\.2\d* is spent \(--max-cost 0\.2\)/);
    expect(service.received.length).toBeGreaterThanOrEqual(20);
    expect(service.received.length).toBeLessThanOrEqual(32);
    expect((await overWorkers(tandem, "resume")).code).toBe(0);
    sentOnce([service], 60);
  });

  test("a limit of failures stops the run", async () => {
    const service = await startService(() => ({ status: 422, body: '{"detail":"no"}' }));
    const tandem = desk()
      .file("suite.yaml", plain(service, "", ", retries: 0"))
      .file("prompts.csv", prompts(60));
    const { code, err } = await overWorkers(tandem, "run", "suite.yaml", "--max-failures", "5", "--no-preflight");
    expect({ code, err }).toEqual({ code: 3, err });
    expect(err).toMatch(/[5-9] jobs failed \(--max-failures 5\)/);
    expect(service.received.length).toBeLessThan(12);
  });

  test("a limit of time stops the run while workers send", async () => {
    const service = await slowly(300);
    const tandem = desk().file("suite.yaml", plain(service)).file("prompts.csv", prompts(200));
    const { code, err } = await overWorkers(tandem, "run", "suite.yaml", "--max-duration", "3s");
    expect({ code, err }).toEqual({ code: 3, err });
    expect(err).toContain("the time is used up (--max-duration)");
    const sent = service.received.length;
    expect(sent).toBeGreaterThan(4);
    expect(kinds(tandem)).toEqual({ "case ok": sent, "case open": 200 - sent });
  });
});

describe("services of all kinds over workers", () => {
  test("a chat, an endpoint that the suite describes, several candidates and repeats are asked and compared", async () => {
    const chat = await startChat(({ said }) => ({ message: { content: `answer to ${said}` } }));
    const odd = await startService(() => ({ body: '{"reply":{"text":"answer to it"}}' }));
    const service = await slowly(5);
    const tandem = desk()
      .file("prompts.csv", prompts(12))
      .file(
        "suite.yaml",
        `name: kinds
dataset: prompts.csv
case: { key: id }
repeats: 2
deployments:
  chat: { base_url: "${chat.url}/v1", api_key_env: KEY }
  odd: { base_url: "${odd.url}" }
  bots: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY }
targets:
  old: { deployment: bots, endpoint: video-bots, example_id: a }
  gpt: { deployment: chat, endpoint: chat-completions, model: gpt-test }
  own: { deployment: odd, endpoint: { path: /ask, body: { q: "{{ input_prompt }}" }, answer: $.reply.text } }
scorers: [{ type: contains, value: answer, primary: true }]
compare: { baseline: old, candidates: [gpt, own] }
`,
      );
    const { code, err, out } = await overWorkers(tandem, "run", "suite.yaml");
    expect({ code, err }).toEqual({ code: 0, err });
    expect(kinds(tandem)).toEqual({ "case ok": 72 });
    expect([chat.asked.length, odd.received.length, service.received.length]).toEqual([24, 24, 24]);
    expect(flat(out)).toContain("gpt");
  });

  test("a pin is the baseline, of which nothing is asked", async () => {
    const service = await slowly(5);
    const tandem = desk()
      .file("suite.yaml", plain(service, "scorers: [{ type: contains, value: answer }]\n"))
      .file("prompts.csv", prompts(20));
    expect((await overWorkers(tandem, "run", "suite.yaml")).code).toBe(0);
    expect((await tandem.run("pin", "latest", "--as", "base")).code).toBe(0);
    const { code, err, out } = await overWorkers(tandem, "run", "suite.yaml", "--against", "base");
    expect({ code, err }).toEqual({ code: 0, err });
    expect(service.received.length).toBe(40);
    expect(flat(out)).toContain("base");
  });

  test("files by address are sent, files of this machine are refused before anything is", async () => {
    const service = await slowly(5);
    const suite = (column: string): string => `name: media
dataset: files.csv
case: { key: id, input: { input_prompt: question, input_images: { column: ${column}, type: file } } }
deployments: { prod: { base_url: "${service.url}", concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;
    const tandem = desk()
      .file(
        "files.csv",
        "id,question,address,here\n1,what?,https://pictures.example/1.png,one.png\n2,who?,https://pictures.example/2.png,one.png\n",
      )
      .file("one.png", Buffer.from("89504e470d0a1a0a", "hex"))
      .file("suite.yaml", suite("address"));
    const { code, err } = await overWorkers(tandem, "run", "suite.yaml");
    expect({ code, err }).toEqual({ code: 0, err });
    expect(service.received.map(({ body }) => body).join()).toContain("https://pictures.example/1.png");
    const refused = await overWorkers(tandem.file("suite.yaml", suite("here")), "run", "suite.yaml");
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("one.png") });
    expect(refused.err).toContain("which workers do not have");
    expect(service.received.length).toBe(2);
  });
});

/** A bot that gets this share of the questions wrong, always the same ones. */
const bot = (wrong: number) =>
  startService(({ prompt }) => {
    const number = /\d+/.exec(prompt)?.[0] ?? "";
    return { ...record(hash32(`wrong ${number}`) % 100 < wrong ? "no idea" : `it is right${number}`), delayMs: 10 };
  });

const rows = (count: number): string =>
  `id,question,golden_answer\n${Array.from({ length: count }, (_none, i) => `k${i},question ${i},right${i}`).join("\n")}\n`;

const pair = ([old, own]: readonly [Service, Service], more: string): string => `name: pair
dataset: rows.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer }
deployments:
  prod: { base_url: "${old.url}", concurrency: 4 }
  test: { base_url: "${own.url}", concurrency: 4 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains, primary: true }]
gates: [{ metric: correct, margin: 0.05 }]
${more}`;

describe("decisions over workers", () => {
  test("parts of a run go over workers each, and are merged as ever", async () => {
    const services = [await bot(0), await bot(0)] as const;
    const tandem = desk().file("rows.csv", rows(40)).file("suite.yaml", pair(services, ""));
    for (const part of ["1", "2"]) {
      const { code, err } = await overWorkers(
        tandem,
        "run",
        "suite.yaml",
        "--shard",
        `${part}/2`,
        "--results",
        `part-${part}`,
      );
      expect({ code, err }).toEqual({ code: 0, err });
    }
    const { code, err } = await tandem.run("merge", "part-1", "part-2", "--results", "results");
    expect({ code, err }).toEqual({ code: 0, err });
    expect(kinds(tandem)).toEqual({ "case ok": 80 });
    sentOnce([services[0]], 40);
  });
});

describe("first answers, plans and interrupts over workers", () => {
  test("a wrong id costs one request of each target; corrected, the rest is sent, and nothing twice", async () => {
    const service = await startService(({ path, prompt }) =>
      path.includes("typo") ? { status: 404, body: '{"detail":"No such example"}' } : record(prompt),
    );
    const suite = (second: string): string => `name: typo
dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}", retries: 0 } }
targets:
  one: { deployment: prod, endpoint: video-bots, example_id: a }
  two: { deployment: prod, endpoint: video-bots, example_id: ${second} }
`;
    const tandem = desk().file("suite.yaml", suite("typo")).file("prompts.csv", prompts(20));
    const { code, err, out } = await overWorkers(tandem, "run", "suite.yaml");
    expect({ code, err, out }).toEqual({
      code: 3,
      err,
      out: expect.stringContaining("Stopped after one row: two rejected it."),
    });
    expect(service.received.length).toBe(2);
    const again = await overWorkers(tandem.file("suite.yaml", suite("b")), "resume", "--suite", "suite.yaml");
    expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: again.err });
    expect(kinds(tandem)).toEqual({ "case ok": 40 });
    sentOnce([service], 41);
  });

  test("a night whose submitter was killed goes on with the next start, and sends nothing twice", async () => {
    const services = [await slowly(40), await slowly(40)] as const;
    const tandem = desk()
      .alone()
      .file("rows.csv", rows(60))
      .file("suite.yaml", pair(services, "").replace("type: contains", "type: not-empty"));
    const { child, ended } = tandem.start("night", "suite.yaml", "--workers");
    await expect.poll(() => services[0].received.length, { timeout: 30_000 }).toBeGreaterThan(10);
    child.kill("SIGKILL");
    await ended;
    const { code, err } = await overWorkers(tandem, "night", "suite.yaml");
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("was cut off: it is resumed") });
    expect(kinds(tandem)).toEqual({ "case ok": 120 });
    for (const service of services) sentOnce([service], 60);
  });

  test("a second Ctrl-C leaves at once, says that the workers go on with what is in flight, and a resume brings it", async () => {
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    const service = await startService(({ prompt }) => ({ ...record(prompt), when: held }));
    const tandem = desk().inGroupOfItsOwn().file("suite.yaml", plain(service)).file("prompts.csv", prompts(30));
    const { child, ended } = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
    await expect.poll(() => service.received.length, { timeout: 30_000 }).toBe(4);
    // It looks once a second what is in flight.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    child.kill("SIGINT");
    await bePatient();
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect({ code, err }).toEqual({ code: 130, err });
    expect(err).toContain("Interrupted: nothing more is sent; finishing 4 in flight");
    expect(err).toMatch(
      /Leaving: the 4 in flight continue at the workers; `tandem resume plain-\S+ --workers URL` brings them/,
    );
    const here = await tandem.run("resume");
    expect(here).toMatchObject({ code: 2, err: expect.stringContaining("Ctrl-C then stops it there") });
    open();
    const back = await overWorkers(tandem, "resume");
    expect({ code: back.code, err: back.err }).toEqual({ code: 0, err: back.err });
    sentOnce([service], 30);
    expect(kinds(tandem)).toEqual({ "case ok": 30 });
  });
});
