import { z } from "zod";

/**
 * A key of the suite file is declared once, in its section: how it is written, what it says and, where that is something
 * else, what a suite keeps of it (`storedAs`). The form of a stored suite (`kept`) and the values of a suite (`toStoredKeys`) are
 * made of the same list, under the names that code has for keys: `noise_repeats` is `noiseRepeats`.
 */

/** Names of keys that tell their unit as well. */
const withUnits = {
  timeout: "timeoutMs",
  job_timeout: "jobTimeoutMs",
  wait_for_service: "waitForServiceMs",
} as const;

type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** The name that a suite has for a key of its file. */
type NameOf<Key> = Key extends keyof typeof withUnits ? (typeof withUnits)[Key] : Camel<Key>;

function nameOf(key: string): string {
  const known: Readonly<Record<string, string>> = withUnits;
  return known[key] ?? key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A key that is written in one form, and kept in another. */
type Becoming<Written extends z.ZodType, Kept extends z.ZodType> = z.ZodPipe<z.ZodPipe<Written, z.ZodTransform>, Kept>;

export function storedAs<Written extends z.ZodType, Kept extends z.ZodType>(
  written: Written,
  kept: Kept,
  make: (value: z.output<Written>) => z.input<Kept>,
): Becoming<Written, Kept>;
export function storedAs(written: z.ZodType, form: z.ZodType, make: (value: unknown) => unknown): z.ZodType {
  // An unknown key inside of what is written does not stop a pipe, and a union would lose it.
  const checked = z.custom((value) => form.safeParse(value).success);
  return written.transform(make).pipe(form instanceof z.ZodOptional ? checked.optional() : checked);
}

/** A key that is kept as null where it is not written. */
export function orNull<Key extends z.ZodType>(
  key: z.ZodOptional<Key>,
): Becoming<z.ZodOptional<Key>, z.ZodNullable<z.ZodType<z.output<Key>>>>;
export function orNull(key: z.ZodOptional<z.ZodType>): z.ZodType {
  return storedAs(key, keptForm(key.unwrap()).nullable(), (value) => value ?? null);
}

/** A key that is kept where it has one value, as `as`, and left out otherwise. */
export function storedWhen<Key extends z.ZodType, As extends string | number | boolean>(
  key: Key,
  value: z.output<Key>,
  as: As,
): Becoming<Key, z.ZodOptional<z.ZodLiteral<As>>> {
  return storedAs(key, z.literal(as).optional(), (written) => (written === value ? as : undefined));
}

type Shape = Readonly<Record<string, z.ZodType>>;

type KeptKey<Key> =
  Key extends z.ZodPipe<infer _Written, infer Kept>
    ? KeptKey<Kept>
    : Key extends z.ZodOptional<infer Inner>
      ? z.ZodExactOptional<z.ZodType<z.output<Inner>>>
      : z.ZodType<z.output<Key>>;

type KeptShape<Keys> = { [Key in keyof Keys as NameOf<Key>]: KeptKey<Keys[Key]> };

/** The forms in which a suite keeps keys of its file. Further members pass: a later tandem may know them. */
export function kept<Keys extends Shape>(keys: Keys): KeptShape<Keys>;
export function kept(keys: Shape): Shape {
  return Object.fromEntries(Object.entries(keys).map(([key, form]) => [nameOf(key), keptForm(form)]));
}

function keptForm(form: z.core.$ZodType): z.ZodType {
  if (form instanceof z.ZodPipe) return keptForm(form.out);
  if (form instanceof z.ZodOptional) return keptForm(form.unwrap()).exactOptional();
  if (form instanceof z.ZodNullable) return keptForm(form.unwrap()).nullable();
  if (form instanceof z.ZodDefault) return keptForm(form.unwrap());
  if (form instanceof z.ZodUnion) return z.union(form.options.map(keptForm));
  if (form instanceof z.ZodArray) return z.array(keptForm(form.element));
  if (form instanceof z.ZodRecord) return z.record(z.string(), keptForm(form.valueType));
  if (form instanceof z.ZodObject)
    return z.object(Object.fromEntries(Object.entries(form.shape).map(([key, each]) => [key, keptForm(each)])));
  return form instanceof z.ZodType ? form : z.unknown();
}

type Named<Written> = { [Key in keyof Written as NameOf<Key>]: Exclude<Written[Key], undefined> };

/** The values of keys by the names that a suite has for them, in the same order; what is undefined is left out. */
export function toStoredKeys<Written extends object>(written: Written): Named<Written>;
export function toStoredKeys(written: object): object {
  return Object.fromEntries(
    Object.entries(written).flatMap(([key, value]) => (value === undefined ? [] : [[nameOf(key), value]])),
  );
}
