import { isTemplate } from "../../lib/liquid-name.ts";
import type { LeftOut } from "./left-out.ts";
import { type PromptfooPrompt, usesHistory } from "./prompts.ts";
import type { Filler } from "./template.ts";
import { isSecretText } from "../../api/http/secret.ts";
import type { PromptfooTest } from "./tests.ts";

/**
 * The tests as they are sent, with variables in variables filled as promptfoo does it. Tests that lack a part of their prompt are left out: one
 * whose file is not there, and one that needs the answer of another test. Each is noted.
 */
export function sendableTests(
  tests: readonly PromptfooTest[],
  { prompts, filler, left }: { prompts: readonly PromptfooPrompt[]; filler: Filler; left: LeftOut },
): PromptfooTest[] {
  const stored = new Set(tests.flatMap(({ stores }) => stores ?? []));
  const ofPrompts = new Set(prompts.flatMap(({ text }) => filler.names(text) ?? []));
  return tests.flatMap((test) => {
    const texts = Object.values(test.vars).filter((value) => typeof value === "string");
    const used = new Set([
      ...ofPrompts,
      ...texts.flatMap((text) => (isTemplate(text) ? (filler.names(text) ?? []) : [])),
    ]);
    const needed = [...stored].filter((name) => used.has(name) && !Object.hasOwn(test.vars, name));
    if (test.unread.length > 0)
      left.note("a test", `it is left out: its variable ${test.unread.join(", ")} could not be read`, test.place);
    else if (texts.some(usesHistory))
      left.note("a test", "it is left out: its variables hold earlier answers (`_conversation`)", test.place);
    else if (isBlank(test, prompts, filler)) {
      const names = [...ofPrompts].join(", ");
      left.note(
        "a test",
        `it is left out: it has none of what the prompts ask for${names === "" ? "" : `, ${names}`}`,
        test.place || null,
      );
    } else if (needed.length > 0) {
      const way = `it is left out: it needs the answer of another test, ${needed.join(", ")}; write a conversation (\`case: { turns }\`)`;
      left.note("a test", way, test.place);
    } else return [noted(filled(test, filler), left)];
    return [];
  });
}

/** True for a test without any variable of prompts that have some, and for one that makes every prompt blank. */
function isBlank(test: PromptfooTest, prompts: readonly PromptfooPrompt[], filler: Filler): boolean {
  const isEmpty = Object.keys(test.vars).length === 0;
  return prompts.every(({ text }) => {
    if (isEmpty && (filler.names(text) ?? []).some((name) => name !== "env" && name !== "_conversation")) return true;
    return (filler.text(test.prefix + text + test.suffix, test.vars) ?? "-").trim() === "";
  });
}

/** A key in a variable may be part of the test, or there by mistake: a person has to look. */
function noted(test: PromptfooTest, left: LeftOut): PromptfooTest {
  for (const [name, value] of Object.entries(test.vars)) {
    if (typeof value === "string" && isSecretText(value)) left.note(`the variable ${name}`, secretAdvice, test.place);
  }
  return test;
}

export const secretAdvice =
  "it looks like a key or a password, and is written into the tests and sent; if it is a real one, take it out, and make a new one";

/** Variables that name others, with these in their places. A name that is no variable is nothing. */
function filled(test: PromptfooTest, filler: Filler): PromptfooTest {
  const vars = { ...test.vars };
  for (let round = 0; round < 5; round++) {
    let isDone = true;
    for (const [name, value] of Object.entries(vars)) {
      const [place, other = ""] = typeof value === "string" ? (/\{\{\s*(\w+)\s*\}\}/.exec(value) ?? []) : [];
      const found = other !== name && Object.hasOwn(vars, other) ? vars[other] : undefined;
      if (place === undefined || found === undefined || typeof value !== "string") continue;
      vars[name] = value.replace(place, () => (typeof found === "string" ? found : JSON.stringify(found)));
      isDone = false;
    }
    if (isDone) break;
  }
  for (const [name, value] of Object.entries(vars)) {
    if (typeof value === "string" && isTemplate(value)) vars[name] = filler.text(value, vars) ?? value;
  }
  return { ...test, vars };
}
