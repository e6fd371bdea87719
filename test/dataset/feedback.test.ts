import { describe, expect, test } from "vitest";
import { FeedbackScale, readFeedback } from "../../src/dataset/import/feedback.ts";

describe("feedback in a cell", () => {
  test.each([
    ["👍", 1],
    ["👍🏾", 1],
    ["👍👍", 1],
    ["Thumbs up", 1],
    ["thumbs_up", 1],
    ["FEEDBACK_THUMBS_UP", 1],
    ["Positive", 1],
    ["+1", 1],
    ["1", 1],
    ["👎🏽", 0],
    ["negative", 0],
    ["thumbs-down", 0],
    ["0", 0],
    ["-1", -1],
    ["4.5", 4.5],
  ])("%s is %d", (cell, value) => {
    expect(readFeedback(cell)).toEqual({ value, note: null });
  });

  test("may have a remark behind it", () => {
    expect(readFeedback("👎 wrong price: 5 €")).toEqual({ value: 0, note: "wrong price: 5 €" });
    expect(readFeedback("Positive: उत्तम")).toEqual({ value: 1, note: "उत्तम" });
    expect(readFeedback("bad (too long)")).toEqual({ value: 0, note: "too long" });
  });

  test("is none when it says neither", () => {
    for (const cell of ["", "meh", "no idea", "goodbye", "good grief", "🤔", "see ticket 7"]) {
      expect(readFeedback(cell), cell).toBeNull();
    }
  });

  test("is good or bad where only 1, 0 and -1 occur, and the number itself on a scale", () => {
    const scale = new FeedbackScale();
    scale.note("-1", "row 1");
    expect(scale.read("-1")?.value).toBe(0);
    scale.note("5", "row 2");
    expect(scale.read("1")?.value).toBe(1);
    expect(scale.read("5")?.value).toBe(5);
    for (const [i, text] of ["meh", "meh", "?"].entries()) scale.note(text, `row ${i + 3}`);
    expect(scale.unread).toEqual({
      count: 3,
      examples: [
        { text: "meh", row: "row 3" },
        { text: "?", row: "row 5" },
      ],
    });
  });
});
