import { expect, test } from "vitest";
import { graded } from "./graded.ts";

const numeric = '{ name: number, type: numeric, value: "{{ row.n }}" }';

test("numbers in sentences without spaces and as powers of ten are read, and names with digits are not", async () => {
  const read: readonly (readonly [answer: string, wanted: string])[] = [
    ["价格是25元起", "25"],
    ["가격은1,250원입니다", "1250"],
    ["値段は２５円です", "25"],
    ["ราคา๔๕บาท", "45"],
    ["光速约为3 × 10⁸米每秒", "300000000"],
    ["It is 6.02x10^23.", "6.02e23"],
    ["1.6 · 10⁻¹⁹ C", "0.00000000000000000016"],
    ["$5 \\times 10^{3}$", "5000"],
    ["٣ × ١٠^٨", "300000000"],
    ["about 10⁶ people", "1000000"],
  ];
  const unread: readonly (readonly [answer: string, wanted: string])[] = [
    ["order AB12345", "12345"],
    ["H2O", "2"],
    ["型号X25很好", "25"],
    ["3 × 10⁸", "10"],
    ["25 m²", "2"],
  ];
  const rows = [...read, ...unread].map(([answer, n]) => ({ answer, n }));
  const { grades } = await graded(rows, [numeric]);
  expect(grades["number"]).toEqual([...read.map(() => "pass"), ...unread.map(() => "fail")]);
});

test("fractions of one character, and words and signs that multiply a number, are read", async () => {
  const read: readonly (readonly [answer: string, wanted: string])[] = [
    ["2\u00bd cups", "2.5"],
    ["\u00be", "0.75"],
    ["\u0663\u00bd", "3.5"],
    ["3万元", "30000"],
    ["1億2,000万円", "120000000"],
    ["3万5千", "35000"],
    ["5만원", "50000"],
    ["1,5 Millionen Euro", "1500000"],
    ["5 млн рублей", "5000000"],
    ["7 juta", "7000000"],
    ["2千克", "2"],
  ];
  const unread: readonly (readonly [answer: string, wanted: string])[] = [
    ["2\u00bd cups", "2"],
    ["3万元", "3"],
    ["1億2000万", "20000000"],
    ["3兆赫", "3000000000000"],
  ];
  const { grades } = await graded(
    [...read, ...unread].map(([answer, n]) => ({ answer, n })),
    [numeric],
  );
  expect(grades["number"]).toEqual([...read.map(() => "pass"), ...unread.map(() => "fail")]);
});

test("a unit in a sentence without spaces is found", async () => {
  const rows = [{ answer: "价格是25元起" }, { answer: "距离25km左右" }, { answer: "25年" }, { answer: "25 kmh" }];
  const { grades } = await graded(rows, ['{ name: number, type: numeric, value: 25, unit: ["元", km] }']);
  expect(grades["number"]).toEqual(["pass", "pass", "fail", "fail"]);
});

test("whole numbers are compared to the last digit, however long", async () => {
  const rows = [
    { answer: "No. 9007199254740993", n: "9007199254740993" },
    { answer: "No. 9007199254740992", n: "9007199254740993" },
    { answer: "123,456,789,012,345", n: "123456789012346" },
    { answer: "12345678901234567890", n: "12345678901234567891" },
    { answer: "9.007199254740993 × 10^15", n: "9007199254740993" },
    { answer: "0.30000000000000004", n: "0.3" },
  ];
  const { grades } = await graded(rows, [numeric]);
  expect(grades["number"]).toEqual(["pass", "fail", "fail", "fail", "pass", "pass"]);
});
