import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";

/** The part of GitHub that the action asks: comments of pull request 7. */
export async function startGithub(
  comments: { id: number; body: string; user: { type: string } }[],
  status = 200,
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://github.test");
      expect(request.headers.authorization).toBe("Bearer token-of-the-job");
      const text = Buffer.concat(chunks).toString();
      const body = text === "" ? "" : (JSON.parse(text) as { body: string }).body;
      const id = Number(/^\/repos\/owner\/bots\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
      const isList = pathname === "/repos/owner/bots/issues/7/comments";
      if (request.method === "POST" && isList)
        comments.push({ id: 1000 + comments.length, body, user: { type: "Bot" } });
      else if (request.method === "PATCH") Object.assign(comments.find((each) => each.id === id) ?? {}, { body });
      else if (!isList) response.statusCode = 404;
      if (status !== 200) response.statusCode = status;
      const page = Number(searchParams.get("page") ?? 1);
      response.end(JSON.stringify(request.method === "GET" ? comments.slice(100 * (page - 1), 100 * page) : {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
