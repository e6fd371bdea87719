import { createServer } from "node:http";
import { AppError } from "../../errors.ts";
import { isLoopbackAddress } from "../../suite/key.ts";

export interface MetricsServer {
  url: string;
  close: () => void;
}

/** Answers `GET /metrics` at HOST:PORT; without a host on this machine alone. Throws USAGE for an address that it cannot have. */
export async function serveMetrics(
  address: string,
  text: () => string,
  tell: (line: string) => void,
): Promise<MetricsServer> {
  const { host, port } = parsed(address);
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?")[0] !== "/metrics") {
      response.writeHead(404).end("GET /metrics\n");
      return;
    }
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(unusable(address, cause.message)));
    server.listen(port, host, resolve);
  });
  server.unref();
  if (!isLoopbackAddress(host))
    tell(`Metrics are readable by whoever reaches ${address}: counts and names of deployments.`);
  const bound = server.address();
  const shownPort = typeof bound === "object" && bound !== null ? bound.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${shownPort}/metrics`,
    close: () => void server.close(),
  };
}

function parsed(address: string): { host: string; port: number } {
  const [, host = "", digits = ""] = /^(?:(.*):)?(\d{1,5})$/.exec(address) ?? [];
  if (digits === "" || Number(digits) > 65_535) throw unusable(address, "it is not HOST:PORT");
  return { host: host === "" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1"), port: Number(digits) };
}

const unusable = (address: string, reason: string): AppError =>
  new AppError("USAGE", `--metrics ${address} cannot be used: ${reason}.`, {
    hint: "For example --metrics 127.0.0.1:9464.",
  });
