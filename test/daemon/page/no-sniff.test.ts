import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { parseHostPort } from "../../../src/config/addresses.ts";
import { call, openStream, testDaemon, WAYS } from "../../support/daemon.ts";
import { ANY_PORT, browse, codeOf, originOf } from "../../support/page.ts";

const HEADER = "x-content-type-options";

test.each(WAYS)("every answer of the API forbids content sniffing, %s", async (_, toOf) => {
  const to = toOf(await testDaemon());
  const made = await call(to, "POST", "/projects", { body: { name: "web", actor: "ann" } });
  const body = { title: "one", body: "<script>".repeat(500), actor: "ann" };
  await call(to, "POST", "/projects/1/issues", { body });
  const gzip = { headers: { "accept-encoding": "gzip" } };
  const answers = [
    made,
    await call(to, "GET", "/ping"),
    await call(to, "GET", "/projects/1/issues", gzip),
    await call(to, "HEAD", "/projects"),
    await call(to, "GET", "/nothing"),
    await call(to, "DELETE", "/projects"),
    await call(to, "POST", "/projects", { body: {} }),
    await call(to, "GET", "/projects", { headers: { origin: "http://evil.example" } }),
  ];
  const statuses = [200, 200, 200, 200, 404, 405, 400, 403];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect(answers[2]?.headers["content-encoding"]).toBe("gzip");
  for (const { headers } of answers) expect(headers[HEADER]).toBe("nosniff");
  const { response } = await openStream(to);
  expect(response.headers[HEADER]).toBe("nosniff");
});

test("profiles, answers to pages, and the refusal of an invalid target forbid content sniffing too", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT });
  const origin = await originOf(daemon);
  const opened = await browse(
    origin,
    "POST",
    "/ui/session/local",
    {},
    {
      code: await codeOf(daemon),
    },
  );
  const index = await browse(origin, "GET", "/debug/pprof/");
  const shown = await browse(origin, "GET", "/ui/snapshot");
  const tag = { "if-none-match": shown.headers.etag };
  const same = await browse(origin, "GET", "/ui/snapshot", tag);
  const answers = [opened, index, shown, same];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304]);
  for (const { headers } of answers) expect(headers[HEADER]).toBe("nosniff");
  const { host = "", port = 0 } = parseHostPort(daemon.endpoint.address) ?? {};
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET http:// HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 400 .*nosniff/is);
});
