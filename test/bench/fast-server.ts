import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A run record of about 1 KB, the same for every request. */
const body = JSON.stringify({
  id: "abcdefabcdef",
  url: "https://bots.example.test/agent/?run_id=abcdefabcdef&uid=Zq81kD0mYwT4bLr9sVxPn2cEhU63",
  created_at: "2026-11-20T19:30:12.123456+00:00",
  output: { output_text: ["word ".repeat(140)], raw_output_text: null, references: null, finish_reason: ["stop"] },
});

export interface FastServer {
  url: string;
  stop: () => Promise<void>;
}

/** nginx that answers every POST at once with the same record, on any free port unless one is given. Throws where nginx is not installed. */
async function startFastServer(wanted?: number): Promise<FastServer> {
  const nginx = ["nginx", "/usr/sbin/nginx"].find((path) => spawnSync(path, ["-v"]).status === 0);
  if (nginx === undefined) throw new Error("the benchmark needs nginx: apt-get install nginx-light");
  const port = wanted ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), "tandem-nginx-"));
  const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1; user root;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 100000000; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; default_type application/json;
  server { listen 127.0.0.1:${port} backlog=4096; location / { return 200 '${body}'; } } }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const child = spawn(nginx, ["-c", join(folder, "nginx.conf"), "-p", folder], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    try {
      await fetch(url, { method: "POST", body: "{}" });
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Measures something against such a server. */
export async function withFastServer<Result>(
  work: (server: FastServer) => Promise<Result>,
  port?: number,
): Promise<Result> {
  const server = await startFastServer(port);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
