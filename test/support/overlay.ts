/** An object like `base`, in which some members are others. Whatever else is called, `base` itself carries out. */
export function overlay<T extends object>(base: T, over: Partial<T>): T {
  return new Proxy(base, {
    get: (target, name) => {
      if (Object.hasOwn(over, name)) return Reflect.get(over, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
