// The screen takes the daemon's answers as they are, so no schema of the contract is ever built in it.
export const z = undefined;
