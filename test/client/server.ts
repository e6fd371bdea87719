import { createServer, type RequestListener } from "node:http";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { createClient, type Client, type ClientOptions } from "../../src/client/client.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import type { AttemptRequest } from "../../src/client/attempt-request.ts";

/** A server on a free port of loopback, for one test. */
export interface TestServer extends AsyncDisposable {
  url: string;
}

/** A server that speaks HTTP and has read the whole request before `answer` is called. */
export async function httpServer(answer: RequestListener): Promise<TestServer> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(request, response));
  });
  return await listening(server, () => server.closeAllConnections());
}

/** A server of bare sockets: `answer` is called with each request's text as it comes. */
export async function socketServer(answer: (socket: Socket, text: string) => void): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => answer(socket, data.toString()));
  });
  return await listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

export async function listening(server: Server, dropConnections: () => void): Promise<TestServer> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      dropConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** A client that is closed at the end of the block that uses it. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client & AsyncDisposable {
  const client = createClient({ baseUrl, key: "sk-test-key-1234", connections: 4, ...options });
  return Object.assign(client, {
    [Symbol.asyncDispose]: async () => {
      client.abortAll();
      await client.close();
    },
  });
}

/** A request for a bot, with what a test wants different. */
export function botRequest(changes: Partial<AttemptRequest> = {}): AttemptRequest {
  const body = JSON.stringify({ input_prompt: "नमस्ते ሰላም 👩🏽‍🌾\n", messages: [] });
  const { endpoint = "video-bots" } = changes;
  const path = `${endpointOf(endpoint).call.path}?example_id=abc123`;
  return { endpoint, method: "POST", path, body, timeoutMs: 10_000, ...changes };
}

/** The text of a small whole record. */
export const smallRecord =
  '{"id":"abcdefabcdef","url":"https://bots.example.test/agent/?run_id=abcdefabcdef&uid=U","created_at":"2026-08-21T05:12:44+00:00","output":{"output_text":["hi"]}}';
