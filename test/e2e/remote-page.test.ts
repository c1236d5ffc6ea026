import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPrivateNetwork } from "../support/private-network.ts";
import { blocksOf, headings, TOKEN, TypedPage, waitFor } from "../support/remote-page.ts";

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

const [PRIVATE, HTTPS, SSH] = ["On a private network", "HTTPS by the daemon itself", "Through SSH"];
const [PROXY, IDENTITY, WEB] = [
  "Behind a reverse proxy",
  "A proxy that signs people in",
  "A web application in front",
];

const [TOKEN_OF_ALL, TOKENS] = ["A token", "A token for each person"];

test("every section of docs/remote.md with commands is run here", () => {
  const typed = [TOKEN_OF_ALL, TOKENS, PRIVATE, HTTPS, SSH, PROXY, IDENTITY, WEB];
  expect(headings().filter((heading) => blocksOf(heading).length > 0)).toEqual(typed);
});

describe.skipIf(!hasPrivateNetwork)("commands as written in docs/remote.md", () => {
  test("give a daemon a token, and then one for each person", async () => {
    const [shared] = blocksOf(TOKEN_OF_ALL);
    const page = new TypedPage();
    page.type(
      "server",
      `${shared?.text}svc projects create tools\nunset SVC_AUTH_TOKEN\nsvc list --all`,
    );
    page.section(TOKENS);
    page.type("server", "svc create 'By nobody' --project tools");
    page.type(
      "server",
      "export SVC_AUTH_TOKEN=$(svc tokens create --actor bea -q)\nsvc create 'By bea' --project tools --as mallory --json",
    );
    const said = await page.run();
    expect(said).toContain("svc: this daemon asks for a token");
    expect(said).toContain("created token id=1 actor=ann name=laptop");
    expect(said).toContain("the bootstrap token only reads and administers tokens");
    expect(said).toMatch(/"author":"bea"/);
    expect(said).not.toContain(TOKEN);
  }, 60_000);

  test("serve a private network to token holders, or to everybody who reads or writes", async () => {
    const page = new TypedPage();
    for (const { language, text } of blocksOf(PRIVATE)) {
      if (text.includes("without [auth] token"))
        page.file('# config.toml of the daemon\nlisten = "10.0.0.5:7777"\n');
      page.block(language, text);
    }
    page.type(
      "client",
      "export TEAM_TOKEN=any\nsvc list --project tools --daemon team\nsvc create Refused --project tools --daemon team",
    );
    page.file(
      '# config.toml of the daemon\nlisten = "10.0.0.5:7777"\n[auth]\nallow_unauthenticated_private_network_writes = true\n',
    );
    page.type("server", "svc daemon restart");
    page.type("client", "export TEAM_TOKEN=any\nsvc create Another --project tools --daemon team");
    page.type("client", "export TEAM_TOKEN=any\nsvc tokens list --daemon team");
    const said = await page.run();
    expect(said).toContain("tokens travel to 10.77.0.1:7777 in clear");
    expect(said.match(/A first issue/g)?.length).toBe(3);
    expect(said).toContain("this daemon is read-only (--insecure-readonly)");
    expect(said).not.toContain("Refused");
    expect(said).toMatch(/everybody who reaches 10\.77\.0\.1:7777 can write there/);
    expect(said).toContain("Another [open]");
    expect(said).toContain("this daemon writes without tokens");
    expect(said).not.toContain(TOKEN);
  }, 60_000);

  test.skipIf(!hasOpenssl)(
    "serve HTTPS on a private network with the daemon's own certificate",
    async () => {
      const page = new TypedPage();
      for (const { language, text } of blocksOf(HTTPS)) {
        if (text.includes("openssl")) page.file("# config.toml of the daemon\n");
        if (text.startsWith("# on another machine"))
          page.type(
            "server",
            `svc projects create tools\nsvc create 'By HTTPS' --project tools\ncp ~/.svc/tracker.pem ${page.folder}/client/`,
          );
        page.block(language, text);
      }
      const said = await page.run();
      expect(said.match(/By HTTPS/g)?.length).toBe(2);
      expect(said).not.toContain("in clear");
    },
    60_000,
  );

  test("reach a daemon's port and its socket through SSH", async () => {
    const page = new TypedPage();
    writeFileSync(join(page.folder, "tunnel.cjs"), TUNNEL);
    page.program("ssh", `exec ${process.execPath} ${page.folder}/tunnel.cjs "$@"`);
    page.file('# config.toml of the daemon\n[auth]\ntoken = "..."\n');
    const [start, port, socket] = blocksOf(SSH);
    const client = (text: string): string =>
      text
        .replace("-L 7777:", "-L 17777:")
        .replace("SERVER=http://127.0.0.1:7777", "SERVER=http://127.0.0.1:17777");
    page.block("sh", start?.text ?? "");
    page.type("server", "svc projects create tools\nsvc create 'By SSH' --project tools");
    page.block("sh", `${client(port?.text ?? "")}kill $!`);
    page.type("server", "svc daemon restart --listen unix://$HOME/d.sock");
    const toSocket = client(socket?.text ?? "").replace(
      /\/run\/user\S+sock/,
      `${page.folder}/server/d.sock`,
    );
    page.type(
      "client",
      `${toSocket}export SVC_SERVER=http://127.0.0.1:17777 SVC_AUTH_TOKEN=...\nsvc list --all\nkill $!`,
    );
    const said = await page.run();
    expect(said.match(/By SSH/g)?.length).toBe(3);
  }, 60_000);
});

describe.skipIf(!hasPrivateNetwork || !hasNginx || !hasOpenssl)(
  "nginx as configured in docs/remote.md",
  () => {
    const SERVER =
      '# config.toml of the daemon\nlisten = "127.0.0.1:7777"\n[auth]\ntoken = "..."\n';
    const START =
      "svc daemon restart\nsvc projects create tools\nsvc create 'By HTTPS' --project tools";
    const CLIENT = "export NODE_EXTRA_CA_CERTS=$CURL_CA_BUNDLE\n";

    test("passes commands with a token, also if the proxy keeps the public host name", async () => {
      const page = new TypedPage().file(SERVER).type("server", START);
      for (const { language, text } of blocksOf(PROXY))
        page.block(
          language,
          text.replace("# on another machine\n", `# on another machine\n${CLIENT}`),
        );
      const [nginx] = blocksOf(PROXY);
      const named = (nginx?.text ?? "").replace(
        "proxy_pass",
        "proxy_set_header Host $host;\n    proxy_pass",
      );
      const again = `${CLIENT}export TEAM_TOKEN=...\nsvc list --all --daemon team`;
      page.nginx(named).type("client", again);
      page.file(`${SERVER}[web]\npublic_origin = "https://tracker.example.com"\n`);
      page.type("server", "svc daemon restart").type("client", again);
      page.type(
        "client",
        "curl -sS -H 'Host: other.example' https://tracker.example.com/api/v1/ping",
      );
      const said = await page.run();
      expect(said.match(/ By HTTPS \(/g)?.length).toBe(2);
      expect(said.match(/this daemon does not answer for that host/g)?.length).toBe(2);
    }, 90_000);

    test("lets the proxy, and nobody else, name the person", async () => {
      const page = new TypedPage();
      const as = (who: string, more: string): string =>
        `curl -sS ${who} ${more} https://tracker.example.com/api/v1/projects`;
      const until = (text: string): string =>
        `for i in $(seq 200); do grep -q ${text} $HOME/stream && break; sleep 0.05; done`;
      const make = (name: string): string => `--json '{"name":"${name}","actor":"mallory"}'`;
      const blocks = blocksOf(IDENTITY);
      for (const { language, text } of blocks.slice(0, -1)) page.block(language, text);
      page.type(
        "client",
        `curl -sSN -u 'ann:a password' -H 'Last-Event-ID: 0' https://tracker.example.com/api/v1/events/stream > $HOME/stream &
${until("event:")}
${as("-u 'ann:a password' -H 'X-User: mallory' -H 'X-User: bea'", make("by-ann"))}
${as("-H 'X-User: mallory'", make("by-nobody"))}
${as(`-H 'Authorization: Bearer ${TOKEN}' -H 'X-User: mallory'`, make("by-token"))}
${as("-u 'ann:another'", make("by-guess"))}
${until("by-ann")}
cat $HOME/stream; kill $!`,
      );
      page.type("server", "svc projects create by-command");
      page.type(
        "server",
        `curl -sS -H 'Authorization: Bearer ...' ${make("by-root")} http://127.0.0.1:7777/api/v1/projects`,
      );
      const said = await page.run();
      const made = [...said.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
      expect(made).toMatchObject([
        { type: "project.created", actor: "ann", project_name: "tools" },
        { type: "project.created", actor: "ann", project_name: "by-ann" },
      ]);
      expect(said.match(/401 Authorization Required/g)?.length).toBeGreaterThan(2);
      expect(said).toContain("created project #3 (by-command)");
      expect(said).toContain("actor_header_required");
      expect(said).not.toMatch(/mallory|by-nobody|by-token|by-guess|by-root/);
    }, 90_000);

    test("lets a program for OAuth say who is signed in", async () => {
      const blocks = blocksOf(IDENTITY);
      const [first, last] = [blocks.find(({ language }) => language === "nginx"), blocks.at(-1)];
      const server = (first?.text ?? "")
        .replace(/^ +auth_basic.*\n/gm, "")
        .replace(/^ +proxy_set_header X-User.*\n/m, last?.text ?? "")
        .replace("  location / {", `${ASKED}  location / {`);
      const page = new TypedPage().file(blocks[0]?.text ?? "").type("server", "svc daemon restart");
      writeFileSync(join(page.folder, "oauth.cjs"), OAUTH);
      page
        .nginx(server)
        .type("server", `${process.execPath} ${page.folder}/oauth.cjs &\n${waitFor(4180)}`);
      const create = (cookie: string, name: string): string =>
        `curl -sS -b ${cookie} -H 'X-User: mallory' --json '{"name":"${name}","actor":"-"}' https://tracker.example.com/api/v1/projects\n`;
      page.type("client", create("session=ann", "by-ann") + create("session=none", "by-nobody"));
      page.type(
        "client",
        "curl -sS -b session=ann https://tracker.example.com/api/v1/events?after_id=0",
      );
      const said = await page.run();
      expect(said).toMatch(/"actor":"ann@example\.com".*by-ann/);
      expect(said).toContain("401 Authorization Required");
      expect(said).not.toMatch(/mallory|by-nobody/);
    }, 90_000);
  },
);

/** The part of nginx's configuration that the documentation of oauth2-proxy asks for. */
const ASKED = `  location = /oauth2/auth {
    internal;
    proxy_pass http://127.0.0.1:4180;
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
  }
`;

/** Stands for oauth2-proxy: a request with this cookie is from ann. */
const OAUTH = `
require("node:http").createServer((req, res) => {
  const known = req.headers.cookie === "session=ann";
  res.writeHead(known ? 202 : 401, known ? { "X-Auth-Request-Email": "ann@example.com" } : {}).end();
}).listen(4180, "127.0.0.1");
`;

test.skipIf(!hasPrivateNetwork)(
  "a web application as in docs/remote.md keeps the token to itself, and names the person who is signed in",
  async () => {
    const [block] = blocksOf(WEB);
    const page = new TypedPage();
    page.file('# config.toml of the daemon\nlisten = "127.0.0.1:7777"\n[auth]\ntoken = "..."\n');
    page.type("server", "svc daemon restart\nsvc projects create tools");
    const app = `const user = { name: "bea" };\n${block?.text}\nconsole.log(await created.text());`;
    writeFileSync(join(page.folder, "app.mjs"), app);
    page.type("server", `SVC_AUTH_TOKEN=... ${process.execPath} ${page.folder}/app.mjs`);
    const said = await page.run();
    expect(said).toMatch(
      /"author":"bea".*"title":"From the web"|"title":"From the web".*"author":"bea"/,
    );
  },
  60_000,
);

/** Stands for ssh: forwards a port of this machine to another port or socket of it. */
const TUNNEL = `
const [port, ...to] = process.argv[4].split(":");
const net = require("node:net");
net.createServer((socket) => {
  const [host, remote] = to;
  const other = remote === undefined ? net.connect(host) : net.connect(remote, host);
  socket.pipe(other).pipe(socket);
  socket.on("error", () => other.destroy());
  other.on("error", () => socket.destroy());
}).listen(Number(port), "127.0.0.1");
`;
