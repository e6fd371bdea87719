import { chatMessages } from "../../api/prompt-messages.ts";
import type { JsonObject } from "../../lib/json.ts";
import { placeholder } from "../../lib/liquid-name.ts";
import { showText } from "../../lib/show.ts";
import { nameOfLabel } from "./label.ts";
import type { LeftOut } from "./left-out.ts";
import { placedIn } from "./place.ts";
import { type PromptfooPrompt, promptName, type UsablePrompt, usesHistory } from "./prompts.ts";
import type { Filler } from "./template.ts";
import type { PromptfooTest } from "./tests.ts";

/** The columns of a written conversation. */
export const conversationColumns = {
  conversation: "__conversation",
  question: "__prompt",
  opening: "__prompt_before",
} as const;

/** The tag by which promptfoo tells conversations apart. */
const idTag = "conversationId";

/** A prompt as a turn of a conversation has it: the messages before what was said, and the question after it. */
interface Turn {
  opening: { role: string; content: string }[];
  question: string;
}

/**
 * The tests as turns of conversations, with the prompt that they are sent with. As in promptfoo, tests with one
 * `conversationId` are a conversation, and those without are another. Null where no prompt has what was said before as
 * messages.
 */
export function conversationsOf(
  prompts: readonly PromptfooPrompt[],
  tests: readonly PromptfooTest[],
  { filler, left }: { filler: Filler; left: LeftOut },
): { prompt: UsablePrompt; tests: PromptfooTest[] } | null {
  const source = prompts.find((prompt) => hasHistoryAsMessages(prompt, tests, filler));
  noteOtherPrompts(prompts, { source, tests, filler, left });
  if (source === undefined) {
    for (const { tags, place } of tests) {
      if (Object.hasOwn(tags, idTag))
        left.note("`conversationId`", "no prompt is sent that has `_conversation`, so each test is asked alone", place);
    }
    return null;
  }
  const cells = new Map<PromptfooTest, JsonObject>();
  for (const [id, own] of groupedTests(tests)) {
    const turns = own.map(({ vars }) => turnOf(source, vars, filler));
    const fault = turns.includes(null)
      ? "with the variables of one of its turns the prompt is no list of messages that ends with the user's"
      : new Set(turns.map((turn) => JSON.stringify(turn?.opening))).size > 1
        ? "its turns begin with different messages, and a conversation has one beginning"
        : null;
    if (fault !== null) {
      left.note(`the conversation ${showText(id)}`, `it is left out: ${fault}`, own[0]?.place);
      continue;
    }
    for (const [i, test] of own.entries()) {
      if (test.repeat !== null)
        left.note("`options.repeat` of a test", "a turn is said once; write `repeats` into the suite", test.place);
      cells.set(test, {
        [conversationColumns.conversation]: id,
        [conversationColumns.question]: turns[i]?.question ?? "",
        [conversationColumns.opening]: i === 0 ? (turns[i]?.opening ?? null) : null,
      });
    }
  }
  const column = conversationColumns.question;
  return {
    prompt: { name: promptName(source, []), text: placeholder(column), isChat: true, column, source },
    tests: tests.flatMap((test) => {
      const own = cells.get(test);
      return own === undefined ? [] : [{ ...test, repeat: null, cells: own }];
    }),
  };
}

/** The tests of each conversation, by its name. */
function groupedTests(tests: readonly PromptfooTest[]): [string, PromptfooTest[]][] {
  const taken = tests.flatMap(({ tags }) => (tags[idTag] === undefined ? [] : [{ name: tags[idTag] }]));
  const groups = Map.groupBy(tests, (test) => (test.skipsHistory ? test : (test.tags[idTag] ?? null)));
  return Array.from(groups, ([id, own]) => {
    if (typeof id === "string") return [id, own];
    const name = nameOfLabel("conversation", taken);
    taken.push({ name });
    return [name, own];
  });
}

/** Notes the prompts that are not sent, and why. */
function noteOtherPrompts(
  prompts: readonly PromptfooPrompt[],
  given: { source: PromptfooPrompt | undefined; tests: readonly PromptfooTest[]; filler: Filler; left: LeftOut },
): void {
  const { source, tests, filler, left } = given;
  for (const prompt of prompts) {
    if (prompt === source || (source === undefined && !usesHistory(prompt.text))) continue;
    const way = !usesHistory(prompt.text)
      ? "it has no `_conversation`, and each turn of this suite is sent with what was said before; give it alone with --prompt-file"
      : hasHistoryAsMessages(prompt, tests, filler)
        ? "a suite has one prompt for its conversations; give this one alone with --prompt-file"
        : "what was said before is sent as messages; write the prompt as a list of messages, where a loop over `_conversation` gives {role: user, content: input} and {role: assistant, content: output} before the question";
    left.note(`the prompt ${showText(prompt.label ?? prompt.text)}`, way, prompt.place);
  }
}

/** Two turns that were said before, whose texts are found again in a prompt. */
const saidBefore = [1, 2].map((turn) => ({ input: `said-by-user-${turn}`, output: `said-by-bot-${turn}` }));

/** True for a prompt that has earlier turns as messages between its beginning and the question, for at least one test. */
function hasHistoryAsMessages({ text }: PromptfooPrompt, tests: readonly PromptfooTest[], filler: Filler): boolean {
  if (!usesHistory(text)) return false;
  const expected = saidBefore.flatMap(({ input, output }) => [
    { role: "user", content: input },
    { role: "assistant", content: output },
  ]);
  return tests.some(({ vars }) => {
    const first = messagesOf(filler.text(text, { ...vars, _conversation: [] }));
    const later = messagesOf(filler.text(text, { ...vars, _conversation: saidBefore }));
    return (
      first?.at(-1)?.role === "user" &&
      JSON.stringify(later) === JSON.stringify([...first.slice(0, -1), ...expected, ...first.slice(-1)])
    );
  });
}

/** A turn with these variables; null where its prompt is no list of messages that ends with the user's. */
function turnOf({ text }: PromptfooPrompt, vars: PromptfooTest["vars"], filler: Filler): Turn | null {
  const messages = messagesOf(filler.text(text, { ...vars, _conversation: [] }));
  const last = messages?.at(-1);
  if (messages === null || last?.role !== "user") return null;
  return { opening: messages.slice(0, -1), question: last.content };
}

/** The messages of a filled prompt, which is JSON or YAML; null where it has none. */
function messagesOf(filled: string | null): Turn["opening"] | null {
  if (filled === null) return null;
  return chatMessages(/^\s*-\s/.test(filled) ? yamlAsJson(filled) : filled);
}

function yamlAsJson(text: string): string {
  try {
    return JSON.stringify(placedIn(text, "prompt").value);
  } catch {
    return "";
  }
}
