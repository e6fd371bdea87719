import { join } from "node:path";
import { addressOf } from "../../api/endpoint-call.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { BodyWithFiles } from "../../api/files/case-file.ts";
import { AppError } from "../../errors.ts";
import { keyVariable, plannedHeaders, requestOfJob } from "../../app/plan/planned-request.ts";
import { type Batch, batchTargets, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { placeOfJob } from "../../store/compared/one-case.ts";

/** The request of a job as a command line; in place of the key stands the variable that holds it. */
export function curlOf(db: Connection, jobId: number): string {
  const place = placeOfJob(db, jobId);
  const batch = listBatches(db).find(({ id }) => id === place?.batchId);
  const target = place === null ? undefined : batchTargets(db, place.batchId).find(({ id }) => id === place.targetId);
  const deployment = batch?.suite.deployments.find(({ name }) => name === target?.deployment);
  if (place === null || batch === undefined || target === undefined || deployment === undefined) {
    throw new AppError("USAGE", "This answer was not asked for by tandem: there is no request to show.");
  }
  const request = requestOfJob(db, { jobId, batchId: place.batchId, key: place.key, target, suite: batch.suite });
  const { method, path, body, contentType } = request;
  const embedded = target.baseUrl.startsWith("local:") ? target.baseUrl.slice("local:".length) : null;
  const base = embedded === null ? target.baseUrl : "http://127.0.0.1:8787";
  const headers = {
    ...plannedHeaders(target.endpoint, keyVariable(deployment, process.env)),
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  const holdsFiles = body !== null && typeof body !== "string";
  const lines = [
    ...(embedded === null ? [] : [`# answered by: tandem serve ${quoted(embedded)}`]),
    `${holdsFiles ? `${piped(body)} | ` : ""}curl ${method === "POST" ? "" : `-X ${method} `}${quoted(addressOf(endpointOf(target.endpoint).call, base, path))}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${headerWord(`${name}: ${value}`)}`),
    ...wayTo(deployment),
    ...(holdsFiles ? ["  --data-binary @-"] : body === null ? [] : [`  --data-raw ${quoted(body)}`]),
  ];
  return lines.join(" \\\n").replace(/^(#.*) \\\n/, "$1\n");
}

/** Commands that write a body with files, piece by piece. */
function piped({ pieces, roots }: BodyWithFiles): string {
  const commands = pieces.flatMap((piece) => {
    if (typeof piece === "string") {
      // Line ends of a form would be lost where the command is copied.
      const text = piece.replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\n", "\\n");
      return text === "" ? [] : [`printf %b ${quoted(text)}`];
    }
    const path = quoted(join(roots[piece.file.root] ?? "", piece.file.file));
    return piece.as === "bytes" ? [`cat ${path}`] : [`base64 < ${path} | tr -d '\\n'`];
  });
  return `{ ${commands.join("; ")}; }`;
}

/** Options of curl for how a deployment is reached; its shell replaces the variables. */
function wayTo({ connection = {} }: Batch["suite"]["deployments"][number]): string[] {
  const { headers = {}, proxy, ca, cert, certKey } = connection;
  return [
    ...Object.entries(headers).map(([name, value]) => `  -H ${withVariables(`${name}: ${value}`)}`),
    ...(proxy === undefined || proxy === "env"
      ? []
      : [proxy === "none" ? `  --noproxy '*'` : `  -x ${withVariables(proxy)}`]),
    ...(ca === undefined ? [] : [`  --cacert ${quoted(ca)}`]),
    ...(cert === undefined || certKey === undefined ? [] : [`  --cert ${quoted(cert)}`, `  --key ${quoted(certKey)}`]),
  ];
}

/** Quotes a text in which a shell is to replace `${NAME}` and `${NAME:-default}`, and nothing else. */
function withVariables(text: string): string {
  const parts = text.split(/(\$\{[A-Za-z_]\w*(?::-[^}]*)?\})/);
  return parts
    .map((part, i) =>
      i % 2 === 1 ? `"${part.replaceAll(/["`$\\](?!\{)/g, "\\$&")}"` : part === "" ? "" : quoted(part),
    )
    .join("");
}

/** A header as a word of a shell, which fills in the variable of the key. */
function headerWord(header: string): string {
  const key = /^authorization: \w+ \$[A-Za-z_]\w*$/.test(header);
  return key ? `"${header}"` : withVariables(header);
}

/** Quotes a text so that a shell takes it for one word, with any characters in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
