import type { JsonValue } from "../../lib/json.ts";
import { AppError } from "../../errors.ts";
import { type HttpAnswer, jsonAnswer } from "../answers/http-answer.ts";
import { readFaultRules } from "../faults/fault-rules.ts";
import type { Faults } from "../faults/faults.ts";
import type { RequestJournal } from "./request-journal.ts";

/** The answer to `GET /journal`: the totals, the counts per body, and the entries that are kept. */
export function journalAnswer(journal: RequestJournal): HttpAnswer {
  const { received, runs, inFlight, maxInFlight, uncounted } = journal;
  return jsonAnswer(200, {
    received,
    runs,
    inFlight,
    maxInFlight,
    uncounted,
    counts: journal.counts(),
    entries: journal.entries(),
  });
}

/** The answer to `GET /faults`: the rules in force. */
export function faultsAnswer(faults: Faults): HttpAnswer {
  const rules: JsonValue = JSON.parse(JSON.stringify(faults.list()));
  return jsonAnswer(200, rules);
}

/** The work of `PUT /faults`: the list in the body replaces all rules. */
export function putFaults(faults: Faults, text: string): HttpAnswer {
  try {
    faults.set(readFaultRules(JSON.parse(text)));
    return faultsAnswer(faults);
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError) return jsonAnswer(422, { detail: error.message });
    throw error;
  }
}
