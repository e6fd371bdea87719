import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { AnswerKind } from "./answer-kind.ts";
import type { AsyncForm } from "./async-form.ts";
import type { EndpointCall } from "./endpoint-call.ts";
import type { FileMarks } from "./files/file-marks.ts";
import type { FieldKind } from "./request-fields.ts";
import type { Usage } from "./usage.ts";

/**
 * Everything in which one endpoint differs from another. An output is the `output` of a run record.
 * A case speaks one language to all of them: `input_prompt`, `messages`, `variables` and the other fields of its input.
 */
export interface Endpoint {
  /** The name of what runs there, as a target gives it; null where the address says it all. */
  runs: RunsWhat | null;
  /** Name of what is done there, by the conventions of OpenTelemetry for generative AI. */
  operation: "chat" | "invoke_agent" | "execute_tool" | "embeddings";
  /** One request, and the reply to it. */
  call: EndpointCall;
  /** The same in two steps; null: there is no such form. */
  asyncForm: AsyncForm | null;

  /** The request fields that a column of the same name fills, with what its cells hold. */
  fields: ReadonlyMap<string, FieldKind>;
  /** The fields without which its requests have a gap, each in any case or among the target's own members. */
  needs: readonly string[];
  /** True for a field that the endpoint does not know and that is left out of its requests; `isFile`: it holds files. */
  leavesOut: (field: string, isFile: boolean) => boolean;
  /**
   * The reason why a file of this type cannot stand in a field of a case, after the name of its column; null: it can. A null
   * type stands for an address.
   */
  fileFault: (field: string, type: string | null) => string | null;
  /** The fields that ask something; null where any case will do. */
  prompt: PromptFields | null;
  /** The field that a prompt file becomes: what is asked, or else the instructions; null: there is no place for one. */
  promptField: (kind: "question" | "instructions") => string | null;
  /** True for a field of a target's body in which the service fills {{ }} itself, from its variables. */
  fillsItself: (field: string) => boolean;
  /** Where no column is named like a field, all are sent as variables. */
  takesColumnsAsVariables: boolean;

  kindOf: (output: JsonObject) => AnswerKind;
  /** The tokens that a reply says it took; null: it says nothing of them. */
  usageOf: (output: JsonObject) => Usage | null;
  /** True where replies say what they took. */
  tellsUsage: boolean;
  /** True where the same question has the same answer every time, so that one run of it tells all. */
  repeatsItself: boolean;
  /** The text of an output; null when it says nothing. */
  textOf: (output: JsonObject) => string | null;
  /** Says whether an answer is a text, which may hold JSON, any JSON value, or a vector that stands for a text. */
  answersWith: "text" | "value" | "vector";
  /** True where no place of the answer in a reply is described: the whole of it is the answer. */
  readsWhole: boolean;
  /** The answer as the value that it is; undefined when the output says nothing. */
  valueOf: (output: JsonObject) => JsonValue | undefined;
  /** The way in which its requests name the conversation that a service keeps; null: a suite describes none. */
  session: NamedSession | null;
  /** Null where its requests hold what was said before in a conversation, as `messages`; else why they do not. */
  lacksHistory: LackOfHistory | null;
  /**
   * A turn of a conversation, as it stands in the history of the next: the prompt, as a text or as the parts of a message,
   * and the reply as it was seen.
   */
  historyEntry: (input: JsonObject, output: JsonObject, files: FileMarks) => { user: JsonValue; assistant: string };
  /** The fields whose files stand in the history too. */
  historyFiles: readonly string[];

  /** The output that a cell with an answer given elsewhere stands for. */
  outputOfCell: (text: string) => JsonObject;
  /** The least output that says exactly this text; null: nothing. */
  outputSaying: (text: string | null) => JsonObject;

  /** An expected answer in the spelling of `textOf`. */
  expectedText: (expected: string) => string;
  /** An answer without what makes no difference to its reader. */
  comparableText: (answer: string) => string;
  /** True for a member of the output that tells of the configuration that answered; null: none does but by its name. */
  echoes: ((member: string) => boolean) | null;
  /** True for a path in outputs whose value differs on every run, or is compared by other means: only whether it is there is compared. */
  isVolatile: (path: string) => boolean;
  /**
   * True for a member path that is part of the answer beside its text, where it is known which part of a reply is the answer:
   * a difference in any other member is no change. Null: every member counts.
   */
  isOfAnswer: ((path: string) => boolean) | null;
}

/** The key of a target that names what runs, and that thing in a word. */
interface RunsWhat {
  key: "example_id" | "model";
  word: string;
}

/** The ways in which requests tell a service which conversation they are of. */
interface NamedSession {
  /** The conversation that an output names, which the next turn is sent with; null: no place is described. */
  of: ((output: JsonObject) => JsonValue | null) | null;
  /** That place; null: none. */
  path: string | null;
  /** Requests hold what was found there. */
  isSent: boolean;
  /** Fields of a case that stand in its requests, but for those that ask. */
  uses: readonly string[];
}

/** The reason why requests hold nothing of what was said before. */
interface LackOfHistory {
  /** The key of its description about which it is; null: none. */
  key: string | null;
  /** Words after the name of that key, or of the endpoint. */
  message: string;
  /** The advice, as the beginning of a sentence. */
  advice: string;
}

/** The fields of which at least one must hold something. */
interface PromptFields {
  fields: readonly string[];
  /** The description of a case that holds nothing in any of them. */
  missing: string;
}
