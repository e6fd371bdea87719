import { expect, test } from "vitest";
import { requestForm } from "../../src/api/http/http-request.ts";
import { httpDescription } from "../../src/api/http/description.ts";
import { fileMarks } from "../../src/api/files/file-marks.ts";
import type { JsonObject } from "../../src/lib/json.ts";

function sentTo(path: string, fields: JsonObject, query?: Record<string, string>): string {
  return requestForm(httpDescription.parse({ path, query })).make(fields, fileMarks()).path;
}

test("a path is sent with everything encoded that a request line cannot hold, its literal parts too", () => {
  expect(sentTo("/ü {{ input_prompt }}/👋", { input_prompt: "ሰ?#/%" })).toBe(
    "/%C3%BC%20%E1%88%B0%3F%23%2F%25/%F0%9F%91%8B",
  );
  expect(sentTo("/a%20b/{{ n }}", { n: 7 }, { "ü b": "{{ n }} é" })).toBe("/a%20b/7?%C3%BC+b=7+%C3%A9");
});

test.each([
  "{{ list[0] }}",
  "{{ list | first }}",
  "{{ object.list[0] }}",
  "{{ plain }}",
  "{{ plain | raw }}",
  "{% for each in list %}{{ each }}{% endfor %}",
  "{% echo plain %}",
  "{% cycle plain, plain %}",
  "{% assign it = plain %}{{ it }}",
])("a value that %s gives ends no segment of a path", (template) => {
  const value = "../../admin?x#y";
  const fields = { plain: value, list: [value], object: { list: [value] } };
  expect(sentTo(`/bots/${template}`, fields)).toBe("/bots/..%2F..%2Fadmin%3Fx%23y");
});

test("filters see a value before it is encoded", () => {
  expect(sentTo("/{{ name | upcase | split: ' ' | last }}", { name: "a é" })).toBe("/%C3%89");
});

test.each(["..", "."])("a case whose value makes the segment %s of a path is refused", (value) => {
  expect(() => sentTo("/bots/{{ id }}/ask", { id: value })).toThrow(
    `a segment of the path is ${value}, which leads to another path`,
  );
  expect(() => sentTo("/bots/{{ id }}", { id: value })).toThrow(
    `a segment of the path is ${value}, which leads to another path`,
  );
  expect(sentTo("/bots/v{{ id }}", { id: value })).toBe(`/bots/v${value}`);
});

test("a case with half a character in its path is refused", () => {
  expect(() => sentTo("/{{ id }}", { id: "\uD800" })).toThrow("URI malformed");
});
