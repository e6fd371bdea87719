import { expect, test } from "vitest";
import { forAgent } from "../../src/mcp/for-agent.ts";

test.each([
  ["controls and turned directions", "a\u001b[31m\u202eb", "a␛[31m⟨RLO⟩b"],
  ["half a character", "a\ud83d", "a\ufffd"],
  ["zero-width spaces", "be\u200Bfore", "be⟨ZWSP⟩fore"],
  ["a mark of order", "\uFEFFbe\u2060fore", "⟨BOM⟩be⟨WJ⟩fore"],
  ["a soft hyphen", "be\u00ADfore", "be⟨SHY⟩fore"],
  ["marks of direction", "\u200Ebe\u200Ffore", "⟨LRM⟩be⟨RLM⟩fore"],
  ["fillers of Hangul", "be\u3164fore\uFFA0", "be⟨3164⟩fore⟨FFA0⟩"],
  ["a text in forms of an emoji", "😀\uFE0F\uFE01\u{E0101}\u{E0142}", "😀\uFE0F⟨FE01⟩⟨E0101⟩⟨E0142⟩"],
  ["a form of Han", "葛\u{E0100}城", "葛⟨E0100⟩城"],
  ["a text in joiners", "a\u200D\u200C\u200D", "a⟨200D⟩⟨200C⟩⟨200D⟩"],
  ["tags", "a\u{E0041}\u{E0042}", "a⟨TAG 41⟩⟨TAG 42⟩"],
  ["tags behind a black flag", "\u{1F3F4}\u{E0041}\u{E007F}", "\u{1F3F4}⟨TAG 41⟩⟨TAG 7F⟩"],
])("characters that nobody sees are told to an agent as signs, in names too: %s", (_what, text, shown) => {
  expect(forAgent({ [text]: [text] })).toEqual({ [shown]: [shown] });
});

test.each(["👩🏽‍🌾 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️", "क्‍ष می‌خواهم", "line\nline\ttab", "ሰላም"])(
  "what scripts and emoji are made of stays: %j",
  (text) => {
    expect(forAgent(text)).toBe(text);
  },
);
