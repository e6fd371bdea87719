import { createInterface, type Interface } from "node:readline/promises";
import { isTemplate } from "../../../dataset/cases/template.ts";
import { placeholder } from "../../../lib/liquid-name.ts";
import { suggest } from "../../../lib/suggest.ts";
import type { Roles } from "../../../init/roles.ts";
import type { Sheet } from "../../../init/sheet.ts";
import { fit } from "../../../report/text/width.ts";
import { visible } from "../../../report/text/visible.ts";

/** Asks which column is what; Enter takes what was guessed, `-` is none. On standard error: standard output is the result. */
export async function askRoles(sheet: Sheet, guessed: Roles): Promise<Roles> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const columns = sheet.columns.map(({ name }) => name);
  try {
    process.stderr.write(`Columns: ${columns.map((name) => visible(name)).join(", ")}\n`);
    const question = (await ask(lines, "Which column is the question", columns, guessed.question)) ?? guessed.question;
    const answer = await ask(lines, "Which has the expected answer (- for none)", columns, guessed.answer);
    const key = await ask(lines, "Which identifies a row (- for none)", columns, guessed.key);
    return { ...guessed, question, answer, key, foundBy: { question: "person", answer: "person" } };
  } finally {
    lines.close();
  }
}

const longestCell = 40;

/** True where a person says that the first row of a sheet names its columns, and is no case. */
export async function askHeader(first: readonly string[]): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(`The first row: ${first.map((cell) => visible(fit(cell, longestCell))).join(" | ")}\n`);
    const typed = await lines.question("Is it a case, or does it name the columns (case, names) [case]? ");
    return /^\s*n/i.test(typed);
  } finally {
    lines.close();
  }
}

/** Asks which bot answers: its address, and what its kind needs beside it; null: none yet. */
export async function askBot(): Promise<{ url: string; model?: string; body?: string } | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(
      "Which bot answers? The address of a run (.../v2/video-bots?example_id=ID), of a chat (.../v1), or of any endpoint.\n",
    );
    const url = (await lines.question("Address (Enter: a bot on this machine)? ")).trim();
    if (url === "") return null;
    if (/\/v2\/(?:video-bots|functions)\/?(?:\?|$)/.test(url)) return { url };
    const model = (await lines.question("Model of the chat (Enter: it is no chat)? ")).trim();
    if (model !== "") return { url, model };
    const example = '{"question": "{{ input_prompt }}"}';
    const body = (await lines.question(`Body that is sent, as JSON, such as ${example} (Enter: guess)? `)).trim();
    return body === "" ? { url } : { url, body };
  } finally {
    lines.close();
  }
}

/** Asks for the prompt that a sheet's columns are variables of. */
export async function askPrompt(variables: readonly string[]): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const places = variables.map((name) => visible(placeholder(name))).join(", ");
  try {
    process.stderr.write(`The columns are variables of a prompt, which is not in the sheet: ${places}\n`);
    for (;;) {
      const typed = (await lines.question("What should be sent, with these in their places? ")).trim();
      if (isTemplate(typed)) return typed;
      process.stderr.write(`Write at least one of ${places}.\n`);
    }
  } finally {
    lines.close();
  }
}

async function ask(lines: Interface, text: string, columns: string[], guessed: string | null): Promise<string | null> {
  for (;;) {
    const typed = (await lines.question(`${text} [${visible(guessed ?? "-")}]? `)).trim();
    if (typed === "") return guessed;
    if (typed === "-") return null;
    const found = columns.find((name) => name === typed) ?? suggest(typed, columns);
    if (found !== null) return found;
    process.stderr.write(`There is no column "${visible(typed)}".\n`);
  }
}
