import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { graded } from "./graded.ts";
import { Tandem } from "./tandem.ts";

test("a decimal of a JSON line is that of its own member, however often its name stands in the line", async () => {
  const service = await startService(() => record("0.75"));
  const lines = [
    '{"meta":{"expected":0.5},"key":"a","input_prompt":"x","expected":0.75}',
    '{"key":"b","input_prompt":"the \\"expected\\": 0.1 of it","note":"expected","expected":0.75,"more":[{"expected":9.9}]}',
    '{"expected":0.750,"key":"c","input_prompt":"x","last":{"deep":{"expected":0.25}}}',
    '{"meta":{"expected":0.75},"key":"d","input_prompt":"x","expected":0.5}',
  ];
  const tandem = new Tandem().file("rows.jsonl", lines.join("\n")).file(
    "suite.yaml",
    `dataset: rows.jsonl
case: { key: key, expected: expected }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ name: same, type: contains }]
`,
  );
  expect((await tandem.run("run", "suite.yaml", "--no-preflight")).code).toBe(0);
  expect(tandem.query('SELECT key, expected FROM "case" ORDER BY place')).toEqual([
    { key: "a", expected: "0.75" },
    { key: "b", expected: "0.75" },
    { key: "c", expected: "0.750" },
    { key: "d", expected: "0.5" },
  ]);
  expect(tandem.query("SELECT pass FROM scores ORDER BY case_key")).toEqual([1, 1, 0, 0].map((pass) => ({ pass })));
});

test("a number of a JSON line, of a list and of a member is the text that stands there", async () => {
  const written = ["7.0", "1e3", "0.50", "1E+2", "-0", "100.00"];
  const rows = written.flatMap((number) => [
    { answer: `It is ${number}.`, expected: JSON.rawJSON(number), metadata: { wanted: JSON.rawJSON(number) } },
    { answer: `It is ${Number(number)}.`, expected: JSON.rawJSON(number), metadata: { wanted: JSON.rawJSON(number) } },
  ]);
  const { grades, tandem } = await graded(rows, [
    "{ name: same, type: contains }",
    `{ name: member, type: contains, value: "{{ row['metadata.wanted'] }}" }`,
    "{ name: amount, type: numeric }",
  ]);
  const same = written.flatMap(() => ["pass", "fail"]);
  expect(grades).toMatchObject({ same, member: same, amount: written.flatMap(() => ["pass", "pass"]) });
  expect(tandem.query('SELECT DISTINCT expected FROM "case" ORDER BY place')).toEqual(
    written.map((expected) => ({ expected })),
  );
});

test("a turn of a JSON line may be written as programs write it that know no whole numbers", async () => {
  const service = await startService(() => record("ok"));
  const lines = [1, 2, 3].map((turn) => `{"talk": 5.0, "turn": ${turn}.0, "input_prompt": "say ${turn}"}`);
  const tandem = new Tandem().file("rows.jsonl", lines.join("\n")).file(
    "suite.yaml",
    `dataset: rows.jsonl
case: { cluster: talk, turn: turn }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
  );
  const { code, err } = await tandem.run("run", "suite.yaml");
  expect(code, err).toBe(0);
  expect(service.received.map(({ prompt }) => prompt)).toEqual(["say 1", "say 2", "say 3"]);
});

test("faults in a JSON list name the line and the character of the file", async () => {
  const faultOf = async (text: string): Promise<string> => {
    const { code, out, err } = await new Tandem().file("rows.json", text).run("check", "--offline", "rows.json");
    expect(code).toBe(2);
    return out + err;
  };
  const good = '{\n    "id": "a",\n    "input_prompt": "x"\n  }';
  expect(await faultOf(`[\n  ${good},\n  {\n    "id": "b",\n    "input_prompt" "y"\n  }\n]\n`)).toContain(
    "rows.json:8:19",
  );
  expect(await faultOf(`[${good.replaceAll("\n", "\r\n")},\r\n\r\n  17]`)).toContain("rows.json:6:3");
  expect(await faultOf(`\n\n[{"id": "😀", "input_prompt": "x"}, {"id": "b", input_prompt: 1}]`)).toContain(
    "rows.json:3:48",
  );
  expect(await faultOf(`[\n${good},\n{ "id": "a",\n"id": "b" }]`)).toContain("rows.json:7:7");
  expect(await faultOf(`[\n${good},\n{ "id": "a\nb" }]`)).toContain("rows.json:6:11");
  expect(await faultOf(`[\n${good}\n]\n\n x`)).toContain("rows.json:8");
  expect(await faultOf(`[\n${good},\n${good}\n]`)).toContain("rows.json:7:11");
});

test("whole numbers of JSON answers and members are compared to the last digit", async () => {
  const rows = [
    { answer: '{"id": 9007199254740993, "n": 2}', n: "9007199254740993" },
    { answer: '{"id": 9007199254740992, "n": 2}', n: "9007199254740993" },
    { answer: '```json\n{"id": 12345678901234567890}\n```', n: "12345678901234567891" },
    { answer: '{"id": [9007199254740993]}', n: "9007199254740993" },
  ];
  const { grades } = await graded(rows, [
    '{ name: equals, type: json-path, within: true, path: $.id, equals: "{{ row.n }}" }',
    '{ name: contains, type: json-path, within: true, path: $.id, contains: "{{ row.n }}" }',
    "{ name: bounds, type: json-path, within: true, path: $.id, min: 1 }",
    "{ name: schema, type: json-schema, within: true, schema: { properties: { id: { type: integer } } } }",
  ]);
  expect(grades).toEqual({
    equals: ["pass", "fail", "fail", "fail"],
    contains: ["pass", "fail", "fail", "pass"],
    bounds: ["pass", "pass", "pass", "fail"],
    schema: ["pass", "pass", "pass", "fail"],
  });
});

test("whole numbers that a function returns are compared to the last digit", async () => {
  const returned = [
    "9007199254740993",
    "9007199254740992",
    '{"order": 12345678901234567891}',
    '{"order": 12345678901234567890}',
  ];
  const service = await startService(({ body }) => {
    const { variables } = JSON.parse(body) as { variables: { n: string } };
    const value = returned[Number(variables.n)] ?? "null";
    return {
      body: `{"id": "0123456789a${variables.n}", "url": "https://x.example.test/", "output": {"return_value": ${value}, "error": "", "logs": []}}`,
    };
  });
  const tandem = new Tandem()
    .file(
      "rows.csv",
      'key,n,expected\na,0,9007199254740993\nb,1,9007199254740993\nc,2,"{""order"": 12345678901234567891}"\nd,3,"{""order"": 12345678901234567891}"\n',
    )
    .file(
      "suite.yaml",
      `dataset: rows.csv
case: { key: key, expected: expected }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: functions, example_id: a } }
scorers:
  - { name: equals, type: equals }
  - { name: numeric, type: numeric }
  - { name: returned, type: return-value }
`,
    );
  const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
  expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
  const passes = (scorer: string) =>
    tandem
      .query<{ pass: number }>("SELECT pass FROM scores WHERE scorer = ? ORDER BY case_key", scorer)
      .map(({ pass }) => pass);
  expect({ equals: passes("equals"), numeric: passes("numeric"), returned: passes("returned") }).toEqual({
    equals: [1, 0, 1, 0],
    numeric: [1, 0, 1, 0],
    returned: [1, 0, 1, 0],
  });
});

test("a long number of an answer is shown, exported and compared as it is graded", async () => {
  const [wanted, other] = ["90071992547401011", "90071992547401013"];
  const service = await startService(({ body }) => ({
    body: `{"reply": ${body.includes("new") ? other : wanted}}`,
  }));
  const target = (name: string) =>
    `{ deployment: prod, endpoint: { path: /ask, body: { who: ${name}, q: $input_prompt }, answer: $.reply } }`;
  const tandem = new Tandem()
    .file("rows.csv", `key,input_prompt,expected\na,Which?,${wanted}\nb,And?,${wanted}\n`)
    .file(
      "suite.yaml",
      `dataset: rows.csv
case: { key: key, expected: expected }
deployments: { prod: { base_url: "${service.url}" } }
targets: { old: ${target("old")}, new: ${target("new")} }
scorers: [{ type: equals }]
`,
    );
  await tandem.run("run", "suite.yaml", "--no-preflight");
  const exported = (name: string) => {
    const folder = join(tandem.folder, "results");
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((each) => each.endsWith(name));
    return readFileSync(join(folder, found ?? name), "utf8");
  };
  const [, first] = exported("comparison.csv").split("\n");
  expect(first).toContain(`"${wanted}","${wanted}","${other}","worse",1,0`);
  expect(first).toContain(`reply: ${wanted} -> ${other}`);
  expect(first).toMatch(/"answered",true,.*"answered",false,.*"differs",true/);
  expect(exported("runs.csv")).toContain(`"${other}"`);
});
