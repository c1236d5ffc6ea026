import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { encodeRequest } from "../../src/client/http/request.ts";
import { instance } from "../../src/contract/health.ts";
import { listProjects } from "../../src/contract/projects.ts";
import { UnavailableError } from "../../src/shared/answer-errors.ts";
import { folderWith } from "../config/folder.ts";
import { Local } from "./local.ts";
import { json, PONG, type Script, type StandIn, standIn } from "./stand-in.ts";

const TOKEN = "the-bearer-of-ann";

/** Answers pings as svc does, and everything else as the script says. */
async function remote(script: Script): Promise<StandIn> {
  return await standIn((request, socket, number) => {
    return request.startsWith("GET /api/v1/ping ")
      ? json(200, PONG)
      : script(request, socket, number);
  }, "tcp");
}

function portOf({ address }: StandIn): number {
  return address.network === "tcp" ? address.port : 0;
}

describe("the configured token", () => {
  test("is sent with each request but not with the ping", async () => {
    const server = await remote(() => json(200, { projects: [] }));
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: TOKEN });
    await call(client, listProjects, {});
    await call(client, listProjects, {});
    const [ping, ...others] = server.requests;
    expect(ping).not.toMatch(/authorization/i);
    expect(others).toHaveLength(2);
    for (const request of others) {
      expect(request.match(/^authorization: (.*)\r$/gim)).toEqual([
        `Authorization: Bearer ${TOKEN}\r`,
      ]);
    }
  });

  test("is not sent in a request that has an Authorization header of its own", async () => {
    const server = await remote(() => json(200, { projects: [] }));
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: TOKEN });
    await client.send({
      method: "GET",
      target: "/api/v1/projects",
      headers: { authorization: "Bearer another" },
      id: "listProjects",
      changes: false,
      repeatable: true,
    });
    expect(server.requests.at(-1)?.match(/^authorization: .*$/gim)).toEqual([
      "authorization: Bearer another",
    ]);
  });

  test.each([301, 302, 303, 307, 308])(
    "is not sent along a redirect with status %i to another port, and the error names that address",
    async (status) => {
      const other = await standIn(() => json(200, { projects: [] }), "tcp");
      const to = `http://127.0.0.1:${portOf(other)}`;
      const server = await remote(() =>
        json(status, {}, `Location: ${to}/api/v1/projects?k=hunter2\r\n`),
      );
      const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: TOKEN });
      const failed = await call(client, listProjects, {}).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(UnavailableError);
      expect(String(failed)).toContain(`it redirects to ${to}, which svc does not follow`);
      expect(String(failed)).not.toContain("hunter2");
      expect(other.requests).toEqual([]);
    },
  );

  test("is not sent along a redirect of the ping, nor along a redirect to another path of the daemon", async () => {
    const server = await standIn(
      () => json(301, {}, "Location: https://tracker.example.com/\r\n"),
      "tcp",
    );
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: TOKEN });
    await expect(call(client, instance, {})).rejects.toThrow(
      "it redirects to https://tracker.example.com, which svc does not follow",
    );
    const within = await remote(() => json(307, {}, "Location: /other\r\n"));
    const second = await new Local(folderWith()).remoteClient(within, { SVC_AUTH_TOKEN: TOKEN });
    await expect(call(second, instance, {})).rejects.toThrow("another of its paths");
    expect(within.requests).toHaveLength(2);
  });

  test("is sent only to the daemon's address: a request cannot name another server", () => {
    for (const target of ["http://evil.example/", "//", "*", ""]) {
      const encode = () => encodeRequest({ method: "GET", target, headers: { Host: "h" } });
      if (target === "//") expect(String(encode())).toMatch(/^GET \/\/ /);
      else expect(encode).toThrow("must start with a slash");
    }
  });
});

describe("a token that cannot be sent is refused before any request", () => {
  const big = "k".repeat(1024 * 1024);
  test.each<[string, string, string]>([
    ["a space", "hunter2 hunter3", "holds a space at character 8"],
    ["a line break", "hunter2\r\nX-Evil: 1", "holds a line break at character 8"],
    ["a line break at its end", "hunter2\n", "holds a line break at its end"],
    ["a tab", "hun\tter2", "holds a tab at character 4"],
    ["a control character", "hunter2\u0001x", "holds a control character at character 8"],
    ["Latin 1", "hunter2-ü-x", "holds a character beyond ASCII at character 9"],
    ["an emoji", "hunter2🔑", "holds a character beyond ASCII at character 8"],
    ["a megabyte", big, "has 1048576 characters, and 4096 are allowed"],
  ])("a token that contains %s is refused before any request", async (_name, token, words) => {
    const server = await remote(() => json(200, { projects: [] }));
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: token });
    const failed = await call(client, listProjects, {}).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: "validation",
      message: `the token of SVC_AUTH_TOKEN ${words}`,
    });
    expect(JSON.stringify(failed)).not.toMatch(/hunter|kkkk/);
    expect(server.requests).toEqual([]);
    // The address of the daemon is known without the token.
    expect(await client.endpoint()).toMatchObject({ kind: "remote" });
  });

  test("the refusal of a token names the setting that the token came from", async () => {
    const url = "http://127.0.0.1:1";
    const entry = `[[daemon]]\nname = "work"\nurl = "${url}"\n`;
    for (const [file, env, from] of [
      [`${entry}token = "a b"`, {}, '[[daemon]] "work"'],
      [`${entry}token_env = "WORK_TOKEN"`, { WORK_TOKEN: "a b" }, "WORK_TOKEN"],
      ['[auth]\ntoken = "a b"', {}, "[auth] token in config.toml"],
    ] as const) {
      const local = new Local(folderWith({ "config.toml": file }));
      const client = await local.client(local.home, { SVC_SERVER: url, ...env });
      await expect(call(client, listProjects, {})).rejects.toThrow(
        `the token of ${from} holds a space at character 2`,
      );
    }
  });

  test("a token of 4096 characters is sent", async () => {
    const server = await remote(() => json(200, { projects: [] }));
    const token = "k".repeat(4096);
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: token });
    await call(client, listProjects, {});
    expect(server.requests.at(-1)).toContain(`Bearer ${token}\r\n`);
  });
});
