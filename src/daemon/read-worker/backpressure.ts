import { WINDOW } from "./messages.ts";

/** Thrown if the client does not want the rest of the answer. */
export class TaskEnd extends Error {}

/** Makes the worker wait while `WINDOW` pieces of an answer are on their way to the client. */
export class Backpressure {
  #room = WINDOW;
  #left = false;
  #wake: () => void = () => undefined;

  taken(): void {
    this.#room++;
    this.#wake();
  }

  leave(): void {
    this.#left = true;
    this.#wake();
  }

  async room(): Promise<void> {
    while (this.#room === 0 && !this.#left)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#left) throw new TaskEnd();
    this.#room--;
  }
}
