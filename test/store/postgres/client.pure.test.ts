import { describe, expect, test } from "vitest";
import { clientConfig, conninfoOf } from "../../../src/store/postgres/client.ts";

/** What the driver gets for each host of a DSN. */
const configs = (dsn: string) => {
  const conninfo = conninfoOf(dsn);
  return conninfo.hosts.map((host) => clientConfig(conninfo, host));
};

describe("a connection to one host of a DSN", () => {
  test("a connection uses its host and port, with the user and the database of the DSN", () => {
    expect(configs("postgres://ann:pw@one:6001,two/svc?application_name=x")).toMatchObject([
      {
        host: "one",
        port: 6001,
        user: "ann",
        password: "pw",
        database: "svc",
        application_name: "x",
      },
      {
        host: "two",
        port: 5432,
        user: "ann",
        password: "pw",
        database: "svc",
        application_name: "x",
      },
    ]);
    expect(configs("postgres://ann@one")).toMatchObject([
      { database: "ann", application_name: "svc" },
    ]);
  });

  test.each([
    ["postgres://one/svc", 10_000],
    ["postgres://one,two/svc", 3000],
    ["postgres://one,two/svc?connect_timeout=2", 2000],
  ])("a connection to one host of %s takes at most %i ms", (dsn, ms) => {
    expect(configs(dsn)[0]?.connectionTimeoutMillis).toBe(ms);
  });

  test.each([
    ["sslmode=disable", false],
    ["sslmode=no-verify", { rejectUnauthorized: false }],
    ["sslmode=prefer", { rejectUnauthorized: true }],
    ["sslmode=require", { rejectUnauthorized: true }],
    ["sslmode=verify-ca", { rejectUnauthorized: true }],
    ["sslmode=verify-full", { rejectUnauthorized: true }],
    ["sslnegotiation=direct", { rejectUnauthorized: true }],
    ["sslrootcert=system", { rejectUnauthorized: true }],
  ])("a connection with %s has TLS %j, and none on a Unix socket", (setting, ssl) => {
    const [remote, socket] = configs(`postgres:///svc?host=one,/run/postgresql&${setting}`);
    expect(remote).toMatchObject({ ssl });
    expect(socket?.ssl).toBe(false);
  });

  test("a connection with an unreadable file is refused, and the error names the file's setting", () => {
    expect(() => configs("postgres://one/svc?sslrootcert=/nowhere/hunter2")).toThrow(
      "the file that sslrootcert names cannot be read (ENOENT)",
    );
  });
});
