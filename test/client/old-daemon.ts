import { createServer } from "node:http";

/** A daemon of another release, as far as a client can see it: it answers pings and ends when it is told to. */
const [socket = "", version = "", pid = String(process.pid)] = process.argv.slice(2);

const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ ok: true, service: "svc", version, pid: Number(pid) }));
});
server.listen(socket, () => process.stdout.write("ready\n"));
