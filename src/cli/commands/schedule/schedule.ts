import { string, toggle } from "../../flag.ts";
import { defineCommand } from "../../command.ts";
import { notifyFlags } from "../../flags/notify-flags.ts";
import { againstFlag, failOnFlag, sendFlags } from "../../flags/run-flags.ts";
import { workersFlags } from "../../flags/workers-flags.ts";
import { nightCommand } from "../night/night.ts";

export const scheduleCommand = defineCommand({
  command: "schedule [action] [name] [path]",
  describe: "Run a suite on a schedule (cron), on the workers",
  needsKeys: true,
  positionals: {
    action: {
      choices: ["list", "add", "remove", "run"],
      default: "list",
      describe: "list schedules and their last nights; add one, remove one, or run one now",
    },
    name: { type: "string", describe: "Name of the schedule" },
    path: { type: "string", describe: "For add: the suite" },
  },
  flags: {
    json: sendFlags.json,
    cron: string("what", 'For add: minute, hour, day of month, month and day of week, such as "30 1 * * *"', {
      value: "FIELDS",
    }),
    tz: string("what", "For add: the time zone of --cron, such as Europe/Berlin (default: that of this machine)", {
      value: "ZONE",
    }),
    replace: toggle("what", "For add: put it in the place of the schedule with this name; its nights stay"),
    "make-up": string(
      "what",
      "For add: a night for which nobody was there is made up for within this time, later it is missed",
      { value: "TIME", default: "12h" },
    ),
    "take-over": string(
      "what",
      "For add: another worker takes the place of the one with the history when that was away for so long; never where the nights need its folder (default: 1h)",
      { value: "TIME" },
    ),
    ...workersFlags,
    ...againstFlag,
    ...failOnFlag,
    budget: sendFlags.budget,
    "max-cost": sendFlags["max-cost"],
    "max-duration": sendFlags["max-duration"],
    "max-failures": sendFlags["max-failures"],
    keep: nightCommand.flags.keep,
    "older-than": nightCommand.flags["older-than"],
    notify: {
      ...notifyFlags.notify,
      describe: "Send the verdict to a webhook: env:NAME, a variable of the worker's .env",
    },
    "notify-on": notifyFlags["notify-on"],
    "notify-link": notifyFlags["notify-link"],
  },
  examples: [
    ['$0 schedule add nightly suite.yaml --cron "30 1 * * *" --tz Europe/Berlin', "Every night at 01:30 in Berlin"],
    ["$0 schedule --workers postgres://ada@db.example/tandem", "What is scheduled, when it is next, how it last was"],
    ["$0 schedule run nightly", "Spend a night now"],
  ],
  run: async (flags, terminal) => (await import("./schedule.run.ts")).runSchedule(flags, terminal),
});
