import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { createLog } from "../../src/base/log.ts";
import type { Credential } from "../../src/config/credential-entry.ts";
import { Credentials, credentialsPath } from "../../src/config/credentials.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { folderWith } from "./folder.ts";

const [ONE, TWO] = ["01J0000000000000000000000A", "01J0000000000000000000000B"];

function credential(change: Partial<Credential> = {}): Credential {
  return {
    hub_url: "https://hub.example/tracker",
    hub_project_id: 3,
    token: 'svc_fed_a"quoted\\secret',
    capabilities: ["pull"],
    actor: "ana",
    allow_insecure: false,
    spoke_instance_uid: "01J0000000000000000000000S",
    ...change,
  };
}

function opened(text?: string, mode = 0o600) {
  const home = folderWith();
  const path = credentialsPath(home);
  if (text !== undefined) writeFileSync(path, text, { mode });
  if (text !== undefined) chmodSync(path, mode);
  return { home, path, credentials: new Credentials(path) };
}

const MANAGED = {
  hub_catalog: "team",
  hub_project_name: "b",
  requested_actor: "ana",
  spoke_project_name: "a",
};

/** A credential that the daemon made for a project of config.toml. */
function managed(change: Partial<Credential> = {}): Credential {
  return credential({ managed: MANAGED, ...change });
}

async function refusalOf(work: Promise<unknown>): Promise<SvcError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SvcError)) throw new Error("nothing was refused");
  return error;
}

async function written(...uids: readonly string[]): Promise<string> {
  const { path, credentials } = opened();
  for (const uid of uids) await credentials.store(uid, credential());
  return readFileSync(path, "utf8");
}

describe("the store of enrollment tokens", () => {
  test("a file of tokens that is not TOML is reported without any of its lines, in the log too", async () => {
    const secret = "svc_fed_unclosed";
    const { credentials } = opened(`[projects.${ONE}]\ntoken = "${secret}\n`);
    const error = await refusalOf(credentials.all());
    expect(error.message).toContain("is not valid TOML (line 2");
    const lines: string[] = [];
    const sink = { write: (line: string) => lines.push(line), reopen: () => {}, close: () => {} };
    createLog(sink, systemClock).warn("federation.tokens_not_read", { error });
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(secret);
  });

  test("has no tokens while its file is missing, and reading creates no file", async () => {
    const { home, credentials } = opened();
    expect(await credentials.get(ONE)).toBeUndefined();
    expect(await credentials.status(ONE)).toBe("missing");
    await credentials.delete(ONE);
    expect(readdirSync(home)).toEqual([]);
  });

  test("returns what was stored, also to a second reader of the file, which only its owner can read", async () => {
    const { home, path, credentials } = opened();
    await credentials.store(ONE, credential());
    await credentials.store(TWO, credential({ actor: "bea", allow_insecure: true }));
    const other = new Credentials(path);
    expect(await other.get(ONE)).toEqual(credential());
    expect([...(await other.all()).keys()].sort()).toEqual([ONE, TWO]);
    expect(await other.status(ONE)).toBe("present");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["credentials.toml"]);
  });

  test("forgets one credential and keeps the others", async () => {
    const { path, credentials } = opened();
    await credentials.store(ONE, credential());
    await credentials.store(TWO, credential());
    for (const _time of [1, 2]) await credentials.delete(ONE);
    expect([...(await credentials.all()).keys()]).toEqual([TWO]);
    await credentials.delete(TWO);
    expect(readFileSync(path, "utf8")).not.toContain("secret");
  });

  test("replaces a credential only if the stored one is the expected one, or already the new one", async () => {
    const { credentials } = opened();
    const [old, next] = [credential(), credential({ hub_url: "https://other.example" })];
    expect(await credentials.replace(ONE, old, next)).toBe(false);
    expect(await credentials.get(ONE)).toBeUndefined();
    await credentials.store(ONE, old);
    expect(await credentials.replace(ONE, old, next)).toBe(true);
    expect(await credentials.replace(ONE, old, next)).toBe(true);
    expect(await credentials.get(ONE)).toEqual(next);
    expect(await credentials.replace(ONE, old, credential({ token: "third" }))).toBe(false);
    expect(await credentials.get(ONE)).toEqual(next);
  });

  test("reserves a token if none is stored, and accepts the same reservation again but no other", async () => {
    const { path, credentials } = opened();
    const reserved = managed({ actor: "" });
    for (const _time of [1, 2]) expect(await credentials.reserve(ONE, reserved)).toBe(true);
    expect(await new Credentials(path).get(ONE)).toEqual(reserved);
    expect(await credentials.reserve(ONE, managed({ actor: "", token: "other" }))).toBe(false);
    expect(await credentials.get(ONE)).toEqual(reserved);
  });

  test("finds the token of a project of config.toml in one database, and refuses to choose between two tokens", async () => {
    const { credentials } = opened();
    const own = credential().spoke_instance_uid;
    expect(await credentials.findManaged(own, "a")).toBeUndefined();
    await credentials.store(ONE, managed());
    const other = { spoke_instance_uid: "01J0000000000000000000000T" };
    await credentials.store(TWO, managed(other));
    expect(await credentials.findManaged(own, "a")).toEqual({ uid: ONE, credential: managed() });
    expect(await credentials.findManaged(own, "b")).toBeUndefined();
    await credentials.store(TWO, managed());
    expect((await refusalOf(credentials.findManaged(own, "a"))).code).toBe(
      "federation_credential_conflict",
    );
  });

  test("remembers that a project is leaving its hub, until the next credential is stored", async () => {
    const { path, credentials } = opened();
    const leaving = managed({ managed: { ...MANAGED, leave: { pending_enrollment_id: 0 } } });
    await credentials.store(ONE, managed());
    expect(await credentials.replace(ONE, managed(), leaving)).toBe(true);
    expect(await new Credentials(path).get(ONE)).toEqual(leaving);
    const text = readFileSync(path, "utf8");
    for (const line of ["managed_by_config = true", "leave_pending = true", 'hub_catalog = "team"'])
      expect(text).toContain(line);
    await credentials.store(ONE, managed());
    expect(readFileSync(path, "utf8")).not.toContain("pending");
    await credentials.store(ONE, credential());
    expect(readFileSync(path, "utf8")).not.toContain("managed");
  });

  test("deletes a credential only if the stored one is the expected one", async () => {
    const { credentials } = opened();
    await credentials.store(ONE, managed());
    expect(await credentials.deleteSame(ONE, credential())).toBe(false);
    expect(await credentials.get(ONE)).toEqual(managed());
    for (const _time of [1, 2]) expect(await credentials.deleteSame(ONE, managed())).toBe(true);
    expect(await credentials.get(ONE)).toBeUndefined();
  });

  test("moves a credential to another uid, unless that uid has a credential already", async () => {
    const { path, credentials } = opened();
    expect(await credentials.rekey(ONE, TWO, managed())).toBe(false);
    await credentials.store(ONE, managed());
    expect(await credentials.rekey(ONE, TWO, credential())).toBe(false);
    for (const _time of [1, 2]) expect(await credentials.rekey(ONE, TWO, managed())).toBe(true);
    expect([...(await new Credentials(path).all())]).toEqual([[TWO, managed()]]);
    await credentials.store(ONE, credential());
    expect(await credentials.rekey(ONE, TWO, credential())).toBe(false);
    expect([...(await credentials.all()).keys()].sort()).toEqual([ONE, TWO]);
  });

  test("loses none of many changes that two objects make to one file at once", async () => {
    const { path, credentials } = opened();
    const other = new Credentials(path);
    const uids = Array.from({ length: 20 }, (_, at) => `01J000000000000000000000${at + 10}`);
    await Promise.all(
      uids.map(async (uid, at) => await (at % 2 ? other : credentials).store(uid, credential())),
    );
    expect([...(await credentials.all()).keys()].sort()).toEqual(uids);
  });

  test("accepts further changes after a change that failed", async () => {
    const { path, credentials } = opened("projects = 1\n");
    const failed = refusalOf(credentials.store(ONE, credential()));
    await failed;
    writeFileSync(path, "");
    await credentials.store(ONE, credential());
    expect(await credentials.status(ONE)).toBe("present");
  });

  test("keeps fields and tables that a later version of svc has written", async () => {
    const later = `later = 1\n${await written(ONE)}later_field = true\n`;
    const { path, credentials } = opened(later);
    await credentials.store(ONE, credential({ actor: "bea" }));
    await credentials.store(TWO, credential());
    const text = readFileSync(path, "utf8");
    expect(text).toContain("later = 1");
    expect(text).toContain("later_field = true");
    expect(text).toContain('actor = "bea"');
  });
});

/** The text with the fields of a mapping, and of a leave. */
function leaving(text: string, pending: string, id = "4"): string {
  const mapping = Object.entries(MANAGED).map(([name, value]) => `${name} = "${value}"`);
  const leave = `${pending}\npending_enrollment_id = ${id}`;
  return `${text}managed_by_config = true\n${mapping.join("\n")}\n${leave}\n`;
}

describe("a file of tokens that cannot be trusted or understood", () => {
  const cases: readonly (readonly [string, (text: string) => string, number])[] = [
    ["is readable by the group", (text) => text, 0o640],
    ["is readable by everybody", (text) => text, 0o604],
    ["is writable by the group", (text) => text, 0o620],
    ["is cut within a text", (text) => text.slice(0, text.indexOf("secret") + 3), 0o600],
    ["is cut after a line", (text) => text.slice(0, text.indexOf("token")), 0o600],
    ["has a project that is no uid", (text) => text.replace(ONE, "../x"), 0o600],
    ["has a token that is no text", (text) => text.replace(/token = .*/, "token = 1"), 0o600],
    ["has no actor, and no mapping", (text) => text.replace(/actor = .*/, 'actor = ""'), 0o600],
    [
      "is managed by a mapping that it does not name",
      (text) => `${text}managed_by_config = true\n`,
      0o600,
    ],
    [
      "is about to leave a hub, but names no mapping",
      (text) => `${text}leave_pending = true\n`,
      0o600,
    ],
    ["has an enrollment to revoke, and no leave", (text) => leaving(text, ""), 0o600],
    [
      "is about to leave a hub, but has no valid enrollment id",
      (text) => leaving(text, "leave_pending = true", "-1"),
      0o600,
    ],
    ["has another table", () => "projects = 1\n", 0o600],
    ["has an entry that is no table", () => `[projects]\n${ONE} = 1\n`, 0o600],
  ];

  test.each(cases)(
    "a file of tokens that %s counts as unreadable, is not replaced, and its secret is not shown",
    async (_what, changed, mode) => {
      const text = changed(await written(ONE));
      const { home, path, credentials } = opened(text, mode);
      expect(await credentials.status(ONE)).toBe("unreadable");
      expect(await credentials.status(TWO)).toBe("unreadable");
      for (const refused of [
        await refusalOf(credentials.get(ONE)),
        await refusalOf(credentials.store(TWO, credential({ token: "another-secret" }))),
        await refusalOf(credentials.replace(ONE, credential(), credential({ actor: "bea" }))),
        await refusalOf(credentials.delete(ONE)),
      ]) {
        expect(refused.message).toContain(path);
        const shown = JSON.stringify([refused.message, refused.hint, refused.data, refused.code]);
        expect(shown).not.toContain("secret");
      }
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(mode);
      expect(readdirSync(home)).toEqual(["credentials.toml"]);
    },
  );

  test("a file of tokens counts as unreadable if it is a folder, or if others can write to its folder", async () => {
    const { path, credentials } = opened();
    mkdirSync(path);
    expect(await credentials.status(ONE)).toBe("unreadable");

    const { home, path: target } = opened(await written(ONE));
    const open = folderWith();
    chmodSync(open, 0o777);
    symlinkSync(target, join(open, "credentials.toml"));
    expect(await new Credentials(credentialsPath(home)).status(ONE)).toBe("present");
    expect(await new Credentials(credentialsPath(open)).status(ONE)).toBe("unreadable");
  });
});
