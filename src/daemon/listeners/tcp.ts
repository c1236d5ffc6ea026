import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server as TlsServer } from "node:tls";
import { formatHostPort, type HostPort } from "../../config/addresses.ts";
import { StartError } from "../start-error.ts";
import type { Certificate } from "./certificate.ts";

export interface TcpServer {
  /** The HTTP server. It may also be an HTTPS server, which has all members that are used here. */
  readonly server: Server;
  readonly showCode: () => Promise<void>;
  readonly replaceCertificate?: (certificate: Certificate) => void;
}

/**
 * Listens with listhen. By default, listhen reads PORT, HOST and NODE_ENV, uses port 3000 for 0, tries other ports and
 * ends the process on signals. To prevent that, every option is set, a free port is chosen beforehand, and the bound
 * address is compared with the requested one.
 */
export async function listenTcp(
  answer: RequestListener,
  { host, port }: HostPort,
  certificate: Certificate | undefined,
): Promise<TcpServer> {
  const { listen: listhen } = await import("listhen");
  const https =
    certificate === undefined ? false : { cert: certificate.chain, key: certificate.key };
  const { server, url, showURL } = await listhen(answer, {
    name: "svc",
    hostname: host,
    port: { port, host, ports: [], random: false, verbose: false },
    public: false,
    isProd: true,
    isTest: false,
    showURL: false,
    qr: false,
    open: false,
    clipboard: false,
    https,
    tunnel: false,
    ws: false,
    autoClose: false,
    baseURL: "/",
  }).catch((cause: unknown) => {
    throw cannotListen(host, port, cause);
  });
  const bound = server.address() as AddressInfo;
  if (bound.address === host && bound.port === port) {
    // listhen shows a QR code only for a public address, so pass it the URL as `publicURL`. Without `extraURLs`, it
    // would also show a URL from an environment variable that belongs to another tool.
    const shown = { name: "svc", publicURL: url, extraURLs: [], qr: true };
    return {
      server: server as Server,
      showCode: async () => await showURL(shown),
      ...("setSecureContext" in server ? { replaceCertificate: certificateSetter(server) } : {}),
    };
  }
  server.close();
  throw cannotListen(host, port);
}

/**
 * Listens without listhen, which takes tens of milliseconds to load: every daemon listens for pages, but few people
 * open a page.
 */
export async function listenPlain(
  answer: RequestListener,
  { host, port }: HostPort,
): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: unknown): void => reject(cannotListen(host, port, cause));
    server.once("error", failed).listen({ host, port }, () => {
      server.off("error", failed);
      resolve();
    });
  });
  return server;
}

function certificateSetter(
  server: Pick<TlsServer, "setSecureContext">,
): NonNullable<TcpServer["replaceCertificate"]> {
  return ({ chain: cert, key }) => server.setSecureContext({ cert, key });
}

function cannotListen(host: string, port: number, cause?: unknown): StartError {
  const message = `cannot listen on ${formatHostPort({ host, port })}: the address is not this machine's or the port is taken`;
  return new StartError("address", message, { hint: "choose another port with --listen", cause });
}

/** Replaces port 0 by a free port, because the listener must know its address before it serves. */
export async function withPort({ host, port }: HostPort): Promise<HostPort> {
  return { host, port: port === 0 ? await freePort(host) : port };
}

async function freePort(host: string): Promise<number> {
  const { createServer: createProbe } = await import("node:net");
  return await new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.once("error", reject).listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
