/** Repetitions of a property: few at each change, all in `npm run test:slow`. */
export const often = <Repeated>(few: Repeated, all: Repeated): Repeated =>
  process.env["TANDEM_TESTS"] === "slow" ? all : few;
