import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the service received it. */
export interface Received {
  path: string;
  body: string;
  prompt: string;
  /** Milliseconds since 1970. */
  at: number;
  /** 1 for the first request with this path and body. */
  time: number;
  authorization: string;
  /** Address of the machine that sent it. */
  from: string;
}

/** The reply of a service to a request; a text or an object alone is a 200. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Answer only then. */
  when?: Promise<void>;
  /** Cut the connection instead of answering; never answer. */
  act?: "reset" | "hang";
}

/** A small HTTP service that is not the embedded deployment: it answers as it is told and remembers what it received. */
export interface Service {
  url: string;
  received: Received[];
  /** Requests being answered now, and the most there ever were. */
  running: number;
  most: number;
  /** Closes the connections on which nothing is asked. */
  closeIdle(): void;
  close(): Promise<void>;
}

let runs = 0;

/** A run record that answers with this text. */
export function record(text: string): Reply {
  const id = (runs++).toString(36).padStart(12, "0");
  const output = { output_text: [text], raw_output_text: [text], finish_reason: ["stop"] };
  return {
    body: JSON.stringify({
      id,
      url: `https://bots.example.test/agent/?run_id=${id}&uid=u`,
      created_at: "2026-11-20T19:30:12+00:00",
      output,
    }),
  };
}

/** Starts a service on a free port; it ends with the test unless it is closed before. */
export async function startService(
  answer: (received: Received) => Reply,
  port = 0,
  host = "127.0.0.1",
): Promise<Service> {
  const times = new Map<string, number>();
  const service: Service = { url: "", received: [], running: 0, most: 0, closeIdle: () => {}, close: async () => {} };
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? "";
    const time = (times.get(path + body) ?? 0) + 1;
    times.set(path + body, time);
    // Only a POST has a body.
    const prompt = body === "" ? "" : ((JSON.parse(body) as { input_prompt?: string }).input_prompt ?? "");
    const { headers, socket } = request;
    const [authorization, from] = [headers.authorization ?? "", socket.remoteAddress ?? ""];
    const received = { path, body, prompt, at: Date.now(), time, authorization, from };
    service.received.push(received);
    service.running += 1;
    service.most = Math.max(service.most, service.running);
    response.once("close", () => (service.running -= 1));
    const reply = answer(received);
    if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    await reply.when;
    if (reply.act === "reset") request.socket.destroy();
    else if (reply.act === undefined) {
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? "");
    }
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  service.url = `http://${host}:${(server.address() as AddressInfo).port}`;
  service.closeIdle = () => server.closeIdleConnections();
  service.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(() => service.close());
  return service;
}
