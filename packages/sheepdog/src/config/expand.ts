import type { Io } from "../io.ts";

/** A text with its variables filled in, or what is wrong with it. */
export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** `$${` stands for `${` itself. */
const variable = /\$\$\{|\$\{(?<inside>[^}]*)(?<end>\}?)/g;

/** Whether a text asks for the environment. */
export function hasVariables(text: string): boolean {
  return text.includes("${");
}

/** Fills in `${NAME}` and `${NAME:-default}` from the environment. The values themselves are never part of what is said. */
export function expand(text: string, env: Io["env"]): Expanded {
  const wrong: string[] = [];
  const expanded = text.replace(variable, (whole: string, inside: string | undefined, end: string) => {
    if (inside === undefined) return "${";
    const { name, fallback } = /^(?<name>[A-Za-z_]\w*)(?::-(?<fallback>.*))?$/s.exec(inside)?.groups ?? {};
    if (name === undefined || end === "")
      wrong.push(
        `${JSON.stringify(whole)} is no variable; write \${NAME} or \${NAME:-default}, and $\${ for \${ itself`,
      );
    const value = name === undefined ? undefined : env[name] || fallback;
    if (name !== undefined && value === undefined)
      wrong.push(`the variable ${name} is not set; set it, or give a default as in \${${name}:-default}`);
    return value ?? "";
  });
  const [why] = wrong;
  return why === undefined ? { ok: true, text: expanded } : { ok: false, why };
}
