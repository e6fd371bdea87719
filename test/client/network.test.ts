import { createServer as createSocketServer, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { botRequest, clientOf, httpServer, smallRecord, socketServer } from "./server.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const whole = `${head}Content-Length: ${smallRecord.length}\r\n\r\n${smallRecord}`;

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return typeof address === "object" && address !== null ? address.port : 0;
}

const echo = () =>
  httpServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const { method, url, headers } = request;
    response.end(JSON.stringify({ output: { output_text: [JSON.stringify({ method, url, headers })] } }));
  });

describe("what is sent", () => {
  test("is a POST below the path of the base URL, with the key and JSON", async () => {
    await using server = await echo();
    await using client = clientOf(`${server.url}/some/prefix/`, { key: "sk-1", userAgent: "tandem/9.9.9" });
    const { record } = await client.attempt(botRequest({ path: "/v2/video-bots?example_id=a%20b%26c%3D%C3%A9" }));
    const text = record?.body?.toString() ?? "";
    expect(text).toContain("POST");
    expect(text).toContain("/some/prefix/v2/video-bots?example_id=a%20b%26c%3D%C3%A9");
    expect(text).toContain("bearer sk-1");
    expect(text).toContain("tandem/9.9.9");
    expect(text).not.toContain("accept-encoding");
  });

  test("has no Authorization without a key", async () => {
    await using server = await echo();
    await using client = clientOf(server.url, { key: null });
    const { record } = await client.attempt(
      botRequest({ endpoint: "functions", path: "/v2/functions?example_id=abc123" }),
    );
    expect(record?.body?.toString()).toContain("/v2/functions?example_id=abc123");
    expect(record?.body?.toString()).not.toContain("authorization");
  });

  test("asks an https server for HTTP/1.1, also where it speaks HTTP/2", async () => {
    let offered = "";
    await using server = await socketServer((socket, text) => {
      offered += text;
      socket.destroy();
    });
    await using client = clientOf(server.url.replace("http:", "https:"));
    await client.attempt(botRequest());
    expect(offered).toContain("\u0008http/1.1");
    expect(offered).not.toContain("\u0002h2");
  });

  test("never carries a path that no URL can spell, nor a key that no header can", async () => {
    await using server = await echo();
    await using client = clientOf(server.url);
    expect(await client.attempt(botRequest({ path: "/v2/video-bots?example_id=\uD800" }))).toMatchObject({
      kind: "rejected",
      status: null,
      error: "nothing was sent: the path holds a character that no request line can",
    });
    await using other = clientOf(server.url, { key: "sk-secret\nkey" });
    const outcome = await other.attempt(botRequest());
    expect(outcome).toMatchObject({ kind: "rejected", timing: { sentAt: null } });
    expect(outcome.error).toContain("the header authorization holds a character that no header can");
    expect(outcome.error).not.toContain("secret");
  });

  test("leaves the connections free where it cannot be written", async () => {
    await using server = await echo();
    await using client = clientOf(server.url, { connections: 2 });
    for (const path of ["/a b", "/ሰላም", "/a\nb"])
      expect(await client.attempt(botRequest({ path }))).toMatchObject({ kind: "rejected", possiblyPaid: false });
    expect(await client.attempt(botRequest())).toMatchObject({ kind: "ok" });
  });

  test("goes to / where neither the base URL nor the request has a path", async () => {
    await using server = await echo();
    await using client = clientOf(server.url);
    for (const path of ["", "?q=1"]) {
      const { record } = await client.attempt(botRequest({ path }));
      expect(record?.body?.toString()).toContain(`\\"url\\":\\"/${path}\\"`);
    }
  });
});

describe("a request that never left is not-sent", () => {
  test("when nothing listens, also for those that wait for a connection", async () => {
    await using client = clientOf(`http://127.0.0.1:${await freePort()}/p`, { connections: 1 });
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => client.attempt(botRequest())));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: "not-sent", status: null, possiblyPaid: false, localLimit: false });
      expect(outcome.error).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/p\/v2\/video-bots was not sent: ECONNREFUSED: /);
      expect(outcome.timing).toMatchObject({ sentAt: null, firstByteAt: null });
    }
  });

  test("when the other side speaks no TLS", async () => {
    await using server = await httpServer((_request, response) => response.end());
    await using client = clientOf(server.url.replace("http:", "https:"));
    const outcome = await client.attempt(botRequest());
    expect(outcome.kind).toBe("not-sent");
    expect(outcome.error).toMatch(/does not speak TLS/);
  });

  test("when the connection is closed while it is being made", async () => {
    await using server = await socketServer((socket) => socket.destroy());
    await using client = clientOf(server.url.replace("http:", "https:"));
    expect((await client.attempt(botRequest())).kind).toBe("not-sent");
  });

  test("when no connection is made in time", async () => {
    await using server = await socketServer(() => undefined);
    await using client = clientOf(server.url.replace("http:", "https:"), { connectTimeoutMs: 50 });
    const outcome = await client.attempt(botRequest());
    expect(outcome.kind).toBe("not-sent");
    expect(outcome.error).toContain("UND_ERR_CONNECT_TIMEOUT");
  });

  test("when the client is closed", async () => {
    await using server = await socketServer((socket) => socket.write(whole));
    await using client = clientOf(server.url);
    await client.close();
    expect((await client.attempt(botRequest())).kind).toBe("not-sent");
    await client.close();
  });
});

const attempt = async (answer: Parameters<typeof socketServer>[0], timeoutMs = 10_000) => {
  await using server = await socketServer(answer);
  await using client = clientOf(server.url);
  const outcome = await client.attempt(botRequest({ timeoutMs }));
  expect(outcome).toMatchObject({ kind: "ambiguous", possiblyPaid: true });
  expect(outcome.timing.sentAt).not.toBeNull();
  return outcome;
};

describe("a request that left, without a whole answer, is ambiguous", () => {
  test("when the connection is closed before any byte", async () => {
    const outcome = await attempt((socket) => socket.end());
    expect(outcome.status).toBeNull();
    expect(outcome.error).toContain("was sent, but no answer came: ");
  });

  test("when the connection is reset before any byte", async () => {
    expect((await attempt((socket) => socket.resetAndDestroy())).error).toContain("ECONNRESET");
  });

  test("when it is reset after the headers", async () => {
    const outcome = await attempt((socket) =>
      socket.write(`${head}Content-Length: 500\r\n\r\n${smallRecord}`, () =>
        setImmediate(() => socket.resetAndDestroy()),
      ),
    );
    expect(outcome).toMatchObject({ status: 200, record: { id: "abcdefabcdef", body: null } });
    expect(outcome.bodyStart).toBe(smallRecord);
  });

  test("when the body is shorter than announced", async () => {
    const outcome = await attempt((socket) => socket.end(`${head}Content-Length: 500\r\n\r\n{"id":"abcdefabcdef",`));
    expect(outcome).toMatchObject({ status: 200, record: { id: "abcdefabcdef" } });
  });

  test("when a chunked body breaks off", async () => {
    const outcome = await attempt((socket) =>
      socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n15\r\n{"id":"abcdefabcdef",\r\n`),
    );
    expect(outcome).toMatchObject({ status: 200, record: { id: "abcdefabcdef" } });
  });

  test("when what comes back is not HTTP", async () => {
    const outcome = await attempt((socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(outcome.error).toContain("does not match the HTTP/1.1 protocol");
  });

  test("when the headers come and nothing else, until the time-out", async () => {
    const outcome = await attempt((socket) => socket.write(`${head}Content-Length: 500\r\n\r\n`), 60);
    expect(outcome.status).toBe(200);
    expect(outcome.error).toContain("time-out of 0.06 s");
  });

  test("when nothing comes until the time-out", async () => {
    const outcome = await attempt(() => undefined, 40);
    expect(outcome.status).toBeNull();
    expect(outcome.error).toContain("time-out of 0.04 s");
    const { sentAt, doneAt } = outcome.timing;
    expect(doneAt - (sentAt ?? 0)).toBeGreaterThanOrEqual(40);
  });

  test("when a body drips too slowly for the time-out", async () => {
    const outcome = await attempt((socket) => {
      socket.write(`${head}Content-Length: 5000\r\n\r\n{"id":"abcdefabcdef"`);
      const drip = setInterval(() => socket.write(" "), 5);
      socket.on("close", () => clearInterval(drip));
    }, 80);
    expect(outcome).toMatchObject({ status: 200, record: { id: "abcdefabcdef" } });
  });

  test("but a status that decides by itself still does", async () => {
    await using server = await socketServer((socket) =>
      socket.end("HTTP/1.1 429 Slow down\r\nRetry-After: 2.5\r\nContent-Length: 99\r\n\r\n{"),
    );
    await using client = clientOf(server.url);
    expect(await client.attempt(botRequest())).toMatchObject({
      kind: "throttled",
      retryAfterMs: 2500,
      possiblyPaid: false,
    });
  });
});

describe("unusual but whole answers", () => {
  test("informational answers come before the real one", async () => {
    await using server = await socketServer((socket) =>
      socket.write(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${whole}`),
    );
    await using client = clientOf(server.url);
    expect(await client.attempt(botRequest())).toMatchObject({ kind: "ok", status: 200 });
  });

  test("a body that ends with the connection is whole", async () => {
    await using server = await socketServer((socket) => socket.end(`${head}Connection: close\r\n\r\n${smallRecord}`));
    await using client = clientOf(server.url);
    expect((await client.attempt(botRequest())).kind).toBe("ok");
  });

  test("a body in many pieces, split inside a character, is kept byte for byte", async () => {
    const body = Buffer.from(JSON.stringify({ output: { output_text: ["ሰላም 👩🏽‍🌾 नमस्ते\n"] } }));
    await using server = await httpServer((_request, response) => {
      let at = 0;
      const next = (): void => {
        if (at === body.length) response.end();
        else response.write(body.subarray(at, ++at), () => setImmediate(next));
      };
      next();
    });
    await using client = clientOf(server.url);
    const outcome = await client.attempt(botRequest());
    expect(outcome.kind).toBe("ok");
    expect(outcome.record?.body?.equals(body)).toBe(true);
  });

  test("an answer before the request was read is an answer", async () => {
    await using server = await socketServer((socket) => {
      if (socket.bytesWritten > 0) return;
      socket.end("HTTP/1.1 413 Too large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    });
    await using client = clientOf(server.url);
    const outcome = await client.attempt(botRequest({ body: JSON.stringify({ input_prompt: "x".repeat(8_000_000) }) }));
    expect(["rejected", "ambiguous"]).toContain(outcome.kind);
  });

  test("a server that closes each connection is met with new ones", async () => {
    let count = 0;
    await using server = await socketServer((socket) => {
      count++;
      socket.end(whole.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    });
    await using client = clientOf(server.url, { connections: 2 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => client.attempt(botRequest())));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => "ok"));
    expect(count).toBe(20);
  });

  test("a connection is used again, and one that the server closed while it was idle is not", async () => {
    const ports = new Set<number | undefined>();
    await using server = await socketServer((socket) => {
      ports.add(socket.remotePort);
      socket.write(whole);
    });
    await using client = clientOf(server.url, { connections: 1 });
    for (let i = 0; i < 3; i++) expect((await client.attempt(botRequest())).kind).toBe("ok");
    expect(ports.size).toBe(1);
  });

  test("a redirect is not followed", async () => {
    let count = 0;
    await using server = await httpServer((request, response) => {
      count++;
      response.writeHead(307, { location: `http://${request.headers.host}/elsewhere?key=sk-test-key-1234` }).end();
    });
    await using client = clientOf(server.url);
    const outcome = await client.attempt(botRequest());
    expect(outcome).toMatchObject({ kind: "not-the-api", status: 307, redacted: true });
    expect(outcome.error).toContain("/elsewhere?key=[redacted]");
    expect(count).toBe(1);
  });
});

const encoded = async (encoding: string, body: Buffer, status = 200) => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(status, { "content-encoding": encoding }).end(body);
  });
  await using client = clientOf(server.url, { maxBodyBytes: 1024 * 1024 });
  return await client.attempt(botRequest());
};

describe("large and compressed bodies", () => {
  test("a body over the limit is cut off, with the id of its beginning", async () => {
    await using server = await httpServer((_request, response) => {
      response.write('{"id":"abcdefabcdef","output":{"output_text":["');
      for (let i = 0; i < 40; i++) response.write("ab".repeat(32 * 1024));
      response.end('"]}}');
    });
    await using client = clientOf(server.url, { maxBodyBytes: 1024 * 1024 });
    const outcome = await client.attempt(botRequest());
    expect(outcome).toMatchObject({
      kind: "ambiguous",
      possiblyPaid: true,
      record: { id: "abcdefabcdef", body: null },
    });
    expect(outcome.error).toContain("over the limit of 1048576 bytes");
  });

  test("a body of many megabytes within the limit is kept", async () => {
    const body = JSON.stringify({ output: { output_text: ["ሰ".repeat(3_000_000)] } });
    await using server = await httpServer((_request, response) => response.end(body));
    await using client = clientOf(server.url);
    const outcome = await client.attempt(botRequest());
    expect(outcome.kind).toBe("ok");
    expect(outcome.record?.body?.length).toBe(Buffer.byteLength(body));
  });

  const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, "x-gzip": gzipSync };

  test.each(Object.entries(compress))("%s is decoded although nobody asked for it", async (encoding, pack) => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(pack(smallRecord));
    });
    await using client = clientOf(server.url);
    const outcome = await client.attempt(botRequest());
    expect(outcome.kind).toBe("ok");
    expect(outcome.record?.body?.toString()).toBe(smallRecord);
  });

  test("bare deflate is decoded too", async () => {
    expect((await encoded("deflate", deflateRawSync(smallRecord))).kind).toBe("ok");
  });

  test("a small body that grows beyond the limit is cut off", async () => {
    const bomb = gzipSync(`{"id":"abcdefabcdef","output":{"output_text":["${"a".repeat(50_000_000)}"]}}`);
    const outcome = await encoded("gzip", bomb);
    expect(outcome).toMatchObject({ kind: "ambiguous", record: { id: "abcdefabcdef" } });
    expect(outcome.error).toContain("over the limit");
  });

  test("a compressed record that breaks off is ambiguous, with the id of what could be read", async () => {
    const packed = gzipSync(smallRecord + " ".repeat(100));
    const outcome = await encoded("gzip", packed.subarray(0, packed.length - 12));
    expect(outcome).toMatchObject({ kind: "ambiguous", record: { id: "abcdefabcdef" } });
  });

  test("what is not compressed as it says, or in an unknown way, is ambiguous", async () => {
    expect((await encoded("gzip", Buffer.from(smallRecord))).kind).toBe("ambiguous");
    expect((await encoded("rot13", Buffer.from(smallRecord))).kind).toBe("ambiguous");
    expect((await encoded("gzip", gzipSync('{"detail":"Not Found"}'), 404)).kind).toBe("target");
  });
});

describe("stopping", () => {
  test("everything that is under way ends at once: what was sent is ambiguous, what waited was not sent", async () => {
    let received = 0;
    await using server = await socketServer(() => received++);
    await using client = clientOf(server.url, { connections: 2 });
    const attempts = [1, 2, 3, 4, 5].map(() => client.attempt(botRequest()));
    await expect.poll(() => received).toBe(2);
    client.abortAll();
    const kinds = (await Promise.all(attempts)).map(({ kind }) => kind);
    expect(kinds).toEqual(["ambiguous", "ambiguous", "not-sent", "not-sent", "not-sent"]);
    expect((await client.attempt(botRequest())).kind).toBe("not-sent");
    await client.close();
    expect(received).toBe(2);
  });

  test("a signal ends one attempt and leaves the others", async () => {
    let received = 0;
    const sockets: Socket[] = [];
    await using server = await socketServer((socket) => {
      received++;
      sockets.push(socket);
    });
    await using client = clientOf(server.url);
    const controller = new AbortController();
    const stopped = client.attempt(botRequest(), controller.signal);
    const other = client.attempt(botRequest());
    await expect.poll(() => received).toBe(2);
    controller.abort();
    for (const socket of sockets) socket.write(whole);
    expect(await stopped).toMatchObject({ kind: "ambiguous", possiblyPaid: true });
    expect((await other).kind).toBe("ok");
    expect(await client.attempt(botRequest(), controller.signal)).toMatchObject({ kind: "not-sent" });
    expect(received).toBe(2);
  });

  test("a client goes on after a stop", async () => {
    let hang = true;
    await using server = await socketServer((socket) => {
      if (!hang) socket.write(whole);
    });
    await using client = clientOf(server.url, { connections: 1 });
    const first = client.attempt(botRequest({ timeoutMs: 30 }));
    expect((await first).kind).toBe("ambiguous");
    hang = false;
    expect((await client.attempt(botRequest())).kind).toBe("ok");
  });
});

test("the first piece of a stream counts from its first event, not from its headers, which leave before", async () => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    const chunk = { id: "c1", choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] };
    setTimeout(() => response.write(`data: ${JSON.stringify(chunk)}\n\n`), 150);
    setTimeout(() => response.end("data: [DONE]\n\n"), 300);
  });
  await using client = clientOf(server.url);
  const request = botRequest({ endpoint: "chat-completions", path: "/chat/completions" });
  const { kind, timing } = await client.attempt(request);
  const sentAt = timing.sentAt ?? 0;
  expect(kind).toBe("ok");
  expect((timing.firstByteAt ?? 0) - sentAt).toBeGreaterThan(130);
  expect(timing.doneAt - (timing.firstByteAt ?? 0)).toBeGreaterThan(100);
});
