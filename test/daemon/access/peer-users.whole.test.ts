import { execFile } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { createLog, silentLog } from "../../../src/base/log.ts";
import { PeerUsers, sharedUser } from "../../../src/daemon/access/peer-users.ts";
import {
  indexOf,
  peerUser,
  readSocketTable,
  type SocketTable,
} from "../../../src/daemon/access/socket-table.ts";
import { accessApp, openDoor } from "../../support/access-app.ts";
import { testDaemon } from "../../support/daemon.ts";

const LINUX = process.platform === "linux";
const ME = process.getuid?.() ?? 0;
const NOBODY = 65_534;
const PORT = { host: "127.0.0.1", port: 0 };

/** Returns both ends of a real connection. */
async function connection(host: string, to = host) {
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer({ allowHalfOpen: true }, accepted.resolve).listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: to, port });
  const served = await accepted.promise;
  served.on("error", () => undefined);
  onTestFinished(() => {
    for (const end of [client, served, server]) end.unref();
    client.destroy();
    served.destroy();
    server.close();
  });
  return { served, client };
}

describe.runIf(LINUX)("the kernel's table of connections", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.1", "::ffff:127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
  ])("names the user who connects to a listener on %s by the address %s", async (host, to) => {
    const { served } = await connection(host, to);
    expect(peerUser(indexOf(await readSocketTable()), served)).toBe(ME);
  });

  test("shows that the client closed its connection, although the kernel lists a closed end as one of root", async () => {
    const { served, client } = await connection("127.0.0.1");
    const ends = { ...endsOf(served) };
    served.resume();
    client.end();
    await once(served, "end");
    expect(peerUser(indexOf(await readSocketTable()), ends)).toBe(ME);
    client.destroy();
    await once(client, "close");
    const { tcp = "" } = await readSocketTable();
    const port = ends.remotePort?.toString(16).toUpperCase().padStart(4, "0");
    expect(tcp).toMatch(new RegExp(`:${port} \\S+ \\S+ \\S+ \\S+ \\S+ +0 +0 0 `));
    expect(peerUser(indexOf({ tcp, tcp6: undefined }), ends)).toBe("gone");
  });

  test("is not trusted if the daemon's own listener is missing in it", () => {
    const ends = { localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1" };
    expect(peerUser(indexOf({ tcp: "  sl  local_address\n", tcp6: undefined }), ends)).toBe(
      "untold",
    );
    expect(peerUser(indexOf({ tcp: undefined, tcp6: undefined }), ends)).toBe("untold");
  });

  test("fails to be read, and is not taken as empty, in a process without a free file descriptor", async () => {
    const module = pathToFileURL("src/daemon/access/socket-table.ts").href;
    const script = `
      const { openSync } = require("node:fs");
      import("${module}").then(async ({ readSocketTable }) => {
        try { for (;;) openSync("/dev/null"); } catch {}
        console.log(await readSocketTable().then(() => "read", ({ code }) => code));
      });`;
    const run = 'ulimit -n 128; exec "$0" -e "$1"';
    const { stdout } = await promisify(execFile)("sh", ["-c", run, process.execPath, script]);
    expect(stdout.trim()).toBe("EMFILE");
  });

  test("is not searched for a connection without addresses, which counts as closed", async () => {
    expect(peerUser(indexOf(await readSocketTable()), {})).toBe("gone");
  });
});

test("an index of the kernel's table leaves out the connections that are closed", () => {
  const row = (at: number, port: string, state: string): string =>
    `${String(at).padStart(4)}: 0100007F:${port} 0100007F:1F90 ${state} 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0\n`;
  const port = (at: number): string => (10_000 + at).toString(16).toUpperCase().padStart(4, "0");
  const rows = Array.from({ length: 34_000 }, (_, at) =>
    row(at, port(at), at < 1000 ? "01" : "06"),
  );
  const listener =
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1\n";
  const index = indexOf({
    tcp: `  sl  local_address\n${listener}${rows.join("")}`,
    tcp6: undefined,
  });
  const ends = { localAddress: "127.0.0.1", localPort: 8080, remoteAddress: "127.0.0.1" };
  expect(index.users.size).toBe(1001);
  expect(peerUser(index, { ...ends, remotePort: 10_999 })).toBe(1000);
  expect(peerUser(index, { ...ends, remotePort: 11_000 })).toBe("gone");
});

test.runIf(LINUX)(
  "connections that arrive while the kernel's table is being read share one further reading",
  async () => {
    let reads = 0;
    const peers = new PeerUsers(silentLog, ME, async () => {
      reads++;
      return await readSocketTable();
    });
    const isOwn = async (socket: Socket): Promise<boolean> => await peers.isOwn(socket);
    const sockets: Socket[] = [];
    for (let count = 0; count < 10; count++) sockets.push((await connection("127.0.0.1")).served);
    const [first, ...others] = sockets;
    const answered = [isOwn(first as Socket)];
    await Promise.resolve().then(() => undefined);
    expect(reads).toBe(1);
    answered.push(...others.map(async (one) => await isOwn(one)));
    expect(await Promise.all(answered)).toEqual(sockets.map(() => true));
    expect(reads).toBe(2);
  },
);

function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket) {
  return { localAddress, localPort, remoteAddress, remotePort };
}

/** An app without a token, and a count of how often the table was read. */
async function openApp(
  read: () => Promise<SocketTable>,
  { log = silentLog, user = ME }: { readonly log?: typeof silentLog; readonly user?: number } = {},
) {
  const reads = { count: 0 };
  const counted = async (): Promise<SocketTable> => {
    reads.count++;
    return await read();
  };
  const app = accessApp({ mode: "open", peers: new PeerUsers(log, user, counted) });
  return { reads, app, door: await openDoor(app, "tcp") };
}

describe.runIf(LINUX)("a TCP listener without a token", () => {
  test("asks the kernel once for each connection who connected", async () => {
    const { reads, door } = await openApp(readSocketTable);
    const url = `http://${door.listener.address}/api/v1/read`;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const get = async (by: Agent | false): Promise<number | undefined> =>
      await new Promise((resolve, reject) => {
        const sent = request(url, { agent: by }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode));
        });
        sent.once("error", reject).end();
      });
    for (let count = 0; count < 5; count++) expect(await get(agent)).toBe(200);
    expect(reads.count).toBe(1);
  });

  test("does not ask the kernel who sent a ping, and neither does a Unix socket or a listener for a trusted proxy", async () => {
    const { reads, app, door } = await openApp(readSocketTable);
    expect((await door.ask("GET", "/api/v1/open")).status).toBe(200);
    const socket = await openDoor(app, "unix");
    expect((await socket.ask("GET", "/api/v1/read")).status).toBe(200);
    const trusted = await openDoor(app, "tcp", { trustedHeader: "x-user" });
    expect((await trusted.ask("GET", "/api/v1/read")).status).toBe(200);
    expect(reads.count).toBe(0);
  });

  test("refuses another user, and names the remedy", async () => {
    const { tcp = "", tcp6 = "" } = await readSocketTable();
    expect(tcp + tcp6).not.toBe("");
    const ofNobody = async (): Promise<SocketTable> => {
      const table = await readSocketTable();
      return { tcp: reowned(table.tcp), tcp6: reowned(table.tcp6) };
    };
    const { door } = await openApp(ofNobody);
    expect(await door.ask("POST", "/api/v1/write", [], {})).toMatchObject({
      status: 401,
      code: "auth_required",
      body: { error: { hint: expect.stringContaining("[auth] token") } },
    });
    expect((await door.ask("GET", "/api/v1/open")).status).toBe(200);
  });

  test("accepts the user of the daemon, and root", async () => {
    const { door } = await openApp(readSocketTable, { user: ME === 0 ? NOBODY : ME });
    expect((await door.ask("GET", "/api/v1/read")).status).toBe(200);
  });

  test("refuses requests while the kernel's tables cannot be read, and reads them again at the next request", async () => {
    const full = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    let fails = true;
    const { door } = await openApp(async () => {
      if (fails) throw full;
      return await readSocketTable();
    });
    const refused = { status: 503, code: "unavailable" };
    expect(await door.ask("POST", "/api/v1/write", [], {})).toMatchObject(refused);
    expect(await door.ask("POST", "/api/v1/write", [], {})).toMatchObject(refused);
    fails = false;
    expect((await door.ask("POST", "/api/v1/write", [], {})).status).toBe(200);
  });

  test("refuses a new connection if the kernel's tables, which named a user before, name none any more", async () => {
    let none = false;
    const { app, door } = await openApp(async () =>
      none ? { tcp: undefined, tcp6: undefined } : await readSocketTable(),
    );
    expect((await door.ask("GET", "/api/v1/read")).status).toBe(200);
    none = true;
    const other = await openDoor(app, "tcp");
    expect(await other.ask("GET", "/api/v1/read")).toMatchObject({
      status: 503,
      code: "unavailable",
      body: { error: { hint: expect.stringContaining("socket") } },
    });
  });

  test("accepts everybody if the kernel's tables have never named a user, and logs this once", async () => {
    const lines: string[] = [];
    const sink = { write: (line: string) => void lines.push(line), reopen() {}, close() {} };
    const log = createLog(sink, systemClock);
    const { door } = await openApp(async () => ({ tcp: undefined, tcp6: undefined }), { log });
    const another = await openApp(async () => ({ tcp: "", tcp6: "" }));
    expect((await door.ask("GET", "/api/v1/read")).status).toBe(200);
    expect((await another.door.ask("GET", "/api/v1/read")).status).toBe(200);
    expect(lines).toEqual([expect.stringContaining("peers.unknown")]);
  });
});

test.each([
  ["         0          0 4294967295\n", undefined],
  [undefined, undefined],
  ["         0     100000      65536\n", NOBODY],
  ["         0       1000          1\n         1     100000      65536\n", NOBODY],
  ["      1000       1000          1\n", NOBODY],
])("in a namespace with the id map %j, users without an id share the id %j", (map, expected) => {
  expect(sharedUser(map, `${NOBODY}\n`)).toBe(expected);
});

test.runIf(LINUX)("a user without an id in the namespace does not count as the owner", async () => {
  const isOwn = async (shared?: number): Promise<boolean> => {
    const peers = new PeerUsers(silentLog, ME, readSocketTable, shared);
    return await peers.isOwn((await connection("127.0.0.1")).served);
  };
  expect(await isOwn(ME)).toBe(false);
  expect(await isOwn()).toBe(true);
});

/** Returns the table as if another user owned every socket. */
function reowned(text = ""): string {
  return text.replaceAll(/^(\s*\d+: (?:\S+ ){6}\s*)\d+/gm, `$1${NOBODY}`);
}

test.runIf(LINUX && ME === 0)(
  "a real daemon refuses a process of another user, and accepts the process with the token",
  async () => {
    const token = "shared-token-0123456789";
    const open = await testDaemon({ listen: PORT });
    const guarded = await testDaemon({ listen: PORT, authentication: { mode: "static", token } });
    const script = `
      const [address, path, authorization] = process.argv.slice(1);
      const headers = authorization === undefined ? {} : { authorization };
      fetch("http://" + address + "/api/v1" + path, { headers })
        .then(async (answer) => console.log(answer.status, (await answer.json()).error?.message));`;
    const asNobody = async (...args: readonly string[]): Promise<string> => {
      const run = { uid: NOBODY, gid: NOBODY, cwd: "/", env: {} };
      const all = ["-e", script, ...args];
      return (await promisify(execFile)(process.execPath, all, run)).stdout.trim();
    };
    const { address } = open.endpoint;
    expect(await asNobody(address, "/projects")).toBe(
      "401 this daemon has no token, so it answers only the user who runs it",
    );
    expect(await asNobody(address, "/events/stream")).toMatch(/^401 /);
    expect(await asNobody(address, "/ping")).toMatch(/^200 /);
    expect(await asNobody(guarded.endpoint.address, "/projects", `Bearer ${token}`)).toMatch(
      /^200 /,
    );
  },
);

test.runIf(LINUX && ME === 0)(
  "health does not tell another user of the machine where the database is",
  async () => {
    const { endpoint, settings } = await testDaemon({ listen: PORT });
    const url = `http://${endpoint.address}/api/v1/health`;
    const script = `fetch("${url}").then(async (answer) => console.log((await answer.json()).db_path));`;
    const pathAs = async (id: number): Promise<string> => {
      const run = { uid: id, gid: id, cwd: "/", env: {} };
      return (await promisify(execFile)(process.execPath, ["-e", script], run)).stdout.trim();
    };
    expect(await pathAs(NOBODY)).toBe("svc.db");
    expect(await pathAs(ME)).toBe(settings.dsn.display);
  },
);
