import { expect, test } from "vitest";
import { tempFolder } from "../support/daemon.ts";
import { diskFaults, hasDiskFaults } from "../support/disk-faults.ts";
import { box } from "./box.ts";

interface Listed {
  readonly issues: readonly { readonly title: string }[];
}

interface Status {
  readonly daemons: readonly { readonly pid: number }[];
}

test.skipIf(!hasDiskFaults)(
  "if the disk fails to sync a commit, the outcome is unknown, the daemon ends, and the next daemon shows what is stored",
  async () => {
    const disk = diskFaults(tempFolder());
    const place = box(disk.env);
    await place.json("init", "--project", "tools");
    const before = await place.json<Status>("daemon", "status");
    disk.arm("sync", 0);
    const create = ["create", "once", "--idempotency-key", "k1"];
    const { code, stdout, stderr } = await place.svc(...create, "--json");
    expect(disk.hasFailed()).toBe(true);
    expect([code, stdout]).toEqual([7, ""]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "outcome_unknown",
      message: expect.stringContaining("failed during a commit"),
      hint: expect.stringContaining("same key"),
    });
    const { issues } = await place.json<Listed>("list");
    expect(issues.map(({ title }) => title)).toEqual(["once"]);
    expect(await place.json<Status>("daemon", "status")).not.toEqual(before);
    await place.json(...create);
    expect((await place.json<Listed>("list")).issues).toEqual(issues);
    expect((await place.svc("doctor")).code).toBe(0);
  },
);
