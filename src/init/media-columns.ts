import { dirname } from "node:path";
import { readFacts } from "../dataset/files/file-facts.ts";
import { placeInside } from "../lib/paths/inside-folder.ts";
import type { Sheet } from "./sheet.ts";

/** A column whose cells name files or their addresses, and the request field for them. */
export interface MediaColumn {
  column: string;
  field: "input_images" | "input_audio" | "input_documents";
}

/** Cells of a column that are looked at, and the share of them that has to name files. */
const mostLooked = 50;
const enough = 0.8;

const largest = 20_000_000;

const endings: readonly [RegExp, MediaColumn["field"]][] = [
  [/\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i, "input_images"],
  [/\.(?:wav|mp3|m4a|aac|ogg|flac|amr|mp4|mov|webm)$/i, "input_audio"],
  [/\.(?:pdf|docx?|xlsx?|pptx?|od[tsp])$/i, "input_documents"],
];

/** The columns of a sheet whose cells mostly name files beside it, or addresses that end like files. */
export function mediaColumns(sheet: Sheet, path: string): MediaColumn[] {
  const folder = dirname(path);
  const found = sheet.columns.flatMap(({ name, values }): MediaColumn[] => {
    const cells = [...values.keys()].slice(0, mostLooked);
    const fields = cells.flatMap((cell) => fieldOf(cell, folder) ?? []);
    const [field] = fields;
    const fits = field !== undefined && fields.filter((each) => each === field).length >= enough * cells.length;
    return fits ? [{ column: name, field }] : [];
  });
  return found.filter(({ field }, at) => found.findIndex((each) => each.field === field) === at);
}

/** The field for what a cell names. */
function fieldOf(cell: string, folder: string): MediaColumn["field"] | null {
  const [first = cell] = cell.startsWith("[") ? listed(cell) : [cell];
  if (/^https?:\/\//i.test(first)) return fieldOfName(first.split(/[?#]/)[0] ?? "");
  const place = placeInside(folder, first);
  if (!place.ok) return null;
  const facts = readFacts({ ...place, name: first }, largest);
  if (!facts.ok) return fieldOfName(first);
  if (facts.type.startsWith("image/")) return "input_images";
  return /^(?:audio|video)\//.test(facts.type) ? "input_audio" : "input_documents";
}

const fieldOfName = (name: string): MediaColumn["field"] | null =>
  endings.find(([pattern]) => pattern.test(name))?.[1] ?? null;

function listed(cell: string): string[] {
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
