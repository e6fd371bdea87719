/** Repetitions of a property: few at each change, all in `npm run test:slow`. */
export const often = (few: number, all: number): number => (process.env["TANDEM_TESTS"] === "slow" ? all : few);
