import type { Io } from "../io.ts";

/** A text with its variables expanded, or what is wrong with it. */
export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** `$${` stands for `${` itself. */
const variable = /\$\$\{|\$\{(?<inside>[^}]*)(?<end>\}?)/g;

/** Whether a text contains a variable. */
export function hasVariables(text: string): boolean {
  return text.includes("${");
}

/** Expands `${NAME}` and `${NAME:-default}` from the environment. Problems never contain values. */
export function expandVariables(text: string, env: Io["env"]): Expanded {
  const problems: string[] = [];
  const expanded = text.replace(variable, (match: string, inside: string | undefined, end: string) => {
    if (inside === undefined) return "${";
    const { name, fallback } = /^(?<name>[A-Za-z_]\w*)(?::-(?<fallback>.*))?$/s.exec(inside)?.groups ?? {};
    if (name === undefined || end === "")
      problems.push(
        `${JSON.stringify(match)} is not a variable; write \${NAME} or \${NAME:-default}, and $\${ for \${ itself`,
      );
    const value = name === undefined ? undefined : env[name] || fallback;
    if (name !== undefined && value === undefined)
      problems.push(`the variable ${name} is not set; set it, or give a default as in \${${name}:-default}`);
    return value ?? "";
  });
  const [why] = problems;
  return why === undefined ? { ok: true, text: expanded } : { ok: false, why };
}
