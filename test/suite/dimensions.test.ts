import { expect, test } from "vitest";
import { dimensionsOf } from "../../src/suite/matrix.ts";
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
    { endpoint: "chat-completions", exampleId: "m-1" },
    { endpoint: "chat-completions", exampleId: "m-2" },
  );
  expect(shown(list)).toEqual([["model", ["m-1", "m-2"]]]);
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
  const list = targets({ deployment: "", exampleId: "", stored }, { deployment: "prod" }, { deployment: "test" });
  expect(shown(list)).toEqual([["deployment", ["prod", "test"]]]);
});

test("one target has no dimensions", () => {
  expect(shown(targets({ varied: { prompt: "a.txt" } }))).toEqual([]);
  expect(shown([])).toEqual([]);
});
