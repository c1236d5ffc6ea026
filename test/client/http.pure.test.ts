import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { HttpClient, MAX_BODY_MS } from "../../src/client/http/client.ts";
import { TransportFault } from "../../src/client/http/transport-fault.ts";
import { ping } from "../../src/client/ping.ts";
import { FakeClock } from "../support/clock.ts";
import { CERTIFICATE } from "./certificate.ts";
import { json, PONG, standIn } from "./stand-in.ts";

const GET = { method: "GET", target: "/x", headers: { Host: "h" } };

describe("HTTP requests to one address", () => {
  test.each(["unix", "tcp"] as const)(
    "that follow one another use the same connection (%s)",
    async (where) => {
      const server = await standIn((_request, _socket, number) => json(200, { number }), where);
      const http = new HttpClient(server.address);
      for (const number of [1, 2, 3]) {
        const { status, body } = await http.request(GET, 5000);
        expect([status, JSON.parse(body.toString())]).toEqual([200, { number }]);
      }
      expect(server.connections()).toBe(1);
      http.close();
    },
  );

  test("requests that run at once get a connection each and their own answers", async () => {
    const server = await standIn((request) => json(200, { target: request.split(" ")[1] }));
    const http = new HttpClient(server.address);
    const answers = await Promise.all(
      ["/a", "/b", "/c"].map(async (target) => {
        const { body } = await http.request({ ...GET, target }, 5000);
        return JSON.parse(body.toString()) as unknown;
      }),
    );
    expect(answers).toEqual([{ target: "/a" }, { target: "/b" }, { target: "/c" }]);
    http.close();
  });

  test("do not reuse a connection that the server has closed", async () => {
    const closed: Promise<void>[] = [];
    const server = await standIn((_request, socket) => {
      closed.push(new Promise((resolve) => socket.once("close", () => resolve())));
      socket.end(json(200, {}));
      return undefined;
    });
    const http = new HttpClient(server.address);
    for (const count of [1, 2]) {
      expect((await http.request(GET, 5000)).status).toBe(200);
      await Promise.all(closed);
      expect(server.connections()).toBe(count);
    }
  });

  test("open a new connection of their own if they must not get lost", async () => {
    const server = await standIn(() => json(200, {}));
    const http = new HttpClient(server.address);
    for (const fresh of [false, true, false]) await http.request(GET, 5000, fresh);
    expect(server.connections()).toBe(2);
    http.close();
  });
});

describe("HTTP requests over TLS", () => {
  test("are not sent to a server whose certificate is not trusted", async () => {
    const server = await standIn(() => json(200, {}), "tls");
    const fault = await new HttpClient(server.address)
      .request(GET, 5000)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: "unsent", errno: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(server.requests).toEqual([]);
  });

  test("that follow one another use the same connection", async () => {
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const server = await standIn((_request, _socket, number) => json(200, { number }), "tls");
    const http = new HttpClient(server.address);
    for (const number of [1, 2]) {
      expect(JSON.parse((await http.request(GET, 5000)).body.toString())).toEqual({ number });
    }
    expect(server.connections()).toBe(1);
    http.close();
  });
});

describe("HTTP requests without an answer", () => {
  test.each([
    [
      "nobody listens",
      "unsent",
      "ECONNREFUSED",
      async () => {
        const server = await standIn(() => undefined, "tcp");
        await server.close();
        return server.address;
      },
    ],
    [
      "there is no socket",
      "unsent",
      "ENOENT",
      async () => {
        const server = await standIn(() => undefined);
        await server.close();
        return server.address;
      },
    ],
    [
      "the server hangs up",
      "lost",
      undefined,
      async () => {
        return (await standIn((_request, socket) => void socket.destroy())).address;
      },
    ],
    [
      "the server sends half an answer",
      "lost",
      undefined,
      async () => {
        return (
          await standIn(
            (_request, socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"),
          )
        ).address;
      },
    ],
    [
      "the server does not speak HTTP",
      "lost",
      undefined,
      async () => {
        return (await standIn(() => "220 mail.example ESMTP\r\n\r\n")).address;
      },
    ],
    [
      "the server sends nothing",
      "timeout",
      undefined,
      async () => {
        return (await standIn(() => undefined)).address;
      },
    ],
    [
      "the answer never ends",
      "timeout",
      undefined,
      async () => {
        return (await standIn(() => "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")).address;
      },
    ],
  ] as const)(
    "requests that get no answer because %s fail with a fault of the kind %s",
    async (_why, kind, errno, where) => {
      const http = new HttpClient(await where());
      const fault = await http.request(GET, 100).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(TransportFault);
      expect(fault).toMatchObject({ kind, ...(errno === undefined ? {} : { errno }) });
    },
  );

  test("a request does not time out while the body of its answer arrives slowly but steadily", async () => {
    const clock = new FakeClock();
    const server = await standIn((_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na");
      const rest = ["b", "c"];
      const next = (): void => {
        clock.advance(60_000);
        const piece = rest.shift();
        if (piece !== undefined) setImmediate(() => socket.write(piece, next));
      };
      next();
      return undefined;
    });
    const { body } = await new HttpClient(server.address, clock).request(GET, 5000);
    expect(body.toString()).toBe("abc");
  });

  test.each([
    ["head", "HTTP/1.1 200 OK\r\nX-Long: ", 150],
    ["body", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", MAX_BODY_MS],
  ])(
    "time out if the %s of the answer takes too long, however steadily its bytes arrive",
    async (_part, begin, limit) => {
      const clock = new FakeClock();
      const server = await standIn((_request, socket) => {
        socket.write(begin);
        const drip = (): void => {
          clock.advance(limit / 10);
          if (!socket.destroyed) socket.write("x", drip);
        };
        drip();
        return undefined;
      });
      const asked = new HttpClient(server.address, clock).request(GET, 150);
      await expect(asked).rejects.toMatchObject({ kind: "timeout" });
    },
  );
});

describe("a streamed answer", () => {
  test("is read in pieces, and the connection closes if the reader stops early", async () => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await standIn((_request, socket) => {
      socket.on("close", closed);
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
      socket.write("1\r\nb\r\n");
      return undefined;
    });
    const { status, pieces } = await new HttpClient(server.address).stream(
      GET,
      5000,
      new AbortController().signal,
    );
    let text = "";
    for await (const piece of pieces) {
      text += piece.toString();
      if (text === "ab") break;
    }
    await gone;
    expect([status, text]).toEqual([200, "ab"]);
  });

  test("ends on the abort signal", async () => {
    const server = await standIn(
      () => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
    );
    const ended = new AbortController();
    const { pieces } = await new HttpClient(server.address).stream(GET, 5000, ended.signal);
    const read = async (): Promise<void> => {
      for await (const _piece of pieces) ended.abort();
    };
    await expect(read()).rejects.toMatchObject({ kind: "lost" });
  });
});

describe("a ping identifies the server", () => {
  test.each([
    ["svc", json(200, PONG), { state: "svc", version: "9.9.9", pid: 1 }],
    [
      "svc without a pid",
      json(200, { ok: true, service: "svc", version: "1" }),
      { state: "svc", pid: undefined },
    ],
    [
      "a daemon that stops",
      json(503, { status: 503, error: { code: "daemon_stopping" } }),
      { state: "stopping" },
    ],
    ["another service", json(200, { ...PONG, service: "other" }), { state: "foreign" }],
    ["svc with an ok of false", json(200, { ...PONG, ok: false }), { state: "foreign" }],
    [
      "a redirect",
      json(302, PONG, "Location: /elsewhere\r\n"),
      {
        state: "foreign",
        what: "it redirects to another of its paths, which svc does not follow",
      },
    ],
    ["a page", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", { state: "foreign" }],
    ["JSON that is no object", json(200, null), { state: "foreign" }],
    ["another protocol", "220 hello\r\n\r\n", { state: "foreign" }],
  ])("a ping identifies the server by its answer: %s", async (_name, answer, expected) => {
    const server = await standIn(() => answer);
    expect(await ping(server.address, "h")).toMatchObject(expected);
    expect(server.requests[0]).toMatch(/^GET \/api\/v1\/ping HTTP\/1\.1\r\n/);
    expect(server.requests[0]).not.toMatch(/authorization/i);
  });

  test("a ping reports a server as not answering, or as not running", async () => {
    const silent = await standIn(() => undefined);
    expect(await ping(silent.address, "h", 50)).toEqual({ state: "silent" });
    await silent.close();
    expect(await ping(silent.address, "h")).toMatchObject({ state: "gone" });
  });
});
