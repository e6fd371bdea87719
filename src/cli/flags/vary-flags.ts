import { type Flags, strings, toggle } from "../flag.ts";

/** Flags that make several targets of one. */
export const varyFlags = {
  vary: strings(
    "dataset",
    "Compare values: body.temperature=0,0.5 of the body, model=a,b, example_id=a,b or deployment=a,b; each with each, once for each KEY. Over a suite: of its matrix, or of its only target",
    { value: "KEY=A,B", more: true },
  ),
  yes: toggle("what", "Do not ask before a matrix of more targets than its limit is run", { more: true }),
} as const satisfies Flags;
