import { expect, test } from "vitest";
import { judgeCheck } from "../../src/stats/rater-agreement.ts";

test("a judge is checked by ten labels of each class, and no better than chance where nothing speaks for it", () => {
  const of = (truePass: number, falseFail: number, trueFail: number, falsePass: number) =>
    judgeCheck({ truePass, falseFail, trueFail, falsePass });
  // Nine good answers are too few, whatever it says of them.
  expect(of(9, 0, 30, 0)).toBe("unchecked");
  expect(of(30, 0, 9, 0)).toBe("unchecked");
  expect(of(0, 0, 0, 0)).toBe("unchecked");
  expect(of(18, 2, 17, 3)).toBe("checked");
  // It passes everything: every good answer, and every bad one.
  expect(of(40, 0, 0, 40)).toBe("chance");
  expect(of(25, 25, 25, 25)).toBe("chance");
  // Few labels leave room for a good judge: that is not known to be chance.
  expect(of(7, 3, 6, 4)).toBe("checked");
});
