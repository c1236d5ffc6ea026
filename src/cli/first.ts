/** The one to take first: lowest priority number, prioritised before unprioritised, ties in the order given (facts cli-and-config 2.1). */
export function firstOf<T extends { readonly priority?: number | undefined }>(
  issues: readonly T[],
): T | undefined {
  let first: T | undefined;
  for (const issue of issues) {
    if (first === undefined || rank(issue) < rank(first)) first = issue;
  }
  return first;
}

function rank({ priority }: { readonly priority?: number | undefined }): number {
  return priority ?? Number.POSITIVE_INFINITY;
}
