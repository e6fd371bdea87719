import { describe, expect, test } from "vitest";
import { biased, compared, filledIn, ran } from "./labelled-desk.ts";
import type { Tandem } from "./tandem.ts";
import { flat } from "./tandem.ts";

const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));

/** Turns the labels of every so manieth answer round: a person without a rubric. */
const carelessly = (sheet: string, each: number): string =>
  rowsOf(filledIn(sheet))
    .map((cells, row) => {
      const label = cells[5];
      if (row > 0 && row % each === 0) cells[5] = label === "good" ? "bad" : "good";
      return cells.join(",");
    })
    .join("\n");

async function drawn(tandem: Tandem): Promise<void> {
  const { code, err } = await tandem.run("label", "draw", "latest", "--labels", "60");
  expect(code, err).toBe(0);
}

async function exported(tandem: Tandem, file: string, ...args: string[]): Promise<string> {
  const { code, err } = await tandem.run("label", "export", "latest", "--draw", ...args, "-o", file);
  expect(code, err).toBe(0);
  return tandem.text(file);
}

async function imported(
  tandem: Tandem,
  file: string,
  text: string,
  author: string,
): Promise<{ code: number | null; said: string }> {
  const { code, out, err } = await tandem.file(file, text).run("label", "import", "latest", file, "--author", author);
  return { code, said: flat(`${out} ${err}`) };
}

const agreement = async (tandem: Tandem): Promise<string> =>
  flat((await tandem.run("label", "agreement", "latest")).out);

describe("several people who label a draw", () => {
  test("label all of it without each other's words; who do not agree decide nothing until the rubric is better", async () => {
    const tandem = biased(", require: labels");
    await ran(tandem);
    await drawn(tandem);
    const ana = await exported(tandem, "ana.csv", "--author", "ana");
    await imported(tandem, "ana.csv", filledIn(ana), "ana");
    // Whoever comes second sees nothing of what the first one said.
    const ben = await exported(tandem, "ben.csv", "--author", "ben");
    expect(rowsOf(ben).every((cells, row) => row === 0 || cells[5] === "")).toBe(true);
    expect(rowsOf(ben).map(([id]) => id)).toEqual(rowsOf(ana).map(([id]) => id));
    await imported(tandem, "ben.csv", carelessly(ben, 3), "ben");
    expect(await agreement(tandem)).toMatch(
      /ana, ben: 120 answers by two or more, Krippendorff's alpha [\d.-]+ \(95 %: .*People do not agree enough: write a better rubric first/,
    );
    const before = await compared(tandem);
    expect(before.model.verdict.word).toBe("cannot-tell");
    expect(before.out).toContain("people do not agree enough (alpha ");
    expect(before.out).toContain("write a better rubric first");
    expect((await exported(tandem, "open.csv", "--author", "ana", "--open")).trim().split("\n")).toHaveLength(1);
  });

  test("who do not agree decide by the word of most where the gate accepts it", async () => {
    const tandem = biased(", accept: disagreement");
    await ran(tandem);
    await drawn(tandem);
    const sheet = await exported(tandem, "all.csv", "--author", "ana");
    await imported(tandem, "ana.csv", filledIn(sheet), "ana");
    await imported(tandem, "ben.csv", carelessly(sheet.replaceAll("ana", "ben"), 2), "ben");
    await imported(tandem, "cem.csv", filledIn(sheet.replaceAll("ana", "cem")), "cem");
    const { model, out } = await compared(tandem);
    expect(model.gates[0]?.people).toMatchObject({ labels: 60, refused: null, agreement: { both: 120 } });
    expect(out).toContain("The labels decide");
    expect(Number(/People agree with alpha (-?0\.\d+)/.exec(out)?.[1])).toBeLessThan(0.667);
  });

  test("who agree decide; and where they have nothing in common it is said that nobody knows", async () => {
    const tandem = biased();
    await ran(tandem);
    await drawn(tandem);
    for (const name of ["ana", "ben"]) {
      await imported(tandem, `${name}.csv`, filledIn(await exported(tandem, `${name}.csv`, "--author", name)), name);
    }
    const { model, out } = await compared(tandem);
    expect(model.gates[0]).toMatchObject({ people: { labels: 60, refused: null, agreement: { both: 120, alpha: 1 } } });
    expect(out).toContain("The labels decide");
    // One of them labels no case of the other's.
    const apart = biased();
    await ran(apart);
    await apart.run("label", "draw", "latest", "--labels", "40", "-o", "all.csv");
    const [head = "", ...lines] = filledIn(apart.text("all.csv")).split("\n");
    await imported(apart, "one.csv", [head, ...lines.slice(0, 40)].join("\n"), "ana");
    await imported(apart, "two.csv", [head, ...lines.slice(40)].join("\n"), "ben");
    expect(await agreement(apart)).toContain(
      "ana, ben labelled no answer in common, so it is not known whether they agree",
    );
    expect((await compared(apart)).out).toContain("have no answer in common, so it is not known whether they agree");
  });

  test("a draw with a seed of its own takes more rows without the seed, and refuses another", async () => {
    const tandem = biased();
    await ran(tandem);
    const draw = (...args: string[]) => tandem.run("label", "draw", "latest", ...args, "-o", "drawn.csv");
    expect((await draw("--labels", "10", "--seed", "7")).code).toBe(0);
    const first = tandem.text("drawn.csv").split("\n");
    const more = await draw("--labels", "20");
    expect(more.code, more.err).toBe(0);
    expect(tandem.text("drawn.csv").split("\n")).toEqual(expect.arrayContaining(first));
    expect(await draw("--labels", "30", "--seed", "8")).toMatchObject({
      code: 2,
      err: expect.stringContaining("Leave out --seed"),
    });
  });
});
