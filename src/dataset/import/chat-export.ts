import type { CaseMapping, StoredColumns } from "../../suite/suite.ts";
import { orderColumn } from "../table/column.ts";
import { expectedNames, findNamed, listed } from "../table/column-names.ts";

/** An export of chats read as cases: prompts of users in conversations, and the answers that were given then. */
export interface ChatExport {
  mapping: CaseMapping;
  /** null: it holds no answers. */
  stored: StoredColumns | null;
}

const messageNames = listed(`
  user message, user message (local), user message (en), user message (english), user input, user query, question
  (local), question (en)
`);
const answerNames = listed(`
  assistant message, assistant message (local), assistant message (en), assistant message (english), bot message, bot
  message (local), bot message (en), assistant reply, bot reply, assistant response, bot response, ai message, ai
  response, answer (local), answer (en)
`);
const conversationNames = listed(`
  conversation id, conversation, conversation url, chat id, thread id, session id, dialogue id
`);
const feedbackNames = ["feedback", "user feedback", "rating", "thumbs", "reaction", "feedback rating"];
const noteNames = [
  "feedback text",
  "feedback comment",
  "feedback (en)",
  "feedback (local)",
  "comment",
  "feedback note",
];
const timeNames = listed(`
  created at, timestamp, user message sent, question sent, sent, sent at, message sent, date time, datetime, created,
  time, date, started at, run time, message time
`);

/**
 * Reads a header such as `Conversation ID, User Message, Assistant Message, Feedback, Run URL, Sent`, null when it is
 * no export of chats: messages of users are prompts; a conversation is a cluster, its rows are turns in the order of
 * their times.
 */
export function chatExport(given: CaseMapping, header: readonly string[]): ChatExport | null {
  if (given.input !== null) return null;
  const message = findNamed(header, messageNames);
  const answer = findNamed(header, answerNames);
  const conversation = given.cluster ?? findNamed(header, conversationNames);
  if (message === null || (answer === null && conversation === null)) return null;
  const createdAt = findNamed(header, timeNames);
  const own = given.turn ?? (conversation === null ? null : (findNamed(header, ["turn"]) ?? orderColumn));
  const fields = header.filter((column) => /^(?:input_(?:audio|images|documents)|variables\..+)$/.test(column));
  const label = findNamed(header, feedbackNames);
  const mapping: CaseMapping = {
    ...given,
    input: { input_prompt: message, ...Object.fromEntries(fields.map((name) => [name, name])) },
    expected: given.expected ?? findNamed(header, expectedNames),
    cluster: conversation,
    turn: own,
    ...(own === orderColumn && createdAt !== null && { orderBy: given.orderBy ?? createdAt }),
  };
  if (answer === null) return { mapping, stored: null };
  const stored = {
    answer,
    runId: findNamed(header, ["run id"]),
    url: findNamed(header, ["run url", "run link", "run"]),
    createdAt,
    label,
    note: label === null ? null : findNamed(header, noteNames),
  };
  return { mapping, stored };
}
