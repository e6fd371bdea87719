import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import { storedOutput } from "../../src/api/stored-output.ts";
import { describeDifference, outputFieldDifferences } from "../../src/compare/cases/output-fields.ts";
import type { JsonObject } from "../../src/lib/json.ts";

const compared = (baseline: JsonObject, candidate: JsonObject, endpoint: EndpointName = "video-bots") =>
  outputFieldDifferences(baseline, candidate, { isVolatile: endpointOf(endpoint).isVolatile, ignore: [] });

const differences = (baseline: JsonObject, candidate: JsonObject, endpoint?: EndpointName): string[] =>
  compared(baseline, candidate, endpoint).map((found) => `${found.kind} | ${describeDifference(found)}`);

const output = (run: string, port: number): JsonObject => ({
  output_audio: [`https://files.example.test/${run}.mp3`],
  metrics: { seconds: port },
  references: [
    { url: `http://127.0.0.1:${port}/doc`, score: port / 7, title: "t" },
    { url: `https://s3.test/a.pdf?X-Amz-Signature=${run}` },
  ],
  called_functions: [
    { url: `https://bots${port}.example.test/functions/?run_id=${run}&uid=1`, id: run, created_at: run },
  ],
});

const wide = (value: number): JsonObject => Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`m${i}`, value]));

const deep = (value: number): JsonObject =>
  Array.from({ length: 200 }).reduce<JsonObject>((inner) => ({ a: inner }), { a: value });

const read = (name: string): JsonObject =>
  storedOutput("video-bots", readFileSync(new URL(`../fixtures/responses/${name}`, import.meta.url), "utf8")) ?? {};

describe("member differences", () => {
  test("tell absent, null and empty apart, and from a value", () => {
    const three = [{ url: "a" }, { url: "b" }, { url: "c" }];
    expect(differences({ references: three }, { references: null })).toEqual(["null | references: 3 -> null"]);
    expect(differences({ references: [] }, { references: three })).toEqual(["empty | references: empty -> 3"]);
    expect(differences({ metrics: null }, {})).toEqual(["absent | metrics: null -> absent"]);
    expect(differences({ a: "" }, { a: [] })).toEqual([]);
    expect(differences({ a: null }, { a: "" })).toEqual(["null | a: null -> empty"]);
  });

  test("tell types and counts apart", () => {
    expect(differences({ a: "x" }, { a: ["x"] })).toEqual(['type | a: "x" -> 1']);
    expect(differences({ a: [1, 2] }, { a: [1, 2, 3] })).toEqual(["count | a: 2 -> 3"]);
    expect(differences({ a: 1 }, { a: true })).toEqual(["type | a: 1 -> true"]);
  });

  test("name a path within a list once, with its first difference", () => {
    const [one, two] = [
      { title: "Onion", snippet: "s" },
      { title: "Leek", snippet: "s" },
    ];
    expect(differences({ references: [one, one, one] }, { references: [one, two, two] })).toEqual([
      'value | references[].title: "Onion" -> "Leek"',
    ]);
  });

  test("name values that are short and call long ones different", () => {
    expect(differences({ finish_reason: ["stop"] }, { finish_reason: ["length"] })).toEqual([
      'value | finish_reason[]: "stop" -> "length"',
    ]);
    expect(differences({ final_search_query: "a".repeat(100) }, { final_search_query: "b".repeat(100) })).toEqual([
      "value | final_search_query: differs",
    ]);
  });

  test("leave out the answer itself, which is compared by its distance", () => {
    expect(
      differences({ output_text: ["a"], raw_output_text: ["a"] }, { output_text: ["b"], raw_output_text: ["b"] }),
    ).toEqual([]);
    expect(differences({ output_text: ["a"] }, { output_text: ["a", "b"] })).toEqual(["count | output_text: 1 -> 2"]);
  });

  test("leave out what differs on every run", () => {
    expect(differences(output("a", 4001), output("b", 4002))).toEqual([]);
  });

  test("take an address without signature as it is", () => {
    expect(
      differences(
        { references: [{ url: "https://a.test/?page=1" }] },
        { references: [{ url: "https://a.test/?page=2" }] },
      ),
    ).toEqual(['value | references[].url: "https://a.test/?page=1" -> "https://a.test/?page=2"']);
  });

  test("compare everything that a function returns, ids too", () => {
    expect(
      differences(
        { return_value: { id: 1, at: { created_at: "x" } } },
        { return_value: { id: 2, at: { created_at: "y" } } },
        "functions",
      ),
    ).toEqual(["value | return_value.id: 1 -> 2", 'value | return_value.at.created_at: "x" -> "y"']);
  });

  test("stay a short list for wide and deep outputs", () => {
    expect(compared(wide(1), wide(2)).length).toBe(30);
    expect(compared(deep(1), deep(2)).map(({ path }) => path)).toEqual(["a.a.a.a.a.a"]);
  });

  test("do not mistake inherited names for members", () => {
    expect(differences({ constructor: 1 }, {})).toEqual(["absent | constructor: 1 -> absent"]);
  });

  test("see 13 members against 14 as one member that is absent", () => {
    const found = compared(read("01-video-bots-all-null-14.json"), read("02-video-bots-reply-13-no-id.json"));
    expect(found.filter(({ kind }) => kind === "absent").map(({ path }) => path)).toEqual(["metrics"]);
  });
});
