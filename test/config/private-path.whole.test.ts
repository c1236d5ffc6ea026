import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDsn } from "../../src/config/dsn.ts";
import { dbHash, socketPath } from "../../src/config/paths.ts";
import { socketFault } from "../../src/config/private-path.ts";
import { isRoot, STRANGER_UID } from "../support/stranger.ts";
import { folderWith } from "./folder.ts";

const dsn = parseDsn("/data/svc.db", "/base");
const uid = process.getuid?.() ?? 0;

interface Place {
  readonly shared: string;
  readonly own: string;
  readonly database: string;
  readonly socket: string;
}

/** A socket below a sticky folder that everybody may write to, as daemons use it. */
function place(): Place {
  const shared = join(folderWith(), "tmp");
  const own = join(shared, `svc-${uid}`);
  const database = join(own, dbHash(dsn));
  mkdirSync(database, { recursive: true });
  chmodSync(shared, 0o1777);
  for (const folder of [own, database]) chmodSync(folder, 0o700);
  const socket = join(database, "daemon.sock");
  writeFileSync(socket, "");
  return { shared, own, database, socket };
}

function replaceByLink(path: string): void {
  const real = `${path}-real`;
  renameSync(path, real);
  symlinkSync(real, path);
}

/** Only root can give files away. Without root, the test makes a link instead, which is refused in the same way. */
function giveAway(path: string): void {
  if (isRoot) chownSync(path, STRANGER_UID, STRANGER_UID);
  else replaceByLink(path);
}

describe("a socket path", () => {
  test("a socket path in folders that belong to us alone is safe, also below a sticky folder", () => {
    expect(socketFault(place().socket)).toBeUndefined();
  });

  test("a socket path is safe if it and its folders do not exist yet", () => {
    const { shared } = place();
    const socket = join(shared, "more", `svc-${uid}`, dbHash(dsn), "daemon.sock");
    expect(socketFault(socket)).toBeUndefined();
  });

  test.each<[string, keyof Place, number, RegExp]>([
    ["a folder of ours that all may read", "own", 0o755, /^chmod 700 /],
    ["a folder of ours that all may write to", "own", 0o777, /^chmod 700 /],
    ["a folder of the database that all may enter", "database", 0o711, /^chmod 700 /],
    ["a shared folder that is not sticky", "shared", 0o777, /^chmod go-w /],
    ["a shared folder of a group that is not sticky", "shared", 0o775, /^chmod go-w /],
  ])("a socket path below %s is unsafe", (_name, which, mode, hint) => {
    const at = place();
    chmodSync(at[which], mode);
    expect(socketFault(at.socket)).toMatchObject({ path: at[which], hint, ours: true });
  });

  test.each<[keyof Place]>([["own"], ["database"], ["socket"]])(
    "a socket path is unsafe if a part of it (%s) is a symbolic link",
    (which) => {
      const at = place();
      replaceByLink(at[which]);
      expect(socketFault(at.socket)).toMatchObject({ path: at[which], what: "is a link" });
    },
  );

  test("a socket path is safe below a link that belongs to us or the system, as /tmp on some systems", () => {
    const at = place();
    const link = join(folderWith(), "tmp");
    symlinkSync(at.shared, link);
    const socket = join(link, `svc-${uid}`, dbHash(dsn), "daemon.sock");
    expect(socketFault(socket)).toBeUndefined();
    chmodSync(at.shared, 0o777);
    expect(socketFault(socket)).toMatchObject({ path: at.shared });
  });

  test("a socket path in a loop of links is unsafe", () => {
    const folder = folderWith();
    symlinkSync(join(folder, "b"), join(folder, "a"));
    symlinkSync(join(folder, "a"), join(folder, "b"));
    const socket = join(folder, "a", `svc-${uid}`, dbHash(dsn), "daemon.sock");
    expect(socketFault(socket)).toMatchObject({ what: "is a link without an end" });
  });

  test.each<[keyof Place]>([["own"], ["database"], ["socket"]])(
    "a socket path is unsafe if another user owns a part of it (%s)",
    (which) => {
      const at = place();
      giveAway(at[which]);
      const hint = expect.stringContaining("XDG_RUNTIME_DIR") as string;
      expect(socketFault(at.socket)).toMatchObject({ path: at[which], hint, ours: false });
    },
  );

  test("a socket path below a folder of another user is unsafe", () => {
    const at = place();
    if (isRoot) chownSync(at.shared, STRANGER_UID, STRANGER_UID);
    else chmodSync(at.shared, 0o777);
    expect(socketFault(at.socket)).toMatchObject({ path: at.shared });
  });

  test.each([
    [0o700, true],
    [0o755, true],
    [0o775, false],
    [0o1777, false],
  ])(
    "a socket path that a person chose in a folder of decimal mode %i is safe: %s",
    (mode, safe) => {
      const folder = folderWith();
      chmodSync(folder, mode);
      expect(socketFault(join(folder, "mine.sock")) === undefined).toBe(safe);
    },
  );
});

describe("the choice of the socket's path", () => {
  test("skips the first path if another user could control it", () => {
    const [first, second] = [place(), place()];
    const env = { XDG_RUNTIME_DIR: first.shared, TMPDIR: second.shared };
    const at = (folder: string, name: string): string =>
      join(folder, name, dbHash(dsn), "daemon.sock");
    expect(socketPath(env, dsn, "/home/ann/.svc")).toBe(at(first.shared, "svc"));
    symlinkSync(second.own, join(first.shared, "svc"));
    expect(socketPath(env, dsn, "/home/ann/.svc")).toBe(second.socket);
  });
});
