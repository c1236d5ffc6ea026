/**
 * Replaces `process.stdout` until something of it is used. Only then Node creates the stream, which takes two
 * milliseconds. oclif uses it in each command to add a listener, but a command seldom writes with it.
 */
const listeners = [];
let stream;

function made() {
  stream ??= globalThis.process.stdout;
  for (const given of listeners.splice(0)) stream.on(...given);
  return stream;
}

export const lateStdout = new Proxy(
  {},
  {
    get(_, key) {
      if (key === "on" && stream === undefined) return (...given) => void listeners.push(given);
      const value = made()[key];
      return typeof value === "function" ? value.bind(stream) : value;
    },
  },
);
