/**
 * Returns the coding that the client's `Accept-Encoding` header prefers: the first of `codings` if several are equal,
 * `undefined` if the client accepts none. By RFC 9110 12.5.3, a named coding takes precedence over `*`, and a weight of
 * zero refuses a coding.
 */
export function bestCoding<T extends string>(
  acceptEncoding: string,
  codings: readonly T[],
): T | undefined {
  const weights = weightsIn(acceptEncoding);
  const weightOf = (coding: string): number =>
    weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get("*") ?? 0;
  let best: T | undefined;
  for (const coding of codings)
    if (weightOf(coding) > (best === undefined ? 0 : weightOf(best))) best = coding;
  return best;
}

function weightsIn(acceptEncoding: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return weights;
}
