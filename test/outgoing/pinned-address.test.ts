import { describe, expect, onTestFinished, test } from "vitest";
import { FarSide } from "../../src/outgoing/far-side.ts";
import { FakeClock } from "../support/clock.ts";
import { clientOf, farServer, faultOf, GET } from "./far-server.ts";

/** A client of a host whose name `resolve` answers. */
function pinned(url: string, answers: readonly string[]) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    const address = answers[asked.length - 1] ?? answers.at(-1) ?? "";
    return await Promise.resolve([{ address, family: address.includes(":") ? 6 : 4 }]);
  };
  const place = {
    url,
    from: "hub_url",
    trustsPrivateNetwork: false,
    allowsInsecure: true,
  } as const;
  const farSide = new FarSide({ clock: new FakeClock(), resolve }, { ...place, pinned: true });
  onTestFinished(() => farSide.close());
  return { farSide, asked };
}

describe("a host that a caller of the API has named", () => {
  test("is resolved once, so that a later answer of DNS cannot send requests to another address", async () => {
    const server = await farServer((_request, response) => {
      response.writeHead(200, { connection: "close" }).end();
    });
    const { port } = new URL(server.origin);
    const { farSide, asked } = pinned(`http://hub.test:${port}`, ["127.0.0.1", "127.0.0.9"]);
    for (const url of ["/1", "/2"]) expect((await farSide.send({ ...GET, url })).status).toBe(200);
    expect(server.asked.map(({ headers }) => headers.host)).toEqual([
      `hub.test:${port}`,
      `hub.test:${port}`,
    ]);
    expect(asked).toEqual(["hub.test"]);
  });

  test.each([
    "169.254.169.254",
    "fe80::1",
    "fd00:ec2::254",
    "::ffff:169.254.1.1",
    "100.100.100.200",
  ])("is not called if its address is %s", async (address) => {
    const { farSide } = pinned("http://hub.test:1", [address]);
    const fault = await faultOf(farSide.send(GET));
    expect(fault).toMatchObject({ kind: "unsent" });
    expect(fault.message).toContain("link-local");
  });

  test.each([
    "http://169.254.169.254/",
    "https://[fe80::1]/",
    "https://[fd00:ec2::254]/",
    "https://[::ffff:169.254.169.254]/",
    "http://2852039166/",
  ])("is refused if its address is %s", (url) => {
    expect(() => clientOf(url, { pinned: true, allowsInsecure: true })).toThrow("link-local");
  });

  test.each(["http://169.253.255.255/", "http://169.255.0.0/", "https://[fec0::1]/"])(
    "is allowed if its address is %s",
    (url) => {
      expect(() => clientOf(url, { pinned: true, allowsInsecure: true })).not.toThrow();
    },
  );
});
