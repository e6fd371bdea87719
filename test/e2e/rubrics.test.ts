import { describe, expect, test } from "vitest";
import { type Received, record, type Reply, startService } from "./service.ts";
import { startChat } from "./chat-service.ts";
import { Tandem } from "./tandem.ts";

const sheet = [
  "id,input_prompt,expected,context,language",
  "a,When is it open?,It is open from 9 to 17.,Open from 9 to 17.,en",
  "b,¿Cuándo abre?,Abre de 9 a 17.,Abierto de 9 a 17.,es",
  "c,कब खुलता है?,9 से 17 बजे तक खुला है।,9 से 17 बजे तक खुला।,hi",
  "d,Quando apre?,Apre dalle 9 alle 17.,Aperto dalle 9 alle 17.,it",
  "",
].join("\n");

function suite(scorers: string[], more: string[] = []): string {
  return [
    "name: ready",
    "dataset: prompts.csv",
    "deployments:",
    "  prod: { base_url: URL_OF_PROD }",
    "  judges: { base_url: URL_OF_JUDGES }",
    "targets:",
    "  prod: { deployment: prod, endpoint: video-bots, example_id: a }",
    ...more,
    "scorers:",
    ...scorers.map((scorer) => `  - ${scorer}`),
    "",
  ].join("\n");
}

const at = (text: string, urls: { prod: string; judges: string }): string =>
  text.replace("URL_OF_PROD", `"${urls.prod}"`).replace("URL_OF_JUDGES", `"${urls.judges}"`);

const passes = (): Reply => record('{"verdict": "pass", "reason": "fine"}');

describe("a ready rubric", () => {
  test("is put in the language of the case, in English where there is none, with what it needs between marks", async () => {
    const [prod, judges] = [await startService(() => record("From 9 to 17.")), await startService(passes)];
    const faithful =
      "{ name: faithful, type: judge, rubric: faithful-to-sources, sources: context, deployment: judges, example_id: judge }";
    const tandem = new Tandem()
      .file("prompts.csv", sheet)
      .file("suite.yaml", at(suite([faithful]), { prod: prod.url, judges: judges.url }));
    const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
    expect(code, err).toBe(0);
    const promptOf = (question: string): string =>
      judges.received.find(({ prompt }) => prompt.includes(question))?.prompt ?? "";
    expect(promptOf("When is it open?")).toContain("Judge by this:\nFaithful to the sources.");
    expect(promptOf("¿Cuándo abre?")).toContain("Judge by this:\nFiel a las fuentes.");
    expect(promptOf("कब खुलता है?")).toContain("Judge by this:\nस्रोतों के प्रति निष्ठा।");
    expect(promptOf("Quando apre?")).toContain("Judge by this:\nFaithful to the sources.");
    expect(promptOf("When is it open?")).toMatch(/<sources-([0-9a-f]+)>\nOpen from 9 to 17\.\n<\/sources-\1>/);
    // The expected answer is none of its business.
    expect(promptOf("When is it open?")).not.toContain("It is open from 9 to 17.");
    const [row] = tandem.query<{ n: number; type: string }>(
      "SELECT count(*) AS n FROM score WHERE pass = 1 AND value = 1",
    );
    expect(row).toMatchObject({ n: 4 });
  });

  test("is asked of a model by its deployment, whose name and model are those of the judge", async () => {
    const prod = await startService(() => record("From 9 to 17."));
    const chat = await startChat(() => ({ message: { content: '{"verdict": "fail", "reason": "no"}' } }));
    const scorers = [
      "{ name: same, type: judge, rubric: same-meaning, language: de, deployment: judges, model: gpt-test }",
      "{ name: polite, type: judge, rubric: tone, deployment: judges, model: gpt-test }",
    ];
    const tandem = new Tandem()
      .env({ TANDEM_API_KEY: "sk-test-0123456789", TANDEM_JUDGES_API_KEY: "sk-chat-0123456789" })
      .file("prompts.csv", sheet)
      .file("suite.yaml", at(suite(scorers), { prod: prod.url, judges: `${chat.url}/v1` }));
    const { out, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
    expect(chat.asked, out + err).toHaveLength(8);
    expect(chat.asked.every(({ body }) => JSON.stringify(body).includes('"model":"gpt-test"'))).toBe(true);
    expect(chat.asked.filter(({ said }) => said.includes("Gleiche Bedeutung."))).toHaveLength(4);
    expect(tandem.query("SELECT DISTINCT judge FROM judgements")).toEqual([{ judge: "judges.gpt-test" }]);
  });

  test("is refused with its place where the sheet lacks what it needs, before anything is sent", async () => {
    const [prod, judges] = [await startService(() => record("x")), await startService(passes)];
    const scorers = [
      "{ name: faithful, type: judge, rubric: faithful-to-sources, deployment: judges, example_id: judge }",
      "{ name: same, type: judge, rubric: same-meaning, deployment: judges, example_id: judge }",
    ];
    const tandem = new Tandem()
      .file("prompts.csv", "id,input_prompt,source\na,When?,Open at 9\n")
      .file("suite.yaml", at(suite(scorers), { prod: prod.url, judges: judges.url }));
    const { code, out, err } = await tandem.run("check", "--offline", "suite.yaml");
    expect(code).toBe(2);
    expect(out + err).toContain(
      'suite.yaml:9:44: scorers[0].rubric needs the column "sources", and the dataset has none.',
    );
    expect(out + err).toContain('Did you mean "source"?');
    expect(out + err).toContain(
      "suite.yaml:10:40: scorers[1].rubric compares with the expected answer, and no case has one.",
    );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(2);
    expect([prod.received, judges.received]).toEqual([[], []]);
  });

  test("is refused with its place where a template names a column that the sheet lacks", async () => {
    const bot = await startService(() => record("2"));
    const scorers = ['{ name: price, type: contains, value: "{{ row.prise }}" }'];
    const tandem = new Tandem()
      .file("prompts.csv", "id,input_prompt,price\na,How much?,2\n")
      .file("suite.yaml", at(suite(scorers), { prod: bot.url, judges: bot.url }));
    for (const args of [
      ["check", "--offline", "suite.yaml"],
      ["run", "suite.yaml"],
    ]) {
      const { code, out, err } = await tandem.run(...args);
      expect(code).toBe(2);
      expect(out + err).toContain('scorers[0].value names the column "prise", which the dataset does not have.');
      expect(out + err).toContain('Did you mean "price"?');
    }
    expect(bot.received).toEqual([]);
  });

  test("leaves a row without sources out of its metric", async () => {
    const [prod, judges] = [await startService(() => record("From 9.")), await startService(passes)];
    const tandem = new Tandem().file("prompts.csv", "id,input_prompt,sources\na,When?,Open at 9\nb,Where?,\n").file(
      "suite.yaml",
      at(
        suite(["{ name: faithful, type: judge, rubric: faithful-to-sources, deployment: judges, example_id: judge }"]),
        {
          prod: prod.url,
          judges: judges.url,
        },
      ),
    );
    const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
    expect(code, err).toBe(0);
    expect(judges.received).toHaveLength(1);
    const rows = tandem.query("SELECT pass, reason FROM score ORDER BY case_id");
    expect(rows).toMatchObject([{ pass: 1 }, { pass: null, reason: 'no sources in the column "sources"' }]);
  });

  test("of two answers is asked in both orders, and what is shown first wins nothing", async () => {
    const answers: Record<string, string> = { "From 9 to 17.": "test", "Never.": "prod" };
    const [prod, other] = [
      await startService(() => record("Never.")),
      await startService(() => record("From 9 to 17.")),
    ];
    const honest = ({ prompt }: Received): Reply => {
      const first = /<answer_a-[0-9a-f]+>\n(.*)\n/.exec(prompt)?.[1] ?? "";
      return record(JSON.stringify({ verdict: answers[first] === "test" ? "A" : "B" }));
    };
    for (const [judge, value] of [
      [honest, 1],
      [() => record('{"verdict": "A"}'), 0.5],
    ] as const) {
      const judges = await startService(judge);
      const tandem = new Tandem()
        .file("prompts.csv", sheet)
        .file(
          "suite.yaml",
          at(
            suite(
              ["{ name: better, type: pairwise, rubric: preference, deployment: judges, example_id: judge }"],
              ["  test: { deployment: second, endpoint: video-bots, example_id: a }"],
            ).replace("targets:", `  second: { base_url: "${other.url}" }\ntargets:`),
            { prod: prod.url, judges: judges.url },
          ),
        );
      await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
      expect(judges.received).toHaveLength(8);
      const firsts = judges.received.map(({ prompt }) => /<answer_a-[0-9a-f]+>\n(.*)\n/.exec(prompt)?.[1]);
      expect(firsts.filter((text) => text === "Never.")).toHaveLength(4);
      expect(judges.received.some(({ prompt }) => prompt.includes("Judge by this:\nPreferencia."))).toBe(true);
      expect(tandem.query("SELECT DISTINCT value FROM score")).toEqual([{ value }]);
    }
  });
});

describe("tandem judge rubrics", () => {
  test("lists what there is, prints the text in a language, and the answers by which it is tested", async () => {
    const tandem = new Tandem();
    const { out: list } = await tandem.run("judge", "rubrics");
    expect(list).toMatch(/^faithful-to-sources .*Needs a column with sources\.$/m);
    expect(list).toMatch(/^preference .*For the type pairwise\.$/m);
    expect((await tandem.run("judge", "rubrics", "tone", "--language", "de")).out).toMatch(
      /^Ton\. Bestanden: .*sonst sagt\.\n$/,
    );
    const { out: wrongs } = await tandem.run("judge", "rubrics", "same-meaning", "--wrongs", "--language", "Spanish");
    expect(wrongs).toContain("expected  Sí. Los perros pueden viajar");
    expect(wrongs).toMatch(/ {2}number-changed \(another number\)\n {4}Sí, .* 5 coronas\./);
    expect(wrongs).toContain("  empty (says nothing)\n    (empty)");
  });

  test("says which there are where a name or a language is none", async () => {
    const tandem = new Tandem();
    const named = await tandem.run("judge", "rubrics", "faithful");
    expect([named.code, named.err]).toEqual([2, expect.stringContaining('Did you mean "faithful-to-sources"?')]);
    const spoken = await tandem.run("judge", "rubrics", "tone", "--language", "Klingon");
    expect([spoken.code, spoken.err]).toEqual([2, expect.stringContaining("There are: en, es, hi, de, fr, ar.")]);
  });
});
