// What a ride on a hire bike costs, in crowns, by the price list of the help desk.
// variables: bike (standard, electric, cargo), minutes (a number, or its text), pass (none, day, month, year)

const longestRide = 24 * 60;
const longestCargoRide = 4 * 60;

export default function bikeFee(variables) {
  const minutes = readMinutes(variables.minutes);
  const hasPass = readPass(variables.pass ?? "none");
  console.debug(`bike = ${variables.bike}, minutes = ${minutes}, pass = ${hasPass}`);
  if (variables.bike === "cargo" && minutes > longestCargoRide) {
    return { error: "a cargo bike is hired for 240 minutes at most" };
  }
  if (minutes > longestRide) return answer(300);
  switch (variables.bike) {
    case "standard":
      return answer(standardFee(minutes, hasPass));
    case "electric":
      return answer((hasPass ? 0 : 5) + Math.ceil(minutes));
    case "cargo":
      return answer(Math.ceil(minutes / 30) * 7.5);
    default:
      return { error: `there is no bike of the kind ${JSON.stringify(variables.bike ?? null)}` };
  }
}

/** Every begun quarter of an hour after the included minutes counts. */
function standardFee(minutes, hasPass) {
  const included = hasPass ? 45 : 30;
  const quarters = Math.ceil(Math.max(0, minutes - included) / 15);
  return (hasPass ? 0 : 6) + quarters * 3;
}

function answer(crowns) {
  return { fee: crowns.toFixed(2), currency: "crowns" };
}

function readMinutes(value) {
  const minutes = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof minutes !== "number" || !Number.isFinite(minutes)) {
    throw new TypeError(`minutes must be a number, got ${JSON.stringify(value)}`);
  }
  if (minutes < 0) throw new RangeError(`minutes must not be negative, got ${minutes}`);
  return minutes;
}

function readPass(pass) {
  if (!["none", "day", "month", "year"].includes(pass)) {
    throw new RangeError(`pass must be none, day, month or year, got ${JSON.stringify(pass)}`);
  }
  return pass !== "none";
}
