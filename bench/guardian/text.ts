import type { Writer } from "./writer.ts";

/** TypeScript-like source of about `length` characters. */
export function sourceText(writer: Writer, length: number): string {
  return fill(length, () => {
    const { word, name, below } = writer;
    switch (below(6)) {
      case 0:
        return `import { ${name()}, ${name()} } from "./${word()}/${word()}.js";\n`;
      case 1:
        return `  // ${word()} ${word()} the ${word()} of ${word()}, see ${name()}\n`;
      case 2:
        return `export function ${name()}(${word()}: string, ${word()}: number): ${name()} {\n`;
      case 3:
        return `  const ${name()} = await ${name()}({ ${word()}: ${below(1_000)}, ${word()}: "${word()}" });\n`;
      case 4:
        return `  if (${name()}.${word()} === undefined) return ${name()}(${word()}, ${below(100)});\n`;
      default:
        return `  return { ...${word()}, ${name()}: \`\${${word()}}/${word()}\` };\n}\n\n`;
    }
  });
}

/** The log of a build or a test run, sometimes with a character beyond Latin-1. */
export function logText(writer: Writer, length: number): string {
  const tick = writer.below(4) === 0 ? "✓" : "ok";
  return fill(length, () => {
    const { word, name, below, time, path, id } = writer;
    switch (below(4)) {
      case 0:
        return `${time()} INFO  [${word()}-${below(32)}] ${word()} ${name()} took ${below(900)}ms request_id=${id()}\n`;
      case 1:
        return `  ${tick} ${path()} > ${word()} ${word()} ${word()} (${below(90)} ms)\n`;
      case 2:
        return `${time()} WARN  ${name()}: ${word()} is ${below(100)}.${below(100)} % at ${path()}:${below(900)}\n`;
      default:
        return `${word()} ${word()} ${below(10_000)} ${word()} ${below(100)}/100 ${id()}\n`;
    }
  });
}

/** The JSON body of an API response. */
export function jsonText(writer: Writer, length: number): string {
  const { word, name, below, time, id } = writer;
  const item = (): string => {
    const title = `${word()} ${word()} ${word()}`;
    const owner = { name: name(), active: below(2) === 1 };
    return `${JSON.stringify({ id: id(), title, owner, score: below(1_000) / 10, createdAt: time() })},`;
  };
  return `{"page":${below(1_000)},"items":[${fill(length - 40, item).slice(0, -1)}],"next":"${id()}"}`;
}

/** A shell script. */
export function shellScript(writer: Writer, length: number): string {
  const { word, name, path, below } = writer;
  const line = (): string =>
    below(2) === 0
      ? `grep -rn '${name()}' ${path()} | sort -k${below(9)} > ${word()}.txt\n`
      : `node ${path()} --${word()} ${below(100)} --${word()}=${name()}\n`;
  return `set -e\n${fill(length - 7, line)}`;
}

function fill(length: number, line: () => string): string {
  let text = "";
  while (text.length < length) text += line();
  return text;
}
