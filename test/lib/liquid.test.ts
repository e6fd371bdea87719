import { expect, test } from "vitest";
import { parseTemplate } from "../../src/deployment/bot/filled-template.ts";
import { createLiquid } from "../../src/lib/liquid.ts";
import { cpuMs } from "../cpu-time.ts";
import { slowTest } from "../often.ts";

/** CPU of a template that is given up: the limit of one second, and several times what overshoots it. */
const mostMs = 5_000;

const column = "a".repeat(100_000);
/** Takes a second of CPU. */
const loops = "{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}";
const runaways: [what: string, template: string][] = [
  ["a range of a hundred million", "{% for i in (1..100000000) %}x{% endfor %}"],
  ["replacements that grow", `{% assign a = 'aaaaaaaa' %}${"{% assign a = a | replace: 'a', a %}".repeat(9)}{{ a }}`],
  ["captures that double", `{% assign a = 'a' %}${"{% capture a %}{{ a }}{{ a }}{% endcapture %}".repeat(40)}{{ a }}`],
  ["lists that double", `{% assign a = 'a,b' | split: ',' %}${"{% assign a = a | concat: a %}".repeat(40)}{{ a }}`],
  ["a column many times", "{{ column }}".repeat(3_000)],
  ["a date of a billion digits", "{{ 'now' | date: '%1000000000d' }}"],
];

async function endsInTime(_: string, template: string): Promise<void> {
  const liquid = await createLiquid();
  const before = process.memoryUsage.rss();
  const filling = cpuMs(() =>
    expect(() => liquid.fill(liquid.parse(template), { column })).toThrow(/limit|length|million/),
  );
  expect(filling).toBeLessThan(mostMs);
  expect(process.memoryUsage.rss() - before).toBeLessThan(500e6);
}

function endsInTimeAtLocal(_: string, template: string): void {
  const filling = cpuMs(() => expect(() => parseTemplate(template)({ column })).toThrow(/limit|length|million/));
  expect(filling).toBeLessThan(mostMs);
}

test.each(runaways)("a template ends within seconds and little memory: %s", endsInTime);

test.each(runaways)("a template of a local deployment ends in the same way: %s", endsInTimeAtLocal);

slowTest.each([["loops in loops", loops]])("a template ends within seconds and little memory: %s", endsInTime);

slowTest.each([["loops in loops", loops]])(
  "a template of a local deployment ends in the same way: %s",
  endsInTimeAtLocal,
);

test("templates in templates end before the stack does", async () => {
  const liquid = await createLiquid();
  expect(() => {
    liquid.fill(liquid.parse(`${"{% if true %}".repeat(20_000)}x${"{% endif %}".repeat(20_000)}`), {});
  }).toThrow(/stack/);
});

test("a value is written as Liquid writes it", async () => {
  const liquid = await createLiquid();
  const fill = (text: string) => liquid.fill(liquid.parse(text), { row: { a: "x" }, list: [1, null, ["b"]], no: null });
  expect(fill("{{ list }}|{{ no }}|{{ unknown }}|{{ row.a }}|{{ row.constructor }}|{{ 1.5 }}|{{ true }}")).toBe(
    "1b|||x||1.5|true",
  );
});
