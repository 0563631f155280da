const messages: Readonly<Record<number, string>> = {
  400: "The request is not valid.",
  401: "The API key is not valid.",
  403: "The API key may not use this model.",
  404: "There is no such model.",
  408: "The request took too long.",
  413: "The request is too large.",
  429: "Too many requests.",
  500: "An internal error occurred.",
  502: "Bad gateway.",
  503: "The service is unavailable.",
  504: "Gateway timeout.",
  529: "Overloaded",
};

/** The error message for a status. */
export function describeStatus(status: number): string {
  return messages[status] ?? `Status ${status}.`;
}
