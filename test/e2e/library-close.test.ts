import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { box } from "./box.ts";

const library = join(import.meta.dirname, "..", "..", "dist", "library");
const url = (name: string): string => JSON.stringify(pathToFileURL(join(library, name)).href);

/** Two streams are open while `close` is called: one that waits for events, one in the middle of them. */
const PROGRAM = `
import { connect, UnavailableError } from ${url("client.mjs")};
import { ping } from ${url("contract.mjs")};
const svc = await connect();
console.log((await svc.call(ping, {})).service);
const waiting = svc.events();
const next = waiting.next();
const reading = svc.events({ after: 0 });
console.log((await reading.next()).value.type);
const rest = (async () => { for await (const _ of reading); return "ended"; })();
await svc.close();
console.log((await next).done, await rest);
for (const late of [() => svc.call(ping, {}), () => svc.locate(), () => svc.events().next()])
  await late().catch((error) => console.log(error instanceof UnavailableError, error.message));
await svc.close();
console.log("last line");
`;

test("a closed connection ends its streams, refuses calls, and lets the process end by itself", async () => {
  const b = box();
  await b.svc("init", "--project", "web");
  await b.svc("create", "one");
  const env = {
    PATH: process.env["PATH"],
    HOME: b.folder,
    SVC_HOME: b.home,
    SVC_AUTHOR: "ann",
    XDG_RUNTIME_DIR: join(b.folder, "run"),
    TMPDIR: join(b.folder, "tmp"),
  };
  const words = ["--input-type=module", "-e", PROGRAM];
  const ended = spawnSync(process.execPath, words, {
    ...{ cwd: b.work, env, encoding: "utf8", timeout: 60_000 },
  });
  const refused = "true this connection is closed";
  expect({ ...ended, lines: ended.stdout.trim().split("\n") }).toMatchObject({
    status: 0,
    signal: null,
    stderr: "",
    lines: ["svc", "project.created", "true ended", refused, refused, refused, "last line"],
  });
}, 120_000);
