import { styleText } from "node:util";

type Colour = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "magenta";

/** Colours a text, or leaves it. */
export type Paint = (colour: Colour, text: string) => string;

/** Paints texts; the caller knows if there are colours: neither the environment nor the terminal is asked here. */
export function paint(color: boolean): Paint {
  return (colour, text) => (color && text !== "" ? styleText(colour, text, { validateStream: false }) : text);
}
