/**
 * Returns an object like `base`, with the members of `over` in place of its own. All other calls go to `base` itself.
 */
export function overlay<T extends object>(base: T, over: Partial<T>): T {
  return new Proxy(base, {
    get: (target, name) => {
      if (Object.hasOwn(over, name)) return Reflect.get(over, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
