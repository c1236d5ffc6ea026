import { expect, test } from "vitest";
import { box } from "./box.ts";

const LINE = /^ {4}pages at (http:\/\/127\.0\.0\.1:\d+)$/m;

test("svc daemon status names the address of the pages if there are any", async () => {
  const place = box();
  await place.svc("init", "--project", "web");
  const { stdout } = await place.svc("daemon", "status");
  const [, origin = ""] = LINE.exec(stdout) ?? [];
  const page = await fetch(`${origin}/svc`);
  expect([page.status, page.headers.get("content-type")]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  const { daemons } = await place.json<{ daemons: readonly { web_origin?: string }[] }>(
    ...["daemon", "status"],
  );
  expect(daemons).toMatchObject([{ web_origin: origin }]);
});
