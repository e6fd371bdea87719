import { columnsRead } from "../../score/make.ts";
import { namesAsked } from "../../suite/prompts/body-templates.ts";
import type { Suite } from "../../suite/suite.ts";

/** The columns that a suite reads by their names, beside those of its mapping: by its scorers, and by templates of requests. */
export const columnsByName = ({ scorers, targets }: Pick<Suite, "scorers" | "targets">): string[] => [
  ...scorers.map((spec) => columnsRead(spec)).flatMap((columns) => (columns === "all" ? [] : columns)),
  ...targets.flatMap(namesAsked),
];
