import { caseFileIn } from "../../api/files/case-file.ts";
import { AppError } from "../../errors.ts";
import { valueAt } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { storedObject } from "../../lib/stored-json.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { unsentInputs } from "../../store/plan/unsent-inputs.ts";
import { asksAgain } from "../../suite/confirmation.ts";
import { fileFields } from "../../suite/sent-files.ts";
import type { Suite } from "../../suite/suite.ts";

/** Throws WORKERS_UNFIT for a batch that workers cannot send. */
export function checkFitting(db: Connection, { id, name, suite }: Batch): void {
  const fault = settingFault(suite) ?? suite.deployments.map(wayFault).find((each) => each !== null);
  if (fault !== null && fault !== undefined) throw unfit(name, fault);
  const fields = fileFields(suite.mapping);
  if (fields.length === 0) return;
  for (const { key, input } of unsentInputs(db, id)) {
    const values = storedObject(input, "an input");
    const file = fields
      .flatMap((field) => [valueAt(values, field.split("."))].flat())
      .find((value) => caseFileIn(value) !== null);
    if (file === undefined) continue;
    const path = showText(caseFileIn(file)?.file ?? "");
    throw unfit(name, {
      why: `The case ${showText(key)} sends the file ${path} of this machine, which workers do not have.`,
      advice: "Put its files where every worker reaches them, and write their URLs into the sheet.",
    });
  }
}

interface Fault {
  why: string;
  advice: string;
}

const unfit = (name: string, { why, advice }: Fault): AppError =>
  new AppError("WORKERS_UNFIT", why, {
    hint: `${advice} It is planned: \`tandem resume ${name}\` sends it from this machine.`,
  });

const notKept = (what: string, reason: string): Fault => ({
  why: `${what} cannot be kept over workers: ${reason}.`,
  advice: "Leave it out of the suite.",
});

/** Finds a setting that compares while it sends, or keeps two sides in step: nobody knows what other machines do. Null: there is none. */
function settingFault({ interleave, decision, deployments, targets }: Suite): Fault | null {
  if (interleave === "strict") return notKept("interleave: strict", "none of them knows how far the others are");
  if (decision.race !== undefined) return notKept("race", "it compares while it sends");
  if (decision.stopWhen !== undefined) return notKept("stop_when: decided", "it compares while it sends");
  if (asksAgain({ decision })) return notKept("confirm: rerun", "its cases are asked once more after the comparison");
  const own = deployments.find(
    ({ name, baseUrl }) => baseUrl.startsWith("local:") && targets.some(({ deployment }) => deployment === name),
  );
  if (own === undefined) return null;
  return {
    why: `${own.name} runs inside the process that sends, and is of no worker.`,
    advice: "Serve it with `tandem serve`, and give its address.",
  };
}

/** Files by which a deployment is reached are of one machine. */
function wayFault({ name, connection }: Suite["deployments"][number]): Fault | null {
  const { ca, cert, certKey } = connection ?? {};
  if (ca === undefined && cert === undefined && certKey === undefined) return null;
  return {
    why: `Workers cannot send to ${name}: its suite names files with certificates, and those are of this machine.`,
    advice: "A worker trusts the authorities that NODE_EXTRA_CA_CERTS names there.",
  };
}
