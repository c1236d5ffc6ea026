import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, callRaw, requestOf } from "../../src/client/call.ts";
import { timeoutOf } from "../../src/client/outgoing.ts";
import { listConnectors } from "../../src/contract/connectors.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { health, ping } from "../../src/contract/health.ts";
import { createIssue, listIssues, showIssue } from "../../src/contract/issues.ts";
import { removeLabel } from "../../src/contract/labels.ts";
import { takeReadyIssue } from "../../src/contract/leases.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import { initProject, listProjects, resolveProject } from "../../src/contract/projects.ts";
import { ForeignError, UnavailableError } from "../../src/shared/answer-errors.ts";
import { folderWith } from "../config/folder.ts";
import { Local } from "./local.ts";
import { json, PONG, type Script, type StandIn, standIn } from "./stand-in.ts";

describe("an API call becomes one HTTP request", () => {
  test("a request has the parameters in its path, encoded once", () => {
    const request = requestOf(showIssue, { params: { project_id: 3, ref: "a b#ä/4" } });
    expect(request).toMatchObject({
      id: "showIssue",
      method: "GET",
      target: "/api/v1/projects/3/issues/a%20b%23%C3%A4%2F4",
      repeatable: true,
      changes: false,
    });
    expect(request.body).toBeUndefined();
  });

  test("a request repeats a parameter for each value of a list, and leaves out parameters that are undefined", () => {
    const query = {
      label: ["a", "b&c"],
      status: "" as const,
      limit: 0,
      unowned: false,
      owner: undefined,
    };
    expect(requestOf(listIssues, { params: { project_id: 1 }, query }).target).toBe(
      "/api/v1/projects/1/issues?label=a&label=b%26c&status=&limit=0&unowned=false",
    );
  });

  test("a request is repeated after a failure only if it changes nothing or has an idempotency key", () => {
    const input = {
      params: { project_id: 1 },
      body: { title: "x", actor: "ann", owner: undefined },
    };
    const plain = requestOf(createIssue, input);
    expect(plain).toMatchObject({
      changes: true,
      repeatable: false,
      body: '{"title":"x","actor":"ann"}',
      headers: {},
    });
    const keyed = requestOf(createIssue, { ...input, headers: { "idempotency-key": "k" } });
    expect(keyed).toMatchObject({ repeatable: true, headers: { "idempotency-key": "k" } });
    const take = { ...input, body: {}, headers: { "idempotency-key": "k" } };
    expect(requestOf(takeReadyIssue, take)).toMatchObject({ repeatable: true });
    for (const key of ["two\nlines", "ключ"]) {
      const headers = { "idempotency-key": key };
      expect(() => requestOf(createIssue, { ...input, headers })).toThrow("Latin characters only");
    }
    const unset = requestOf(createIssue, { ...input, headers: { "idempotency-key": undefined } });
    expect(unset).toMatchObject({ repeatable: false, headers: {} });
  });

  test("a request by POST counts as a read if its route only reads", () => {
    expect(requestOf(resolveProject, { body: { name: "x" } })).toMatchObject({
      changes: false,
      repeatable: true,
    });
  });
});

/** Answers pings as svc does, and everything else as the script says. */
const remote = async (script: Script): Promise<StandIn> =>
  await standIn((request, socket, number) => {
    return request.startsWith("GET /api/v1/ping ")
      ? json(200, PONG)
      : script(request, socket, number);
  }, "tcp");

const refusal = (status: number, error: object): string => json(status, { status, error });

describe("the answer to an API call", () => {
  test("is returned as bytes and as the route's type, including unknown fields", async () => {
    const server = await remote(() => json(200, { projects: [], later: { x: 1 } }));
    const client = await new Local(folderWith()).remoteClient(server);
    expect(await call(client, listProjects, {})).toEqual({ projects: [], later: { x: 1 } });
    const raw = await callRaw(client, listProjects, {});
    expect(raw.body.toString()).toBe('{"projects":[],"later":{"x":1}}');
    expect(raw.status).toBe(200);
  });

  test("an answer without a body is empty", async () => {
    const server = await remote(() => "HTTP/1.1 204 No Content\r\n\r\n");
    const client = await new Local(folderWith()).remoteClient(server);
    const params = { project_id: 1, ref: "abc4", label: "x" };
    expect(await call(client, removeLabel, { params, query: { actor: "ann" } })).toEqual({});
  });

  test("is an error if it is not JSON", async () => {
    const server = await remote(() => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n<htm>");
    const client = await new Local(folderWith()).remoteClient(server);
    await expect(call(client, listProjects, {})).rejects.toBeInstanceOf(UnavailableError);
  });
});

describe("a prefetched request", () => {
  /** Answers with increasing numbers. */
  const numbered = async () => {
    let count = 0;
    const server = await remote(() => json(200, { projects: [], count: ++count }));
    const client = await new Local(folderWith()).remoteClient(server);
    const asked = () =>
      server.requests.filter((one) => !one.startsWith("GET /api/v1/ping ")).length;
    return { client, asked };
  };

  test("gives its answer to the first identical call, and to no later one", async () => {
    const { client, asked } = await numbered();
    await client.ahead(requestOf(listProjects, {}));
    expect(asked()).toBe(1);
    expect(await call(client, listProjects, {})).toMatchObject({ count: 1 });
    expect(await call(client, listProjects, {})).toMatchObject({ count: 2 });
  });

  test("is awaited if it is still running", async () => {
    const { client, asked } = await numbered();
    void client.ahead(requestOf(listProjects, {}));
    expect(await call(client, listProjects, {})).toMatchObject({ count: 1 });
    expect(asked()).toBe(1);
  });

  test("does not give its answer to a different call", async () => {
    const { client } = await numbered();
    await client.ahead(requestOf(listProjects, {}));
    expect(await call(client, health, {})).toMatchObject({ count: 2 });
    expect(await call(client, listProjects, {})).toMatchObject({ count: 1 });
  });

  test("a prefetched request that fails throws no error itself, but the identical call fails", async () => {
    const server = await remote((_request, socket) => {
      socket.destroy();
      return undefined;
    });
    const client = await new Local(folderWith()).remoteClient(server);
    await client.ahead(requestOf(listProjects, {}));
    await expect(call(client, listProjects, {})).rejects.toBeInstanceOf(UnavailableError);
  });
});

describe("a refusal is thrown with the same data as in the daemon", () => {
  test("a refusal is thrown with its code, message, hint and data", async () => {
    const error = {
      code: "issue_not_found",
      message: "no issue abc4",
      hint: "look again",
      data: { ref: "abc4" },
    };
    const server = await remote(() => refusal(404, error));
    const client = await new Local(folderWith()).remoteClient(server);
    const thrown = await call(client, listProjects, {}).catch((given: unknown) => given);
    expect(thrown).toBeInstanceOf(SvcError);
    expect(thrown).toMatchObject({ ...error, status: 404 });
  });

  test.each([
    ["an unknown code", 409, { code: "brand_new", message: "new", data: { x: 1 } }],
    ["a known code with another status", 418, { code: "not_found", message: "odd" }],
    [
      "a code that is the name of a property of every object",
      400,
      { code: "constructor", message: "odd" },
    ],
  ])("a refusal with %s is thrown unchanged", async (_name, status, error) => {
    const server = await remote(() => refusal(status, error));
    const client = await new Local(folderWith()).remoteClient(server);
    const thrown = await call(client, listProjects, {}).catch((given: unknown) => given);
    expect(thrown).toBeInstanceOf(ForeignError);
    expect(thrown).toMatchObject({ status, ...error });
  });

  test.each([
    ["a redirect", json(302, {}, "Location: https://elsewhere.example\r\n")],
    ["a proxy's page", "HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>"],
    ["an error without a code", refusal(400, { message: "x" })],
  ])(
    "%s does not count as a refusal, and is reported as a missing answer",
    async (_name, answer) => {
      const server = await remote(() => answer);
      const client = await new Local(folderWith()).remoteClient(server);
      await expect(call(client, listProjects, {})).rejects.toBeInstanceOf(UnavailableError);
      expect(server.requests).toHaveLength(2);
    },
  );
});

describe("the bearer token of a call", () => {
  test("is sent with every call and not with the ping before it", async () => {
    const server = await remote(() => json(200, { projects: [] }));
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: "secret" });
    await call(client, listProjects, {});
    const [probe, request] = server.requests;
    expect(probe).not.toContain("secret");
    expect(request).toContain("\r\nAuthorization: Bearer secret\r\n");
  });

  test("is not sent to a server that does not answer as svc", async () => {
    const server = await standIn(() => json(200, { ok: true, service: "other" }), "tcp");
    const client = await new Local(folderWith()).remoteClient(server, { SVC_AUTH_TOKEN: "secret" });
    await expect(call(client, listProjects, {})).rejects.toMatchObject({
      code: "daemon_unavailable",
      message: expect.stringMatching(
        /^server not responding: http:\/\/127.0.0.1:\d+ \(SVC_SERVER\)/,
      ) as string,
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests.join()).not.toContain("secret");
  });
});

describe("a change that is refused as busy", () => {
  const create = { params: { project_id: 1 }, body: { title: "x", actor: "ann" } };
  const busy = refusal(503, { code: "busy", message: "another write holds the database" });

  test("is sent again until it is accepted, since it was not carried out", async () => {
    const server = await remote((_request, _socket, number) =>
      number > 3 ? json(200, { issue: { title: "x" } }) : busy,
    );
    const client = await new Local(folderWith()).remoteClient(server);
    expect((await call(client, createIssue, create)).issue.title).toBe("x");
    expect(server.requests).toHaveLength(4);
  });

  test("is refused in the end if the database stays busy", async () => {
    const server = await remote(() => busy);
    const client = await new Local(folderWith()).remoteClient(server);
    await expect(call(client, createIssue, create)).rejects.toMatchObject({ code: "busy" });
    expect(server.requests).toHaveLength(16);
  });
});

describe("a lost answer", () => {
  const create = { params: { project_id: 1 }, body: { title: "x", actor: "ann" } };
  const hangUp: Script = (_request, socket) => void socket.destroy();

  test("leaves open whether an issue was created, and the call is not repeated", async () => {
    const server = await remote(hangUp);
    const client = await new Local(folderWith()).remoteClient(server);
    await expect(call(client, createIssue, create)).rejects.toMatchObject({
      code: "create_outcome_unknown",
      message: expect.stringContaining("mutation result may be unknown") as string,
    });
    expect(server.requests).toHaveLength(2);
  });

  test("leaves open whether a change was made that is not the creation of an issue", async () => {
    const server = await remote(hangUp);
    const client = await new Local(folderWith()).remoteClient(server);
    const body = { name: "x", actor: "ann" };
    await expect(call(client, initProject, { body })).rejects.toMatchObject({
      code: "daemon_unavailable",
      message: expect.stringContaining("mutation result may be unknown") as string,
    });
  });

  test("is requested once more if the repetition does no harm", async () => {
    for (const [route, input] of [
      [listProjects, {}],
      [createIssue, { ...create, headers: { "idempotency-key": "k" } }],
      [takeReadyIssue, { params: create.params, body: {}, headers: { "idempotency-key": "k" } }],
    ] as const) {
      const server = await remote((_request, socket, number) => {
        if (number > 2) return json(200, { projects: [] });
        socket.destroy();
        return undefined;
      });
      const client = await new Local(folderWith()).remoteClient(server);
      expect(await call(client, route, input as object as never)).toEqual({ projects: [] });
      expect(server.requests).toHaveLength(3);
      expect(server.requests[1]).toBe(server.requests[2]);
    }
  });

  test("the error after a second lost answer to a change with an idempotency key says that the change can be repeated", async () => {
    const server = await remote(hangUp);
    const client = await new Local(folderWith()).remoteClient(server);
    const input = { params: { project_id: 1 }, body: {}, headers: { "idempotency-key": "k" } };
    await expect(call(client, takeReadyIssue, input)).rejects.toMatchObject({
      code: "daemon_unavailable",
      hint: expect.stringContaining("the same idempotency key") as string,
    });
    expect(server.requests).toHaveLength(3);
  });

  test("a second lost answer to a read is reported without saying that a change may have been made", async () => {
    const server = await remote(hangUp);
    const client = await new Local(folderWith()).remoteClient(server);
    await expect(call(client, listProjects, {})).rejects.toMatchObject({
      code: "daemon_unavailable",
      message: expect.not.stringContaining("mutation") as string,
    });
    expect(server.requests).toHaveLength(3);
  });

  test("an answer to a merge or an import is awaited for ten minutes, unless SVC_HTTP_TIMEOUT sets another limit", async () => {
    const input = { params: { project_id: 1 }, body: { source_project_id: 2, actor: "ann" } };
    const merging = requestOf(mergeProject, input);
    const reading = requestOf(listProjects, {});
    const limits = async (env: Readonly<Record<string, string>>) => {
      const local = new Local(folderWith());
      const { config } = await local.client(local.home, env);
      return [timeoutOf(merging, config), timeoutOf(reading, config)];
    };
    expect(await limits({})).toEqual([600_000, 5000]);
    expect(await limits({ SVC_HTTP_TIMEOUT: "7s" })).toEqual([7000, 7000]);
  });

  test("an answer that waits for programs of others is awaited without a limit, unless SVC_HTTP_TIMEOUT sets one", async () => {
    const listing = requestOf(listConnectors, {});
    const limitWith = async (env: Readonly<Record<string, string>>) => {
      const local = new Local(folderWith());
      return timeoutOf(listing, (await local.client(local.home, env)).config);
    };
    // The longest time that a timer of Node can wait.
    expect(await limitWith({})).toBe(2_147_483_647);
    expect(await limitWith({ SVC_HTTP_TIMEOUT: "7s" })).toBe(7000);
  });

  test("an answer is awaited as long as SVC_HTTP_TIMEOUT says", async () => {
    const server = await remote(() => undefined);
    const client = await new Local(folderWith()).remoteClient(server, {
      SVC_HTTP_TIMEOUT: "100ms",
    });
    await expect(call(client, listProjects, {})).rejects.toMatchObject({
      message: expect.stringContaining("did not answer in time") as string,
    });
    expect(server.requests).toHaveLength(2);
  });
});

describe("this user's own daemon", () => {
  test("answers over its Unix socket", async () => {
    const local = new Local(folderWith());
    await local.daemon();
    const client = await local.client();
    expect(await call(client, ping, {})).toMatchObject({
      ok: true,
      service: "svc",
      pid: process.pid,
    });
    expect(await client.endpoint()).toMatchObject({
      source: "local_default",
      kind: "local",
      network: "unix",
    });
  });

  test("is found again after a restart between two calls", async () => {
    const local = new Local(folderWith());
    const first = await local.daemon();
    const client = await local.client();
    const { project } = await call(client, initProject, { body: { name: "tools", actor: "ann" } });
    await first.stop();
    await local.daemon();
    const input = {
      params: { project_id: project.id },
      body: { title: "still there", actor: "ann" },
    };
    expect((await call(client, createIssue, input)).issue.title).toBe("still there");
  });

  test("a daemon that does not run is reported, with a hint", async () => {
    const client = await new Local(folderWith()).client();
    await expect(call(client, health, {})).rejects.toMatchObject({
      code: "daemon_unavailable",
      hint: expect.stringContaining("svc daemon start") as string,
    });
  });

  test("a daemon that left a record but no socket counts as stopped", async () => {
    const local = new Local(folderWith());
    await local.daemon();
    rmSync(join(local.home, "s"));
    const client = await local.client();
    await expect(call(client, health, {})).rejects.toMatchObject({ code: "daemon_unavailable" });
  });
});
