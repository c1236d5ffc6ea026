import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { browserOf } from "../../../src/daemon/access/browser.ts";
import { Ownership } from "../../../src/daemon/access/ownership.ts";
import { PeerUsers } from "../../../src/daemon/access/peer-users.ts";
import { Sessions } from "../../../src/daemon/access/sessions.ts";
import { readSocketTable, type SocketTable } from "../../../src/daemon/access/socket-table.ts";
import { sessionRoutes } from "../../../src/daemon/routes/sessions.ts";
import { accessApp, openDoor } from "../../support/access-app.ts";
import { testDaemon } from "../../support/daemon.ts";
import { openPage, originOf, WITH_PAGES } from "../../support/page.ts";
import { isRoot, STRANGER_UID } from "../../support/stranger.ts";

const LINUX = process.platform === "linux";
const ME = process.getuid?.() ?? 0;

/** A program of another user of this machine, who asks for a session, and then for data with one of the owner's. */
const STRANGER = `
  const [origin, headers] = [process.argv[1], JSON.parse(process.argv[2])];
  const mint = await fetch(origin + "/api/v1/ui/session/local", { method: "POST", headers: { origin } });
  const data = await fetch(origin + "/api/v1/projects", { headers });
  console.log(mint.status, data.status);
`;

test.runIf(LINUX && isRoot)(
  "another user of the machine can neither open a session without a token nor use the owner's",
  async () => {
    const daemon = await testDaemon(WITH_PAGES);
    const origin = await originOf(daemon);
    const { headers } = await openPage(origin);
    const by = { uid: STRANGER_UID, gid: STRANGER_UID, cwd: "/" };
    const args = ["--input-type=module", "-e", STRANGER, origin, JSON.stringify(headers)];
    const { stdout } = await promisify(execFile)(process.execPath, args, by);
    expect(stdout).toBe("404 401\n");
  },
);

/** An app with sessions whose kernel tables say what the test wants. */
async function served(read: () => Promise<SocketTable>, user: number) {
  const sessions = new Sessions(systemClock);
  const ownership = new Ownership(systemClock);
  const peers = new PeerUsers(silentLog, user, read);
  const authentication = { mode: "static", token: "a-token", peers, sessions } as const;
  const browser = {
    ...browserOf(authentication, { sessions, ownership }, undefined),
    origin: async () => undefined,
    localOrigin: async () => undefined,
  };
  const app = accessApp(authentication, { browser });
  sessionRoutes(app);
  const door = await openDoor(app, "tcp");
  const origin = door.listener.origin ?? "";
  return async () => {
    const { code } = ownership.newCode();
    return await door.ask("POST", "/api/v1/ui/session/local", ["Origin", origin], { code });
  };
}

test.runIf(LINUX)(
  "a daemon with a token opens a session with a code for its own user, but not for another user of the machine",
  async () => {
    expect((await (await served(readSocketTable, ME))()).status).toBe(200);
    const other = await served(async () => reowned(await readSocketTable()), ME);
    expect(await other()).toMatchObject({ status: 404, code: "not_found" });
  },
);

test.runIf(LINUX)(
  "no session without a token is opened while the kernel cannot say who connected",
  async () => {
    const full = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    const ask = await served(async () => {
      throw full;
    }, ME);
    expect(await ask()).toMatchObject({ status: 503, code: "unavailable" });
  },
);

/** The same tables, in which every socket belongs to another user. */
function reowned({ tcp, tcp6 }: SocketTable): SocketTable {
  const of = (text: string | undefined) =>
    text?.replaceAll(/^((?:\s*\S+){7}\s+)\d+/gm, `$1${STRANGER_UID}`);
  return { tcp: of(tcp), tcp6: of(tcp6) };
}
