import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test, vi } from "vitest";
import { biased, compared, filledIn, flat, ran, refused } from "./labelled-desk.ts";
import type { Tandem } from "./tandem.ts";

// Many commands one after the other, perhaps on a machine that others share.
vi.setConfig({ testTimeout: 240_000 });

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

async function drawnFor(
  tandem: Tandem,
  ...names: string[]
): Promise<{ labellers: { name: string; cases: number }[]; twice: number }> {
  const { code, out, err } = await tandem.run(
    "label",
    "draw",
    "latest",
    "--labels",
    "60",
    "--labellers",
    names.join(","),
    "--json",
  );
  expect(code, err).toBe(0);
  return JSON.parse(out) as Awaited<ReturnType<typeof drawnFor>>;
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
  test("have a share each and a fifth in common; who do not agree decide nothing until the rubric is better", async () => {
    const tandem = biased(", require: labels");
    await ran(tandem);
    const drawn = await drawnFor(tandem, "ana", "ben");
    expect(drawn).toMatchObject({ twice: 20, labellers: [{ name: "ana" }, { name: "ben" }] });
    const shares = drawn.labellers.map(({ cases }) => cases);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(80);
    expect(Math.abs((shares[0] ?? 0) - (shares[1] ?? 0))).toBeLessThan(5);
    expect(await refused(tandem, "--labellers", "ana,ben", "-o", "both.csv")).toContain(
      "Several people need a sheet each",
    );
    const [ana, ben] = [
      await exported(tandem, "ana.csv", "--author", "ana"),
      await exported(tandem, "ben.csv", "--author", "ben"),
    ];
    const ids = [ana, ben].map(
      (sheet) =>
        new Set(
          rowsOf(sheet)
            .slice(1)
            .map(([id]) => id),
        ),
    );
    expect(ids.map(({ size }) => size)).toEqual(shares.map((share) => 2 * share));
    expect([...(ids[0] ?? [])].filter((id) => ids[1]?.has(id))).toHaveLength(40);
    await imported(tandem, "ana.csv", filledIn(ana), "ana");
    // Whoever comes second sees nothing of what the first one said.
    expect(
      rowsOf(await exported(tandem, "ben.csv", "--author", "ben")).every((cells, row) => row === 0 || cells[5] === ""),
    ).toBe(true);
    await imported(tandem, "ben.csv", carelessly(ben, 3), "ben");
    expect(await agreement(tandem)).toMatch(
      /ana, ben: 40 answers by two or more, Krippendorff's alpha [\d.-]+ \(95 %: .*People do not agree enough: write a better rubric first/,
    );
    const before = await compared(tandem);
    expect(before.model.verdict.word).toBe("cannot-tell");
    expect(before.out).toContain("people do not agree enough (alpha ");
    expect(before.out).toContain("write a better rubric first");
    // A third person settles it, blind to who said what; how far the two agree stays as it was.
    const third = await exported(tandem, "third.csv", "--disagreements");
    const rows = rowsOf(third).slice(1);
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.every((cells) => cells[5] === "" && !ids[0]?.has(cells[0]))).toBe(true);
    expect((await imported(tandem, "third.csv", filledIn(third), "ben")).said).toContain(
      "does not settle what others did not agree about",
    );
    expect((await imported(tandem, "third.csv", filledIn(third), "cem")).code).toBe(0);
    const after = await agreement(tandem);
    expect(after).toMatch(/\d+ answers settled by a third person/);
    expect(after).not.toContain("to settle by a third person");
    expect(after).toContain("People do not agree enough");
    expect((await compared(tandem)).model.gates[0]?.people?.refused).toContain("people do not agree enough");
    expect((await exported(tandem, "third.csv", "--disagreements", "--open")).trim().split("\n")).toHaveLength(1);
  });

  test("who do not agree decide where the gate accepts it, once a third person has settled what they said", async () => {
    const tandem = biased(", accept: disagreement");
    await ran(tandem);
    await drawnFor(tandem, "ana", "ben");
    const [ana, ben] = [
      await exported(tandem, "ana.csv", "--author", "ana"),
      await exported(tandem, "ben.csv", "--author", "ben"),
    ];
    await imported(tandem, "ana.csv", filledIn(ana), "ana");
    await imported(tandem, "ben.csv", carelessly(ben, 3), "ben");
    await imported(tandem, "third.csv", filledIn(await exported(tandem, "third.csv", "--disagreements")), "cem");
    const { model, out } = await compared(tandem);
    expect(model.gates[0]?.people).toMatchObject({ labels: 60, refused: null, agreement: { both: 40 } });
    expect(out).toContain("The labels decide");
    expect(Number(/People agree with alpha (0\.\d+)/.exec(out)?.[1])).toBeLessThan(0.667);
  });

  test("who agree decide; and where they have nothing in common it is said that nobody knows", async () => {
    const tandem = biased();
    await ran(tandem);
    await drawnFor(tandem, "ana", "ben");
    for (const name of ["ana", "ben"]) {
      await imported(tandem, `${name}.csv`, filledIn(await exported(tandem, `${name}.csv`, "--author", name)), name);
    }
    const { model, out } = await compared(tandem);
    expect(model.gates[0]).toMatchObject({ people: { labels: 60, refused: null, agreement: { both: 40, alpha: 1 } } });
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

  test("get a tenth of their own labels again after a week, without knowing it", async () => {
    const tandem = biased();
    await ran(tandem);
    await tandem.run("label", "draw", "latest", "--labels", "40", "-o", "all.csv");
    await imported(tandem, "all.csv", filledIn(tandem.text("all.csv")), "ana");
    const own = async (): Promise<string[][]> =>
      rowsOf(await exported(tandem, "again.csv", "--author", "ana", "--open")).slice(1);
    expect(await own()).toEqual([]);
    const db = new Database(join(tandem.folder, "results", "tandem.db"));
    db.prepare("UPDATE label SET at = at - ?").run(8 * 24 * 3_600_000);
    db.close();
    expect(await own()).toHaveLength(8);
    await imported(tandem, "again.csv", carelessly(tandem.text("again.csv"), 8), "ana");
    expect(await agreement(tandem)).toContain("ana says the same again of 7 of 8 answers labelled twice");
    // The first word stands.
    expect(tandem.query("SELECT count(*) AS labels FROM label")).toEqual([{ labels: 80 }]);
    expect((await compared(tandem)).model.gates[0]).toMatchObject({ people: { labels: 40, refused: null } });
  });
});
