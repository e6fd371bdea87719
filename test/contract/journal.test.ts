import { journalContract } from "./journal.ts";
import { sqliteStore } from "./sqlite.ts";

journalContract("SQLite", sqliteStore);
