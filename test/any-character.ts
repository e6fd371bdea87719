import fc from "fast-check";

const ofCode = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);

/** Any character that is no half of one, as a unit of texts: fast-check's own takes a second of CPU to be made. */
export const anyCharacter = ofCode.map(
  (code) => String.fromCodePoint(code),
  (character) => {
    if (typeof character !== "string") throw new TypeError("no text");
    return character.codePointAt(0) ?? 0;
  },
);
