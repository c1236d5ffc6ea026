/**
 * Answers what a page asks of a worker by `LimitedWorker`. Called once at the end of a worker's script, since it tells
 * the page that the worker has loaded.
 */
export function answering<Question, Answer>(answerTo: (question: Question) => Answer): void {
  scope.onmessage = ({ data: { id, question } }) => {
    scope.postMessage({ id, answer: answerTo(question as Question) });
  };
  scope.postMessage({ id: 0 });
}

// The worker's own scope: the types of a page know only the window's.
const scope = globalThis as unknown as {
  onmessage: (event: {
    readonly data: { readonly id: number; readonly question: unknown };
  }) => void;
  postMessage(answer: { readonly id: number; readonly answer?: unknown }): void;
};
