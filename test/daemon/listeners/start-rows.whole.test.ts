import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Config, loadConfig } from "../../../src/config/load.ts";
import { startOf, startWarnings } from "../../../src/config/start.ts";
import { judgeStart, type StartFacts } from "../../../src/config/start-rows.ts";
import type { Mode } from "../../../src/domain/access/modes.ts";
import { folderWith } from "../../config/folder.ts";
import { CELLS } from "../../support/access-table.ts";
import {
  attemptsInNetwork,
  hasPrivateNetwork,
  LINK_LOCAL,
  PRIVATE_4,
  PRIVATE_6,
} from "../../support/private-network.ts";
import { type Attempt, attempt, type Outcome, type Sent } from "../../support/start-attempt.ts";

const TOKEN = "token-of-the-table-0123456789";
const READ: Sent = { method: "GET", path: "/projects" };
const WRITE: Sent = { method: "POST", path: "/projects", body: { name: "web", actor: "ann" } };

/** The settings of a row, as words; a setting that is not named is off. */
type Word = "token" | "trust" | "tokenless" | "identity" | "ro";

function has(words: string, word: Word): boolean {
  return words.split(" ").includes(word);
}

function settingsOf(words: string, listen: string | undefined): Attempt {
  const lines = [
    ...(listen === undefined ? [] : [`listen = "${listen}"`]),
    "[auth]",
    ...(has(words, "token") ? [`token = "${TOKEN}"`] : []),
    ...(has(words, "trust") ? ["trust_private_network = true"] : []),
    ...(has(words, "tokenless") ? ["allow_unauthenticated_private_network_writes = true"] : []),
    ...(has(words, "identity") ? ["require_token_identity = true"] : []),
  ];
  return {
    file: `${lines.join("\n")}\n`,
    ...(has(words, "ro") ? { flags: { insecureReadonly: "true" } } : {}),
  };
}

const SOCKET = undefined;
const LOOPBACK = "127.0.0.1:0";
const [PRIVATE, WILDCARD, PUBLIC, NAME] = [
  `${PRIVATE_4}:0`,
  "0.0.0.0:0",
  "192.0.2.1:7777",
  "build-7:7777",
];

/** The row, the address, the settings, and a word of the refusal and one of its cure. */
type Refused = readonly [row: number, string | undefined, string, string, cure: string];

const REFUSED: readonly Refused[] = [
  [1, SOCKET, "token tokenless", "a token is set", "SVC_AUTH_TOKEN"],
  [1, PRIVATE, "token trust tokenless identity ro", "a token is set", "SVC_AUTH_TOKEN"],
  [2, PRIVATE, "tokenless identity", "asks for one", "require_token_identity"],
  [2, LOOPBACK, "tokenless identity ro", "asks for one", "require_token_identity"],
  [3, PRIVATE, "tokenless ro", "lets nobody", "--insecure-readonly"],
  [3, WILDCARD, "trust tokenless ro", "lets nobody", "--insecure-readonly"],
  [4, SOCKET, "identity", "administers the tokens", "SVC_AUTH_TOKEN"],
  [4, PRIVATE, "trust identity ro", "administers the tokens", "SVC_AUTH_TOKEN"],
  [5, LOOPBACK, "token identity ro", "asks nobody", "--insecure-readonly"],
  [5, PRIVATE, "token trust identity ro", "asks nobody", "--insecure-readonly"],
  [7, SOCKET, "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [7, LOOPBACK, "tokenless trust", "literal private addresses only", "10.0.0.5:7777"],
  [7, "[::1]:0", "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [7, WILDCARD, "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [7, "[::]:7777", "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [7, ":7777", "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [7, PUBLIC, "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [7, NAME, "tokenless", "literal private addresses only", "10.0.0.5:7777"],
  [10, NAME, "", "host name", "127.0.0.1:7777"],
  [10, NAME, "token trust", "host name", "reverse proxy"],
  [10, "010.0.0.1:80", "token trust", "host name", "reverse proxy"],
  [10, PUBLIC, "ro", "public address", "reverse proxy"],
  [10, "[2001:db8::1]:80", "token trust", "public address", "SSH"],
  [10, "[::ffff:8.8.8.8]:80", "token trust", "public address", "SSH"],
  [12, PRIVATE, "token", "in clear", "trust_private_network"],
  [12, WILDCARD, "token ro", "in clear", "trust_private_network"],
  [12, "100.64.0.1:80", "token identity", "in clear", "[tls] cert"],
  [12, "169.254.1.1:80", "token", "in clear", "trust_private_network"],
  [14, PRIVATE, "", "without a token", "allow_unauthenticated_private_network_writes"],
  [14, "[fd00::5]:80", "trust", "without a token", "--insecure-readonly"],
  [14, WILDCARD, "trust", "without a token", "[auth] token"],
  [14, "[::ffff:10.0.0.5]:80", "", "cannot listen on 10.0.0.5:80", "[auth] token"],
];

describe("a daemon does not start", () => {
  test.each(REFUSED)(
    "row %i of the start table refuses to start a daemon with the listener %s and the settings %j",
    async (row, listen, words, reason, cure) => {
      const given = settingsOf(words, listen);
      expect(await attempt(given)).toEqual({
        refused: {
          message: expect.stringContaining(reason),
          hint: expect.stringContaining(cure),
        },
      });
      expect(await rowOf(given)).toBe(row);
    },
  );
});

/** The row, the address, the settings, then the answers to a read and a write, without the token and with it. */
type Started = readonly [number, string | undefined, string, readonly (string | number)[]];

const [OPEN, READONLY, STATIC, IDENTITY] = [
  [200, 200],
  [200, "auth_required"],
  ["auth_required", "auth_required", 200, 200],
  ["auth_required", "auth_required", 200, "bootstrap_token_write_forbidden"],
];

const HERE: readonly Started[] = [
  [8, SOCKET, "", OPEN],
  [8, SOCKET, "trust ro", READONLY],
  [8, SOCKET, "token ro", STATIC],
  [8, SOCKET, "token identity", IDENTITY],
  [9, LOOPBACK, "", OPEN],
  [9, "[::1]:0", "", OPEN],
  [9, "localhost:0", "", OPEN],
  [9, "[::ffff:127.0.0.1]:0", "", OPEN],
  [9, LOOPBACK, "ro", READONLY],
  [9, LOOPBACK, "token", STATIC],
  [9, LOOPBACK, "token trust identity", IDENTITY],
];

const THERE: readonly Started[] = [
  [6, PRIVATE, "tokenless", OPEN],
  [6, `[${PRIVATE_6}]:0`, "tokenless trust", OPEN],
  [6, `${LINK_LOCAL}:0`, "tokenless", OPEN],
  [11, PRIVATE, "token trust", STATIC],
  [11, PRIVATE, "token trust identity", IDENTITY],
  [11, PRIVATE, "token trust ro", STATIC],
  [11, `[${PRIVATE_6}]:0`, "token trust", STATIC],
  [11, WILDCARD, "token trust", STATIC],
  [11, "[::]:0", "token trust", STATIC],
  [13, PRIVATE, "ro", READONLY],
  [13, WILDCARD, "ro trust", READONLY],
];

function asking(words: string, listen: string | undefined): Attempt {
  const withToken = [READ, WRITE].map((sent) => ({ ...sent, bearer: TOKEN }));
  const requests = [READ, WRITE, ...(has(words, "token") ? withToken : [])];
  return { ...settingsOf(words, listen), requests };
}

describe("a daemon starts and answers as its access mode requires", () => {
  test.each(HERE)(
    "row %i of the start table lets a daemon with the listener %s and the settings %j start, and it answers as required",
    async (row, listen, words, answers) => {
      const given = asking(words, listen);
      expect(await attempt(given)).toMatchObject({ answers });
      expect(await rowOf(given)).toBe(row);
    },
  );

  test.skipIf(!hasPrivateNetwork)(
    "daemons on addresses of a private network start and answer as their access modes require",
    async () => {
      const given = THERE.map(([, listen, words]) => asking(words, listen));
      const outcomes = attemptsInNetwork(given);
      expect(outcomes).toMatchObject(THERE.map(([, , , answers]) => ({ answers })));
      expect(await Promise.all(given.map(rowOf))).toEqual(THERE.map(([row]) => row));
    },
  );

  test("with HTTPS a token is permitted on a private network that is not trusted, and no other row of the table changes", () => {
    const facts: StartFacts = {
      ...{ listen: "private", token: true, trust: false, tokenless: false, identity: false },
      ...{ readonly: false, encrypted: true },
    };
    const rowWith = (more: Partial<StartFacts>) => judgeStart({ ...facts, ...more }, "").row;
    expect(judgeStart(facts, "10.0.0.5:7777")).toEqual({ row: 11 });
    expect(judgeStart({ ...facts, trust: true }, "10.0.0.5:7777")).toEqual({ row: 11 });
    expect([rowWith({ encrypted: false }), rowWith({ listen: "public" })]).toEqual([12, 10]);
    expect([rowWith({ token: false }), rowWith({ token: false, readonly: true })]).toEqual([
      14, 13,
    ]);
  });
});

test("rows 6 and 11 of the start table warn of what others on the network can do", async () => {
  const warned = async (words: string): Promise<readonly string[]> =>
    startWarnings(await configOf(settingsOf(words, "10.0.0.5:7777")));
  expect(await warned("tokenless")).toEqual([
    "everybody who reaches 10.0.0.5:7777 can write there without a token, as any actor",
  ]);
  expect(await warned("token trust")).toEqual([
    "tokens travel to 10.0.0.5:7777 in clear: whoever reads along on that network can use them",
  ]);
  expect(await warned("ro")).toEqual([]);
});

const PATHS: Readonly<Record<string, Sent>> = {
  "open GET": { method: "GET", path: "/ping" },
  "read GET": READ,
  "stream GET": { method: "GET", path: "/events/stream", headers: { accept: "text/event-stream" } },
  "write POST": WRITE,
  "tokens GET": { method: "GET", path: "/tokens" },
  "profile GET": { method: "GET", path: "/debug/pprof/" },
  "tokens POST": { method: "POST", path: "/tokens", body: { actor: "bea" } },
};
const BEARER = { none: undefined, wrong: `${TOKEN}x`, configured: TOKEN, database: "made" };

/** For each route of the access table, a request, and the result that the table expects. */
function tableOf(mode: Mode) {
  const cells = CELLS.filter((cell) => {
    return cell.mode === mode && `${cell.right} ${cell.method}` in PATHS;
  });
  const making: Sent = { method: "POST", path: "/tokens", body: { actor: "ann" }, bearer: TOKEN };
  const requests = cells.map(({ right, method, bearer }) => {
    const token = BEARER[bearer];
    const sent = PATHS[`${right} ${method}`] ?? READ;
    return { ...sent, ...(token === undefined ? {} : { bearer: token }) };
  });
  const expected = cells.map(({ answer }) => (KINDS.has(answer) ? "passed" : answer));
  return { requests: [making, ...requests], expected };
}

const KINDS = new Set(["none", "static_token", "bootstrap", "db_token"]);

function heard({ answers = [] }: Outcome): readonly (string | number)[] {
  return answers.slice(1).map((answer) => {
    return typeof answer === "number" && answer < 300 ? "passed" : answer;
  });
}

describe("the table of requests holds for real routes", () => {
  test.each([
    ["open", ""],
    ["readonly", "ro"],
    ["static", "token"],
    ["identity", "token identity"],
  ] as const)(
    "real routes follow the table of requests on a socket and on loopback in the mode %s",
    async (mode, words) => {
      const { requests, expected } = tableOf(mode);
      for (const listen of [SOCKET, LOOPBACK])
        expect(heard(await attempt({ ...settingsOf(words, listen), requests }))).toEqual(expected);
    },
  );

  const [modes, words] = [
    ["tokenless", "readonly", "static", "identity"] as const,
    ["tokenless", "ro", "token trust", "token trust identity"],
  ];
  test.skipIf(!hasPrivateNetwork)(
    "real routes follow the table of requests on a private address, and on the socket beside it",
    () => {
      const tables = modes.map(tableOf);
      for (const at of [0, 1]) {
        const outcomes = attemptsInNetwork(
          tables.map(({ requests }, mode) => ({
            ...settingsOf(words[mode] ?? "", PRIVATE),
            requests: requests.map((sent) => ({ ...sent, at })),
          })),
        );
        expect(outcomes.map(heard)).toEqual(tables.map(({ expected }) => expected));
      }
    },
  );
});

test.skipIf(!hasPrivateNetwork)(
  "a proxy on a private address needs the token too, and its header names the actor only on that address",
  () => {
    const headers = { "x-user": "bea" };
    const token = { bearer: TOKEN };
    const asked: readonly Sent[] = [
      { ...WRITE, headers },
      { ...WRITE, headers, bearer: `${TOKEN}x` },
      { ...WRITE, ...token },
      { ...READ, ...token },
      { ...WRITE, ...token, headers },
      { method: "GET", path: "/tokens", ...token, headers },
      { method: "GET", path: "/tokens", ...token, headers, at: 0 },
      { ...WRITE, ...token, at: 0 },
    ];
    const proxy = `[auth.proxy]\ntrusted_actor_header = "X-User"\ntrusted_proxy_listeners = ["${PRIVATE}"]\n`;
    const { file = "" } = settingsOf("token trust", PRIVATE);
    const [outcome] = attemptsInNetwork([{ file: file + proxy, requests: asked }]);
    expect(outcome?.answers).toEqual([
      ...["auth_required", "auth_invalid", "actor_header_required", 200, 200],
      ...["token_admin_forbidden", 200, 200],
    ]);
  },
);

test.skipIf(!hasPrivateNetwork)(
  "the variable PORT makes the daemon listen on all addresses, to which the start rules apply",
  () => {
    const env = { PORT: "7777" };
    const outcomes = attemptsInNetwork([
      { env },
      { env: { ...env, SVC_AUTOSTART: "1" }, requests: [READ] },
      {
        ...settingsOf("token trust", undefined),
        env,
        requests: [READ, { ...READ, bearer: TOKEN }],
      },
    ]);
    expect(outcomes).toMatchObject([
      { refused: { message: expect.stringContaining("0.0.0.0:7777: everybody") } },
      { answers: [200] },
      {
        addresses: [expect.stringMatching(/daemon\.sock$/), "0.0.0.0"],
        answers: ["auth_required", 200],
      },
    ]);
  },
);

test("no combination of settings allows unprotected remote writes", () => {
  const flags = [false, true];
  const open: StartFacts[] = [];
  for (const listen of ["private", "wildcard", "public", "name"] as const)
    for (const token of flags)
      for (const trust of flags)
        for (const tokenless of flags)
          for (const identity of flags)
            for (const readonly of flags)
              for (const encrypted of flags)
                open.push({ listen, token, trust, tokenless, identity, readonly, encrypted });
  const started = open.filter((facts) => judgeStart(facts, "").refusal === undefined);
  expect(started.length).toBeGreaterThan(0);
  for (const { listen, token, trust, tokenless, identity, readonly, encrypted } of started) {
    expect(["private", "wildcard"]).toContain(listen);
    const safe = token && (trust || encrypted) && !tokenless && !(identity && readonly);
    const reading = !token && readonly && !tokenless && !identity;
    const writing = !token && tokenless && !readonly && !identity && listen === "private";
    expect([safe, reading, writing].filter(Boolean)).toHaveLength(1);
  }
});

describe("[web]", () => {
  test.each([
    ['listen = "0.0.0.0:80"', "wildcard", "literal address"],
    ['listen = "10.0.0.5:80"', "without a token", "[auth] token"],
    ['listen = "8.8.8.8:80"', "public address", "reverse proxy"],
    ['listen = "build-7:80"', "host name", "reverse proxy"],
    ['public_origin = "http://tracker.example.com"', "plain http", "https"],
  ])("%s is refused", async (line, reason, cure) => {
    expect(await attempt({ file: `[web]\n${line}\n` })).toEqual({
      refused: {
        message: expect.stringContaining(reason),
        hint: expect.stringContaining(cure),
      },
    });
  });

  test.each([
    ["tracker.example.com", "web_session_required"],
    ["10.0.0.5:7", 200],
    ["build-7", 200],
  ] as const)(
    "[web] lets a TCP listener answer the Host %s by %s, and refuses a host that only begins with that name",
    async (host, answered) => {
      const file = `listen = "127.0.0.1:0"\n[web]\npublic_origin = "https://tracker.example.com"\nallowed_hosts = ["10.0.0.5:7", "build-7"]\n`;
      const requests = [host, `${host}.evil.example`].map((name) => {
        return { ...READ, headers: { host: name } };
      });
      expect(await attempt({ file, requests })).toMatchObject({
        answers: [answered, "host_invalid"],
      });
    },
  );
});

describe("[auth.proxy]", () => {
  const proxy = (listen: string, trusted: string): string =>
    `listen = "${listen}"\n[auth.proxy]\ntrusted_actor_header = "X-User"\ntrusted_proxy_listeners = ["${trusted}"]\n`;

  test("[auth.proxy] lets the proxy's header name the actor on the listeners that it lists", async () => {
    const headers = { "x-user": "ann" };
    const requests = [
      READ,
      WRITE,
      { ...WRITE, headers },
      { ...PATHS["tokens GET"], ...READ, headers },
    ];
    const file = proxy("127.0.0.1:0", "localhost:0");
    expect(await attempt({ file, requests })).toMatchObject({
      answers: [200, "actor_header_required", 200, 200],
    });
  });

  test("[auth.proxy] with a listener that the daemon does not have is refused", async () => {
    expect(await attempt({ file: proxy("127.0.0.1:0", "127.0.0.1:7777") })).toEqual({
      refused: {
        message: expect.stringContaining("127.0.0.1:7777, and the daemon does not listen there"),
        hint: expect.stringContaining("it listens on 127.0.0.1:0"),
      },
    });
  });
});

test.each([
  ["", true],
  ['listen = "127.0.0.1:0"', true],
  ['[web]\npublic_origin = "http://localhost:7777"', true],
  ['[web]\npublic_origin = "https://tracker.example.com"', false],
  ['[web]\nallowed_hosts = ["build-7"]', false],
  [
    'listen = "127.0.0.1:0"\n[auth.proxy]\ntrusted_actor_header = "X-User"\ntrusted_proxy_listeners = ["127.0.0.1:0"]',
    false,
  ],
])("an auto-started daemon with %j ends when idle: %s", async (file, idle) => {
  const env = { SVC_AUTOSTART: "1", SVC_AUTOSTART_IDLE_TIMEOUT: "1m" };
  expect(await attempt({ file, env })).toMatchObject({ idle });
});

test.skipIf(!hasPrivateNetwork)(
  "an auto-started daemon on a private address does not end when idle",
  () => {
    const env = { SVC_AUTOSTART: "1", SVC_AUTOSTART_IDLE_TIMEOUT: "1m" };
    const [outcome] = attemptsInNetwork([{ ...settingsOf("token trust", PRIVATE), env }]);
    expect(outcome).toMatchObject({ idle: false });
  },
);

async function configOf({ file = "", flags = {} }: Attempt): Promise<Config> {
  const home = folderWith({ "config.toml": file });
  chmodSync(home, 0o700);
  return await loadConfig({ env: { SVC_HOME: home }, cwd: home, flags });
}

/**
 * Returns the row of the last address. If the settings name only addresses beyond this machine, the daemon's own socket
 * comes before them.
 */
async function rowOf(given: Attempt): Promise<number | undefined> {
  return startOf(await configOf(given)).listeners.at(-1)?.row;
}
