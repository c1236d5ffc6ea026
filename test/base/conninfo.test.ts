import { describe, expect, test } from "vitest";
import { parseConninfo, shownConninfo } from "../../src/base/conninfo.ts";
import { ConninfoError, isConninfo } from "../../src/base/conninfo-text.ts";

const hosts = (text: string): readonly string[] =>
  parseConninfo(text).hosts.map(({ host, port }) => `${host} ${port}`);

describe("a connection string", () => {
  test.each([
    ["postgres://db/svc", ["db 5432"]],
    ["postgresql://db:6001/svc", ["db 6001"]],
    ["POSTGRES://db/svc", ["db 5432"]],
    ["postgres:///svc", ["localhost 5432"]],
    ["postgres://", ["localhost 5432"]],
    ["postgres://one:6001,two:6002/svc", ["one 6001", "two 6002"]],
    ["postgres://one,two:6002/svc", ["one 5432", "two 6002"]],
    ["postgres://one,two/svc?port=6001", ["one 6001", "two 6001"]],
    ["postgres://one,two/svc?port=6001,6002", ["one 6001", "two 6002"]],
    ["postgres://[::1]:6001,[fe80::1]/svc", ["::1 6001", "fe80::1 5432"]],
    ["postgres://%2Frun%2Fpostgresql/svc", ["/run/postgresql 5432"]],
    ["postgres:///svc?host=/run/postgresql,db", ["/run/postgresql 5432", "db 5432"]],
    ["postgres://ann@db/svc?host=other", ["other 5432"]],
    ["postgres://ann:p,w@one,two/svc", ["one 5432", "two 5432"]],
    ["host=one,two dbname=svc", ["one 5432", "two 5432"]],
    ["host=one,two port=6001 dbname=svc", ["one 6001", "two 6001"]],
    ["host=one,two port=6001,6002", ["one 6001", "two 6002"]],
    ["host=one,,two port=,6002,", ["one 5432", "localhost 6002", "two 5432"]],
    ["  host = ::1   port = 6001  ", ["::1 6001"]],
    ["dbname=svc", ["localhost 5432"]],
  ])("the connection string %s has the hosts %j", (text, expected) => {
    expect(isConninfo(text)).toBe(true);
    expect(hosts(text)).toEqual(expected);
  });

  test.each([
    ["postgres://ann:pw@db/svc", "ann", "pw", "svc"],
    ["postgres://ann:p%40%2Fw@db/s%20c", "ann", "p@/w", "s c"],
    ["postgres://ann:p@w@db/svc", "ann", "p@w", "svc"],
    ["postgres://ann:100%+%zz@db/svc", "ann", "100%+%zz", "svc"],
    ["postgres://db/svc?user=ann&password=p%26w", "ann", "p&w", "svc"],
    ["postgres://ann@db", "ann", undefined, undefined],
    ["host=db user=ann password=pw dbname=svc", "ann", "pw", "svc"],
    [
      String.raw`host=db user='ann b' password='it\'s \\ here' dbname=svc`,
      "ann b",
      String.raw`it's \ here`,
      "svc",
    ],
    [String.raw`host=db user=a\ b password='' dbname=''`, "a b", undefined, undefined],
    ["host=db\nuser=ann\tpassword=p=w", "ann", "p=w", undefined],
  ])(
    "the connection string %j logs in with its user and password",
    (text, user, password, database) => {
      expect(parseConninfo(text)).toMatchObject({ user, password, database });
    },
  );

  test("a connection string passes on the settings that svc supports", () => {
    const dsn =
      "postgres://one,two/svc?target_session_attrs=read-write&connect_timeout=3&sslmode=&ssl=true";
    expect(parseConninfo(dsn).settings).toEqual({
      target_session_attrs: "read-write",
      connect_timeout: "3",
      sslmode: "require",
    });
  });

  test.each([
    ["postgres://hunter2@one,two/svc?port=1,2,3", "number of ports"],
    ["postgres://db:hunter2/svc", "port"],
    ["postgres://db:0/svc", "port"],
    ["postgres://db:65536/svc", "port"],
    ["postgres://db/svc?target_session_attrs=standby", "target_session_attrs"],
    ["postgres://db/svc?target_session_attrs=read-only", "target_session_attrs"],
    ["postgres://db/svc?target_session_attrs=prefer-standby", "target_session_attrs"],
    ["postgres://db/svc?load_balance_hosts=random", "load_balance_hosts"],
    ["postgres://db/svc?connect_timeout=0", "connect_timeout"],
    ["postgres://db/svc?connect_timeout=hunter2", "connect_timeout"],
    ["postgres://db/svc?sslmode=hunter2", "sslmode"],
    ["postgres://db/svc?hostaddr=hunter2", "hostaddr"],
    ["postgres://db/svc?service=hunter2", "service"],
    ["postgres://db/svc?x=1&hunter2", "libpq does not know"],
    ["postgres://db/svc?__proto__=hunter2", "libpq does not know"],
    ["postgres://ann:a&hunter2=b?c/d@db/svc", "%2F"],
    ['postgres://ann:hunter2@d"b/svc', "host"],
    ["postgres://ann:hunter2@[::1/svc", "host"],
    ["host=one user=ann password=hun ter2", "name=value"],
    ["host=one user=ann password='hunter2", "name=value"],
    ["host=one password='hunter2'x", "name=value"],
    ["host=one dbname=svc user=hunter2\0", "NUL"],
    ["user=ann password=hunter2", "no host"],
  ])(
    "the connection string %j is refused without repeating a word that may be a password",
    (text, word) => {
      const refusal = catchError(() => parseConninfo(text));
      expect(refusal.message).toContain(word);
      expect(`${refusal.message} ${refusal.hint}`).not.toContain("ter2");
    },
  );

  test.each([
    "svc.db",
    "/data/host=one",
    "sqlite:///host=one",
    "Host=one",
    "DSN=postgres://db",
    "host one",
  ])("%s is no connection string", (text) => {
    expect(isConninfo(text)).toBe(false);
  });

  test.each([
    [
      "postgres://ann:pw@one:6001,two,[::1]:7/svc?sslmode=require",
      "postgres://one:6001,two,[::1]:7/svc",
    ],
    ["host=/run/postgresql dbname='a b' password=pw", "postgres://%2Frun%2Fpostgresql/a%20b"],
    ["postgres://ann:pw@db", "postgres://db"],
  ])("the connection string %s is shown as %s", (text, shown) => {
    expect(shownConninfo(parseConninfo(text))).toBe(shown);
  });
});

function catchError(work: () => unknown): ConninfoError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConninfoError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
