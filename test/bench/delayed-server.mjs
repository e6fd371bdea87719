import { createServer } from "node:http";

/**
 * Answers every request with the same record after a delay. Arguments: milliseconds, port (0: any), and the most requests that it
 * takes a second (0: all; it answers the others at once with 429 and `Retry-After: 1`). Prints its port, and `asked` at the first
 * request. A run that is submitted has ended when the delay is over since then. The bot named "judge" gives a verdict.
 */
const [delayMs, port, perSecond] = process.argv.slice(2).map(Number);
const output = { output_text: ["word ".repeat(140)], finish_reason: ["stop"] };
const marks = (id) => ({
  url: `https://bots.example.test/agent/?run_id=${id}`,
  created_at: "2026-11-20T19:30:12.123456+00:00",
});
const recordOf = (said) => JSON.stringify({ id: "abcdefabcdef", ...marks("abcdefabcdef"), output: said });
const record = recordOf(output);
const verdict = recordOf({ ...output, output_text: ['{"score": 1}'] });
const submitted = new Map();
let asked = false;
let second = 0;
let taken = 0;

const answer = (response, status, text) => {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(text);
};

/** Counts a request; false when it is one too many in this second. */
function isTaken() {
  const now = Math.floor(performance.now() / 1000);
  if (now !== second) taken = 0;
  second = now;
  return perSecond === 0 || ++taken <= perSecond;
}

function runOf(id) {
  const { url, created_at } = marks(id);
  return { run_id: id, web_url: url, created_at };
}

function submit(response) {
  const id = `run${submitted.size}`;
  submitted.set(id, performance.now());
  answer(response, 202, JSON.stringify({ ...runOf(id), status_url: `/v3/video-bots/status/?run_id=${id}` }));
}

function tellStatus(response, url) {
  const id = new URLSearchParams(url.split("?")[1]).get("run_id");
  const isGoing = performance.now() - submitted.get(id) < delayMs;
  const state = isGoing ? { status: "running", output: null } : { status: "completed", output };
  answer(response, 200, JSON.stringify({ ...runOf(id), run_time_sec: delayMs / 1000, detail: "", ...state }));
}

const server = createServer((request, response) => {
  if (!asked && request.method === "POST") process.stdout.write("asked\n");
  asked ||= request.method === "POST";
  request.resume();
  if (!isTaken()) {
    response.setHeader("retry-after", "1");
    answer(response, 429, JSON.stringify({ detail: { error: "too many requests" } }));
  } else if (request.url.startsWith("/v3/video-bots/async")) submit(response);
  else if (request.url.startsWith("/v3/video-bots/status/")) tellStatus(response, request.url);
  else setTimeout(() => answer(response, 200, request.url.includes("example_id=judge") ? verdict : record), delayMs);
});
server.keepAliveTimeout = 60_000;
server.listen({ port, host: "127.0.0.1", backlog: 4096 }, () => process.stdout.write(`${server.address().port}\n`));
