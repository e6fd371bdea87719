import type { Flags } from "../command.ts";

/** Flags that make several targets of one. */
export const varyFlags = {
  vary: {
    group: "dataset",
    value: "KEY=A,B",
    more: true,
    type: "string",
    array: true,
    default: [],
    describe:
      "Compare values: body.temperature=0,0.5 of the body, model=a,b, example_id=a,b or deployment=a,b; each with each, once for each KEY. Over a suite: of its matrix, or of its only target",
  },
  yes: {
    group: "what",
    more: true,
    type: "boolean",
    default: false,
    describe: "Do not ask before a matrix of more targets than its limit is run",
  },
} as const satisfies Flags;
