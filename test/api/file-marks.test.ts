import { describe, expect, test } from "vitest";
import { nameOfDescription, httpDescription } from "../../src/api/http/description.ts";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import { type CaseFile, shownBody } from "../../src/api/files/case-file.ts";
import type { HttpRequest } from "../../src/api/endpoint-call.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { httpRequest } from "../../src/plan/body.ts";

const file = (name: string, type: string): CaseFile => ({
  bytes: 7,
  file: name,
  root: 0,
  sha256: "ab".repeat(32),
  type,
});
const photo = file("pics/a.png", "image/png");
const input = { input_prompt: "What is it?", input_images: [photo, "https://x.example/b.png"] };

function requestTo(endpoint: EndpointName, given: JsonObject, fields = ["input_images"]): HttpRequest {
  return httpRequest({ endpoint, exampleId: "a", body: {}, files: { fields, roots: ["/data"] } }, given);
}

const shown = ({ body }: HttpRequest): string =>
  body === null || typeof body === "string" ? String(body) : shownBody(body, (name) => name);

const http = (given: object): EndpointName => nameOfDescription(httpDescription.parse(given));

describe("a case with a file is sent", () => {
  test("to the service's bots as a form, with addresses left in its JSON", () => {
    const request = requestTo("video-bots", input);
    const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(request.contentType ?? "") ?? [];
    expect(request.path).toBe("/v2/video-bots/form?example_id=a");
    expect(shown(request)).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="json"',
        "",
        '{"input_prompt":"What is it?","input_images":["https://x.example/b.png"],"messages":[]}',
        `--${boundary}`,
        'Content-Disposition: form-data; name="input_images"; filename="a.png"',
        "Content-Type: image/png",
        "",
        "<pics/a.png, 7 bytes>",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
  });

  test("to a function as a data URL, wherever it stands in its variables", () => {
    const request = requestTo("functions", { variables: { logo: photo, other: 1 } }, ["variables.logo"]);
    expect([request.path, request.contentType]).toEqual(["/v2/functions?example_id=a", undefined]);
    expect(JSON.parse(shown(request))).toEqual({
      variables: { logo: "data:image/png;base64,<pics/a.png, 7 bytes>", other: 1 },
    });
  });

  test("to a chat as parts of its last message", () => {
    const fields = ["input_images", "input_audio", "input_documents"];
    const given = {
      ...input,
      input_audio: file("a.mp3", "audio/mpeg"),
      input_documents: [file("d/a.pdf", "application/pdf")],
    };
    expect(JSON.parse(shown(requestTo("chat-completions", given, fields)))).toEqual({
      model: "a",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,<pics/a.png, 7 bytes>" } },
            { type: "image_url", image_url: { url: "https://x.example/b.png" } },
            { type: "input_audio", input_audio: { data: "<a.mp3, 7 bytes>", format: "mp3" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,<d/a.pdf, 7 bytes>" } },
          ],
        },
      ],
    });
  });

  test("to an endpoint of one's own as its template says", () => {
    const body = { all: "$input_images", bare: "$input_images.base64", first: "{{ input_images[0] }}" };
    const url = "data:image/png;base64,<pics/a.png, 7 bytes>";
    expect(JSON.parse(shown(requestTo(http({ body }), input)))).toEqual({
      all: [url, "https://x.example/b.png"],
      bare: ["<pics/a.png, 7 bytes>", "https://x.example/b.png"],
      first: url,
    });
  });

  test("to an endpoint of one's own as a form that holds files, with names that end no header", () => {
    const odd = { ...photo, file: 'a"\r\nX: 1.png' };
    const form = { 'q"x': "{{ input_prompt }}", photo: "$input_images", n: 7 };
    const text = shown(
      requestTo(http({ multipart: form }), { ...input, input_images: [odd, "https://x.example/b.png"] }),
    );
    expect(text).toContain('name="q%22x"\r\n\r\nWhat is it?\r\n');
    expect(text).toContain('name="photo"; filename="a%22%0D%0AX: 1.png"\r\nContent-Type: image/png\r\n\r\n<');
    expect(text).toContain('name="photo"\r\n\r\nhttps://x.example/b.png\r\n');
    expect(text).toContain('name="n"\r\n\r\n7\r\n');
  });
});

test("the same form is the same bytes whenever it is made, and another one has another boundary", () => {
  const boundaryOf = (given: JsonObject): string => requestTo("video-bots", given).contentType ?? "";
  const twice = { ...input, variables: { logo: photo } };
  const fields = ["input_images", "variables.logo"];
  const [once, again] = [requestTo("video-bots", twice, fields), requestTo("video-bots", twice, fields)];
  expect(again).toEqual(once);
  expect(boundaryOf(input)).toMatch(/^multipart\/form-data; boundary=tandem-[0-9a-f]{32}$/);
  const other = { ...photo, sha256: "cd".repeat(32) };
  const all = [input, { ...input, input_images: [other] }, { ...input, input_prompt: "And this?" }].map(boundaryOf);
  expect(new Set(all).size).toBe(3);
});

describe("what is no file of the case is never read", () => {
  test("a value of a field without files that looks like one stays as it is", () => {
    const request = requestTo("functions", { variables: { x: photo } });
    expect(request.body).toBe(JSON.stringify({ variables: { x: photo } }));
  });

  test("a text that looks like the stand-in of a file stays as it is", () => {
    const text = `tandem-${"1".repeat(39)}-0-url-file`;
    const request = requestTo("functions", { input_images: [photo], q: text });
    expect(JSON.parse(shown(request))).toMatchObject({ q: text });
  });
});

test.each([
  [{ body: { x: "{{ input_images[0] | upcase }}" } }, "a template changes the text of a file"],
  [{ body: { x: "{{ input_images[0] | slice: 0, 20 }}" } }, "a template changes the text of a file"],
  [{ body: { x: "{{ input_images[0] | base64_encode }}" } }, "the file pics/a.png stands nowhere in the request"],
  [{ body: { x: "{{ input_images[0] | split: '-' | last }}" } }, "the file pics/a.png stands nowhere in the request"],
  [{ body: { x: "{{ input_images | size }}" } }, "the file pics/a.png stands nowhere in the request"],
  [{ body: { x: "{% if input_images == '' %}{{ input_images }}{% endif %}" } }, "stands nowhere in the request"],
  [{ body: { x: "$input_images.0" } }, "the file pics/a.png stands nowhere in the request"],
  [{ path: "/{{ input_images[0] }}" }, "a file stands in the address of the request"],
])("a file that a template spoils is refused: %j", (description, message) => {
  expect(() => requestTo(http(description), input)).toThrow(message);
});

test("a file is no part of a request whose endpoint leaves its field out, or whose target fills the field itself", () => {
  const without = requestTo(http({ body: { q: "{{ input_prompt }}" } }), input);
  expect(without.body).toBe('{"q":"What is it?"}');
  const files = { fields: ["input_images", "variables.logo"], roots: ["/data"] };
  const body = { input_images: ["https://x.example/c.png"], variables: { logo: "none" } };
  const given = { ...input, variables: { logo: photo } };
  const overridden = httpRequest({ endpoint: "video-bots", exampleId: "a", body, files }, given);
  expect(JSON.parse(shown(overridden))).toMatchObject(body);
});

test("a form without files, and a body that is none, are refused together", () => {
  expect(httpDescription.safeParse({ body: {}, multipart: {} }).success).toBe(false);
  expect(httpDescription.safeParse({ form: {}, multipart: {} }).success).toBe(false);
  expect(httpDescription.safeParse({ method: "GET", multipart: {} }).success).toBe(false);
});
