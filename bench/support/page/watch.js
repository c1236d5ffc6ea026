/** Runs in a measured page before its own scripts, and keeps what the browser says about it in `bench`. */
const DATA = /\/issues\?.*after=/;

let longest = 0;
const keys = [];
let onKey = () => {};
const { promise: rowsPainted, resolve: onRows } = Promise.withResolvers();

/** Calls back when what the page has drawn so far is on the screen: in the task after the next frame. */
function painted(call) {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = call;
    port2.postMessage(undefined);
  });
}

addEventListener(
  "keydown",
  ({ timeStamp }) =>
    painted(() => {
      keys.push(performance.now() - timeStamp);
      onKey();
    }),
  { capture: true },
);

const rows = new MutationObserver(() => {
  if (document.querySelector(".row") === null) return;
  rows.disconnect();
  painted(() => onRows(performance.now()));
});
rows.observe(document, { childList: true, subtree: true });

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
}).observe({ type: "longtask", buffered: true });

globalThis.bench = {
  /** When the page painted something at first, had its first data page, and painted rows; and its longest task so far. */
  started: async () => {
    const rows = await rowsPainted;
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const data = performance.getEntriesByType("resource").find(({ name }) => DATA.test(name));
    return { paint: paint.startTime, data: data.responseEnd, rows, longest };
  },
  pressed: () => keys.length,
  /** How long the key of this number took until its picture was on the screen; waits for that. */
  keyTook: async (number) => {
    while (keys.length <= number)
      await new Promise((resolve) => {
        onKey = resolve;
      });
    return keys[number];
  },
};
