import { codeSuffix, errorCode } from "../../base/error-code.ts";
import { SvcError } from "../../contract/errors.ts";
import { ToolError } from "../failure.ts";

/**
 * Runs work on files of the host. If it fails, the error says that `what` cannot be used, and contains no paths of the
 * host: `names` maps paths to the names that the client knows (docs/contract/tools.md#810-storage).
 */
export async function withoutPaths<T>(
  what: string,
  names: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SvcError) throw withNamesForPaths(error, names);
    if (error instanceof ToolError || errorCode(error) === undefined) throw error;
    throw new ToolError(`${what} cannot be used${codeSuffix(error)}`, { cause: error });
  }
}

function withNamesForPaths(error: SvcError, names: Readonly<Record<string, string>>): SvcError {
  const { code, hint } = error;
  const withKnownNames = (text: string): string =>
    Object.entries(names).reduce((all, [path, name]) => all.replaceAll(path, name), text);
  const message = withKnownNames(error.message);
  const more = {
    message,
    cause: error,
    ...(hint === undefined ? {} : { hint: withKnownNames(hint) }),
  };
  return new SvcError(code, {}, more);
}
