import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { ReportSummary } from "../../../report/shape/model.ts";
import type { Address, SetAddress } from "../data/address.ts";
import type { Source } from "../data/source.ts";
import { reportLooks, type TargetLook } from "./target-colour.ts";

/** The report that a page shows, as all of its parts know it. */
export interface Report {
  source: Source;
  summary: ReportSummary;
  /** Place of the candidate that is shown among the candidates. */
  candidate: number;
  address: Address;
  setAddress: SetAddress;
  /** The name of a target for people. */
  nameOf: (target: string) => string;
  lookOf: (target: string) => TargetLook;
}

export const ReportContext = createContext<Report | null>(null);

/** The report around a part of its page. */
export function useReport(): Report {
  const report = useContext(ReportContext);
  if (report === null) throw new Error("This part stands in no report.");
  return report;
}

/** Puts together what the parts of a report share. */
export function useNewReport(given: Pick<Report, "source" | "candidate" | "address" | "setAddress">): Report {
  const { source, candidate, address, setAddress } = given;
  const { summary } = source;
  const { nameOf, lookOf } = useMemo(() => {
    const labels = new Map(summary.targets.map(({ name, label = name }) => [name, label]));
    return { nameOf: (target: string) => labels.get(target) ?? target, lookOf: reportLooks(summary) };
  }, [summary]);
  return useMemo(
    () => ({ source, summary, candidate, address, setAddress, nameOf, lookOf }),
    [source, candidate, address, setAddress, nameOf, lookOf],
  );
}
