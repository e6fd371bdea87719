import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { runExtras } from "../../src/report/model/model-row.ts";

test("what is empty is left out, in each of its four spellings", () => {
  for (const nothing of [undefined, null, [], ""]) {
    const output: JsonObject = { output_text: ["hello"] };
    if (nothing !== undefined) {
      for (const name of ["references", "output_audio", "logs", "final_search_query", "error"]) output[name] = nothing;
    }
    expect(runExtras(output)).toBeNull();
  }
});

test("each part is told where an output has nothing else beside its answer", () => {
  const outputs: [string, JsonObject][] = [
    ["references", { references: [{ url: "https://example.org/" }] }],
    ["audio", { output_audio: ["a.wav"] }],
    ["video", { output_video: ["v.mp4"] }],
    ["documents", { output_documents: ["d.pdf"] }],
    ["buttons", { reply_buttons: [{ title: "Yes" }] }],
    ["logs", { logs: [{ level: "log", message: "ready" }] }],
    ["finishReason", { finish_reason: ["stop"] }],
    ["searchQuery", { final_search_query: "opening hours" }],
    ["functionError", { error: "out of range" }],
  ];
  for (const [part, output] of outputs) {
    expect(Object.keys(runExtras({ output_text: ["hello"], ...output }) ?? {})).toEqual([part]);
  }
});

test("references, media, logs and the error of a function are kept, long ones cut and counted", () => {
  const references = Array.from({ length: 60 }, (_, index) => ({
    url: `https://example.org/${index}`,
    title: "",
    snippet: "x".repeat(3000),
  }));
  const extras = runExtras({
    references,
    output_audio: "https://example.org/a.wav",
    logs: [{ level: "warn", message: "mind the gap" }, "no entry"],
    finish_reason: ["stop", "length"],
    error: { code: 3 },
  });
  expect(extras).toMatchObject({
    audio: ["https://example.org/a.wav"],
    logs: [{ level: "warn", message: "mind the gap" }],
    finishReason: "stop, length",
    functionError: '{"code":3}',
    leftOut: 10,
  });
  expect(extras?.references).toHaveLength(50);
  expect(extras?.references?.[0]).toMatchObject({ title: null, snippet: `${"x".repeat(2000)}…` });
});

test("any output at all can be read", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom("references", "logs", "output_audio", "reply_buttons", "error", "x"),
        fc.jsonValue(),
      ),
      (output) => {
        const extras = runExtras(output as JsonObject);
        expect(JSON.parse(JSON.stringify(extras))).toEqual(extras);
      },
    ),
  );
});
