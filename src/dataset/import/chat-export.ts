import { scriptColumns } from "../../lib/script-columns.ts";
import type { CaseMapping, StoredColumns } from "../../suite/suite.ts";
import { messagesIn, speakerOf } from "../table/chat-messages.ts";
import { expectedMember, parentsIn } from "../table/members.ts";
import { orderColumn } from "../table/column.ts";
import { parseJsonText } from "../table/json-text.ts";
import { expectedNames, findNamed, listed, questionNames } from "../table/column-names.ts";

/** An export of chats read as cases: prompts of users in conversations, and the answers that were given then. */
export interface ChatExport {
  mapping: CaseMapping;
  /** A turn, a message, or a whole conversation in each row. */
  row: "turn" | "message" | "conversation";
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

const roleNames = listed(`
  role, message role, sender, sender type, author, author role, speaker, from, sent by, written by, participant
`);
const textNames = listed(`
  content, message content, message, message text, text, body, utterance, value
`);
const talkNames = listed(`
  messages, conversations, conversation, chat, dialogue, dialog, input, prompt, inputs.messages, input.messages
`);

/**
 * Reads a dataset by its header and first row, null when it is no export of chats. Messages of users are prompts, a
 * conversation is a cluster, its rows are turns in the order of their times. A row is a turn (`Conversation ID, User
 * Message, Assistant Message`), a message (`role, content`), or a conversation (`messages`: a JSON list).
 */
export function chatExport(given: CaseMapping, header: readonly string[], first: readonly string[]): ChatExport | null {
  if (given.input !== null) return null;
  return conversationRows(given, header, first) ?? messageRows(given, header, first) ?? turnRows(given, header);
}

/** A column of JSON messages and nothing else that could be asked. */
function conversationRows(given: CaseMapping, header: readonly string[], first: readonly string[]): ChatExport | null {
  const column = findNamed(header, talkNames);
  const cell = column === null ? "" : (first[header.indexOf(column)] ?? "");
  if (column === null || !/^\s*\[\s*\{/.test(cell)) return null;
  const parsed = parseJsonText(cell);
  if (!parsed.ok || !Array.isArray(messagesIn(parsed.value))) return null;
  const objects = parentsIn(header);
  const others = header.filter((name) => name !== column && !objects.has(name));
  if (findNamed(others, ["input_prompt", ...questionNames]) !== null) return null;
  const key = given.key ?? findNamed(header, ["id"]);
  const { prompt, turn, conversation } = scriptColumns;
  const mapping: CaseMapping = {
    ...given,
    key,
    turns: column,
    input: { input_prompt: prompt },
    expected:
      given.expected ?? expectedMember({ header: others, names: expectedNames }) ?? findNamed(others, expectedNames),
    cluster: key ?? conversation,
    turn,
  };
  return { mapping, row: "conversation", stored: null };
}

/** A column of roles beside one of texts. */
function messageRows(given: CaseMapping, header: readonly string[], first: readonly string[]): ChatExport | null {
  const role = findNamed(header, roleNames);
  const text = findNamed(
    header.filter((name) => name !== role),
    textNames,
  );
  if (role === null || text === null || speakerOf(first[header.indexOf(role)] ?? "") === null) return null;
  const { prompt, turn, conversation, answer, opening } = scriptColumns;
  const createdAt = findNamed(header, timeNames);
  const label = findNamed(header, feedbackNames);
  const cluster = given.cluster ?? findNamed(header, [...conversationNames, "chat", "thread", "session", "talk"]);
  const mapping: CaseMapping = {
    ...given,
    messages: { role, text },
    input: { input_prompt: prompt },
    expected: given.expected ?? findNamed(header, expectedNames),
    cluster: cluster ?? conversation,
    turn,
    opening: given.opening ?? opening,
    ...(cluster !== null && createdAt !== null && { orderBy: given.orderBy ?? createdAt }),
  };
  return { mapping, row: "message", stored: { ...storedBeside(header), answer, createdAt, label } };
}

function turnRows(given: CaseMapping, header: readonly string[]): ChatExport | null {
  const message = findNamed(header, messageNames);
  const answer = findNamed(header, answerNames);
  const conversation = given.cluster ?? findNamed(header, conversationNames);
  if (message === null || (answer === null && conversation === null)) return null;
  const createdAt = findNamed(header, timeNames);
  // A sheet of questions and answers has columns of these names too, and nothing that says when they were given.
  const isTold = conversation ?? createdAt ?? findNamed(header, [...feedbackNames, "run url", "run id"]);
  if (/^question/i.test(message) && isTold === null) return null;
  const own = given.turn ?? (conversation === null ? null : (findNamed(header, ["turn"]) ?? orderColumn));
  const fields = header.filter((column) => /^(?:input_(?:audio|images|documents)|variables\..+)$/.test(column));
  const mapping: CaseMapping = {
    ...given,
    input: { input_prompt: message, ...Object.fromEntries(fields.map((name) => [name, name])) },
    expected: given.expected ?? findNamed(header, expectedNames),
    cluster: conversation,
    turn: own,
    ...(own === orderColumn && createdAt !== null && { orderBy: given.orderBy ?? createdAt }),
  };
  if (answer === null) return { mapping, row: "turn", stored: null };
  const label = findNamed(header, feedbackNames);
  return { mapping, row: "turn", stored: { ...storedBeside(header), answer, createdAt, label } };
}

/** The columns about a run and its label that stand beside its answer. */
function storedBeside(header: readonly string[]): Pick<StoredColumns, "runId" | "url" | "note"> {
  const label = findNamed(header, feedbackNames);
  return {
    runId: findNamed(header, ["run id"]),
    url: findNamed(header, ["run url", "run link", "run"]),
    note: label === null ? null : findNamed(header, noteNames),
  };
}
