import { describe, expect, test } from "vitest";
import { didYouMean, suggest } from "../../src/lib/suggest.ts";

describe("suggesting a name", () => {
  test("finds swaps, losses, additions and other letters, whatever the case", () => {
    const names = ["question", "golden_answer", "language", "id"];
    expect(suggest("qeustion", names)).toBe("question");
    expect(suggest("Questions", names)).toBe("question");
    expect(suggest("golden_anwser", names)).toBe("golden_answer");
    expect(suggest("lang", names)).toBe("language");
    expect(suggest("ID", names)).toBe("id");
  });

  test("keeps quiet when nothing is near", () => {
    expect(suggest("banana", ["question", "id"])).toBeNull();
    expect(suggest("", ["id"])).toBeNull();
    expect(didYouMean("x", [])).toBeNull();
  });

  test("counts characters and not code units", () => {
    expect(suggest("प्रश्न1", ["प्रश्न", "उत्तर"])).toBe("प्रश्न");
    expect(suggest("😀😀😂", ["😀😀😀", "🦊🦊🦊"])).toBe("😀😀😀");
  });
});
