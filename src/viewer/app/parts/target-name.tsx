import { useContext } from "preact/hooks";
import { ReportContext } from "./report.tsx";

/** The name of a target for people; its own, with the name of its batch, under the pointer. */
export function TargetName({ name }: { name: string }) {
  const shown = useContext(ReportContext)?.nameOf(name) ?? name;
  return <bdi title={shown === name ? undefined : name}>{shown}</bdi>;
}
