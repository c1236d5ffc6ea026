import "react";

declare module "react" {
  /** Custom properties of the styles, which a part sets for itself. */
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
