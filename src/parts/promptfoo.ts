import type { Part } from "./part.ts";

/** promptfoo's files: `init` makes a suite of a configuration or a sheet, and a run reads the expectations of a sheet as they stand. */
export const promptfooPart = {
  name: "promptfoo",
  convert: async (source) => (await import("../init/promptfoo/convert.ts")).convertPromptfoo(source),
  expectations: async () => (await import("../score/promptfoo/assertion.ts")).promptfooCheck,
} satisfies Part;
