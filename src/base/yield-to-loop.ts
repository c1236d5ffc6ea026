/** Lets the event loop handle other work; called between the slices of a long piece of work. */
export async function yieldToLoop(): Promise<void> {
  await new Promise<void>((next) => void setImmediate(next));
}
