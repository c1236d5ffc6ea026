// A connector whose answer depends on its first argument. It reads its request first, unless it says otherwise.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

const [kind, ...words] = process.argv.slice(2);
/** Keeps the program running: a listener that nobody connects to. */
const forever = () => createServer().listen(0, "127.0.0.1");
const holder = (stdio) =>
  spawn(process.execPath, [import.meta.filename, "sleep-stubbornly", ...words], {
    stdio,
    detached: kind === "leave-group",
  });

if (kind === "sleep-stubbornly" || kind === "sleep-with-child") {
  process.on("SIGTERM", () => {});
  if (words[0] !== undefined) writeFileSync(`${words[0]}.${process.pid}`, "");
  if (kind === "sleep-with-child") holder("ignore");
  forever();
} else if (kind === "close-stdin") {
  process.stdin.destroy();
  print({ result: {} });
} else {
  const text = readFileSync(0, "utf8");
  const request = text === "" ? {} : JSON.parse(text);
  const answer = { protocol: request.protocol, id: request.id, result: {} };
  switch (kind) {
    case "environment":
      print({ ...answer, result: { env: process.env, cwd: process.cwd(), request } });
      break;
    case "two":
      print(answer);
      print(answer);
      break;
    case "big":
      await written("x".repeat(Number(words[0])));
      break;
    case "half":
      await written('{"protocol":"svc.connector.v1","id":');
      forever();
      break;
    case "other-id":
      print({ ...answer, id: "0".repeat(32) });
      break;
    case "exit":
      print(answer);
      process.exitCode = 3;
      break;
    case "flood-stderr":
      for (let at = 0; at < 64; at++) process.stderr.write("e".repeat(65536));
      print(answer);
      break;
    case "hold-stdout":
    case "leave-group":
      print(answer);
      holder(["ignore", "inherit", "ignore"]);
      process.exit(0);
      break;
    case "hold-stderr":
      print(answer);
      holder(["ignore", "ignore", "inherit"]);
      process.exit(0);
      break;
    case "leave-child":
      print(answer);
      holder("ignore").unref();
      break;
    case "result":
      print({ ...answer, result: JSON.parse(words[0]) });
      break;
    case "fail":
      print({
        protocol: request.protocol,
        id: request.id,
        error: { code: words[0], message: words[1] },
      });
      break;
    default:
      print(answer);
  }
}

function print(document) {
  process.stdout.write(`${JSON.stringify(document)}\n`);
}

async function written(text) {
  await new Promise((resolve) => process.stdout.write(text, resolve));
}
