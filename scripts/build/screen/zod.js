// Replaces zod. The screen does not check the daemon's answers, so it never builds a schema of the contract.
export const z = undefined;
