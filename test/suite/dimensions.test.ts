import { expect, test } from "vitest";
import { dimensionsOf } from "../../src/suite/matrix/matrix.ts";
import type { Target } from "../../src/suite/suite.ts";

type Own = Partial<Pick<Target, "deployment" | "exampleId" | "varied" | "body" | "endpoint" | "stored">>;

function targets(...own: Own[]): Target[] {
  return own.map((each, place) => ({
    name: `t${place}`,
    deployment: "prod",
    endpoint: "video-bots",
    exampleId: "a",
    body: {},
    ...each,
  }));
}

const shown = (list: Target[]): [string, unknown[]][] => dimensionsOf(list).map(({ name, values }) => [name, values]);

test("deployments and example ids of a full grid are its dimensions", () => {
  const list = targets(
    { deployment: "prod", exampleId: "a" },
    { deployment: "prod", exampleId: "b" },
    { deployment: "test", exampleId: "a" },
    { deployment: "test", exampleId: "b" },
  );
  expect(shown(list)).toEqual([
    ["deployment", ["prod", "test"]],
    ["example_id", ["a", "b"]],
  ]);
  expect(list.map((target) => dimensionsOf(list)[1]?.of(target))).toEqual(["a", "b", "a", "b"]);
});

test("a chat's configuration is its model", () => {
  const list = targets(
    { endpoint: "chat-completions", exampleId: "m-1", varied: { "body.top_p": 0.5 } },
    { endpoint: "chat-completions", exampleId: "m-2", varied: { "body.top_p": 0.5 } },
    { endpoint: "chat-completions", exampleId: "m-1", varied: { "body.top_p": 1 } },
    { endpoint: "chat-completions", exampleId: "m-2", varied: { "body.top_p": 1 } },
  );
  expect(shown(list)).toEqual([
    ["model", ["m-1", "m-2"]],
    ["body.top_p", [0.5, 1]],
  ]);
});

test("a plain list of configurations, or of deployments, has no dimension: the choice says it", () => {
  expect(shown(targets({ exampleId: "a" }, { exampleId: "b" }, { exampleId: "c" }))).toEqual([]);
  expect(shown(targets({ deployment: "prod" }, { deployment: "test" }))).toEqual([]);
  const varied = { prompt: "a.txt" };
  expect(shown(targets({ exampleId: "a", varied }, { exampleId: "b", varied }))).toEqual([]);
});

test("the only property that a matrix varies is a dimension", () => {
  const list = targets({ varied: { prompt: "a.txt" } }, { varied: { prompt: "b.txt" } });
  expect(shown(list)).toEqual([["prompt", ["a.txt", "b.txt"]]]);
});

test("values that a matrix varied are dimensions, null and false among them", () => {
  const list = targets(
    { varied: { "body.max_tokens": null, "body.stream": false }, body: { max_tokens: null, stream: false } },
    { varied: { "body.max_tokens": 20, "body.stream": false }, body: { max_tokens: 20, stream: false } },
    { varied: { "body.max_tokens": null, "body.stream": true }, body: { max_tokens: null, stream: true } },
  );
  expect(shown(list)).toEqual([
    ["body.max_tokens", [null, 20]],
    ["body.stream", [false, true]],
  ]);
});

test("properties that differ only together cannot be told apart, and are no dimensions", () => {
  expect(shown(targets({ deployment: "prod", exampleId: "a" }, { deployment: "test", exampleId: "b" }))).toEqual([]);
});

test("a grid with a gap has its dimensions", () => {
  const list = targets({ exampleId: "a" }, { exampleId: "b" }, { deployment: "test", exampleId: "a" });
  expect(shown(list)).toEqual([
    ["deployment", ["prod", "test"]],
    ["example_id", ["a", "b"]],
  ]);
});

test("bodies that were written by hand are no dimension, and leave none", () => {
  expect(shown(targets({ deployment: "prod", body: { t: 0 } }, { deployment: "test", body: { t: 1 } }))).toEqual([]);
});

test("stored answers are beside the grid", () => {
  const stored = { answer: "x", runId: null, url: null, createdAt: null, label: null, note: null };
  const varied = [0, 1].map((place) => ({ varied: { "body.top_p": place } }));
  const list = targets({ deployment: "", exampleId: "", stored }, ...varied);
  expect(shown(list)).toEqual([["body.top_p", [0, 1]]]);
});

test("one target has no dimensions", () => {
  expect(shown(targets({ varied: { prompt: "a.txt" } }))).toEqual([]);
  expect(shown([])).toEqual([]);
});
