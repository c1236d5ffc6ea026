/**
 * The names of the providers as people write them. They have a file of their own, because a page shows them and needs
 * no other rule of a provider.
 */
export const PROVIDER_LABELS = { github: "GitHub" } as const;

/** The name of the provider, which may be one that only a newer daemon knows. */
export function providerLabel(provider: string): string {
  return (PROVIDER_LABELS as Readonly<Record<string, string>>)[provider] ?? provider;
}
