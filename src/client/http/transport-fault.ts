import { errorCode } from "../../base/error-code.ts";

/**
 * Why there is no answer. `unsent`: nothing of the request was sent. `lost`: the connection failed later. `timeout`:
 * the time limit was exceeded. After `lost` and `timeout`, the daemon may have carried out the request.
 */
export type FaultKind = "unsent" | "lost" | "timeout";

export class TransportFault extends Error {
  override readonly name = "TransportFault";
  readonly kind: FaultKind;

  constructor(kind: FaultKind, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.kind = kind;
  }

  /** The operating system's error code, such as `ECONNREFUSED`. */
  get errno(): string | undefined {
    return errorCode(this.cause);
  }
}
