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

const REFUSAL = { status: 403, error: { code: "not_allowed_here", message: "no more of it" } };

/** A daemon that gives its identity, and lets followers wait until the test makes it refuse them. */
async function daemon(actor?: string) {
  let follower: Socket | undefined;
  const asked: string[] = [];
  const server = await standIn((request, socket) => {
    asked.push(request);
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    if (request.startsWith("GET /api/v1/events?")) return json(403, REFUSAL);
    if (!request.startsWith("GET /api/v1/events/stream"))
      return json(200, { last_event_id: 1, auth: { actor, close_requires_evidence: false } });
    follower = socket;
    return undefined;
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const refuse = async (): Promise<void> => {
    await expect.poll(() => follower).toBeDefined();
    follower?.write(json(403, REFUSAL));
  };
  return { client, refuse, asked };
}

test("a daemon whose updates have ended is reported, even after a failed switch to another one", async () => {
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
    ownActor: async () => "ana",
  });
  void connections.change("second");
  await expect
    .poll(() => told)
    .toContainEqual({ type: "connected", daemon: "second", actor: "ana" });
  await connections.change("third");
  expect(failures()).toEqual(["third: nobody is called so"]);
  await second.refuse();
  await expect
    .poll(failures)
    .toEqual(["third: nobody is called so", expect.stringContaining("no more of it")]);
});

test("changes on another daemon use the name that this daemon gives the person, or else the person's own name", async () => {
  const [first, named, unnamed] = [await daemon("bot"), await daemon("bea"), await daemon()];
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const told: Message[] = [];
  const connections = new Connections({
    client: first.client,
    open: (name) => (name === "named" ? named.client : unnamed.client),
    surface: bareSurface({
      clock: systemClock,
      signal: ended.signal,
      dispatch: (message) => void told.push(message),
    }),
    clock: systemClock,
    actor: "bot",
    ownActor: async () => "ana",
  });
  const connected = () => told.filter(({ type }) => type === "connected");
  void connections.change("named");
  await expect.poll(connected).toEqual([{ type: "connected", daemon: "named", actor: "bea" }]);
  void connections.change("unnamed");
  await expect
    .poll(() => connected().at(-1))
    .toEqual({ type: "connected", daemon: "unnamed", actor: "ana" });
  const at = { uid: "01JISSUE000000000000000001", project_id: 1, ref: "abc4", name: "web#abc4" };
  const write = { act: "comment", at, body: "seen", key: "k" } as const;
  connections.run({ effect: "write", id: 1, write });
  await expect.poll(() => unnamed.asked.join("\n")).toContain('"actor":"ana"');
  await connections.settled();
  expect(named.asked.join("\n")).not.toContain('"actor"');
});
