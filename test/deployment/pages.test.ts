import { describe, expect, test } from "vitest";
import { get, post, recordOf, serve, someFiles } from "./served.ts";

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"'\`\${7*7}&amp;</pre></body>`;

async function urlOf(baseUrl: string, path: string, body: object): Promise<string> {
  const got = await post(baseUrl, path, body);
  return recordOf(got).url.slice(baseUrl.length);
}

describe("the page of a run", () => {
  test("shows the request, the answer, the references", async () => {
    const { baseUrl } = await serve(someFiles);
    const body = { input_prompt: "How far between onion plants?", messages: [] };
    const got = await get(baseUrl, await urlOf(baseUrl, "/v2/video-bots?example_id=onions", body));
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const text of ["How far between onion plants?", "Leave 10 cm between", "References", "Spacing"]) {
      expect(got.text).toContain(text);
    }
  });

  test("shows the log of a function", async () => {
    const { baseUrl } = await serve(someFiles);
    const url = await urlOf(baseUrl, "/v2/functions?example_id=double", { variables: { n: 2 } });
    expect((await get(baseUrl, url)).text).toContain("doubling 2");
  });

  test("keeps hostile texts texts, on the page and in the list", async () => {
    const files = { "bots/a.yaml": `fallback: ${JSON.stringify(hostile)}\ntitle: ${JSON.stringify(hostile)}\n` };
    const { baseUrl } = await serve(files);
    const url = await urlOf(baseUrl, "/v2/video-bots?example_id=a", {
      input_prompt: hostile,
      variables: { [hostile]: 1 },
    });
    for (const path of [url, "/", "/docs"]) {
      const { text, headers } = await get(baseUrl, path);
      expect(text).not.toMatch(/<script|<img|onerror=alert\(2\)>"'/);
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await get(baseUrl, url)).text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("has a style whose hash its policy allows", async () => {
    const { createHash } = await import("node:crypto");
    const { baseUrl } = await serve(someFiles);
    const { text, headers } = await get(baseUrl, "/");
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  });

  test("is only found with the right run, uid and endpoint", async () => {
    const { baseUrl } = await serve(someFiles);
    const url = await urlOf(baseUrl, "/v2/video-bots?example_id=onions", { input_prompt: "x" });
    expect((await get(baseUrl, url)).status).toBe(200);
    for (const wrong of [
      url.replace("/agent/", "/functions/"),
      url.replace(/uid=.*/, "uid=x"),
      "/agent/",
      "/agent/?run_id=<b>",
    ]) {
      const got = await get(baseUrl, wrong);
      expect([got.status, got.text.includes("<b>")]).toEqual([404, false]);
    }
  });

  test("is forgotten after so many runs, and large runs leave only their place", async () => {
    const { baseUrl } = await serve({ ...someFiles, "deployment.yaml": "recent_runs: 2\n" });
    const path = "/v2/video-bots?example_id=onions";
    const first = await urlOf(baseUrl, path, { input_prompt: "first" });
    const large = await urlOf(baseUrl, path, { input_prompt: "x", variables: { all: "x".repeat(50_000) } });
    expect((await get(baseUrl, first)).status).toBe(200);
    const last = await urlOf(baseUrl, path, { input_prompt: "last one 🧅" });
    expect((await get(baseUrl, first)).status).toBe(404);
    expect((await get(baseUrl, large)).text).toContain("too large to keep");
    const list = (await get(baseUrl, "/")).text;
    expect(list).toContain("last one 🧅");
    expect(list).toContain(last.replaceAll("&", "&amp;"));
    expect(list).not.toContain("first");
  });
});

test("the page of docs shows calls that work, without keys", async () => {
  const settings = "keys:\n  - { key: sk-hidden, name: a }\n";
  const { baseUrl } = await serve({ ...someFiles, "deployment.yaml": settings });
  const { text } = await get(baseUrl, "/docs");
  expect(text).toContain("/v2/functions?example_id=double");
  expect(text).toContain("YOUR_KEY");
  expect(text).not.toContain("sk-hidden");
});
