// The late fee of one item, in crowns, by the rules of the help desk.
// variables: item (book, magazine, film, game), due and returned (dates as YYYY-MM-DD), age of the reader (optional)

const feesPerDay = { book: 0.5, magazine: 0.5, film: 2, game: 2 };
const mostPerItem = 15;
const adultAge = 16;

export default function lateFee(variables) {
  const days = dayNumber(variables.returned, "returned") - dayNumber(variables.due, "due");
  const perDay = Object.hasOwn(feesPerDay, variables.item) ? feesPerDay[variables.item] : null;
  if (perDay === null) return { error: `there is no fee for ${JSON.stringify(variables.item ?? null)}` };
  if (days <= 0) return { days_late: 0, fee: "0.00" };
  const age = readAge(variables.age);
  const fee = age !== null && age < adultAge ? 0 : Math.min(mostPerItem, perDay * days);
  if (fee === mostPerItem) console.info(`capped at ${mostPerItem} crowns after ${days} days`);
  return { days_late: days, fee: fee.toFixed(2) };
}

/** Days since the beginning of the year 1, so that two dates can be subtracted. */
function dayNumber(text, name) {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(text ?? ""));
  if (parts === null) throw new TypeError(`${name} must be a date as YYYY-MM-DD, got ${JSON.stringify(text ?? null)}`);
  const [year, month, day] = parts.slice(1).map(Number);
  const lengths = monthLengths(year);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > lengths[month - 1]) {
    throw new RangeError(`${name} is not a day of the calendar: ${text}`);
  }
  let days = day;
  for (let before = 1; before < year; before++) days += isLeapYear(before) ? 366 : 365;
  for (const length of lengths.slice(0, month - 1)) days += length;
  return days;
}

function monthLengths(year) {
  return [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
}

function isLeapYear(year) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function readAge(value) {
  if (value === undefined || value === null || value === "") return null;
  const age = Number(value);
  if (!Number.isInteger(age) || age < 0) throw new RangeError(`age must be a whole number of years, got ${JSON.stringify(value)}`);
  return age;
}
