import { html } from "hono/html";
import { type JsonObject, type JsonValue, isJsonObject } from "../../lib/json.ts";
import type { HttpAnswer } from "../answers/http-answer.ts";
import { type Markup, page } from "../answers/html-page.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import type { RunView } from "../record/recent-runs.ts";

/** The page at the `url` of a run: what was asked, what was answered, from which references, and what was logged. */
export async function runPage(view: RunView): Promise<HttpAnswer> {
  const { run, endpoint, exampleId, request, output, error, milliseconds } = view;
  return page(
    `Run ${run.id}`,
    html`<p><a href="/">Recent runs</a></p>
      <h1>Run ${run.id}</h1>
      <p class="muted">${endpoint} / ${exampleId}, ${run.createdAt}, ${milliseconds.toFixed(1)} ms</p>
      ${
        error === null
          ? ""
          : html`<h2>Error</h2>
              <div class="said error" dir="auto">${error}</div>`
      }
      ${request === null ? html`<p>This run was too large to keep here.</p>` : requestPart(request)}
      ${output === null ? "" : outputPart(output)}`,
  );
}

/** The page in place of a run that is not, or no longer, known. */
export async function missingRunPage(): Promise<HttpAnswer> {
  const content = html`<p><a href="/">Recent runs</a></p>
    <h1>No such run</h1>
    <p>Only the last runs are kept in memory. This one is older, was made elsewhere, or left nothing behind.</p>`;
  return page("No such run", content, 404);
}

/** The list of recent runs, newest first, at `/`. */
export async function recentRunsPage(name: string, views: RunView[]): Promise<HttpAnswer> {
  const rows = views.map(
    ({ run, uid, endpoint, exampleId, request, output, error }) =>
      html`<tr>
        <td>
          <a href="/${servedEndpoints[endpoint].slug}/?run_id=${run.id}&amp;uid=${uid}">${run.id}</a><br /><span
            class="muted"
            >${run.createdAt}</span
          >
        </td>
        <td>${endpoint}<br />${exampleId}</td>
        <td dir="auto">${short(asked(request))}</td>
        <td dir="auto">${short(error ?? answered(output))}</td>
      </tr>`,
  );
  const content = html`<h1>${name}: recent runs</h1>
    <p class="muted">A local stand-in deployment. <a href="/docs">How to call it</a>.</p>
    ${
      views.length === 0
        ? html`<p>No run yet.</p>`
        : html`<table>
            <thead>
              <tr>
                <th>Run</th>
                <th>Configuration</th>
                <th>Asked</th>
                <th>Answered</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }`;
  return page(name, content);
}

function requestPart(request: JsonObject): Markup {
  const prompt = request.input_prompt;
  return html`<h2>Request</h2>
    ${typeof prompt === "string" ? html`<div class="said" dir="auto">${prompt}</div>` : ""} ${jsonBlock(request)}`;
}

function outputPart(output: JsonObject): Markup {
  const texts = list(output.output_text);
  const audio = list(output.output_audio);
  return html`${texts.length === 0 ? "" : html`<h2>Answer</h2>`}
    ${texts.map((text) => html`<div class="said" dir="auto">${shown(text)}</div>`)}
    ${audio.map((url) => html`<audio controls preload="none" src="${shown(url)}"></audio>`)}
    ${referencesPart(list(output.references))} ${logsPart(list(output.logs))}
    <h2>Output</h2>
    ${jsonBlock(output)}`;
}

function referencesPart(references: JsonValue[]): Markup | string {
  if (references.length === 0) return "";
  const items = references.filter(isJsonObject).map(
    ({ title, url, snippet, score }) =>
      html`<li dir="auto">
        ${shown(title)} <span class="muted">${shown(url)} (${shown(score)})</span>
        <div class="said">${shown(snippet)}</div>
      </li>`,
  );
  return html`<h2>References</h2>
    <ol>
      ${items}
    </ol>`;
}

function logsPart(logs: JsonValue[]): Markup | string {
  if (logs.length === 0) return "";
  const rows = logs.filter(isJsonObject).map(
    ({ level, message }) =>
      html`<tr>
        <td>${shown(level)}</td>
        <td><code>${shown(message)}</code></td>
      </tr>`,
  );
  return html`<h2>Log</h2>
    <table>
      ${rows}
    </table>`;
}

function jsonBlock(value: JsonObject): Markup {
  return html`<pre dir="auto">${JSON.stringify(value, null, 2)}</pre>`;
}

function asked(request: JsonObject | null): string {
  if (request === null) return "";
  return typeof request.input_prompt === "string" ? request.input_prompt : JSON.stringify(request);
}

function answered(output: JsonObject | null): string {
  if (output === null) return "";
  if (Array.isArray(output.output_text)) return output.output_text.map(shown).join("\n");
  return "return_value" in output ? JSON.stringify(output.return_value) : "";
}

function short(text: string): string {
  const points = Array.from(text.slice(0, 400));
  return points.length > 160 ? `${points.slice(0, 160).join("")}...` : text;
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
