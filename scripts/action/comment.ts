import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { printedJson } from "./printed.ts";

/**
 * Writes the comment of the action below a pull request, in place of the one that an earlier run of the suite left. A comment
 * that cannot be written is a warning: the verdict does not depend on it. It is started by the runner's Node as it stands.
 */
const env = (name: string): string => process.env[name] ?? "";
const api = env("GITHUB_API_URL");
const repository = env("GITHUB_REPOSITORY");
const suite = `${env("ACTION_FOLDER")}/${env("ACTION_SUITE")}`.replaceAll(/[^\w./-]+/g, "_").replaceAll("--", "-_");
/** The first line of the comment, by which the next run finds it. */
const mark = `<!-- tandem: ${suite} -->`;

try {
  const id = await earlierComment();
  const path = id === null ? `issues/${env("ACTION_PULL")}/comments` : `issues/comments/${id}`;
  await ask(id === null ? "POST" : "PATCH", path, { body: comment() });
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  const advice =
    "The job needs `permissions: pull-requests: write`; a pull request from a fork has only leave to read.";
  console.log(`::warning::The pull request has no comment: ${oneLine(why)} ${advice}`);
}

function comment(): string {
  const report = join(env("RUNNER_TEMP"), "tandem-report.md");
  const run = `${env("GITHUB_SERVER_URL")}/${repository}/actions/runs/${env("GITHUB_RUN_ID")}`;
  const words = existsSync(report) ? readFileSync(report, "utf8").trimEnd() : failure();
  return `${mark}\n${words}\n\n[Log, report and data of this run](${run})\n`;
}

/** A run that came to no report replaces the verdict of the one before all the same. */
function failure(): string {
  const { error } = printedJson();
  const said = error.replaceAll(/`{3,}/g, "``");
  const reported = said === "" ? "" : `\n\n\`\`\`text\n${said}\n\`\`\``;
  return `**tandem could not compare** (exit code ${env("ACTION_EXIT_CODE")}).${reported}`;
}

/** The comment of this suite that the action wrote before; null: none. */
async function earlierComment(): Promise<number | null> {
  const most = 100;
  for (let page = 1; ; page++) {
    const path = `issues/${env("ACTION_PULL")}/comments?per_page=${most}&page=${page}`;
    const list: unknown = await (await ask("GET", path)).json();
    if (!Array.isArray(list)) throw new Error(`GitHub answered GET ${path} with no list.`);
    for (const each of list) if (isOurs(each)) return each.id;
    if (list.length < most) return null;
  }
}

/** True for a comment that begins with the mark, of a program: anybody may write the mark. */
function isOurs(each: unknown): each is { id: number } {
  if (typeof each !== "object" || each === null || !("id" in each) || !("body" in each)) return false;
  const user = "user" in each ? each.user : null;
  const isBot = typeof user === "object" && user !== null && "type" in user && user.type === "Bot";
  return isBot && typeof each.body === "string" && each.body.startsWith(mark) && typeof each.id === "number";
}

async function ask(method: string, path: string, body?: { body: string }): Promise<Response> {
  const response = await fetch(`${api}/repos/${repository}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${env("GITHUB_TOKEN")}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`GitHub answered ${method} ${path} with ${response.status}.`);
  return response;
}

/** A text that ends no workflow command and begins none. */
function oneLine(words: string): string {
  return words.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
