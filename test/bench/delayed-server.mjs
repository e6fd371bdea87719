import { createServer } from "node:http";

/** Answers every request with the same record after a delay. Arguments: milliseconds, port (0: any). Prints its port, and `asked` at the first request. */
const [delayMs, port] = process.argv.slice(2).map(Number);
const record = JSON.stringify({
  id: "abcdefabcdef",
  url: "https://bots.example.test/agent/?run_id=abcdefabcdef",
  created_at: "2026-11-20T19:30:12.123456+00:00",
  output: { output_text: ["word ".repeat(140)], finish_reason: ["stop"] },
});
let asked = false;
const server = createServer((request, response) => {
  if (!asked && request.method === "POST") process.stdout.write("asked\n");
  asked ||= request.method === "POST";
  request.resume();
  setTimeout(() => {
    response.setHeader("content-type", "application/json");
    response.end(record);
  }, delayMs);
});
server.keepAliveTimeout = 60_000;
server.listen({ port, host: "127.0.0.1", backlog: 4096 }, () => process.stdout.write(`${server.address().port}\n`));
