import conventions from "./gen-ai-conventions.json" with { type: "json" };

type Levels = Readonly<Record<string, string>>;
interface KnownAttribute {
  readonly stability: string;
  readonly type: string;
  readonly values?: readonly string[];
}
const known: Readonly<Record<string, KnownAttribute>> = conventions.attributes;
const spans: Readonly<Record<string, { readonly kind: string; readonly attributes: Levels }>> = conventions.spans;
const events: Readonly<Record<string, { readonly attributes: Levels }>> = conventions.events;

/** Values that are no member of the conventions' list, which allows others: the provider's own name. */
const openLists: ReadonlySet<string> = new Set(["gen_ai.provider.name"]);

type Values = Readonly<Record<string, unknown>>;

/** What is wrong with the attributes of a span, by the list of the conventions. */
export function spanProblems(type: string, attributes: Values): readonly string[] {
  return problemsOf(`the span ${type}`, spans[type]?.attributes, attributes);
}

export function eventProblems(name: string, attributes: Values): readonly string[] {
  return name.startsWith("sheepdog.")
    ? foreign(name, attributes)
    : problemsOf(name, events[name]?.attributes, attributes);
}

/** Spans and events of our own: their attributes of the conventions must exist. */
export function foreign(name: string, attributes: Values): readonly string[] {
  return Object.entries(attributes).flatMap(([key, value]) => valueProblems(name, key, value));
}

function problemsOf(name: string, levels: Levels | undefined, attributes: Values): readonly string[] {
  if (levels === undefined) return [`${name} is not in the conventions`];
  const missing = Object.entries(levels).flatMap(([key, level]) =>
    level === "required" && attributes[key] === undefined ? [`${name} lacks ${key}`] : [],
  );
  const unlisted = Object.keys(attributes).flatMap((key) =>
    isOwn(key) || levels[key] !== undefined ? [] : [`${name} has ${key}, which the conventions do not list for it`],
  );
  return [...missing, ...unlisted, ...foreign(name, attributes)];
}

function valueProblems(name: string, key: string, value: unknown): readonly string[] {
  if (isOwn(key)) return [];
  const attribute = known[key];
  if (attribute === undefined) return [`${name} has ${key}, which is not in the conventions`];
  const { type, values } = attribute;
  if (!isOfType(value, type)) return [`${name} has ${key} as ${JSON.stringify(value)}, expected ${type}`];
  if (values === undefined || openLists.has(key) || values.includes(String(value))) return [];
  return [`${name} has ${key} = ${JSON.stringify(value)}, expected one of ${values.join(", ")}`];
}

function isOwn(key: string): boolean {
  return key.startsWith("sheepdog.");
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "int") return Number.isInteger(value);
  if (type === "double") return typeof value === "number";
  if (type === "string[]") return Array.isArray(value) && value.every((item) => typeof item === "string");
  return type === "any" ? typeof value === "string" : typeof value === type;
}
