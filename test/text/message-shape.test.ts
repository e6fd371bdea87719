import { describe, expect, test } from "vitest";
import { messageShape } from "../../src/text/message-shape.ts";

describe("the shape of a message", () => {
  test("is the same for messages that differ only in numbers and ids", () => {
    const alike = [
      ["no answer within 30012 ms", "no answer within 29998 ms"],
      ["(HTTP 503) upstream took 1.5 s", "(HTTP 504) upstream took 12,25 s"],
      ["run k3m9zq81xy2a failed", "run 9b1dd00f3a7c failed"],
      ["job 6f1e2d3c-0a1b-4c2d-8e3f-a1b2c3d4e5f6 is gone", "job 00112233-4455-6677-8899-aabbccddeeff is gone"],
      ["सीमा ४२ पार", "सीमा ७ पार"],
      ["at  line 3\n", "at line 14"],
    ];
    for (const [one = "", other = ""] of alike) expect(messageShape(one)).toBe(messageShape(other));
  });

  test("is another where words differ, also words with a digit in them", () => {
    expect(messageShape("unknown model gpt-4o")).not.toBe(messageShape("unknown model gpt-4"));
    expect(messageShape("no such function: double")).not.toBe(messageShape("no such function: treble"));
    expect(messageShape("")).toBe("");
  });
});
