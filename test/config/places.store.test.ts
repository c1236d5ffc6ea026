import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  hasPassword,
  type PostgresDsn,
  parseDsn,
  requireSafePostgres,
} from "../../src/config/dsn.ts";
import type { Env } from "../../src/config/env.ts";
import { loadConfig } from "../../src/config/load.ts";
import { dbHash, runtimeDir, runtimeDirOf, socketPath } from "../../src/config/paths.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { refusalOf, throws } from "./refusal.ts";

const hashOf = (text: string, schema?: string): string => dbHash(parseDsn(text, "/base", schema));
const sha = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

function parsePostgres(text: string): PostgresDsn {
  const dsn = parseDsn(text, "/base");
  if (dsn.dialect === "postgres") return dsn;
  throw new Error(`${text} is no PostgreSQL address`);
}

describe("the address of a database", () => {
  test.each([
    ["/data/svc.db", "/data/svc.db"],
    ["sqlite:///data/svc.db", "/data/svc.db"],
    ["SQLITE:///data/svc.db", "/data/svc.db"],
    ["svc.db", "/base/svc.db"],
    ["sqlite://svc.db", "/base/svc.db"],
    ["../svc.db", "/svc.db"],
    ["/data/./x/../svc.db", "/data/svc.db"],
    ["./a:b.db", "/base/a:b.db"],
    ["/data/ann:b@c.db", "/data/ann:b@c.db"],
    ["sqlite://./a:b.db", "/base/a:b.db"],
    ["postgres.db", "/base/postgres.db"],
    ["postgres/svc.db", "/base/postgres/svc.db"],
    ["ann@work/host.db", "/base/ann@work/host.db"],
  ])("%s is the SQLite file %s", (text, path) => {
    expect(parseDsn(text, "/base")).toEqual({ dialect: "sqlite", path, display: path });
  });

  test("a PostgreSQL address is shown without user, password and query", () => {
    const dsn = parseDsn(
      "postgresql://ann:hunter2@DB.example:5433/svc?sslmode=require",
      "/base",
      "team",
    );
    expect(dsn).toEqual({
      dialect: "postgres",
      url: "postgresql://ann:hunter2@DB.example:5433/svc?sslmode=require",
      schema: "team",
      display: "postgres://DB.example:5433/svc",
      identity: "postgres://db.example:5433/svc",
    });
  });

  test.each([
    ["mysql://ann:hunter2@db/svc", "mysql"],
    ["file:///data/hunter2", "file"],
    ["postgres://ann:hunter2@:::/x", "port"],
    ["", "no file"],
    ["sqlite://", "no file"],
    ["hunter2\0", "no file"],
    ["postgres:ann:hunter2@db/svc", "database server"],
    ["postgres:/ann:hunter2@db/svc", "database server"],
    ["postgres//ann:hunter2@db/svc", "database server"],
    ["postgres//db/hunter2", "database server"],
    ["postgresq:hunter2", "database server"],
    ["pg:hunter2", "database server"],
    ["//ann:hunter2@db/svc", "database server"],
    ["ann:hunter2@db/svc", "database server"],
    [" postgres://ann:hunter2@db/svc", "database server"],
    ["'postgres://ann:hunter2@db/svc'", "database server"],
    ["DATABASE_URL=postgres://ann:hunter2@db/svc", "database server"],
    ["sqlite://ann:hunter2@db/svc", "database server"],
    ["sqlite://postgres://ann:hunter2@db/svc", "database server"],
    ["password = hunter2", "no host"],
    ["host=db user=ann passwort=hunter2", "libpq does not know"],
    ["Server=db;Database=svc;Pwd=hunter2", "database server"],
    ["postgres://ann:1/hunter2@db/svc", "%2F"],
    ["postgres://ann:1#hunter2@db/svc", "%23"],
    ["postgres://ann:1?hunter2@db/svc", "%3F"],
  ])("%j is refused, and the error does not repeat its secrets", (text, word) => {
    const { message, hint } = refusalOf(() => parseDsn(text, "/base"));
    expect(message).toContain(word);
    expect(`${message} ${hint}`).not.toContain("hunter2");
  });

  test.each([
    "postgres://ann:hunter2@one:6001,Two:6002/svc?target_session_attrs=read-write",
    "host=two,one port=6002,6001 dbname=svc user=ann password=hunter2",
  ])("%s names two servers of one database", (text) => {
    const dsn = parsePostgres(text);
    expect(dsn.identity).toBe("postgres://one:6001,two:6002/svc");
    expect(dsn.display).not.toMatch(/ann|hunter2/);
    expect(hasPassword(dsn)).toBe(true);
  });

  test("with the schema public is refused for PostgreSQL", () => {
    expect(() => parseDsn("postgres://db/svc", "/base", "public")).toThrow("public");
    expect(parseDsn("/x.db", "/base", "public")).toMatchObject({ dialect: "sqlite" });
  });

  test.each([
    ["postgres://localhost/svc", false, true],
    ["postgres://127.0.0.1/svc", false, true],
    ["postgres://%2Frun%2Fpostgresql/svc", false, true],
    ["postgres:///svc?host=/run/postgresql", false, true],
    ["postgres://db.example/svc", false, false],
    ["postgres://10.0.0.1/svc", false, false],
    ["postgres://localhost/svc?host=db.example", false, false],
    ["postgres://db.example/svc?sslmode=require", false, false],
    ["postgres://db.example/svc?sslmode=verify-full", false, true],
    ["postgres://db.example/svc", true, true],
    ["postgres://localhost,db.example/svc", false, false],
    ["postgres://localhost,[::1]:6001/svc", false, true],
    ["postgres://one.example,two.example/svc?sslmode=verify-full", false, true],
    ["host=db.example dbname=svc", false, false],
    ["host=db.example dbname=svc sslmode=verify-full", false, true],
  ])("%s with allow_insecure=%s is permitted: %s", (text, allowInsecure, fine) => {
    const attempt = (): void => requireSafePostgres(parsePostgres(text), allowInsecure);
    expect(throws(attempt)).toBe(!fine);
  });
});

test("a daemon does not start with a PostgreSQL server on another machine unless its identity is verified or this is waived", async () => {
  const given = async (env: Env) =>
    await loadConfig({ env: { SVC_HOME: "/nowhere", ...env }, cwd: "/" });
  const remote = { SVC_DSN: "postgres://db.example/svc" };
  const refused = await given(remote);
  expect(() => settingsFrom(refused, "1.0.0")).toThrow("verify-full");
  const allowed = await given({ ...remote, SVC_POSTGRES_ALLOW_INSECURE: "1" });
  expect(settingsFrom(allowed, "1.0.0").dsn).toMatchObject({ url: remote.SVC_DSN });
});

describe("the name of a database in the file system", () => {
  test("is the hash of the absolute path, however it was spelled", () => {
    expect(hashOf("/data/svc.db")).toBe(sha("/data/svc.db"));
    expect(hashOf("sqlite:///data/svc.db")).toBe(hashOf("/data/svc.db"));
    expect(hashOf("/data/other.db")).not.toBe(hashOf("/data/svc.db"));
  });

  test("the name of a PostgreSQL database is the hash of server, database and schema, without credentials", () => {
    expect(hashOf("postgres://db/svc")).toBe(sha("postgres://db:5432/svc\0schema=svc"));
    expect(hashOf("postgres://ann:x@DB:5432/svc?sslmode=verify-full")).toBe(
      hashOf("postgres://db/svc"),
    );
    expect(hashOf("postgres://db/svc", "team")).not.toBe(hashOf("postgres://db/svc"));
    expect(hashOf("postgres://db:5433/svc")).not.toBe(hashOf("postgres://db/svc"));
  });

  test("is the only text that becomes part of the path of a runtime folder, and any other text is refused", () => {
    const dsn = parseDsn("/data/svc.db", "/base");
    expect(runtimeDir("/home/ann/.svc", dsn)).toBe(join("/home/ann/.svc/runtime", dbHash(dsn)));
    expect(() => runtimeDirOf("/home", "../../etc")).toThrow("must hold");
    expect(() => runtimeDirOf("/home", "0123456789AB")).toThrow("must hold");
  });
});

describe("the Unix socket of a daemon", () => {
  const dsn = parseDsn("/data/svc.db", "/base");
  const uid = process.getuid?.() ?? 0;
  const tail = join(dbHash(dsn), "daemon.sock");
  const folder = (bytes: number): string => `/${"x".repeat(bytes - 1)}`;
  const withRuntime = (bytes: number): string => folder(bytes - join("/svc", tail).length);

  test.each([
    [
      "in the user's runtime folder",
      { XDG_RUNTIME_DIR: "/run/user/7", TMPDIR: "/t" },
      join("/run/user/7/svc", tail),
    ],
    ["in the temporary folder", { TMPDIR: "/t" }, join(`/t/svc-${uid}`, tail)],
    ["in /tmp if no variable is set", {}, join(`/tmp/svc-${uid}`, tail)],
    [
      "in /tmp if the folders of the variables are not absolute",
      { XDG_RUNTIME_DIR: "run", TMPDIR: "t" },
      join(`/tmp/svc-${uid}`, tail),
    ],
    [
      "at a path of 103 bytes",
      { XDG_RUNTIME_DIR: withRuntime(103) },
      join(withRuntime(103), "svc", tail),
    ],
    [
      "elsewhere than at a path of 104 bytes",
      { XDG_RUNTIME_DIR: withRuntime(104), TMPDIR: "/t" },
      join(`/t/svc-${uid}`, tail),
    ],
    [
      "elsewhere than at a path of 104 bytes with fewer characters",
      { XDG_RUNTIME_DIR: `/${"ä".repeat(40)}` },
      join(`/tmp/svc-${uid}`, tail),
    ],
  ])("is placed %s", (_where, env, path) => {
    expect(socketPath(env, dsn, "/home/ann/.svc")).toBe(path);
    expect(Buffer.byteLength(path)).toBeLessThan(104);
  });
});
