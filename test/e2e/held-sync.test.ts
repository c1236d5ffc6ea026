import { request } from "node:http";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { tempFolder } from "../support/daemon.ts";
import { diskFaults, hasDiskFaults } from "../support/disk-faults.ts";
import { box } from "./box.ts";

interface Listed {
  readonly issues: readonly { readonly title: string }[];
}

async function ping(socketPath: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) =>
    request({ socketPath, path: "/api/v1/ping" }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once("error", reject)
      .end(),
  );
}

test.skipIf(!hasDiskFaults)(
  "while the disk syncs a write, the daemon answers other requests, but not the write or a read that would see it",
  async () => {
    const disk = diskFaults(tempFolder());
    const place = box(disk.env);
    await place.json("init", "--project", "tools");
    const { address } = await place.json<{ address: string }>("daemon", "locate");
    disk.arm("held", 0);
    const ended: string[] = [];
    const writing = place.json("create", "once").finally(() => ended.push("write"));
    await vi.waitFor(() => expect(disk.hasFailed()).toBe(true), 20_000);
    const reading = place.json<Listed>("list").finally(() => ended.push("read"));
    // The list starts a program, which asks the daemon within these pings, even on a slow machine.
    for (let n = 0; n < 200; n += 1) {
      expect(await ping(address.replace("unix://", ""))).toBe(200);
      await systemClock.sleep(10);
    }
    expect(ended).toEqual([]);
    disk.disarm();
    await writing;
    expect((await reading).issues.map(({ title }) => title)).toEqual(["once"]);
  },
);
