import { connect } from "node:net";
import { expect, test } from "vitest";
import { opened, viewedByFile } from "../viewer/viewing.ts";
import { openTally } from "./tally.ts";

const shared = viewedByFile();
const tally = openTally("the server of the viewer", 300);

/** The answer to bytes as no browser would send them; an empty one: the connection was closed, or nothing came. */
function answerTo(port: number, bytes: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    const end = (): void => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    // A machine that others share may take a while.
    socket.setTimeout(10_000, end);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (/\r\n\r\n/.test(text)) setTimeout(end, 20);
    });
    socket.on("error", end);
    socket.on("close", end);
  });
}

/** Signs that something was told that nobody should know: files of this machine, stacks, the database itself. */
const leaks = (text: string): string[] =>
  [/root:.*:0:0/, /\n\s+at .*\.(?:ts|js):\d+/, /SQLite format 3/, /access-control-allow/i, /node_modules/]
    .filter((sign) => sign.test(text))
    .map(String);

const changes = ["labels", "pins"];

test("a name that is not this machine's is refused, however it is written, also with the cookie", async () => {
  const { caller } = await shared();
  const { port } = new URL(caller.base);
  const names = [
    "evil.example",
    `evil.example:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `127.0.0.1@evil.example:${port}`,
    `evil.example#127.0.0.1:${port}`,
    `evil.example\\127.0.0.1:${port}`,
    `localhost.:${port}.evil.example`,
    `0.0.0.0:${port}`,
    `0:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0x7f.1:${port}`,
    `0177.0.0.1:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[::]:${port}`,
    `rebind.network:${port}`,
    `a.localhost:${port}`,
    `127.0.0.1:${port}0`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port} evil.example`,
    `127.0.0.1%00.evil.example:${port}`,
    `\u0131localhost:${port}`,
    `127\u30020.0.1:${port}`,
    "",
  ];
  for (const host of names) {
    for (const path of ["/api/batches", "/", "/api/export.csv"]) {
      const { status, text } = await answerTo(
        Number(port),
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${caller.cookie}\r\nConnection: close\r\n\r\n`,
      );
      const isRefused = [0, 400, 401, 421].includes(status);
      tally.tried(JSON.stringify(host), `the Host of ${path}`, [
        ...(isRefused ? [] : [`it answers ${status}`]),
        ...leaks(text),
      ]);
    }
  }
  for (const head of [
    `GET http://evil.example/api/batches HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    `GET http://evil.example:${port}/api/batches HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    `GET //evil.example/api/batches HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    `GET /api/batches HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example`,
    `GET /api/batches HTTP/1.0`,
    `GET /api/batches HTTP/1.1`,
    `CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    `TRACE / HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    `OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    `GET /api/batches HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-Host: evil.example\r\nSec-Fetch-Site: cross-site`,
    `GET /api/batches HTTP/1.1\r\n Host: 127.0.0.1:${port}`,
  ]) {
    const { status, text } = await answerTo(Number(port), `${head}\r\nCookie: ${caller.cookie}\r\n\r\n`);
    tally.tried(JSON.stringify(head), "the head of a request", [
      ...(status === 200 && head.includes("evil") ? ["it answers"] : []),
      ...(/TRACE/.test(head) && status === 200 ? ["it repeats the request"] : []),
      ...leaks(text),
    ]);
  }
  expect(tally.through()).toEqual([]);
});

test("a page of another site changes nothing by any way that a browser lets it, and reads nothing", async () => {
  const { caller, tandem } = await shared();
  const { base, cookie } = caller;
  const { port } = new URL(base);
  const counts = (): unknown =>
    tandem.query("SELECT (SELECT count(*) FROM label) AS labels, (SELECT count(*) FROM pin) AS pins");
  const before = counts();
  const own = { "x-tandem": "1", "content-type": "application/json" };
  const ways: Record<string, Record<string, string>> = {
    "a form": { "content-type": "application/x-www-form-urlencoded", origin: "http://evil.example" },
    "a form with a file": { "content-type": "multipart/form-data; boundary=x", origin: "null" },
    "a plain text": { "content-type": "text/plain", origin: "http://evil.example" },
    "a beacon": {
      "content-type": "text/plain;charset=UTF-8",
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors",
    },
    "JSON without the header": { "content-type": "application/json" },
    "the header from another site": { ...own, origin: "http://evil.example" },
    "the header from a frame without an origin": { ...own, origin: "null" },
    "the header from another port": { ...own, origin: `http://127.0.0.1:${Number(port) + 1}` },
    "the header by https": { ...own, origin: `https://127.0.0.1:${port}` },
    "the header from a sibling": { ...own, "sec-fetch-site": "same-site" },
    "the header from across": { ...own, "sec-fetch-site": "cross-site" },
    "another type": { "x-tandem": "1", "content-type": "application/xml" },
  };
  for (const route of changes) {
    for (const [way, headers] of Object.entries(ways)) {
      for (const method of ["POST", "DELETE"] as const) {
        const answer = await fetch(`${base}/api/${route}`, {
          method,
          headers: { cookie, ...headers },
          body: JSON.stringify({
            name: "x",
            batch: "latest",
            jobId: 1,
            scorer: "",
            label: "good",
            note: "",
            author: "",
          }),
        });
        const text = `${[...answer.headers].join("\n")}${await answer.text()}`;
        tally.tried(way, `${method} ${route}`, [
          ...(answer.status === 403 ? [] : [`it answers ${answer.status}`]),
          ...leaks(text),
        ]);
      }
    }
    for (const method of ["PUT", "PATCH", "OPTIONS"]) {
      const answer = await fetch(`${base}/api/${route}`, {
        method,
        headers: { cookie, origin: "http://evil.example", "access-control-request-headers": "x-tandem" },
      });
      tally.tried(method, route, [
        ...(answer.ok ? [`it answers ${answer.status}`] : []),
        ...leaks([...answer.headers].join("\n")),
      ]);
    }
  }
  expect(counts()).toEqual(before);
  expect(tally.through()).toEqual([]);
});

test("no address leads to a file, a stack or an end, whatever it is made of", async () => {
  const { caller } = await shared();
  const { id } = await opened(caller);
  const { port } = new URL(caller.base);
  const paths = [
    "/../../../../etc/passwd",
    "/..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..;/..;/etc/passwd",
    "/..\\..\\..\\etc\\passwd",
    "/%5c..%5c..%5cetc%5cpasswd",
    "/....//....//etc/passwd",
    "/%c0%ae%c0%ae/etc/passwd",
    "/%252e%252e%252fetc%252fpasswd",
    "//etc/passwd",
    "/file:///etc/passwd",
    "/.view/index",
    "/.view/../tandem.db",
    "/tandem.db-wal",
    "/results/tandem.db",
    "/.git/config",
    "/.env",
    "/api/../tandem.db",
    "/api/page.html?id=../../../etc/passwd",
    "/api/export.csv?id=../../../etc/passwd",
    "/api/%00",
    "/%00",
    "/%",
    "/%zz",
    "/api/rows%00?id=x",
    "/__proto__",
    "/constructor/prototype",
    "/api/open?batch=../../etc/passwd",
    "/api/open?batch=latest&against=../../etc/passwd",
    "/api/open?batch=latest&side=__proto__&side=constructor",
    `/api/open?${"side=x&".repeat(400)}`,
    `/api/rows?id=${id}&limit=-1&offset=1e9`,
    `/api/rows?id=${id}&limit=999999999&show=${"x".repeat(5_000)}`,
    `/api/rows?id=${id}&q=${encodeURIComponent("(".repeat(3_000))}`,
    `/api/rows?id=${id}&q=${encodeURIComponent("a:".repeat(2_000))}`,
    `/api/rows?id=${id}&q=${encodeURIComponent('"'.repeat(999))}`,
    `/api/rows?id=${id}&q=${encodeURIComponent("/(a+)+$/")}`,
    `/api/rows?id=${id}&sort=${encodeURIComponent("'; DROP TABLE batch; --")}`,
    `/api/rows?id=${id}&column=__proto__&column=${encodeURIComponent("'; DROP TABLE batch; --")}`,
    `/api/rows?id=${id}&${"column=a&".repeat(1_000)}limit=5`,
    `/api/rows?id=${id}&${"tag=a%3Db&".repeat(1_000)}limit=5`,
    `/api/rows?id=${id}&group=${"x".repeat(6_000)}`,
    `/api/at?id=${id}&key=__proto__`,
    `/api/row?id=${id}&key=__proto__`,
    `/api/row?id=${id}&key=%00`,
    `/api/row?id=${id}&key=${encodeURIComponent("'; DROP TABLE batch; --")}`,
    `/api/row?id=${id}&index=-1`,
    `/api/earlier?id=${id}&key=constructor`,
    `/api/nights?id=${id}&key=__proto__&target=__proto__`,
    "/api/night-answer?batch=__proto__&key=__proto__&target=__proto__",
    "/api/past?suite=__proto__&known=__proto__",
    "/api/past?suite=../../etc/passwd",
    "/api/state?batch=__proto__",
    `/api/export.csv?id=${id}&q=${encodeURIComponent("=".repeat(1_000))}`,
  ];
  for (const path of paths) {
    for (const more of ["", "\r\nRange: bytes=0-1", `\r\nRange: bytes=${"0-1,".repeat(500)}0-1`]) {
      // Ranges are tried where there is something to be a part of.
      if (more !== "" && !/export|page|^\/\.|passwd/.test(path)) continue;
      const { status, text } = await answerTo(
        Number(port),
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${caller.cookie}${more}\r\nConnection: close\r\n\r\n`,
      );
      tally.tried(path.slice(0, 80), `an address${more.slice(0, 20)}`, [
        ...(status === 0 || status === 500 ? [`it answers ${status}: ${text.slice(-200)}`] : []),
        ...(status === 206 ? ["a part is answered"] : []),
        ...leaks(text),
      ]);
    }
  }
  expect((await caller.get("/api/batches")).status).toBe(200);
  expect(tally.through()).toEqual([]);
});

test("no body ends the viewer, fills it, or is kept as something that it is not", async () => {
  const { caller } = await shared();
  const { port } = new URL(caller.base);
  const deep = (open: string, close: string, levels: number): string =>
    `${open.repeat(levels)}1${close.repeat(levels)}`;
  const label = { jobId: 1, scorer: "", label: "good", note: "", author: "" };
  const bodies: unknown[] = [
    "",
    "null",
    "1",
    '"x"',
    "{",
    "[]",
    "{}",
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    deep("[", "]", 20_000),
    deep('{"a":', "}", 8_000),
    `{"name":${'"x"'.repeat(2)}}`,
    "\ufeff{}",
    "\u0000",
    { ...label, jobId: -1 },
    { ...label, jobId: 1e308 },
    { ...label, jobId: "1; DROP TABLE label" },
    { ...label, jobId: [1] },
    { ...label, scorer: "__proto__" },
    { ...label, label: "__proto__" },
    { ...label, value: "Infinity" },
    { ...label, note: "\ud800" },
    { ...label, note: "x".repeat(70_000) },
    { name: "../../evil", batch: "latest" },
    { name: "", batch: "latest" },
    { name: "\u0000", batch: "latest" },
    { name: "x".repeat(60_000), batch: "latest" },
    { name: "__proto__", batch: "__proto__" },
    { name: "x", batch: "../../etc/passwd" },
    { name: "x", query: "(".repeat(30_000) },
  ];
  for (const body of bodies) {
    for (const route of changes) {
      const answer = await caller.send("POST", `/api/${route}`, body);
      const text = await answer.text();
      const shown = (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 60);
      tally.tried(shown, `POST ${route}`, [
        ...(answer.status >= 500 ? [`it answers ${answer.status}: ${text.slice(0, 200)}`] : []),
        ...leaks(text),
      ]);
    }
  }
  const head = `POST /api/labels HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${caller.cookie}\r\nX-Tandem: 1\r\nContent-Type: application/json\r\n`;
  for (const rest of [
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    "Content-Length: 5\r\nContent-Length: 50\r\n\r\n{}",
    "Content-Length: -1\r\n\r\n{}",
    "Content-Length: 99999999999999999999\r\n\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nX-Evil: 1\r\n\r\n",
    "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n",
    "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: 0\r\n\r\n",
    `X-Long: ${"x".repeat(100_000)}\r\nContent-Length: 2\r\n\r\n{}`,
    `${"X-Many: 1\r\n".repeat(3_000)}Content-Length: 2\r\n\r\n{}`,
    "X-Bad\0Name: 1\r\nContent-Length: 2\r\n\r\n{}",
  ]) {
    const { status, text } = await answerTo(Number(port), head + rest);
    tally.tried(JSON.stringify(rest.slice(0, 60)), "a body on the wire", [
      ...(status === 200 || status === 101 ? [`it answers ${status}`] : []),
      ...leaks(text),
    ]);
  }
  expect(({} as { polluted?: number }).polluted).toBe(undefined);
  expect((await caller.get("/api/batches")).status).toBe(200);
  expect(tally.through()).toEqual([]);
});
