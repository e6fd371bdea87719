import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A proxy on a free port of loopback that remembers what it was asked for. */
export interface TestProxy extends AsyncDisposable {
  /** `host:port`. */
  host: string;
  /** `CONNECT host:port`, or method and address of a forwarded request. */
  asked: string[];
  /** The `proxy-authorization` of each. */
  passwords: (string | undefined)[];
}

/** Forwards and tunnels; with a `refusal` it answers every request with that status. */
export async function startProxy(refusal: number | null = null): Promise<TestProxy> {
  const asked: string[] = [];
  const passwords: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    passwords.push(headers["proxy-authorization"]);
  };
  const server = createServer((incoming, outgoing) => {
    note(incoming);
    if (refusal !== null) {
      outgoing.writeHead(refusal).end("refused by the proxy");
      return;
    }
    const { "proxy-authorization": _password, ...headers } = incoming.headers;
    const onward = request(incoming.url ?? "", { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on("connect", (incoming: IncomingMessage, socket) => {
    note(incoming);
    socket.on("error", () => undefined);
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const [host = "", port = ""] = (incoming.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // It listens on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    asked,
    passwords,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
