import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { postgresAddress } from "../../src/workers/postgres/address.ts";
import { openPostgres } from "../../src/workers/postgres/connection.ts";
import { isAway } from "../../src/workers/postgres/failure.ts";
import { checkSchema, setUp } from "../../src/workers/postgres/schema.ts";
import { openTest, ownServer, testDatabase } from "../postgres.ts";

const options = { most: 2, applicationName: "tests" };

/** The error with which a connection string is refused. Nothing of it holds the password. */
async function refusal(url: string): Promise<AppError> {
  const error: unknown = await openPostgres(url, options).then(
    async (db) => (await db.close(), new Error("it was opened")),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  expect(JSON.stringify([error.message, error.hint, error.stack, String(error.cause)])).not.toContain("s3cret");
  return error;
}

describe("a connection string", () => {
  test("goes without TLS to this machine, and checks certificate and name of every other", () => {
    for (const here of ["localhost", "127.0.0.1", "[::1]", "/run/postgresql"]) {
      const url = here.startsWith("/") ? `postgres:///db?host=${here}` : `postgres://u:p@${here}:5433/db`;
      expect(postgresAddress(url).ssl).toBe(false);
    }
    expect(postgresAddress("postgres://u:p@db.example.org/db").ssl).toEqual({});
    // The driver goes where the parameter says.
    expect(postgresAddress("postgres:///db?host=db.example.org").ssl).toEqual({});
    expect(postgresAddress("postgres://u:p@localhost/db?host=db.example.org").ssl).toEqual({});
    expect(postgresAddress("postgres://u:p@db.example.org/db?sslmode=disable").ssl).toBe(false);
    expect(postgresAddress("postgres://u:p@db.example.org/db?sslmode=require").ssl).toMatchObject({
      rejectUnauthorized: false,
    });
    expect(postgresAddress("postgres://u:p@db.example.org/db?sslmode=verify-ca").ssl).not.toHaveProperty(
      "rejectUnauthorized",
    );
  });

  test("shows host, port and database, and nothing else of it", () => {
    expect(postgresAddress("postgres://user:s3cret@db.example.org/tandem?sslmode=require").shown).toBe(
      "db.example.org:5432/tandem",
    );
    expect(postgresAddress("postgresql://u@localhost:6000/a%20b").shown).toBe("localhost:6000/a b");
    expect(postgresAddress("postgres:///db?host=db.example.org&port=6000").shown).toBe("db.example.org:6000/db");
  });

  test.each([
    ["db.example.org/tandem", "it is not an address that begins with postgres:// or postgresql://"],
    ["mysql://u:s3cret@host/db", "it is not an address that begins with postgres:// or postgresql://"],
    ["postgres://u:s3cret@host", "it names no database"],
    ["postgres://u:100%@host/db", "it holds a % that encodes nothing: write it as %25"],
    ["postgres://u:s3cret@host/50%", "its host or its database holds a % that encodes nothing"],
    ["postgres://u:s3cret@host/db?host=localhost&host=db.example.org", "it says host= more than once"],
    ["postgres://u:s3cret@host/db?sslmode=prefer", "it says sslmode=prefer, which may go without TLS"],
    [
      "postgres://u:s3cret@host/db?sslmode=verify-full&sslrootcert=/none.pem",
      "its sslrootcert cannot be read: /none.pem",
    ],
  ])("that cannot be used is refused: %s", async (url, reason) => {
    const { code, message } = await refusal(url);
    expect([code, message]).toEqual(["WORKERS_URL", `The connection string cannot be used: ${reason}.`]);
  });
});

/** A server that answers every statement with the same row. */
async function serverThatSays(row: Record<string, string>): Promise<string> {
  const message = (kind: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(kind), length, body]);
  };
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
  const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 65_535)]);
  const ready = message("Z", Buffer.from("I"));
  const cells = Object.entries(row);
  const answer = Buffer.concat([
    message(
      "T",
      int16(cells.length),
      ...cells.flatMap(([name]) => [
        Buffer.from(`${name}\0`),
        int32(0),
        int16(0),
        int32(25),
        int16(-1),
        int32(-1),
        int16(0),
      ]),
    ),
    message("D", int16(cells.length), ...cells.flatMap(([, text]) => [int32(text.length), Buffer.from(text)])),
    message("C", Buffer.from("SELECT 1\0")),
    ready,
  ]);
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", int32(0)), ready]));
      socket.on("data", (asked: Buffer) => void (asked.toString("latin1", 0, 1) === "Q" && socket.write(answer)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `postgres://u@127.0.0.1:${typeof address === "object" ? address?.port : 0}/db`;
}

describe("a server that", () => {
  test("is not there is told of, with what to look at", async () => {
    const error = await refusal("postgres://u:s3cret@127.0.0.1:1/db");
    expect(error.code).toBe("WORKERS_UNREACHABLE");
    expect(error.message).toBe("PostgreSQL at 127.0.0.1:1/db cannot be reached. (ECONNREFUSED)");
    expect(isAway(error)).toBe(true);
    expect((await refusal("postgres://u:s3cret@none.invalid/db")).code).toBe("WORKERS_UNREACHABLE");
  });

  test.each([
    [
      "ends the connection",
      "HTTP/1.1 400 Bad Request\r\n\r\n",
      "",
      "ended the connection, or something else answers there.",
    ],
    ["knows nothing of TLS", "HTTP/1.1 400 Bad Request\r\n\r\n", "?sslmode=require", "no PostgreSQL answers"],
  ])("takes a connection and is no PostgreSQL is told of: %s", async (_what, says, mode, words) => {
    const server = createServer((socket) => socket.end(says));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const error = await refusal(`postgres://u:s3cret@127.0.0.1:${port}/db${mode}`);
    expect(error.code).toBe("WORKERS_UNREACHABLE");
    expect(error.message).toContain(words);
  });

  test("refuses the user, the password or the database is told of", async () => {
    const server = await ownServer(["password_encryption='scram-sha-256'"], {
      access: "local all all trust\nhost all all all scram-sha-256\n",
    });
    const db = await openTest(server.socket("tandem"));
    await db.query("CREATE ROLE anna LOGIN PASSWORD 's3cret'");
    const at = `127.0.0.1:${server.port}`;
    for (const who of ["anna:s3cret2", "anna", "nobody:s3cret"]) {
      const error = await refusal(`postgres://${who}@${at}/tandem`);
      expect([error.code, error.message.slice(0, 60)]).toEqual([
        "WORKERS_REFUSED",
        `PostgreSQL at ${at}/tandem refuses the user or the password.`.slice(0, 60),
      ]);
    }
    expect((await refusal(`postgres://anna:s3cret@${at}/none`)).message).toMatch(/has no database .*\/none/);
    const anna = await openTest(`postgres://anna:s3cret@${at}/tandem`);
    // Without rights she may not even look at the version.
    await expect(checkSchema(anna)).rejects.toMatchObject({ code: "WORKERS_REFUSED" });
  });

  test("does not let a user in is told of, with where that is written", async () => {
    const url = await testDatabase();
    const error = await refusal(url.replace("//tandem@", "//nobody_here@"));
    expect([error.code, error.hint]).toEqual(["WORKERS_REFUSED", expect.stringContaining("pg_hba.conf")]);
    expect(error.message).toContain("does not let this user in");
  });

  test("is too old is refused, with both versions", async () => {
    const error = await refusal(await serverThatSays({ version: "120022", encoding: "UTF8" }));
    expect(error.code).toBe("WORKERS_SCHEMA");
    expect(error.message).toContain("has version 12; workers need 13 or newer");
  });

  test("keeps only the characters of one script is refused, with how to make another", async () => {
    const url = await testDatabase();
    const owner = await openTest(url);
    const name = `latin_${Math.random().toString(36).slice(2)}`;
    await owner.query(`CREATE DATABASE ${name} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`);
    onTestFinished(async () => void (await owner.query(`DROP DATABASE ${name} WITH (FORCE)`)));
    const error = await refusal(url.replace(/[^/]+$/, name));
    expect([error.code, error.hint]).toEqual(["WORKERS_SCHEMA", expect.stringContaining("createdb --encoding UTF8")]);
    expect(error.message).toContain("is in LATIN1; workers need one in UTF8");
  });

  test("speaks no TLS is refused where TLS is asked for", async () => {
    const error = await refusal(`${await testDatabase()}?sslmode=require`);
    expect(error.code).toBe("WORKERS_TLS");
    expect(error.message).toContain("does not speak TLS");
    expect(error.hint).toContain("sslmode=disable");
  });

  test("speaks TLS is believed by its root and its name, as sslmode says", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tandem-tls-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const request = [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ];
    execFileSync(
      "openssl",
      [...request, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
      { stdio: "ignore" },
    );
    const server = await ownServer(["ssl=on", `ssl_cert_file='${cert}'`, `ssl_key_file='${key}'`], {
      prepare: (user) => {
        chmodSync(key, 0o600);
        if (user.uid !== undefined && user.gid !== undefined) chownSync(key, user.uid, user.gid);
      },
    });
    const url = (host: string, mode: string): string =>
      `postgres://tandem:s3cret@${host}:${server.port}/tandem?${mode}`;
    expect((await refusal(url("localhost", "sslmode=verify-full"))).code).toBe("WORKERS_TLS");
    const other = await refusal(url("127.0.0.1", `sslmode=verify-full&sslrootcert=${cert}`));
    expect([other.code, other.message]).toEqual(["WORKERS_TLS", expect.stringContaining("made out to another host")]);
    for (const [host, mode] of [
      ["127.0.0.1", "sslmode=require"],
      ["127.0.0.1", `sslmode=verify-ca&sslrootcert=${cert}`],
      ["localhost", `sslmode=verify-full&sslrootcert=${cert}`],
    ] as const) {
      const db = await openTest(url(host, mode));
      expect(await db.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")).toEqual([{ ssl: true }]);
    }
    expect(statSync(key).mode & 0o077).toBe(0);
  });

  test("ends a connection between two statements of a transaction fails that, and not the process", async () => {
    const url = await testDatabase();
    const db = await openTest(url);
    const failed = db.transaction(async (within) => {
      const [mine] = await within.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await db.query("SELECT pg_terminate_backend($1)", [mine?.pid]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await within.query("SELECT 1");
    });
    expect(await failed.catch(isAway)).toBe(true);
    expect(await db.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("crashes fails what is on its way, and answers the next statement when it is back", async () => {
    const server = await ownServer();
    const db = await openTest(server.url("tandem"));
    const asleep = db.query("SELECT pg_sleep(60)").catch((error: unknown) => error);
    await expect
      .poll(() =>
        db.query(
          "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND state = 'active' AND pid <> pg_backend_pid()",
        ),
      )
      .toHaveLength(1);
    await server.crash();
    expect(isAway(await asleep)).toBe(true);
    await expect(db.query("SELECT 1")).rejects.toSatisfy(isAway);
    await server.start();
    expect(await db.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});

describe("the tables", () => {
  test("are made once, whoever comes first, and are the same for all", async () => {
    const url = await testDatabase({ isEmpty: true });
    const databases = await Promise.all([openTest(url), openTest(url), openTest(url)]);
    await Promise.all(databases.map(setUp));
    const ids = await Promise.all(databases.map(checkSchema));
    expect(new Set(ids).size).toBe(1);
  });

  test("that are not there yet are asked for, and who may not make them is told which statement that was", async () => {
    const url = await testDatabase({ isEmpty: true });
    const owner = await openTest(url);
    const name = `reader_${Math.random().toString(36).slice(2)}`;
    await owner.query(`CREATE ROLE ${name} LOGIN`);
    const reader = await openTest(url.replace("//tandem@", `//${name}@`));
    await expect(checkSchema(reader)).rejects.toMatchObject({
      code: "WORKERS_SCHEMA",
      message: expect.stringContaining("has no tables of tandem yet."),
      hint: expect.stringContaining("tandem workers setup"),
    });
    await expect(setUp(reader)).rejects.toMatchObject({
      code: "WORKERS_REFUSED",
      message: expect.stringContaining("CREATE SCHEMA pgboss"),
    });
    expect(await owner.query("SELECT FROM pg_namespace WHERE nspname IN ('tandem', 'pgboss')")).toEqual([]);
    await owner.query(`GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${name}`);
    await setUp(reader);
    await checkSchema(reader);
  });

  test("of another version are refused, with what to do", async () => {
    const db = await openTest(await testDatabase());
    for (const [version, words] of [
      ["version - 1", "of an unreleased tandem"],
      ["99999", "of a newer tandem"],
    ] as const) {
      await db.query(`UPDATE tandem.meta SET version = ${version}`);
      for (const look of [checkSchema, setUp])
        await expect(look(db)).rejects.toMatchObject({
          code: "WORKERS_SCHEMA",
          message: expect.stringContaining(words),
        });
    }
  });
});
