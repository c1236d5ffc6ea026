import { expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { transportOf } from "../../src/client/transport.ts";
import { initProject } from "../../src/contract/projects.ts";
import { Effects } from "../../src/screen/effects/effects.ts";
import { InterruptibleSleep } from "../../src/screen/effects/interruptible-sleep.ts";
import { WORK } from "../../src/screen/effects/work.ts";
import type { Message } from "../../src/screen/message.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { Local } from "../client/local.ts";
import { folderWith } from "../config/folder.ts";
import { FakeClock } from "../support/clock.ts";
import { NOW } from "../tui/support.ts";

test("the effects of a screen send their requests through the given transport, by route id", async () => {
  const local = new Local(folderWith());
  await local.daemon();
  const client = await local.client();
  await call(client, initProject, { body: { name: "product", actor: "ann" } });
  const asked: string[] = [];
  const told: Message[] = [];
  const socket = transportOf(client);
  // Sends only JSON, as a page would.
  const daemon: Transport = {
    call: async (id, input) => {
      asked.push(id);
      return JSON.parse(JSON.stringify(await socket.call(id, input))) as never;
    },
    text: async (id, input) => await socket.text(id, input),
  };
  const clock = new FakeClock(NOW);
  const effects = new Effects({
    ...{ clock, daemon, actor: "ann", signal: new AbortController().signal },
    dispatch: (message) => void told.push(message),
    here: async () => undefined,
    refresh: () => undefined,
    load: async () => WORK,
    pause: new InterruptibleSleep(clock),
  });
  await effects.start();
  effects.run({ effect: "create-project", name: "infra" });
  await expect.poll(() => told.map(({ type }) => type)).toContain("new-project");
  expect(asked).toEqual(["instance", "health", "initProject"]);
  expect(told.find(({ type }) => type === "new-project")).toMatchObject({
    created: true,
    project: { name: "infra", open: 0 },
  });
});
