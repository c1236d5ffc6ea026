import type { HostComment, HostIssue, HostRepository, HostState } from "./state.ts";

/** The rows of the interface, with every field that the description requires. */
export class Rows {
  readonly #state: HostState;
  readonly #origin: string;
  readonly #users = new Map<string, object>();

  /** `origin` is that of the interface, such as `https://localhost:8443/api/v3`. */
  constructor(state: HostState, origin: string) {
    this.#state = state;
    this.#origin = origin;
  }

  repository({ id, node_id, owner, name }: HostRepository): object {
    const full_name = `${owner}/${name}`;
    const at = `${this.#origin}/repos/${full_name}`;
    const now = this.#state.now();
    return {
      ...{ id, node_id, name, full_name, private: false, owner: this.#user(owner) },
      ...{ html_url: this.#page(full_name), description: null, fork: false, url: at },
      ...Object.fromEntries(ADDRESSES.map((field) => [`${field}_url`, `${at}/${field}`])),
      ...{ clone_url: this.#page(full_name), mirror_url: null, homepage: null, language: null },
      ...{ forks_count: 0, stargazers_count: 0, watchers_count: 0, size: 1 },
      ...{ default_branch: "main", open_issues_count: 0, is_template: false, topics: [] },
      ...{ has_issues: true, has_projects: true, has_wiki: true, has_pages: false },
      ...{ has_downloads: true, has_discussions: false, archived: false, disabled: false },
      ...{ visibility: "public", pushed_at: now, created_at: now, updated_at: now },
      ...{ license: null, forks: 0, open_issues: 0, watchers: 0 },
      ...{
        git_url: `git:${full_name}`,
        ssh_url: `git@${full_name}`,
        svn_url: this.#page(full_name),
      },
      ...{ network_count: 0, subscribers_count: 0 },
    };
  }

  issue(repository: HostRepository, issue: HostIssue): object {
    const name = `${repository.owner}/${repository.name}`;
    const at = `${this.#origin}/repos/${name}/issues/${issue.number}`;
    const { id, number, title, body, state, state_reason, isPullRequest } = issue;
    const page = `${this.#page(name)}/${isPullRequest ? "pull" : "issues"}/${number}`;
    const [assignee = null] = issue.assignees;
    return {
      ...{ id, node_id: `I_${id}`, url: at, repository_url: `${this.#origin}/repos/${name}` },
      ...{ labels_url: `${at}/labels{/name}`, comments_url: `${at}/comments` },
      ...{ events_url: `${at}/events`, html_url: page, number, title, body, state, state_reason },
      user: this.#user(issue.user),
      labels: issue.labels.map((label, place) => this.#label(name, label, place)),
      assignee: this.#user(assignee),
      assignees: issue.assignees.map((login) => this.#user(login)),
      ...{ milestone: null, locked: false, active_lock_reason: null },
      comments: issue.comments.length,
      ...{ created_at: issue.created_at, updated_at: issue.updated_at, closed_at: issue.closed_at },
      author_association: "NONE",
      ...(isPullRequest ? { pull_request: pullRequest(at, page) } : {}),
      ...this.#parent(issue),
    };
  }

  comment(repository: HostRepository, issue: HostIssue, comment: HostComment): object {
    const name = `${repository.owner}/${repository.name}`;
    const at = `${this.#origin}/repos/${name}/issues`;
    const { id, body, created_at, updated_at } = comment;
    const kind = issue.isPullRequest ? "pull" : "issues";
    return {
      ...{ id, node_id: `IC_${id}`, url: `${at}/comments/${id}`, body },
      html_url: `${this.#page(name)}/${kind}/${issue.number}#issuecomment-${id}`,
      issue_url: `${at}/${issue.number}`,
      ...{ user: this.#user(comment.user), created_at, updated_at, author_association: "NONE" },
    };
  }

  #parent({ parent }: HostIssue): object {
    if (this.#state.parents !== "fields") return {};
    return { parent_issue_url: parent === null ? null : this.#issueUrl(parent) };
  }

  #issueUrl(parent: number | string): string {
    if (typeof parent === "string")
      return `${this.#origin}/repos/${parent.replace("#", "/issues/")}`;
    const [{ owner, name } = { owner: "", name: "" }] = this.#state.repositories.filter(
      ({ issues }) => issues.has(parent),
    );
    return `${this.#origin}/repos/${owner}/${name}/issues/${parent}`;
  }

  #page(path: string): string {
    return `${new URL(this.#origin).origin}/${path}`;
  }

  #label(repository: string, name: string, id: number): object {
    const url = `${this.#origin}/repos/${repository}/labels/${id}`;
    return {
      id,
      node_id: `L_${id}`,
      url,
      name,
      description: null,
      color: "ededed",
      default: false,
    };
  }

  #user(login: string | null): object | null {
    if (login === null) return null;
    const known = this.#users.get(login) ?? this.#newUser(login);
    this.#users.set(login, known);
    return known;
  }

  #newUser(login: string): object {
    const at = `${this.#origin}/users/${encodeURIComponent(login)}`;
    return {
      ...{ login, id: 1, node_id: "U_1", avatar_url: at, gravatar_id: "", url: at, html_url: at },
      ...Object.fromEntries(USER_ADDRESSES.map((field) => [`${field}_url`, `${at}/${field}`])),
      ...{ type: "User", site_admin: false },
    };
  }
}

function pullRequest(url: string, html_url: string): object {
  return { url, html_url, diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch` };
}

const ADDRESSES = [
  ...["archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits"],
  ...["compare", "contents", "contributors", "deployments", "downloads", "events", "forks"],
  ...["git_commits", "git_refs", "git_tags", "hooks", "issue_comment", "issue_events", "issues"],
  ...["keys", "labels", "languages", "merges", "milestones", "notifications", "pulls", "releases"],
  ...["stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees"],
];

const USER_ADDRESSES = [
  ...["followers", "following", "gists", "starred", "subscriptions", "organizations", "repos"],
  ...["events", "received_events"],
];
