import { toggle, word } from "../flag.ts";
import type { ReceiverName } from "../../app/scores/receivers.ts";
import { batchPositional, defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import type { JsonOutputs } from "../json-outputs.ts";

export const sendScoresCommand = defineCommand({
  command: "send-scores [batch]",
  describe: "Hand the scores of a batch to Langfuse, LangSmith or Braintrust",
  positionals: batchPositional,
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    to: word("what", "The program that gets them", {
      choices: ["langfuse", "langsmith", "braintrust"] as const satisfies readonly ReceiverName[],
      demandOption: true,
    }),
    send: toggle("what", "Send them; without it, the requests are printed, a line each, and nothing is sent"),
    reasons: toggle("what", "With the reasons of grades, which may quote answers"),
    "run-ids": toggle(
      "what",
      "Langfuse: the ids of runs are those of your bot's own traces (default: the traces of `tandem spans`)",
    ),
  },
  examples: [
    ["$0 send-scores --to langfuse", "What would be sent of the latest batch"],
    ["$0 send-scores --to langfuse --send", "Send it; a second time changes nothing"],
  ],
  async run({ to, send, reasons, "run-ids": runIds, batch, results: out, json }, terminal) {
    const { AppError, exitCodes } = await import("../../errors.ts");
    if (runIds && to !== "langfuse")
      throw new AppError(
        "USAGE",
        "--run-ids is for --to langfuse: LangSmith always takes the ids of runs, Braintrust none.",
      );
    const { receivers } = await import("../../app/scores/receivers.ts");
    const { loadDotEnv } = await import("../dot-env.ts");
    loadDotEnv(receivers[to].variables);
    const { sendScores } = await import("../../app/scores/send-scores.ts");
    const { tellScores } = await import("../progress/scores.ts");
    const show = json ? () => {} : (request: object) => terminal.print(JSON.stringify(request));
    const reported = await sendScores({
      out,
      batch,
      to,
      reasons,
      runIds,
      env: process.env,
      show: send ? null : show,
    });
    if (json)
      terminal.print(JSON.stringify({ version: 1, isSent: send, ...reported } satisfies JsonOutputs["send-scores"]));
    else tellScores(reported, send, terminal);
    return reported.refused === 0 ? exitCodes.ok.code : exitCodes.couldNotRun.code;
  },
});
