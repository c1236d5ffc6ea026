import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import type { HostIssue, HostRepository, HostState } from "./state.ts";

const SDL = readFileSync(join(import.meta.dirname, "description", "schema.graphql"), "utf8");

/** The published schema, and the same without the parent of an issue. */
const WITH = buildSchema(SDL);
const WITHOUT = buildSchema(SDL.replace(/^ {2}parent: Issue\n/m, ""));

interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface ListArguments {
  readonly first?: number;
  readonly after?: string | null;
  readonly states?: readonly string[];
}

/** Answers a query on the published schema, in the form that GitHub gives to answers and errors. */
export async function answerQuery(
  state: HostState,
  { query, variables = {} }: GraphqlRequest,
): Promise<object> {
  const schema: GraphQLSchema = state.parents === "no fields" ? WITHOUT : WITH;
  const document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) return { errors: errors.map(asGithub) };
  const rootValue = {
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const found = state.find(`${owner}/${name}`);
      return found === undefined ? null : repositoryNode(state, found);
    },
  };
  return await execute({ schema, document, rootValue, variableValues: variables });
}

/** GitHub says "Field 'x' doesn't exist on type 'Y'", with a code. */
function asGithub({ message, locations }: GraphQLError): object {
  const [, fieldName, typeName] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? [];
  if (fieldName === undefined) return { message, locations };
  return {
    path: ["query", "repository", "issues", "nodes", fieldName],
    extensions: { code: "undefinedField", typeName, fieldName },
    locations,
    message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
  };
}

function repositoryNode(state: HostState, repository: HostRepository): object {
  const nameWithOwner = `${repository.owner}/${repository.name}`;
  return {
    id: repository.node_id,
    nameWithOwner,
    issues: ({ first = 30, after, states }: ListArguments) => {
      const all = [...repository.issues.values()].filter(
        ({ isPullRequest, state: is }) =>
          !isPullRequest && (states === undefined || states.includes(is.toUpperCase())),
      );
      const from = after === null || after === undefined ? 0 : Number(after.slice(1));
      const nodes = all.slice(from, from + first);
      const to = from + nodes.length;
      const pageInfo = {
        ...{ hasNextPage: to < all.length, hasPreviousPage: from > 0 },
        ...{ startCursor: `c${from}`, endCursor: nodes.length === 0 ? null : `c${to}` },
      };
      return {
        totalCount: all.length,
        pageInfo,
        nodes: nodes.map((one) => issueNode(state, repository, one)),
      };
    },
  };
}

function issueNode(state: HostState, repository: HostRepository, issue: HostIssue): object {
  return {
    ...{ id: `I_${issue.id}`, number: issue.number, title: issue.title },
    ...{ databaseId: issue.id, fullDatabaseId: String(issue.id), updatedAt: issue.updated_at },
    state: issue.state.toUpperCase(),
    repository: () => repositoryNode(state, repository),
    parent: () => parentNode(state, repository, issue.parent),
  };
}

function parentNode(
  state: HostState,
  repository: HostRepository,
  parent: number | string | null,
): object | null {
  if (parent === null) return null;
  const [name, digits] = typeof parent === "number" ? [undefined, parent] : parent.split("#");
  const where = name === undefined ? repository : state.repository(name);
  const issue = where.issues.get(Number(digits));
  return issue === undefined ? null : issueNode(state, where, issue);
}
