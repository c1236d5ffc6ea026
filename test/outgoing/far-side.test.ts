import { once } from "node:events";
import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { FarSide } from "../../src/outgoing/far-side.ts";
import { CERTIFICATE } from "../client/certificate.ts";
import { FakeClock } from "../support/clock.ts";
import { clientOf, farServer, faultOf, GET, SECRET } from "./far-server.ts";

const MIB = 1024 * 1024;

describe("a request to a remote server's own origin", () => {
  test("a request carries the token, its headers and its body, and returns the answer whatever its status", async () => {
    let received = "";
    const server = await farServer((request, response) => {
      request.on("data", (part) => (received += String(part)));
      request.on("end", () => response.writeHead(418, { "x-said": "yes" }).end("short"));
    });
    const { farSide } = clientOf(server.origin);
    const headers = { accept: "application/json" };
    const answer = await farSide.send({ ...GET, method: "POST", headers, body: "{}" });
    expect(answer).toMatchObject({ status: 418, headers: { "x-said": "yes" } });
    expect(answer.body.toString()).toBe("short");
    expect(received).toBe("{}");
    expect(server.asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      accept: "application/json",
      "content-length": "2",
      host: server.origin.slice("http://".length),
    });
  });

  test.each([
    ["/x?page=2", "/x?page=2"],
    ["repos/o/n", "/api/v3/repos/o/n"],
    ["%2e%2e/x", "/api/x"],
    ["/a\r\nHost: evil", "/aHost:%20evil"],
  ])("a request for the address %j is sent to the path %s", async (url, path) => {
    const server = await farServer((_request, response) => response.end());
    const { farSide } = clientOf(`${server.origin}/api/v3`);
    await farSide.send({ ...GET, url });
    expect(server.asked[0]?.url).toBe(path);
  });

  test("a request may name a whole URL at the origin, like the link to a next page", async () => {
    const server = await farServer((_request, response) => response.end());
    const { farSide } = clientOf(server.origin);
    await farSide.send({ ...GET, url: `${server.origin}/next?page=2` });
    expect(server.asked[0]?.url).toBe("/next?page=2");
  });

  test("a request reuses the connection of the previous request", async () => {
    const sockets = new Set<unknown>();
    const server = await farServer((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const { farSide } = clientOf(server.origin);
    for (const url of ["/1", "/2", "/3"]) await farSide.send({ ...GET, url });
    expect(sockets.size).toBe(1);
  });

  test("a request to localhost stays on this machine, and its Host header names localhost", async () => {
    const server = await farServer((_request, response) => response.end());
    const at = server.origin.replace("127.0.0.1", "localhost");
    await clientOf(at).farSide.send(GET);
    expect(server.asked[0]?.headers.host).toBe(at.slice("http://".length));
  });
});

describe("the token for a remote server", () => {
  test.each([
    ["another host", "https://evil.example/x"],
    ["another port", "http://127.0.0.1:1/x"],
    ["another scheme", "https://127.0.0.1/x"],
    ["an address without a scheme", "//evil.example/x"],
    ["an address with a user", "http://u:p@127.0.0.1/x"],
    ["a scheme that is not HTTP", "file:///etc/passwd"],
  ])("is not sent to %s", async (_what, url) => {
    const server = await farServer((_request, response) => response.end());
    const { farSide } = clientOf(server.origin);
    const fault = await faultOf(farSide.send({ ...GET, url }));
    expect(fault).toMatchObject({ kind: "elsewhere", sent: false });
    expect(fault.message).not.toContain("/x");
    expect(server.asked).toHaveLength(0);
  });

  test.each([301, 302, 303, 307, 308])("is not sent along a redirect with %i", async (status) => {
    const other = await farServer((_request, response) => response.end());
    const location = `${other.origin}/take?secret=1`;
    const server = await farServer((_request, response) =>
      response.writeHead(status, { location }).end(),
    );
    const { farSide } = clientOf(server.origin);
    for (const redirects of [{}, { redirects: "same-origin" } as const]) {
      const fault = await faultOf(farSide.send({ ...GET, ...redirects }));
      expect(fault.kind).toBe("elsewhere");
      expect(fault.message).toContain(`redirects to ${other.origin}, which svc does not follow`);
      expect(fault.message).not.toContain("secret=1");
    }
    expect(other.asked).toHaveLength(0);
  });

  test("is not sent to a server with an untrusted certificate", async () => {
    const server = await farServer((_request, response) => response.end(), { scheme: "https" });
    const fault = await faultOf(clientOf(server.origin).farSide.send(GET));
    expect(fault).toMatchObject({ kind: "unsent", sent: false });
    expect(server.asked).toHaveLength(0);
  });

  test("is sent over TLS if the certificate is trusted", async () => {
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const server = await farServer((_request, response) => response.end("ok"), { scheme: "https" });
    expect((await clientOf(server.origin).farSide.send(GET)).body.toString()).toBe("ok");
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  test.each(["geheim\r\nX-Evil: 1", "geheim ", "gehëim", ""])(
    "%j cannot be sent, so it is refused before any request, and the error does not show it",
    (bearer) => {
      const made = () => clientOf("https://hub.example", { bearer });
      expect(made).toThrow(/^the token for \[hub\] url (holds|is empty)/);
      expect(made).not.toThrow(/geh/);
    },
  );
});

describe("a header of a request", () => {
  test.each([
    ["x-etag", "a\r\nX-Evil: 1"],
    ["x-etag", "a\0"],
    ["x-etag: 1\r\nx-evil", "a"],
    ["x-etag", "ü"],
  ])("the name %j with the value %j is refused, and nothing is sent", async (name, value) => {
    const server = await farServer((_request, response) => response.end());
    const { farSide } = clientOf(server.origin);
    const fault = await faultOf(farSide.send({ ...GET, headers: { [name]: value } }));
    expect(fault).toMatchObject({ kind: "unsent", sent: false });
    expect(server.asked).toHaveLength(0);
  });

  test.each(["Authorization", "Host", "cookie", "Transfer-Encoding", "content-length"])(
    "%s is set by the client alone, and callers may not set it",
    async (name) => {
      const { farSide } = clientOf("https://hub.example");
      await expect(farSide.send({ ...GET, headers: { [name]: "x" } })).rejects.toThrow(
        `${name} is a header of the client`,
      );
    },
  );
});

describe("redirects of a request within the origin", () => {
  test("redirects are faults unless the caller allows them", async () => {
    const server = await farServer((_request, response) =>
      response.writeHead(302, { location: "/y?secret=1" }).end(),
    );
    const fault = await faultOf(clientOf(server.origin).farSide.send(GET));
    expect(fault.kind).toBe("elsewhere");
    expect(fault.message).toContain("redirects to another of its paths");
    expect(fault.message).not.toContain("secret");
  });

  test("redirects are followed with the token, ten and no more", async () => {
    const server = await farServer(({ url = "" }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    const { farSide } = clientOf(server.origin);
    const follow = { ...GET, redirects: "same-origin" } as const;
    expect((await farSide.send({ ...follow, url: "/10" })).body.toString()).toBe("there");
    expect(server.asked.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
    expect((await faultOf(farSide.send({ ...follow, url: "/11" }))).kind).toBe("elsewhere");
  });

  test("redirects are returned as they are if the caller asks for that", async () => {
    const location = "https://evil.example/take";
    const server = await farServer((_request, response) =>
      response.writeHead(301, { location }).end("moved"),
    );
    const answer = await clientOf(server.origin).farSide.send({ ...GET, redirects: "answer" });
    expect(answer).toMatchObject({ status: 301, headers: { location } });
    expect(server.asked).toHaveLength(1);
  });

  test.each([
    [301, "elsewhere"],
    [302, "elsewhere"],
    [303, "elsewhere"],
    [307, "followed"],
    [308, "followed"],
  ])(
    "the outcome of a POST that is redirected with %i is %s, and the POST never becomes a GET",
    async (status, what) => {
      const server = await farServer(({ url }, response) => {
        if (url === "/x") response.writeHead(status, { location: "/y" }).end();
        else response.end("followed");
      });
      const request = { ...GET, method: "POST", body: "{}", redirects: "same-origin" } as const;
      const sending = clientOf(server.origin).farSide.send(request);
      if (what === "followed") expect((await sending).body.toString()).toBe("followed");
      else expect((await faultOf(sending)).kind).toBe("elsewhere");
      expect(server.asked.every(({ method }) => method === "POST")).toBe(true);
    },
  );

  test.each([undefined, "", "http://[", "data:text/plain,x"])(
    "redirects to %j are faults, since that is no address",
    async (location) => {
      const server = await farServer((_request, response) =>
        response.writeHead(302, location === undefined ? {} : { location }).end(),
      );
      const { farSide } = clientOf(server.origin);
      const fault = await faultOf(farSide.send({ ...GET, redirects: "same-origin" }));
      expect(fault.kind).toBe("elsewhere");
    },
  );
});

describe("the size limit of an answer", () => {
  test("the size limit refuses an answer by its content length, before it is read", async () => {
    let written = 0;
    const server = await farServer((_request, response) => {
      response.writeHead(200, { "content-length": 200 * MIB });
      response.write(Buffer.alloc(1000), () => (written += 1000));
    });
    const fault = await faultOf(clientOf(server.origin).farSide.send(GET));
    expect(fault).toMatchObject({ kind: "too_large", sent: true });
    expect(written).toBeLessThanOrEqual(1000);
  });

  test("the size limit closes the connection of an answer of 200 MB without a content length", async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const server = await farServer((_request, response) => {
      response.on("close", () => closed.resolve());
      const more = (): void => {
        while (written < 200 * MIB && !response.destroyed) {
          written += MIB;
          if (!response.write(Buffer.alloc(MIB))) break;
        }
      };
      response.on("drain", more);
      more();
    });
    const fault = await faultOf(clientOf(server.origin).farSide.send(GET));
    expect(fault.kind).toBe("too_large");
    await closed.promise;
    expect(written).toBeLessThan(50 * MIB);
  });

  test("the size limit counts the decompressed bytes of an answer", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * MIB));
    expect(bomb.length).toBeLessThan(GET.maxBytes);
    const server = await farServer((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    const { farSide } = clientOf(server.origin);
    expect((await faultOf(farSide.send(GET))).kind).toBe("too_large");
    const whole = await farSide.send({ ...GET, maxBytes: 100 * MIB });
    expect(whole.body.length).toBe(100 * MIB);
  });

  test.each([
    [1024, undefined],
    [1025, "too_large"],
  ])(
    "an answer of %i bytes ends with the fault %s if the limit is 1024 bytes",
    async (bytes, kind) => {
      const server = await farServer((_request, response) => {
        response.write(Buffer.alloc(bytes - 1));
        response.end("x");
      });
      const sending = clientOf(server.origin).farSide.send({ ...GET, maxBytes: 1024 });
      if (kind === undefined) expect((await sending).body.length).toBe(bytes);
      else expect((await faultOf(sending)).kind).toBe(kind);
    },
  );

  test("the size limit ignores the length that an answer to HEAD names", async () => {
    const server = await farServer((_request, response) =>
      response.writeHead(200, { "content-length": 200 * MIB }).end(),
    );
    const answer = await clientOf(server.origin).farSide.send({ ...GET, method: "HEAD" });
    expect(answer.body.length).toBe(0);
  });
});

describe("the time limit of a request", () => {
  test("ends a request to a server that never answers", async () => {
    const server = await farServer(() => undefined);
    const { farSide, clock } = clientOf(server.origin);
    const sending = faultOf(farSide.send(GET));
    await server.hasBeenAsked(1);
    clock.advance(GET.maxMs);
    const fault = await sending;
    expect(fault).toMatchObject({ kind: "timeout", sent: true });
    expect(fault.message).toBe(`${server.origin} has not answered within 5 s`);
  });

  test.each(["identity", "gzip"])(
    "ends an answer with the encoding %s that arrives byte by byte",
    async (encoding) => {
      const closed = Promise.withResolvers<void>();
      const server = await farServer((_request, response) => {
        response.writeHead(200, { "content-encoding": encoding });
        response.on("close", () => closed.resolve());
        const zipped = gzipSync(Buffer.alloc(MIB), { level: 0 });
        const drip = (at: number): void => {
          if (response.destroyed) return;
          response.write(zipped.subarray(at, at + 1), () => {
            clock.advance(100);
            setImmediate(drip, at + 1);
          });
        };
        drip(0);
      });
      const { farSide, clock } = clientOf(server.origin);
      expect(await faultOf(farSide.send(GET))).toMatchObject({ kind: "timeout", sent: true });
      await closed.promise;
    },
  );

  test("covers all redirects together", async () => {
    const server = await farServer((_request, response) => {
      clock.advance(1000);
      response.writeHead(307, { location: "/again" }).end();
    });
    const { farSide, clock } = clientOf(server.origin);
    const fault = await faultOf(farSide.send({ ...GET, redirects: "same-origin" }));
    expect(fault.kind).toBe("timeout");
    expect(server.asked.length).toBeLessThanOrEqual(6);
  });

  test("does not keep the caller from stopping the request earlier", async () => {
    const server = await farServer(() => undefined);
    const { farSide } = clientOf(server.origin);
    const stop = new AbortController();
    const sending = faultOf(farSide.send({ ...GET, signal: stop.signal }));
    await server.hasBeenAsked(1);
    stop.abort();
    expect(await sending).toMatchObject({ kind: "stopped", sent: true });
    const never = await faultOf(farSide.send({ ...GET, signal: stop.signal }));
    expect(never).toMatchObject({ kind: "stopped", sent: false });
    expect(server.asked).toHaveLength(1);
  });
});

describe("requests without a usable answer", () => {
  test("count as not sent if nobody listens on the port", async () => {
    const { farSide } = clientOf("http://127.0.0.1:1");
    expect(await faultOf(farSide.send(GET))).toMatchObject({
      kind: "unsent",
      sent: false,
      message: expect.stringContaining("http://127.0.0.1:1 cannot be reached: "),
      cause: { code: "ECONNREFUSED" },
    });
  });

  test.each([
    ["a connection that breaks off before the answer", "", "lost"],
    ["a body that breaks off", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "lost"],
    ["a server that does not speak HTTP", "SSH-2.0-OpenSSH\r\n", "unreadable"],
    [
      "a text that is not compressed as it says",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain",
      "unreadable",
    ],
    [
      "an encoding that was not requested",
      "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 5\r\n\r\nplain",
      "unreadable",
    ],
    [
      "an answer that is encoded twice",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 5\r\n\r\nplain",
      "unreadable",
    ],
    [
      "headers without an end",
      `HTTP/1.1 200 OK\r\n${"X-Long: y\r\n".repeat(20_000)}`,
      "unreadable",
    ],
  ])("%s is a fault, but the request may have arrived", async (_what, answer, kind) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(answer));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const { farSide } = clientOf(`http://127.0.0.1:${port}`);
    expect(await faultOf(farSide.send(GET))).toMatchObject({ kind, sent: true });
  });
});

test("an error text of the remote server is shown without the token", async () => {
  const server = await farServer((request, response) =>
    response.writeHead(403).end(`no: ${request.headers.authorization}`),
  );
  const { farSide } = clientOf(server.origin);
  expect(farSide.textOf(await farSide.send(GET))).toBe("no: Bearer [redacted]");
});

test("a request to a server for which there is no token has no Authorization header", async () => {
  const server = await farServer((_request, response) => response.end());
  const farSide = new FarSide(
    { clock: new FakeClock() },
    { url: server.origin, from: "url", trustsPrivateNetwork: false, allowsInsecure: false },
  );
  onTestFinished(() => farSide.close());
  await farSide.send(GET);
  expect(server.asked[0]?.headers).not.toHaveProperty("authorization");
});
