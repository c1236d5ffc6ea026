/** Runs in a measured page before the page's own scripts, and offers measurements of the page in `globalThis.bench`. */
const DATA = /\/issues\?.*after=/;

let longest = 0;
const keys = [];
let onKey = () => {};
const { promise: rowsPainted, resolve: onRows } = Promise.withResolvers();

/** Calls `call` when all that the page has drawn so far is on the screen: in the task after the next frame. */
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

const { promise: firstPaint, resolve: onPaint } = Promise.withResolvers();
new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName("first-contentful-paint");
  if (paint !== undefined) onPaint(paint.startTime);
}).observe({ type: "paint", buffered: true });

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
}).observe({ type: "longtask", buffered: true });

globalThis.bench = {
  /**
   * Waits for the first rows. Returns four values in milliseconds: the time of the first paint, the time when the first
   * page of issues had arrived, the time when rows were painted, and the length of the longest task so far.
   */
  started: async () => {
    const rows = await rowsPainted;
    const paint = await firstPaint;
    const data = performance.getEntriesByType("resource").find(({ name }) => DATA.test(name));
    return { paint, data: data.responseEnd, rows, longest };
  },
  pressed: () => keys.length,
  /** Waits until the result of the given key press is on the screen, and returns how long that took. */
  keyTook: async (number) => {
    while (keys.length <= number)
      await new Promise((resolve) => {
        onKey = resolve;
      });
    return keys[number];
  },
};
