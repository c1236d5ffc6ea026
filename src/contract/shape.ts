import { z } from "zod";

/**
 * A schema that is built on first use and then cached. Building one takes tenths of a millisecond, and a command or a
 * starting daemon needs few of the hundreds of schemas. So every object schema of the contract is a shape, and the
 * first one that is used loads zod.
 */
export type Shape<T extends z.ZodType = z.ZodType> = () => T;

export function shape<T extends z.ZodType>(build: () => T): Shape<T> {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** A shape with a name in the OpenAPI document (`#/components/schemas/<id>`). */
export function component<T extends z.ZodType>(id: string, build: () => T): Shape<T> {
  return shape(() => build().meta({ id }));
}

export type OutputOf<S extends Shape> = z.output<ReturnType<S>>;

/** The shape of a request part without fields: no parameters, no query or no body. */
export const Nothing: Shape<z.ZodObject<Record<never, never>>> = shape(() => z.object({}));
