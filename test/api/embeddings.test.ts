import { describe, expect, test } from "vitest";
import { embeddings, vectorIn } from "../../src/api/embeddings.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { makeScorers } from "../../src/score/make.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import type { JudgeReply, Score } from "../../src/score/contract/scorer.ts";
import { answered } from "../score/answered.ts";

const vector = (embedding: JsonValue): JsonObject => ({ data: [{ object: "embedding", index: 0, embedding }] });
const floats = (...numbers: number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

describe("the vector of a reply", () => {
  test.each<[about: string, output: JsonObject, fault: string]>([
    ["without vectors", { data: [] }, "holds no vector"],
    ["of another form", { embeddings: [[1, 2]] }, "holds no vector"],
    ["with two", { data: [{ embedding: [1] }, { embedding: [2] }] }, "holds 2 vectors for one text"],
    ["without its embedding", { data: [{ index: 0 }] }, "holds no list of numbers"],
    [
      "with a vector of each token",
      vector([
        [1, 2],
        [3, 4],
      ]),
      "holds a vector with what is no number",
    ],
    ["with null in it", vector([1, null, 2]), "holds a vector with what is no number"],
    ["with texts for numbers", vector(["1", "2"]), "holds a vector with what is no number"],
    ["of length 0", vector([]), "holds an empty vector"],
    ["of zeros", vector([0, 0, -0]), "holds a vector of zeros"],
    ["with NaN in base64", vector(floats(1, NaN)), "holds a vector with what is no number"],
    ["with zeros in base64", vector(floats(0, 0)), "holds a vector of zeros"],
    ["with half a float", vector(Buffer.from([1, 2, 3, 4, 5]).toString("base64")), "no base64 of floats"],
    ["with a text", vector("not base64!"), "no base64 of floats"],
    ["with an empty text", vector(""), "holds an empty vector"],
  ])("%s is told as what it is", (_, output, fault) => {
    expect(vectorIn(output)).toEqual({ fault: expect.stringContaining(fault) as string });
    expect(embeddings.kindOf(output)).toBe("empty");
  });

  test("is read from numbers and from base64 alike", () => {
    expect(vectorIn(vector([0.5, -2]))).toEqual({ vector: Float64Array.of(0.5, -2) });
    expect(vectorIn(vector(floats(0.5, -2)))).toEqual({ vector: Float64Array.of(0.5, -2) });
    expect(embeddings.textOf(vector([0.123456, -2, 3, 4, 5]))).toBe("5 numbers: 0.1235, -2, 3, 4, ...");
  });

  test("is asked for with the text and the target's own members alone", () => {
    const files = { fileOf: () => null };
    const body = { input_prompt: "Hello", dimensions: 8 };
    expect(embeddings.call.request(body, "small", files as never)).toMatchObject({
      path: "/embeddings",
      body: JSON.stringify({ dimensions: 8, model: "small", input: "Hello" }),
    });
  });
});

describe("the similarity of embeddings", () => {
  async function scored(replies: (JsonObject | null)[], entry: JsonObject = {}): Promise<Score> {
    const specs = scorerSpecs([{ type: "embedding-similarity", target: "embedder", ...entry }]);
    const [made] = await makeScorers(specs, { trust: null, timeoutMs: 1000 });
    if (made?.scorer.kind !== "judge") throw new Error("no judge was made");
    const asked = made.scorer.ask(answered("At nine", { expected: "It opens at nine" }), null);
    if (!Array.isArray(asked)) return asked;
    expect(asked).toEqual([{ input_prompt: "At nine" }, { input_prompt: "It opens at nine" }]);
    const records = replies.map((output): JudgeReply | null =>
      output === null ? null : { id: null, url: null, createdAt: null, output, endpoint: "embeddings" },
    );
    const read = made.scorer.read(records, false, () => asked);
    if ("repair" in read) throw new Error("it was asked again");
    return read;
  }

  test.each([
    [[1, 0], [1, 0], 1],
    [[1, 0], [0, 1], 0],
    [[1, 0], [-2, 0], -1],
    [[1, 1], [1, 0], Math.SQRT1_2],
    [[1e308, 1e308], [1e-308, 0], Math.SQRT1_2],
  ])("of %j and %j is their cosine", async (one, other, cosine) => {
    expect(await scored([vector(one), vector(other)])).toMatchObject({
      value: expect.closeTo(cosine, 12) as number,
      pass: null,
    });
  });

  test("passes from its threshold on, and is unscored where a vector is missing, bad or of another length", async () => {
    const near = [vector([1, 1]), vector([1, 0])];
    expect(await scored(near, { threshold: 0.7 })).toMatchObject({ pass: true });
    expect(await scored(near, { threshold: 0.8 })).toMatchObject({ pass: false });
    expect(await scored([null, vector([1])])).toEqual({ unscored: "the model did not answer about the answer" });
    expect(await scored([vector([1]), vector([0])])).toEqual({
      unscored: "the reply about the expected text holds a vector of zeros",
    });
    expect(await scored([vector([1, 2]), vector([1, 2, 3])])).toEqual({
      unscored: expect.stringContaining("2 and 3 numbers") as string,
    });
  });
});
