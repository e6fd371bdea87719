import { fileDatabase } from "../postgres.ts";
import { journalContract } from "./journal.ts";
import { postgresStore } from "./postgres.ts";
import { sqliteStore } from "./sqlite.ts";

const database = fileDatabase();

journalContract("SQLite", sqliteStore);
journalContract("PostgreSQL", (plan) => postgresStore(database(), plan));
