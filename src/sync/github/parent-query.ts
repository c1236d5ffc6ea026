/**
 * The only query that svc sends: the parent of each issue of a repository
 * (docs/contract/issue-sync.md#5-requests-to-the-host).
 */
export const PARENT_QUERY = `
query ($owner: String!, $repo: String!, $after: String) {
  repository(owner: $owner, name: $repo) {
    issues(first: 100, after: $after, states: [OPEN, CLOSED]) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        number
        fullDatabaseId
        parent { id number fullDatabaseId repository { id } }
      }
    }
  }
}`;
