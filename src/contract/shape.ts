import { z } from "zod";

/**
 * A schema that is built when it is first asked for and kept from then on. Building one takes tenths of a
 * millisecond, and a command or a cold daemon needs few of the hundreds: so every object schema of the contract
 * is a shape, and zod itself is loaded by the first one that is asked for.
 */
export type Shape<T extends z.ZodType = z.ZodType> = () => T;

export function shape<T extends z.ZodType>(build: () => T): Shape<T> {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** A shape that is a named component of the OpenAPI document (`#/components/schemas/<id>`). */
export function component<T extends z.ZodType>(id: string, build: () => T): Shape<T> {
  return shape(() => build().meta({ id }));
}

/** The type that a shape's parsed values have. */
export type Of<S extends Shape> = z.output<ReturnType<S>>;

/** No parameters, no query or no body. */
export const Nothing: Shape<z.ZodObject<Record<never, never>>> = shape(() => z.object({}));
