import { expect, test } from "vitest";
import { testDaemon } from "../../support/daemon.ts";
import { ANY_PORT, browse } from "../../support/page.ts";

const TOKEN = "token-of-the-headers-0123456789";

test.each([
  ["https://tracker.example.com", true],
  ["https://tracker.example.com:443", true],
  ["https://tracker.example.com:8443", false],
  ["http://127.0.0.1:7777", false],
  [undefined, false],
])("with the public origin %s, browsers must use only https: %s", async (publicOrigin, keeps) => {
  const daemon = await testDaemon({
    listen: ANY_PORT,
    authentication: { mode: "static", token: TOKEN },
    rules: { allowedHosts: [], ...(publicOrigin === undefined ? {} : { publicOrigin }) },
  });
  for (const path of ["/svc", "/svc/nothing", "/ping", "/projects"]) {
    const { headers } = await browse(`http://${daemon.endpoint.address}`, "GET", path);
    const expected = keeps ? "max-age=31536000" : undefined;
    expect([path, headers["strict-transport-security"]]).toEqual([path, expected]);
  }
});
