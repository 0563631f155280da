import type { z } from "zod";
import type { CommandResult, Problem, RouteName, routes } from "../contract/index.ts";
import { routePaths } from "./route-paths.ts";
import { noteStatus } from "./token.ts";

/** Why a request failed: `problem` is a sentence for the user. */
class ApiError extends Error {
  readonly status: number;

  constructor(status: number, problem: string) {
    super(problem);
    this.status = status;
  }
}

type Routes = typeof routes;
type ResponseOf<Name extends RouteName> = Routes[Name] extends { readonly response: infer Schema extends z.ZodType }
  ? z.infer<Schema>
  : never;
type QueryOf<Name extends RouteName> = Routes[Name] extends { readonly query: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;
type BodyOf<Name extends RouteName> = Routes[Name] extends { readonly body: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;

interface RequestOptions {
  /** The values of the parts of the path in braces. */
  readonly params?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Loads a document of the API. Rejects with an `ApiError`. */
export async function load<Name extends RouteName>(
  name: Name,
  options: RequestOptions & { readonly query?: QueryOf<Name> } = {},
): Promise<ResponseOf<Name>> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) query.set(key, String(value));
  const search = query.size === 0 ? "" : `?${query}`;
  const response = await send(`${pathOf(name, options.params)}${search}`, { signal: options.signal ?? null });
  return (await response.json()) as ResponseOf<Name>; // the server answers by the same contract
}

/** Sends a command to the API. Rejects with an `ApiError`. */
export async function post<Name extends RouteName>(
  name: Name,
  body: BodyOf<Name>,
  options: RequestOptions = {},
): Promise<ResponseOf<Name>> {
  const response = await send(pathOf(name, options.params), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: options.signal ?? null,
  });
  return (await response.json()) as ResponseOf<Name>; // the server answers by the same contract
}

/** Sends a command and turns every failure into a result with a sentence. */
export async function command(sending: Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await sending;
  } catch (error) {
    return { isDone: false, text: error instanceof Error ? error.message : String(error), runId: null };
  }
}

function pathOf(name: RouteName, params: Readonly<Record<string, string>> = {}): string {
  return routePaths[name].replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not answer.");
  }
  noteStatus(response.status);
  if (response.ok) return response;
  const problem = await response
    .json()
    .then((body: Problem) => body.problem)
    .catch(() => undefined); // not an answer of the API, such as one of a proxy
  throw new ApiError(response.status, problem ?? `The server answered with status ${response.status}.`);
}
