import { fileNameOf, type CaseFile } from "./case-file.ts";
import { asBytes, type FileMarks } from "./file-marks.ts";

/** A field of a form; a file in it is what its value stands for. */
export interface FormPart {
  name: string;
  value: string;
}

/** A form as the body of a request, with files in it (`multipart/form-data`), and its type. */
export function multipartForm(parts: readonly FormPart[], files: FileMarks): { body: string; contentType: string } {
  const boundary = files.boundary(parts.flatMap(({ name, value }) => [name, value]));
  const texts = parts.map(({ name, value }) => {
    const file = files.fileOf(value);
    const content = file === null ? value : asBytes(value);
    return `--${boundary}\r\n${headOf(name, file)}\r\n\r\n${content}\r\n`;
  });
  return { body: `${texts.join("")}--${boundary}--\r\n`, contentType: `multipart/form-data; boundary=${boundary}` };
}

function headOf(name: string, file: CaseFile | null): string {
  const field = `Content-Disposition: form-data; name="${escaped(name)}"`;
  if (file === null) return field;
  return `${field}; filename="${escaped(fileNameOf(file))}"\r\nContent-Type: ${file.type}`;
}

/** As browsers write it: a line break or a quote would end the name. */
function escaped(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
