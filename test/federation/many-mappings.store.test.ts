import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../support/free-port.ts";
import { mapped } from "../support/mapped.ts";
import { describeStore } from "../support/store.ts";

/** A hub that answers as `by` says. Returns its address, and how often it was asked. */
async function strange(by: http.RequestListener) {
  let asked = 0;
  const server = http.createServer((request, response) => {
    asked += 1;
    by(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const entryOf = (name: string, url: string): string =>
  `[[daemon]]\nname = "${name}"\nurl = "${url}"\ntoken = "other-token-of-${name}"\n`;

describeStore("50 mappings of which 45 fail", (open) => {
  test("the five that work are reconciled in the first sweep, which waits only once for a silent hub", async () => {
    const { start, entry, spoke } = await mapped(open);
    const silent = await strange(() => undefined);
    const closed = await strange((_request, response) => response.writeHead(401).end());
    const gone = `http://127.0.0.1:${await freePort()}`;
    const entries: readonly [string, string][] = [
      ["silent", silent.url],
      ["closed", closed.url],
      ["gone", gone],
    ];
    const catalog = `${entry}${entries.map(([name, url]) => entryOf(name, url)).join("")}`;
    const failing = Array.from({ length: 45 }, (_, at) => {
      const [hub = ""] = entries[at % 3] ?? [];
      return { hub, spoke_project: `fails-${at}`, hub_project: `p-${at}` };
    });
    const good = Array.from({ length: 5 }, (_, at) => {
      return { spoke_project: `good-${at}`, hub_project: `good-${at}` };
    });
    const { sweep, health } = await start([...failing, ...good], { catalog });
    const first = sweep();
    await vi.waitFor(() => expect(silent.asked()).toBe(1), 20_000);
    spoke.clock.advance(30_000);
    await first;
    expect(health()).toMatchObject({ configured: 50, reconciled: 5, pending: 45, conflicted: 0 });
    expect([silent.asked(), closed.asked()]).toEqual([1, 15]);
  });

  test("the hub of a failing mapping is asked less and less often, but at least every 5 minutes", async () => {
    const { start, entry, spoke } = await mapped(open);
    let status = 500;
    const closed = await strange((_request, response) => response.writeHead(status).end());
    const catalog = `${entry}${entryOf("closed", closed.url)}`;
    const { sweep, health } = await start(
      [{ hub: "closed", hub_project: "x", spoke_project: "x" }, {}],
      { catalog },
    );
    let waited = 0;
    const waits: number[] = [];
    while (waits.length < 12) {
      const wait = await sweep();
      waits.push(wait);
      spoke.clock.advance(wait);
      waited += wait;
    }
    expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(waits.slice(9)).toEqual([300_000, 300_000, 300_000]);
    expect(closed.asked()).toBe(12);
    expect(waited).toBeGreaterThan(1_000_000);
    expect(health()).toMatchObject({ reconciled: 1, pending: 1, last_error_status: 500 });
    status = 401;
    await sweep();
    expect(health()).toMatchObject({ last_error_category: "hub_authentication" });
  });
});
