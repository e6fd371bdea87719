import fc from "fast-check";
import { expect, test } from "vitest";
import { InterimAnswers } from "../../src/client/interim.ts";
import { botRequest, clientOf, smallRecord, socketServer } from "./server.ts";

const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${smallRecord.length}\r\n\r\n${smallRecord}`;
const goOn = "HTTP/1.1 100 Continue\r\n\r\n";

test("100 Continue that nobody asked for is waited out, also twice, and the connection is used again", async () => {
  let connections = 0;
  const known = new Set<unknown>();
  await using server = await socketServer((socket) => {
    if (!known.has(socket)) connections += 1;
    known.add(socket);
    socket.write(goOn);
    setTimeout(() => socket.write(`HTTP/1.1 100\r\nX-Wait: a little\r\n\r\n${answer}`), 20);
  });
  await using client = clientOf(server.url, { connections: 1 });
  for (let time = 1; time <= 3; time++)
    expect(await client.attempt(botRequest())).toMatchObject({ kind: "ok", status: 200 });
  expect(connections).toBe(1);
});

test("answers pass byte for byte in whatever pieces they come, without what only says to go on", () => {
  const heads = [
    "HTTP/1.1 200 OK\r\nA: 100\r\n\r\nHTTP/1.1 100 in a body\r\n\r\n",
    "HTTP/1.1 1000 odd\r\n\r\n",
    "HTTP",
    "\x16\x03 no HTTP",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...heads),
      fc.array(fc.constantFrom(goOn, "HTTP/1.0 100\r\n\r\n", "HTTP/1.1 100 Go on\r\nX: y\r\n\r\n"), { maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
      (head, before, sizes) => {
        const all = Buffer.from([...before, head].join(""), "latin1");
        const interim = new InterimAnswers();
        interim.expect();
        const passed: Buffer[] = [];
        for (let at = 0, i = 0; at < all.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          const piece = interim.pass(all.subarray(at, at + size));
          if (piece !== null) passed.push(piece);
          at += size;
        }
        const text = Buffer.concat(passed).toString("latin1");
        // A beginning that may still become one is kept back.
        if (head === "HTTP") expect(head.startsWith(text)).toBe(true);
        else expect(text).toBe(head);
      },
    ),
  );
});
