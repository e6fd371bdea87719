import { expect, test } from "vitest";
import { startChat } from "./chat-service.ts";
import { gradesOf, graded } from "./graded.ts";
import { startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** What is wanted of these answers, by each scorer: of a text, of an empty one, and of one that is not there. */
const checks: Record<string, { scorer: string; grades: (string | number)[] }> = {
  length: { scorer: "type: length, max: 3", grades: ["fail", "pass", "pass"] },
  words: { scorer: "type: length, unit: words", grades: [1, 0, 0] },
  has: { scorer: "type: contains", grades: ["pass", "fail", "fail"] },
  lacks: { scorer: "type: contains, value: fish, not: true", grades: ["fail", "pass", "pass"] },
  "lacks-any": { scorer: "type: contains-any, value: [fish, cow], not: true", grades: ["fail", "pass", "pass"] },
  all: { scorer: "type: contains-all, value: [fi, sh]", grades: ["pass", "fail", "fail"] },
  regex: { scorer: "type: regex, value: '^$'", grades: ["fail", "pass", "pass"] },
  equals: { scorer: "type: equals, value: ''", grades: ["fail", "pass", "pass"] },
  "equals-exactly": { scorer: "type: equals, value: '', exact: true", grades: ["fail", "pass", "pass"] },
  differs: { scorer: "type: equals, value: '', not: true", grades: ["pass", "fail", "fail"] },
  "no-start": { scorer: "type: starts-with, value: fi, not: true", grades: ["fail", "pass", "pass"] },
  "no-json": { scorer: "type: is-json, not: true", grades: ["pass", "pass", "pass"] },
  number: { scorer: "type: numeric, value: 7, not: true", grades: ["pass", "pass", "pass"] },
  edits: { scorer: "type: edit-distance", grades: [0, 4, 4] },
  refusal: { scorer: "type: refusal, not: true", grades: ["pass", "pass", "pass"] },
  "not-empty": { scorer: "type: not-empty", grades: ["pass", "fail", "fail"] },
};
const scorers = Object.entries(checks).map(([name, { scorer }]) => `{ name: ${name}, ${scorer} }`);
const wanted = Object.fromEntries(Object.entries(checks).map(([name, { grades }]) => [name, grades]));

/** The kinds of answer of these rows, and most others that have one, so that the run is valid. */
const others = 40;
const answers = ["fish", "", null, ...Array.from({ length: others }, () => "fish")];
const firstThree = (grades: Record<string, (string | number)[]>) =>
  Object.fromEntries(Object.entries(grades).map(([name, each]) => [name, each.slice(0, 3)]));

/** Grades what a service of another kind answers to the same rows. */
async function gradedBy(targets: string): Promise<Record<string, (string | number)[]>> {
  const rows = answers.map((_, place) => JSON.stringify({ key: `${place}`, question: `${place}`, expected: "fish" }));
  const tandem = new Tandem()
    .env({ CHAT_KEY: "sk-chat-0123456789" })
    .file("rows.jsonl", `${rows.join("\n")}\n`)
    .file(
      "suite.yaml",
      `dataset: rows.jsonl\n${targets}scorers:\n${scorers.map((scorer) => `  - ${scorer}\n`).join("")}`,
    );
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
  expect(code, err).toBe(0);
  expect(out.replaceAll(/\s+/g, " ")).toContain(`answered ${others + 1} of ${others + 3} jobs`);
  return firstThree(gradesOf(tandem));
}

test("an empty answer of a bot is a text of length 0 to checks of text", async () => {
  const { grades, said } = await graded(
    answers.map((answer) => ({ answer, expected: "fish" })),
    scorers,
  );
  expect(firstThree(grades)).toEqual(wanted);
  expect(said).not.toContain("Without a grade");
});

test("and so is that of a chat", async () => {
  const chat = await startChat(({ said }) => ({ message: { content: answers[Number(said)] ?? null } }));
  const grades = await gradedBy(`deployments: { chat: { base_url: "${chat.url}/v1", api_key_env: CHAT_KEY } }
targets: { a: { deployment: chat, endpoint: chat-completions, model: gpt-test } }
`);
  expect(grades).toMatchObject(wanted);
});

test("and that of an endpoint of one's own", async () => {
  const service = await startService(({ body }) => {
    const { q } = JSON.parse(body) as { q: string };
    return { body: JSON.stringify({ reply: answers[Number(q)] ?? null }) };
  });
  const grades = await gradedBy(`deployments: { here: { base_url: "${service.url}" } }
targets: { a: { deployment: here, endpoint: { path: /chat, body: { q: "{{ input_prompt }}" }, answer: $.reply } } }
`);
  expect(grades).toEqual(wanted);
});
