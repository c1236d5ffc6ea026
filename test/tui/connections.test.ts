import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Client } from "../../src/client/client.ts";
import type { Message } from "../../src/screen/message.ts";
import { Connections } from "../../tui/connections.ts";
import { Local } from "../client/local.ts";
import { json, PONG, standIn } from "../client/stand-in.ts";
import { folderWith } from "../config/folder.ts";
import { bareSurface } from "../support/surface.ts";

/** A daemon that gives its identity, and lets followers wait until the test makes it refuse them. */
async function daemon() {
  let follower: Socket | undefined;
  const server = await standIn((request, socket) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    if (!request.startsWith("GET /api/v1/events/stream"))
      return json(200, { last_event_id: 1, auth: { close_requires_evidence: false } });
    follower = socket;
    return undefined;
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const refuse = async (): Promise<void> => {
    await expect.poll(() => follower).toBeDefined();
    const error = { code: "not_allowed_here", message: "no more of it" };
    follower?.write(json(400, { status: 400, error }));
  };
  return { client, refuse };
}

test("a daemon that is followed no longer says so, also after another was asked for in vain", async () => {
  const [first, second] = [await daemon(), await daemon()];
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const told: Message[] = [];
  const dispatch = (message: Message): void => void told.push(message);
  const failures = () => told.flatMap((one) => (one.type === "failed" ? one.text : []));
  const open = (name: string): Client => {
    if (name === "second") return second.client;
    throw new Error("nobody is called so");
  };
  const connections = new Connections({
    client: first.client,
    open,
    surface: bareSurface({ clock: systemClock, signal: ended.signal, dispatch }),
    clock: systemClock,
    actor: "ana",
  });
  const change = connections.change("second");
  await expect.poll(() => told).toContainEqual({ type: "connected", daemon: "second" });
  await connections.change("third");
  expect(failures()).toEqual(["third: nobody is called so"]);
  await second.refuse();
  await change;
  expect(failures()).toEqual([
    "third: nobody is called so",
    expect.stringMatching(/^second: .*no more of it/),
  ]);
});
