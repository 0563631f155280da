const simple = /^[pdqQPDnNhHgGxlFz=](?:[ \t]*\d+)?/;
const branch = /^(?:[btT][ \t]*[\w.-]*|:[ \t]*[\w.-]+)/;
const text = /^[aic](?:\\\n|[ \t]*\\?[ \t]*)(?:[^\\\n]|\\[\s\S])*/;
const maxLength = 20_000;

/**
 * Whether a sed script only prints and replaces. False when it runs commands (`e`), reads or writes files (`r`, `w`),
 * or is not understood.
 */
export function isHarmlessSed(script: string): boolean {
  if (script.length > maxLength) return false;
  let rest = script;
  while (rest !== "") {
    rest = rest.replace(/^(?:[\s;{}]|#[^\n]*)+/, "");
    if (rest === "") return true;
    const command = afterAddresses(rest);
    if (command?.startsWith("{") === true) {
      rest = command.slice(1);
      continue;
    }
    const after = command === undefined ? undefined : afterCommand(command);
    if (after === undefined || !/^(?:[ \t]*(?:[;\n}]|$))/.test(after)) return false;
    rest = after;
  }
  return true;
}

function afterCommand(command: string): string | undefined {
  if (command === "" || /^[;}]/.test(command)) return command;
  for (const shape of [simple, branch, text]) {
    const found = shape.exec(command)?.[0];
    if (found !== undefined) return command.slice(found.length);
  }
  return afterSubstitution(command);
}

/** The text behind the addresses of a command; undefined when one of them is not understood. */
function afterAddresses(script: string): string | undefined {
  const from = afterAddress(script);
  const to = from?.startsWith(",") === true ? afterAddress(from.slice(1).replace(/^[ \t]*[+~]?/, "")) : from;
  return to?.replace(/^\s*(?:!\s*)*/, "");
}

function afterAddress(script: string): string | undefined {
  const number = /^(?:\d+(?:~\d+)?|\$)/.exec(script)?.[0];
  if (number !== undefined) return script.slice(number.length);
  const delimiter = script.startsWith("\\") ? script[1] : "/";
  const start = script.startsWith("\\") ? 2 : 1;
  if (!script.startsWith("/") && !(script.startsWith("\\") && "|#,@!:%_".includes(delimiter ?? " "))) return script;
  const end = endOf(script, start, delimiter ?? "/");
  if (end === undefined || !hasWholeBrackets(script.slice(start, end))) return undefined;
  return script.slice(end + 1).replace(/^[IM]+/, "");
}

/** The text after `s/…/…/flags` or `y/…/…/`; undefined when it is neither, or has the flag `e` or `w`. */
function afterSubstitution(command: string): string | undefined {
  const delimiter = command[1];
  if (!/^[sy]/.test(command) || delimiter === undefined || !"/|#,@!:%_+;~".includes(delimiter)) return undefined;
  const middle = endOf(command, 2, delimiter);
  const end = middle === undefined ? undefined : endOf(command, middle + 1, delimiter);
  if (middle === undefined || end === undefined) return undefined;
  // versions of sed differ in where a pattern with an open bracket ends
  if (!hasWholeBrackets(command.slice(2, middle))) return undefined;
  return command.slice(end + 1).replace(/^[gpiIm\d]*/, "");
}

/** The offset of the next delimiter that is not escaped. */
function endOf(script: string, from: number, delimiter: string): number | undefined {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === "\\") at += 1;
    else if (script[at] === delimiter) return at;
    else if (script[at] === "\n") return undefined;
  }
  return undefined;
}

function hasWholeBrackets(pattern: string): boolean {
  return !pattern
    .replace(/\\./g, "")
    .replace(/\[\^?\]?[^\]]*\]/g, "")
    .includes("[");
}
