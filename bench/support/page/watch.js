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
   * Waits for the first rows. Returns when the page painted anything, got its first page of issues, and painted rows;
   * and the length of its longest task so far. All are in milliseconds.
   */
  started: async () => {
    const rows = await rowsPainted;
    const paint = await firstPaint;
    const data = performance.getEntriesByType("resource").find(({ name }) => DATA.test(name));
    return { paint, data: data.responseEnd, rows, longest };
  },
  pressed: () => keys.length,
  /** Waits until the picture after the given key press is on the screen, and returns how long that took. */
  keyTook: async (number) => {
    while (keys.length <= number)
      await new Promise((resolve) => {
        onKey = resolve;
      });
    return keys[number];
  },
};
