import { describe, expect, test } from "vitest";
import { z } from "zod";
import { vectorIn } from "../../src/api/embeddings.ts";
import { get, post, serve } from "./served.ts";

const path = "/v1/embeddings";
const files = {
  "bots/vectors.yaml": "embedding: { dimensions: 128 }\n",
  "bots/talks.yaml": "greeting: Good day.\n",
};
const reply = z.object({
  object: z.literal("list"),
  model: z.literal("vectors"),
  data: z.array(
    z.object({
      object: z.literal("embedding"),
      index: z.number().int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number(), total_tokens: z.number() }),
});

async function vectorsOf(baseUrl: string, input: string[], more: object = {}): Promise<Float64Array[]> {
  const { json } = await post(baseUrl, path, { model: "vectors", input, ...more });
  return reply.parse(json).data.map(({ embedding }) => {
    const found = vectorIn({ data: [{ embedding }] });
    if ("fault" in found) throw new Error(found.fault);
    return found.vector;
  });
}

const product = (one: Float64Array, other: Float64Array): number =>
  one.reduce((sum, number, place) => sum + number * (other[place] ?? 0), 0);

describe("the embeddings of a local deployment", () => {
  test("are vectors of length 1, one for each text in its order, always the same", async () => {
    const { baseUrl } = await serve(files);
    const texts = ["Open on Sunday", "रविवार को खुला", "مفتوح يوم الأحد", "🙂"];
    const first = await vectorsOf(baseUrl, texts);
    expect(first.map(({ length }) => length)).toEqual([128, 128, 128, 128]);
    for (const vector of first) expect(product(vector, vector)).toBeCloseTo(1, 4);
    expect(await vectorsOf(baseUrl, texts.toReversed())).toEqual(first.toReversed());
    const { json } = await post(baseUrl, path, { model: "vectors", input: "12345678" });
    expect(reply.parse(json)).toMatchObject({ data: [{ index: 0 }], usage: { prompt_tokens: 2, total_tokens: 2 } });
  });

  test.each([
    ["The library opens at nine on Sunday.", "On Sunday the library is open from nine.", "A lost card costs 8 crowns."],
    [
      "La biblioteca abre el domingo a las nueve.",
      "El domingo la biblioteca abre a las nueve.",
      "El carné cuesta 8 coronas.",
    ],
    ["पुस्तकालय रविवार को नौ बजे खुलता है।", "रविवार को पुस्तकालय नौ बजे खुलता है।", "कार्ड पचास रुपये का है।"],
    ["تفتح المكتبة يوم الأحد الساعة التاسعة.", "المكتبة تفتح في التاسعة يوم الأحد.", "سعر البطاقة ثماني كرونات."],
  ])("bring %s nearer to the same in other words than to something else", async (text, same, other) => {
    const { baseUrl } = await serve(files);
    const [one, two, three] = await vectorsOf(baseUrl, [text, same, other]);
    if (one === undefined || two === undefined || three === undefined) throw new Error("a vector is missing");
    expect(product(one, two)).toBeGreaterThan(0.6);
    expect(product(one, three)).toBeLessThan(0.3);
  });

  test("have as many numbers as are asked for, and come as floats in base64", async () => {
    const { baseUrl } = await serve(files);
    const [plain] = await vectorsOf(baseUrl, ["Open on Sunday"], { dimensions: 16 });
    const [coded] = await vectorsOf(baseUrl, ["Open on Sunday"], { dimensions: 16, encoding_format: "base64" });
    expect(plain).toHaveLength(16);
    expect(Array.from(coded ?? [], (number) => Math.round(number * 1e6) / 1e6)).toEqual(Array.from(plain ?? []));
  });

  test("are refused in the form of that API", async () => {
    const { baseUrl } = await serve(files);
    const refused = async (body: unknown): Promise<unknown> => {
      const { status, json } = await post(baseUrl, path, body);
      return [status, json];
    };
    const because = (message: string, more: object = {}): object => ({
      error: { message: expect.stringContaining(message) as string, type: "invalid_request_error", ...more },
    });
    expect(await refused({ model: "talks", input: "x" })).toMatchObject([400, because("makes no embeddings")]);
    expect(await refused({ model: "nobody", input: "x" })).toMatchObject([
      404,
      because("does not exist", { code: "model_not_found" }),
    ]);
    expect(await refused({ model: "vectors", input: [] })).toMatchObject([400, because("Invalid 'input'")]);
    expect(await refused({ model: "vectors", input: "" })).toMatchObject([400, because("Invalid 'input'")]);
    expect((await get(baseUrl, path)).status).toBe(405);
  });
});
