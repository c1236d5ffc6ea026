/**
 * Lets a worker answer the questions that the page's `LimitedWorker` sends it. A worker's script calls this once, at
 * its end, because it also tells the page that the worker has loaded.
 */
export function answering<Question, Answer>(answerTo: (question: Question) => Answer): void {
  scope.onmessage = ({ data: { id, question } }) => {
    scope.postMessage({ id, answer: answerTo(question as Question) });
  };
  scope.postMessage({ id: 0 });
}

// The global scope of a worker. The types of the page describe only the scope of a window.
const scope = globalThis as unknown as {
  onmessage: (event: {
    readonly data: { readonly id: number; readonly question: unknown };
  }) => void;
  postMessage(answer: { readonly id: number; readonly answer?: unknown }): void;
};
