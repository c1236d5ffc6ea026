import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { requireSafeSocket } from "../safe-socket.ts";

export type Address =
  | { readonly network: "unix"; readonly path: string }
  | {
      readonly network: "tcp";
      readonly host: string;
      readonly port: number;
      readonly tls: boolean;
      /** The only certificate that is trusted, in PEM. Its host names and its dates do not matter. */
      readonly certificate?: string;
    };

/** Starts to connect to the address. TLS is loaded only for https. */
export async function openSocket(address: Address): Promise<Socket> {
  if (address.network === "unix") {
    requireSafeSocket(address.path);
    return connect({ path: address.path });
  }
  const { host, port, certificate } = address;
  const lookup = host === "localhost" ? { lookup: loopback } : {};
  if (!address.tls) return connect({ host, port, noDelay: true, ...lookup });
  const tls = await import("node:tls");
  // For an IP address no server name is sent, because TLS allows only host names. The certificate must name the
  // address.
  const name = isIP(host) === 0 ? { servername: host } : {};
  const options = { host, port, ALPNProtocols: ["http/1.1"], ...name };
  if (certificate === undefined) return tls.connect(options).setNoDelay(true);
  const { X509Certificate } = await import("node:crypto");
  const { raw } = new X509Certificate(certificate);
  // Node's own check is disabled, because it would also trust certificates that the given certificate has signed.
  // Instead, the listener below accepts only the given certificate.
  const socket = tls.connect({ ...options, rejectUnauthorized: false });
  socket.prependOnceListener("secureConnect", () => {
    if (socket.getPeerX509Certificate()?.raw.equals(raw) !== true)
      socket.destroy(new Error("it has another certificate than the daemon's record names"));
  });
  return socket.setNoDelay(true);
}

/** Resolves `localhost` without a name server, so that requests to it stay on this machine (RFC 6761, 6.3). */
const loopback: LookupFunction = (_host, { all }, callback) => {
  const v4 = { address: "127.0.0.1", family: 4 };
  if (all === true) callback(null, [v4, { address: "::1", family: 6 }]);
  else callback(null, v4.address, v4.family);
};

export function connectedEvent(address: Address): "connect" | "secureConnect" {
  return address.network === "tcp" && address.tls ? "secureConnect" : "connect";
}
