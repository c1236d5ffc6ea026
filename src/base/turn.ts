/** Resolves when other work has had its turn: between the slices of something long. */
export async function turn(): Promise<void> {
  await new Promise<void>((next) => void setImmediate(next));
}
