/**
 * Stands for `process.stdout` until something of it is used: Node makes the stream then, which takes two milliseconds.
 * oclif asks for it in each command, to add a listener, and a command seldom writes by it.
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
