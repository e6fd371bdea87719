import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RpcError, rpcCodes, type RpcMethod, serveJsonRpc } from "../../src/mcp/json-rpc.ts";

/** Answers at once, but for slow requests, which wait until something has ended. */
const echo =
  (ended: Promise<unknown>): RpcMethod =>
  async (method, params) => {
    if (method === "none") throw new RpcError(rpcCodes.unknownMethod, "There is no method none.");
    if (method === "slow") await ended;
    return { method, ...params };
  };

/** The messages that come back for chunks of input, in the order in which they come. A slow request ends after the input. */
async function answers(chunks: readonly (string | Buffer)[], given?: RpcMethod): Promise<unknown[]> {
  const out: unknown[] = [];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const answer = given ?? echo(ended);
  async function* input(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) {
      yield Buffer.from(chunk);
      await wait(1);
    }
    end();
  }
  await serveJsonRpc({ input: input(), write: (line) => out.push(JSON.parse(line)), answer });
  return out;
}

const request = (id: number, method: string, params?: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

describe("JSON-RPC over lines", () => {
  test("requests that come in pieces, in one chunk and without a last line end are answered", async () => {
    const text = `${request(1, "a", { x: "é\u2028" })}\n${request(2, "b")}${request(3, "c").trim()}`;
    const bytes = Buffer.from(text);
    const cut = bytes.indexOf("é") + 1;
    expect(await answers([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
      { jsonrpc: "2.0", id: 1, result: { method: "a", x: "é\u2028" } },
      { jsonrpc: "2.0", id: 2, result: { method: "b" } },
      { jsonrpc: "2.0", id: 3, result: { method: "c" } },
    ]);
  });

  test("a slow request keeps no other one waiting, and is answered after the end of the input", async () => {
    expect(await answers([request(1, "slow"), request(2, "ping")])).toMatchObject([{ id: 2 }, { id: 1 }]);
  });

  test("notifications and answers get no answer; a cancelled request gets none either", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const lines = [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 7, result: {} },
      cancel,
    ];
    expect(await answers([request(1, "slow"), ...lines.map((line) => `${JSON.stringify(line)}\n`)])).toEqual([]);
  });

  test("a batch is answered by a list", async () => {
    const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    expect(await answers([`${JSON.stringify([...batch, { jsonrpc: "2.0", method: "x" }])}\n`])).toEqual([
      [
        { jsonrpc: "2.0", id: 1, result: { method: "ping" } },
        { jsonrpc: "2.0", id: 2, result: { method: "ping" } },
      ],
    ]);
  });

  test("whatever is no request is told by its code, and the next line is answered", async () => {
    const given = [
      "{nonsense\n",
      "[]\n",
      '{"id":1}\n',
      "17\n",
      request(5, "none"),
      request(6, "fails"),
      request(7, "ok"),
    ];
    const failing: RpcMethod = (method, params, signal) => {
      if (method === "fails") throw new TypeError("broken");
      return echo(Promise.resolve())(method, params, signal);
    };
    const reported = await answers(given, async (...each) => failing(...each));
    expect(reported).toEqual([
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_600 }) }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_600 }) }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_600 }) }),
      expect.objectContaining({ id: 5, error: expect.objectContaining({ code: -32_601 }) }),
      expect.objectContaining({ id: 6, error: { code: -32_603, message: "broken" } }),
      expect.objectContaining({ id: 7, result: { method: "ok" } }),
    ]);
  });
});

test("a line of more bytes than a question needs is refused, nothing of it is kept, and the next one is answered", async () => {
  const piece = Buffer.alloc(1024 * 1024, 0x20);
  const told = await answers([...Array.from({ length: 17 }, () => piece), "\n", request(1, "a")]);
  expect(told).toEqual([
    { jsonrpc: "2.0", id: null, error: { code: rpcCodes.invalidRequest, message: "A line may have 16777216 bytes." } },
    { jsonrpc: "2.0", id: 1, result: { method: "a" } },
  ]);
});

test("a batch of more messages than anybody reads is refused", async () => {
  const batch = JSON.stringify(Array.from({ length: 1_001 }, (_, id) => ({ jsonrpc: "2.0", id, method: "a" })));
  expect(await answers([`${batch}\n`])).toMatchObject([{ id: null, error: { code: rpcCodes.invalidRequest } }]);
});
