import "react";

declare module "react" {
  /** Allows the CSS variables of our own (`--name`) in a `style` property. */
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
