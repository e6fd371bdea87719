import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AppError, exitCodes } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { notifyFlags } from "../flags/notify-flags.ts";
import { outputFlags } from "../flags/output-flags.ts";
import { sendFlags } from "../flags/run-flags.ts";

export const demoCommand = defineCommand({
  command: "demo",
  describe: "Run the shipped help-desk suite on two embedded deployments: no key, no network",
  positionals: {},
  flags: { ...sendFlags, ...outputFlags, ...notifyFlags },
  examples: [["$0 demo", "See what a comparison looks like"]],
  async run(flags, terminal) {
    const { runToConclusion } = await import("../progress/with-run.ts");
    const { runSuite } = await import("../../app/run.ts");
    const { loadSuite } = await import("../../suite/load.ts");
    const { sheetsHere } = await import("../sheets-here.ts");
    const { openDelivery } = await import("../progress/delivery.ts");
    // The demo never leaves this machine, whatever the environment says.
    const { suite, trust } = await loadSuite(shippedSuite(), {});
    const delivery = await openDelivery(flags, terminal);
    const result = await runToConclusion({ flags, terminal, suite, trust, delivery }, ({ run }) =>
      runSuite(run, {
        sheets: sheetsHere(),
        onNotice: run.onNotice,
      }),
    );
    // The drop that is planted in the demo is found: that is no failure of the demo.
    if (result.exit !== exitCodes.regression.code) return result;
    if (!flags.json) terminal.note("A `tandem run` with a regression ends with exit code 1.");
    return { exit: exitCodes.ok.code };
  },
});

/** The suite that comes with tandem: beside the sources, or beside the built command. */
function shippedSuite(): string {
  const places = ["../datasets/help-desk/suite.yaml", "../../../datasets/help-desk/suite.yaml"];
  for (const place of places) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(path)) return path;
  }
  throw new AppError("SUITE_NOT_FOUND", "The suite of the demo is not where tandem was installed.", {
    hint: "Install tandem again: its folder `datasets` is missing.",
  });
}
