import type { PgBoss } from "pg-boss";
import { AppError } from "../../errors.ts";

/** The engine's package, which only those install who use several machines. */
export async function loadBoss(): Promise<{ PgBoss: typeof PgBoss }> {
  try {
    return await import("pg-boss");
  } catch (cause) {
    throw new AppError("WORKERS_PACKAGE", "Workers need the packages pg and pg-boss, which are not installed.", {
      hint: "Install them beside tandem: npm install pg@8.23.1 pg-boss@12.38.0",
      cause,
    });
  }
}
