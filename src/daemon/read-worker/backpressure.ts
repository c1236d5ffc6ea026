import { WINDOW } from "./messages.ts";

/** Thrown if the client does not want the rest of the answer. */
export class TaskEnd extends Error {}

/** Makes the worker wait while `WINDOW` pieces of an answer are on their way to the client. */
export class Backpressure {
  #room = WINDOW;
  #hasLeft = false;
  #wake: () => void = () => undefined;

  taken(): void {
    this.#room++;
    this.#wake();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#wake();
  }

  async room(): Promise<void> {
    while (this.#room === 0 && !this.#hasLeft)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#hasLeft) throw new TaskEnd();
    this.#room--;
  }
}
