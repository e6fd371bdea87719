import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useMemo } from "preact/hooks";
import type { ReportTarget } from "../../../report/shape/model.ts";

const Labels = createContext<ReadonlyMap<string, string>>(new Map());

/** Has targets of other batches called as people know them in all that it holds. */
export function TargetNames(props: {
  targets: readonly Pick<ReportTarget, "name" | "label">[];
  children: ComponentChildren;
}) {
  const { targets, children } = props;
  const labels = useMemo(
    () => new Map(targets.flatMap(({ name, label }) => (label === undefined ? [] : [[name, label] as const]))),
    [targets],
  );
  return <Labels.Provider value={labels}>{children}</Labels.Provider>;
}

/** The name of a target for people; its own, with the name of its batch, under the pointer. */
export function TargetName({ name }: { name: string }) {
  const label = useContext(Labels).get(name);
  return <bdi title={label === undefined ? undefined : name}>{label ?? name}</bdi>;
}

/** The same where only a text can stand. */
export function useTargetNames(): (name: string) => string {
  const labels = useContext(Labels);
  return useCallback((name) => labels.get(name) ?? name, [labels]);
}
