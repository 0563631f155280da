import type { Message } from "../protocol/messages.ts";

/**
 * The prompts of the current run: everything that people wrote since it started, and the newest message of a person
 * and of a schedule, without which a continued run has no task. They are never cut or left out.
 */
export function currentPrompts(
  messages: readonly Message[],
  runStartedAt: number = Number.POSITIVE_INFINITY,
): ReadonlySet<Message> {
  const newestOf = (origin: "person" | "scheduled") =>
    messages.findLastIndex((message) => message.role === "user" && message.origin === origin);
  const person = newestOf("person");
  const scheduled = newestOf("scheduled");
  return new Set(
    messages.filter(
      (message, index) =>
        index === person ||
        (index === scheduled && scheduled > person) ||
        (message.role === "user" && message.origin === "person" && message.at >= runStartedAt),
    ),
  );
}
