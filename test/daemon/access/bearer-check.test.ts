import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { call, type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { sawBody } from "../../support/seen.ts";

const CONFIGURED = "configured-token-0123456789";

const bearer = (token: string) => ({
  authorization: `Bearer ${Buffer.from(token).toString("latin1")}`,
});

/** Sends all requests on one connection, like a client or a proxy with many users. */
function oneConnection({ endpoint: { address } }: TestDaemon) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  let isFirst = true;
  /** Returns the actor of the token, the code of a refusal, or `undefined` for the configured token. */
  return async (token: string): Promise<unknown> => {
    const to = { socketPath: address, path: "/api/v1/instance" };
    const sent = request({ ...to, agent, headers: bearer(token) });
    const body = await new Promise<string>((resolve, reject) => {
      sent.once("error", reject).end();
      sent.once("response", (response) => resolve(text(response)));
    });
    expect(sent.reusedSocket).toBe(!isFirst);
    isFirst = false;
    const { error, auth } = JSON.parse(body);
    sawBody(JSON.parse(body));
    return error?.code ?? auth.actor;
  };
}

test("each request on a connection is judged by its own token, whatever the requests before it sent", async () => {
  const authentication = { mode: "identity", token: CONFIGURED } as const;
  const daemon = await testDaemon({ authentication });
  const admin = { headers: bearer(CONFIGURED) };
  const created = async (actor: string): Promise<string> => {
    const made = await call(daemon.endpoint, "POST", "/tokens", { ...admin, body: { actor } });
    return made.body["plaintext"] as string;
  };
  const [ann, bea] = [await created("ann"), await created("bea")];
  const ask = oneConnection(daemon);
  const wrong = `${ann.slice(0, -1)}${ann.endsWith("A") ? "B" : "A"}`;
  for (const [token, answer] of [
    [ann, "ann"],
    [ann, "ann"],
    [bea, "bea"],
    [ann, "ann"],
    [wrong, "token_invalid"],
    [wrong, "token_invalid"],
    [ann, "ann"],
    [`${ann}x`, "token_invalid"],
    [CONFIGURED, undefined],
    [CONFIGURED, undefined],
    [ann, "ann"],
  ])
    expect([token, await ask(token ?? "")]).toEqual([token, answer]);

  await call(daemon.endpoint, "POST", "/tokens/1/actions/revoke", admin);
  expect(await ask(ann)).toBe("token_invalid");
  expect(await ask(ann)).toBe("token_invalid");
  expect(await ask(bea)).toBe("bea");
});

test("a configured token with characters beyond ASCII is accepted in each request on a connection", async () => {
  const token = "gehört-zusammen-0123456789";
  const ask = oneConnection(await testDaemon({ authentication: { mode: "static", token } }));
  expect(await ask(token)).toBeUndefined();
  expect(await ask(token)).toBeUndefined();
  expect(await ask("gehort-zusammen-0123456789")).toBe("auth_invalid");
});
