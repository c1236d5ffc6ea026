import { testConnector } from "../../../src/connectors/index.ts";

// Stands for `svc connector test`: shows the first behaviour with the program of its arguments.
const [command = "", ...args] = process.argv.slice(2);
await testConnector({
  entry: { command, args, timeoutMs: 60_000, env: {}, settings: {} },
  ...{ root: "one", only: [1], environment: {}, signal: new AbortController().signal },
});
