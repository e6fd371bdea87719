import { AppError, type ErrorCode } from "../errors.ts";

/** An error on its way from one thread to another, where one of SQLite would lose its message, and an AppError its hint. */
export interface ThreadFailure {
  /** null: nobody can do anything about it, a fault in tandem itself. */
  code: ErrorCode | null;
  message: string;
  hint: string | null;
  stack: string | null;
}

export function packFailure(error: unknown): ThreadFailure {
  if (error instanceof AppError) {
    const { code, message, hint } = error;
    return { code, message, hint, stack: null };
  }
  if (!(error instanceof Error)) return { code: null, message: String(error), hint: null, stack: null };
  return { code: null, message: error.message, hint: null, stack: error.stack ?? null };
}

export function unpackFailure({ code, message, hint, stack }: ThreadFailure): Error {
  if (code !== null) return new AppError(code, message, hint === null ? {} : { hint });
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}
