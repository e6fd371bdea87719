import { statSync } from "node:fs";
import { showText } from "../../lib/show.ts";
import { type Fault, type FaultPath, fault } from "../fault.ts";
import { fileFields } from "../sent-files.ts";
import type { SuiteFile } from "../schema/schema.ts";
import type { Suite } from "../suite.ts";

/** The fault of a folder of files that is none; empty where there is nothing to say. */
export function filesFaults({ files: written }: SuiteFile, { files }: Suite): Fault[] {
  const [root] = files?.roots ?? [];
  if (written?.root === undefined || root === undefined) return [];
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  return [fault(["files", "root"], `must be a folder, got ${showText(written.root)}`, `It was looked for at ${root}.`)];
}

/** A remark on `files:` where no field holds any. */
export function filesRemarks({ files }: SuiteFile, { mapping }: Suite): { path: FaultPath; message: string }[] {
  if (files === undefined || fileFields(mapping).length > 0) return [];
  const message = "says nothing here: no field of case.input has type: file, such as { column: photo, type: file }";
  return [{ path: ["files"], message }];
}
