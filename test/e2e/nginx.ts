import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** True where the machine has nginx. */
export const hasNginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].some(existsSync);

/** A real nginx before a service. */
export interface Nginx {
  url: string;
  /** Statuses of the requests that it answered, in their order. */
  statuses(): number[];
}

/** Starts one before this port. `answers`: what it says when nothing is there. */
export async function startNginx(upstream: number, { location = "" } = {}): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-nginx-"));
  const port = await freePort();
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    join(folder, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 1024; }
http {
  log_format status '$status'; access_log ${folder}/access.log status;
  ${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${upstream}; proxy_read_timeout 1s; ${location} }
    location @later { add_header Retry-After 1 always; return 503; }
    location @away { return 503; }
  }
}`,
  );
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: "ignore",
    env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin` },
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve(null)));
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  while (spawnSync("bash", ["-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`]).status !== 0) await setTimeout(20);
  return {
    url,
    statuses: () => readFileSync(join(folder, "access.log"), "utf8").trim().split("\n").filter(Boolean).map(Number),
  };
}

/** A port of this machine that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
