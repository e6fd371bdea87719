import type { NamedCase } from "../../compare/choice/choice-tally.ts";
import type { Routing } from "../../compare/choice/routing.ts";

/** A case by what a reader knows it by. */
export interface ReportNamedCase extends Omit<NamedCase, "input"> {
  /** The beginning of its question. */
  question: string;
}

/** Sending some cases to another target than the rest: chosen by one half of the cases, and better than each target alone on the other half. */
export interface ReportRouting extends Omit<Routing, "routes" | "rest" | "single"> {
  /** Values whose cases are sent elsewhere, and where to. */
  routes: {
    /** Value of the tag. */
    value: string;
    /** Name of the target. */
    target: string;
  }[];
  /** The target of all other cases. */
  rest: string;
  /** The target that is best alone on the half that it was measured on. */
  single: string;
}
