/**
 * Returns a copy of the set from which the value is removed or, if the set did not contain it, to which it is added.
 */
export function toggleInSet<Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(values);
  if (!next.delete(value)) next.add(value);
  return next;
}
