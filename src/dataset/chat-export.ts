import type { CaseMapping } from "../suite/suite.ts";
import { looseName, orderColumn } from "./column.ts";
import type { FullMapping } from "./default-mapping.ts";

/**
 * The mapping of an export of chats (`User Message`, `Assistant Message`, `Conversation ID`), null when the header is none:
 * messages of users become prompts; a conversation is a cluster, its rows are turns in their order. What was answered then
 * stays in the columns of the case.
 */
export function chatExport(mapping: CaseMapping, header: readonly string[]): FullMapping | null {
  const find = (name: string): string | null => header.find((column) => looseName(column) === name) ?? null;
  const message = find("user message");
  const answer = find("assistant message");
  const conversation = find("conversation id");
  if (message === null || (answer === null && conversation === null)) return null;
  const cluster = mapping.cluster ?? conversation;
  const turn = mapping.turn ?? (cluster === null ? null : orderColumn);
  const stored = [answer, find("feedback"), find("run url")].filter((column) => column !== null);
  const turns =
    mapping.turn === null && turn !== null
      ? ` To send each turn with the replies before it, map cluster: ${cluster} and turn: ${orderColumn} in the suite.`
      : "";
  const kept =
    stored.length === 0
      ? ""
      : ` ${stored.join(", ")}: kept with each case; stored answers as a baseline and feedback as labels are not in this version yet.`;
  return {
    ...mapping,
    input: { input_prompt: message },
    cluster,
    turn,
    notices: [`This is an export of chats: each ${message} is a prompt.${turns}${kept}`],
  };
}
