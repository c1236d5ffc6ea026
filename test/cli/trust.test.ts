import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { json, PONG, type StandIn, standIn } from "../client/stand-in.ts";
import { folderWith } from "../config/folder.ts";
import { type Ran, runCommand } from "./harness.ts";

const TOKEN = "the-bearer-of-ann";

/** Makes a folder as it might be unpacked from an archive; its file names somebody else's server. */
async function unpacked(more = ""): Promise<{
  readonly url: string;
  readonly server: StandIn;
  readonly home: string;
  svc(words: readonly string[], token?: string): Promise<Ran>;
}> {
  const server = await standIn(
    (request) => (request.startsWith("GET /api/v1/ping") ? json(200, PONG) : json(200, {})),
    "tcp",
  );
  const port = server.address.network === "tcp" ? server.address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const cwd = folderWith({
    ".git/HEAD": "",
    ".svc.local.toml": `version = 1\n[server]\nurl = "${url}"\n${more}`,
  });
  const home = folderWith();
  const svc = async (words: readonly string[], token?: string): Promise<Ran> => {
    const env = { PATH: process.env["PATH"], SVC_HOME: home, HOME: home, SVC_AUTH_TOKEN: token };
    return await runCommand(words, { cwd, env });
  };
  return { url, server, home, svc };
}

describe("a server that only a workspace's file names", () => {
  test.each(["", "allow_insecure = true\n"])(
    "gets no token, also if the file contains the text %j",
    async (more) => {
      const { url, server, svc } = await unpacked(more);
      for (const words of [["health"], ["health", "--json"]]) {
        const { code, err } = await svc(words, TOKEN);
        expect([code, server.requests]).toEqual([3, []]);
        expect(err).toContain(`svc daemon trust ${url}`);
        expect(err).not.toContain(TOKEN);
      }
      const doctor = await svc(["doctor", "--json"], TOKEN);
      expect(JSON.parse(doctor.out)).toMatchObject({
        checks: expect.arrayContaining([
          expect.objectContaining({
            id: "config.daemon",
            status: "failed",
            fix: expect.stringContaining(url) as string,
          }),
        ]) as unknown,
      });
    },
  );

  test("gets requests without a token if no token is configured", async () => {
    const { server, svc } = await unpacked();
    await svc(["health", "--json"]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests.join("")).not.toContain("Authorization");
  });

  test("gets the token once it is trusted, until the trust is withdrawn", async () => {
    const { url, server, home, svc } = await unpacked();
    expect((await svc(["daemon", "trust", `${url}/`])).out).toBe(`trusted ${url}\n`);
    expect((await svc(["daemon", "trust", url])).out).toBe(`${url} was trusted already\n`);
    expect(statSync(join(home, "trusted-servers.json")).mode & 0o777).toBe(0o600);
    const { out } = await svc(["daemon", "trust", "--list", "--json"]);
    expect(JSON.parse(out)).toEqual({ svc_api_version: 1, servers: [url] });

    await svc(["health"], TOKEN);
    expect(server.requests.join("")).toContain(`Authorization: Bearer ${TOKEN}`);

    const removed = await svc(["daemon", "trust", "--remove", url, "--json"]);
    expect(JSON.parse(removed.out)).toMatchObject({ url, trusted: false, changed: true });
    expect((await svc(["daemon", "trust", "--list"])).out).toBe("no trusted servers\n");
    expect((await svc(["health"], TOKEN)).code).toBe(3);
  });
});

test.each([
  [[], "a URL is missing"],
  [["https://ann:secret@tracker.example"], "user information"],
  [["--list", "https://tracker.example"], "--list takes no URL"],
])("svc daemon trust %j is refused and changes nothing", async (words, message) => {
  const { svc } = await unpacked();
  const { code, err } = await svc(["daemon", "trust", ...words]);
  expect([code === 2 || code === 3, err]).toEqual([true, expect.stringContaining(message)]);
  expect(err).not.toContain("secret");
  expect((await svc(["daemon", "trust", "--list"])).out).toBe("no trusted servers\n");
});

test.each([
  ["that is no list", "{}"],
  ["of another version", '{"version":2,"servers":[]}'],
])("a file of trusted servers %s is refused with advice", async (_name, text) => {
  const home = folderWith({ "trusted-servers.json": text });
  const ran = await runCommand(["daemon", "trust", "--list"], { env: { SVC_HOME: home } });
  expect(ran).toMatchObject({ code: 3, err: expect.stringContaining("remove it") });
});
