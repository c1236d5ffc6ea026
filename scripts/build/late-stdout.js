/**
 * Replaces `process.stdout`. The real stream is created only when something of it is used, because its creation takes
 * two milliseconds. oclif adds a listener to the stream in each command, but few commands write to it.
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
