import type { ChannelTable, ChannelType } from "./channel-keys.ts";
import { hasVariables } from "./variables.ts";
import { webhookSecretProblem } from "./webhook-secret.ts";

/** A key of a channel with a secret. Its value may stand in a variable, which `<key>_env` names. */
export const secretKeys = ["url", "token", "app_token", "secret", "password"] as const;
export type SecretKey = (typeof secretKeys)[number];

type Key = keyof ChannelTable;

interface TypeRules {
  /** Each way to set the channel up: the keys that it needs. A secret key stands for its variable too. */
  readonly needs: readonly (readonly Key[])[];
  readonly uses: readonly Key[];
  /** What answers need besides `answer_from`. Absent: the channel carries no answers. */
  readonly answers?: readonly Key[];
}

const rules: Readonly<Record<ChannelType, TypeRules>> = {
  webhook: { needs: [["url"]], uses: ["secret"], answers: ["secret"] },
  slack: { needs: [["url"], ["token", "to"]], uses: ["app_token", "api_url"], answers: ["token", "to", "app_token"] },
  discord: { needs: [["url"], ["token", "to"]], uses: ["api_url"], answers: ["token", "to"] },
  telegram: { needs: [["token", "to"]], uses: ["api_url"], answers: ["token", "to"] },
  ntfy: { needs: [["to"]], uses: ["token", "api_url"] },
  email: { needs: [["host", "from", "to"]], uses: ["port", "tls", "user", "password"] },
  desktop: { needs: [[]], uses: [] },
  bell: { needs: [[]], uses: [] },
};

/** A sentence about a channel, without its name, and the key that it is about. */
export interface ChannelProblem {
  readonly key?: string;
  readonly sentence: string;
}

/** A name is part of an address of `serve`. */
const channelName = /^[\w-]{1,40}$/;

/** Finds keys that are missing, that the type does not use, or that exclude each other. */
export function findChannelProblems(name: string, table: ChannelTable): readonly ChannelProblem[] {
  const { type, answer_from } = table;
  const { needs, uses, answers } = rules[type];
  const set = new Set(Object.keys(table).filter((key) => table[key as Key] !== undefined)); // keys of the table
  const has = (key: Key) => set.has(key) || set.has(`${key}_env`);
  const known = ["type", "events", "answer_from", ...withVariables([...needs.flat(), ...uses])];
  const unused = [...set].filter((key) => !known.includes(key));
  const twice = secretKeys.filter((key) => set.has(key) && set.has(`${key}_env`));
  const isComplete = needs.some((keys) => keys.every(has));
  const answersMissing = (answers ?? []).filter((key) => !has(key));
  return [
    ...(channelName.test(name) ? [] : [{ sentence: "needs a name of at most 40 letters, digits, - and _" }]),
    ...unused.map((key) => ({
      key,
      sentence: `has ${key}, which type "${type}" does not use; it uses ${known.slice(1).join(", ")}`,
    })),
    ...twice.map((key) => ({ key, sentence: `has ${key} and ${key}_env; it needs exactly one of them` })),
    ...(isComplete ? [] : [{ sentence: `needs ${needs.map(list).join(", or ")} for type "${type}"` }]),
    ...(needs.length > 1 && needs.every((keys) => keys.every(has))
      ? [{ sentence: `has ${needs.map(list).join(" as well as ")}; it needs one of the two` }]
      : []),
    ...secretProblems(table),
    ...answerProblems(answer_from, { type, canAnswer: answers !== undefined, missing: answersMissing }),
  ];
}

/** References to variables are read later. */
function secretProblems({ secret }: ChannelTable): readonly ChannelProblem[] {
  const sentence = secret === undefined || hasVariables(secret) ? undefined : webhookSecretProblem(secret);
  return sentence === undefined ? [] : [{ key: "secret", sentence }];
}

interface AnswerRules {
  readonly type: ChannelType;
  readonly canAnswer: boolean;
  readonly missing: readonly Key[];
}

function answerProblems(
  answerFrom: ChannelTable["answer_from"],
  { type, canAnswer, missing }: AnswerRules,
): readonly ChannelProblem[] {
  if (answerFrom === undefined) return [];
  const key = "answer_from";
  if (!canAnswer) return [{ key, sentence: `has answer_from, but nobody can answer through type "${type}"` }];
  return missing.length === 0 ? [] : [{ key, sentence: `has answer_from, which needs ${list(missing)} as well` }];
}

function withVariables(keys: readonly Key[]): readonly string[] {
  return [...new Set(keys)].flatMap((key) => (isSecret(key) ? [key, `${key}_env`] : [key]));
}

function list(keys: readonly Key[]): string {
  return keys.map((key) => (isSecret(key) ? `${key}_env` : key)).join(" and ");
}

function isSecret(key: string): key is SecretKey {
  return secretKeys.some((secret) => secret === key);
}
