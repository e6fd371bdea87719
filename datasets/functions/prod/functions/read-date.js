// Reads a date that a person wrote in English, Hindi, Arabic, Swahili or Spanish, and gives it as { date: "YYYY-MM-DD" }.
// variables: text
// What cannot be read is answered as a string of JSON with `error`, the way some functions do.

const monthNames = [
  ["january", "jan", "जनवरी", "يناير", "كانون الثاني", "januari", "enero"],
  ["february", "feb", "फरवरी", "فبراير", "شباط", "februari", "febrero"],
  ["march", "mar", "मार्च", "مارس", "آذار", "machi", "marzo"],
  ["april", "apr", "अप्रैल", "أبريل", "إبريل", "نيسان", "aprili", "abril"],
  ["may", "मई", "مايو", "أيار", "mei", "mayo"],
  ["june", "jun", "जून", "يونيو", "حزيران", "juni", "junio"],
  ["july", "jul", "जुलाई", "يوليو", "تموز", "julai", "julio"],
  ["august", "aug", "अगस्त", "أغسطس", "آب", "agosti", "agosto"],
  ["september", "sep", "sept", "सितंबर", "سبتمبر", "أيلول", "septemba", "septiembre", "setiembre"],
  ["october", "oct", "अक्टूबर", "अक्तूबर", "أكتوبر", "تشرين الأول", "oktoba", "octubre"],
  ["november", "nov", "नवंबर", "نوفمبر", "تشرين الثاني", "novemba", "noviembre"],
  ["december", "dec", "दिसंबर", "ديسمبر", "كانون الأول", "desemba", "diciembre"],
];
const monthOfName = new Map(monthNames.flatMap((names, index) => names.map((name) => [fold(name), index + 1])));

export default function readDate(variables) {
  if (typeof variables.text !== "string" || variables.text.trim() === "") throw new TypeError("text is missing");
  const text = fold(variables.text);
  console.debug(text);
  const date = readNumbers(text) ?? readWords(text);
  if (date === null) return problem(`this is not a date: ${variables.text.trim()}`);
  if (!exists(date)) return problem(`there is no such day: ${variables.text.trim()}`);
  const { year, month, day } = date;
  return { date: `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}` };
}

/** 2025-12-24, or the day first: 24/12/2025, 24.12.2025, 24-12-2025. */
function readNumbers(text) {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso !== null) return dateOf(iso[1], iso[2], iso[3]);
  const dayFirst = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text);
  return dayFirst === null ? null : dateOf(dayFirst[4], dayFirst[3], dayFirst[1]);
}

/** 24 December 2025, 24 de diciembre de 2025, tarehe 24 Desemba 2025; or the month first: December 24, 2025. */
function readWords(text) {
  const dayFirst = /^(?:tarehe )?(\d{1,2})(?:st|nd|rd|th)?(?: of| de)? (\D+?)(?: de|,)? (\d{4})$/.exec(text);
  if (dayFirst !== null) return dateOf(dayFirst[3], monthOfName.get(dayFirst[2]), dayFirst[1]);
  const monthFirst = /^(\D+?) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(text);
  return monthFirst === null ? null : dateOf(monthFirst[3], monthOfName.get(monthFirst[1]), monthFirst[2]);
}

function dateOf(year, month, day) {
  return month === undefined ? null : { year: Number(year), month: Number(month), day: Number(day) };
}

function exists({ year, month, day }) {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Lower case, ASCII digits, one kind of space, one spelling: without nukta, hamza and the marks of direction, anusvara for a nasal. */
function fold(text) {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (code < 0x66a ? 0x660 : code < 0x900 ? 0x6f0 : 0x966));
    })
    .normalize("NFD")
    .replace(/[\u0653-\u0655\u093c]/g, "")
    .normalize("NFC")
    .replace(/म्(?=ब)/g, "ं")
    .replace(/[\s،]+/g, " ")
    .trim();
}

function problem(message) {
  return JSON.stringify({ error: message });
}
