import { writeSync } from "node:fs";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { projectCreated, uid } from "../store/drafts.ts";

/**
 * Stops itself inside a write, after the event was appended: `node hung-writer-process.ts <dsn>`. It prints `stopping`
 * just before, and how the write ended when it continues.
 */
const [, , dsn = ""] = process.argv;

const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
const outcome = await store
  .write(async (tx) => {
    await tx.append(projectCreated(uid(1), "hung"));
    writeSync(1, "stopping\n");
    process.kill(process.pid, "SIGSTOP");
    return await tx.projects.find(uid(1));
  })
  .then(
    () => "written",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "failed"),
  );
process.stdout.write(`${outcome}\n`);
await store.write(async (tx) => await tx.append(projectCreated(uid(2), "later")));
process.stdout.write("going on\n");
await store.close();
