const words: Readonly<Record<number, string>> = {
  400: "The request is not valid.",
  401: "The API key is not valid.",
  403: "The API key may not use this model.",
  404: "There is no such model.",
  408: "The request took too long.",
  413: "The request is too large.",
  429: "Too many requests.",
  500: "Something went wrong inside.",
  502: "The gateway got no good answer.",
  503: "The service is unavailable.",
  504: "The gateway got no answer in time.",
  529: "Overloaded",
};

/** What a server says about a status. */
export function describeStatus(status: number): string {
  return words[status] ?? `Status ${status}.`;
}
