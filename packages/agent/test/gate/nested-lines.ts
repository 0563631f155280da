// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import fc, { type Arbitrary } from "fast-check";

type Text = Arbitrary<string>;

/** A text with a random text in each of its places. */
function of(texts: readonly string[], ...parts: readonly Text[]): Text {
  return fc.tuple(...parts).map((values) => String.raw({ raw: texts }, ...values));
}

const oneOf = (...texts: readonly string[]): Text => fc.constantFrom(...texts);
const any = (...weighted: readonly (readonly [weight: number, arbitrary: Text])[]): Text =>
  fc.oneof({ maxDepth: 6, depthSize: "small" }, ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** One piece or a few: what one hides another would only betray. */
const several = (piece: Text): Text => any([3, piece], [1, of`${piece}${piece}`], [1, of`${piece}${piece}${piece}`]);

const escapedIn = (text: Text, characters: RegExp): Text => text.map((value) => value.replaceAll(characters, "\\$&"));
const without = (text: Text, characters: RegExp): Text => text.map((value) => value.replaceAll(characters, ""));
/** As an argument between single quotes. */
const argument = (text: Text): Text => of`'${text.map((value) => value.replaceAll("'", "'\\''"))}'`;

/** No line with one of these may run it: they write outside the workspace, or nobody knows the program. */
const canary = oneOf(
  ...["canary", "canary", "/canary/program", "/canary/program /a", "touch /canary/touched", ": > /canary/touched"],
  ...["echo a >/canary/touched", "true && canary", "echo a; canary", "echo a | canary", "echo a/$(canary)/b"],
);
const name = any([6, oneOf("v", "unset")], [1, oneOf("empty", "1", "@", "#", "?", "a", "!v", "#v", "v[0]", "*")]);
const operator = any(
  [6, oneOf(":-", "-", ":+", "+", ":?", "?", "#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,")],
  [1, oneOf(":=", "=", ":", "@", "@Q", "@P", "@E", "~~", "|")],
);
const plain = oneOf(
  ...["a", "a", "value", "1", "0", ".", "x.ts", "README.md", "-n", "é", "=", ":", ",", "+", "%", "@", "^", "[a]", "]"],
);
const blank = oneOf(" ", " ", "  ", "\t", "\n");
/** What is a letter between quotes, and something else without them. */
const odd = oneOf(" ", "#", " # ", ";", "&", "|", "(", ")", "<", ">", "{", "}", "!", "~", "*", "?", "\n", "/", "[");
const escaped = oneOf("\\\\", '\\"', "\\'", "\\$", "\\`", "\\}", "\\n", "\\ ", "\\a", "\\/");

const { line } = fc.letrec<Record<"line" | "word" | "quoted" | "expansion" | "hidden", string>>((tie) => {
  const body = any([6, canary], [1, tie("line")]);
  /** Runs the canary, unless it stands where bash takes it for text. */
  const hidden = any(
    [4, of`$(${canary})`],
    [2, of`\`${canary}\``],
    [2, of`<(${canary})`],
    [1, of`>(${canary})`],
    [1, of`$(( ${canary}) )`],
    [1, of`$((a[$(${canary})]))`],
    [1, of`$[a[$(${canary})]]`],
    [1, of`$(# '\n${canary}\n)`],
    [1, of`$(case a in a) ${canary};; esac)`],
    [1, of`$(cat <<EOF\n$(${canary})\nEOF\n)`],
    [1, of`"$(${canary})"`],
    [1, of`$(cat <<EOF)\n$(${canary})\nEOF\n`],
    [1, of`\${unset:-$(${canary})}`],
    [1, of`\${unset:-'$(${canary})'}`],
    [1, of`\${v/$(${canary})/a}`],
    [1, of`$(${body})`],
  );
  const apostrophes = of`'${without(several(any([1, plain], [1, odd], [4, tie("hidden")])), /'/g)}'`;
  const ansiText = any([1, plain], [1, odd], [1, oneOf("\\'", "\\n", "\\x27", "\\\\", '"')], [4, tie("hidden")]);
  const ansi = of`$'${without(several(ansiText), /(?<!\\)'/g)}'`;
  const escapedHidden = escapedIn(tie("hidden"), /[\\$`"'<>()&;|# \n{}!*?~[\]]/g);
  const inertHidden = without(escapedIn(tie("hidden"), /[$`]/g), /"/g);
  const operand = several(
    any(
      [2, plain],
      [1, odd],
      [1, escaped],
      [3, apostrophes],
      [3, ansi],
      [1, of`"${tie("quoted")}"`],
      [3, tie("hidden")],
      [2, tie("expansion")],
      [1, escapedHidden],
      [1, oneOf("$v", '"', "'")],
    ),
  );
  const expansion = any(
    [1, of`\${${name}}`],
    [8, of`\${${name}${operator}${operand}}`],
    [1, of`\${${oneOf("v", "unset")}${oneOf("/", "//")}${operand}/${operand}}`],
  );
  const harmless = oneOf("$v", "${v}", "$(echo a)", "`echo a`", "$((1 + 2))", "$((1<<2))", "$[1<<2]", "$unset", "$?");
  /** Between double quotes, and in a here-document. */
  const quoted = several(
    any(
      [1, plain],
      [1, odd],
      [1, escaped],
      [1, harmless],
      [8, tie("expansion")],
      [1, apostrophes],
      [1, ansi],
      [1, inertHidden],
      [2, of`$(${tie("line")})`],
    ),
  );
  /** Nearly an end; the command behind it is text, unless the end is one. */
  const almost = oneOf(
    ...[" EOF", "\tEOF", "EOF ", "EOF)", "'EOF'", "EO", "\\EOF", "$(EOF", "\\\nEOF", " \\\nEOF", "EOF\r"],
  );
  const nearEnd = of`${almost}\n${canary}\n`;
  const text = tie("quoted");
  const document = of`\n${any([5, text], [1, of`"${text}"`], [1, of`${text}\n'${text}`], [1, nearEnd])}\n`;
  const separator = oneOf("; ", " | ", " && ", " || ", "; (", " & ", " #", " > out.txt ");
  const oddStart = oneOf(
    ...["<< EOF", "<<\tEOF", "<<E'OF'", '<<""EOF', "<<EOF<<EOF", "<<$x", "<<''", '<<"$(canary)"', "<<-'EOF'"],
  );
  const here = any(
    [3, of`<<EOF${document}EOF\n`],
    [1, of`<<-EOF${document}EOF\n`],
    [1, of`<<'EOF'\n${several(any([1, plain], [1, odd], [2, tie("hidden")]))}\nEOF\n`],
    [1, of`<<${oneOf("EOF", "'EOF'")}\n${nearEnd}EOF\n`],
    [1, of`<<-EOF\n${nearEnd}\tEOF\n`],
    [1, of`<<EOF ${tie("word")}${document}EOF\n`],
    [1, of`<<EOF${separator}${tie("line")}${document}EOF\n`],
    [1, of`${oddStart}${document}EOF\n`],
    [1, of`<<"E"\n${tie("hidden")}\nE\n`],
    [1, of`<<\\E\n${tie("hidden")}\nE\n`],
    [1, of`<<A <<B${document}A${document}B\n`],
  );
  const double = of`"${tie("quoted")}"`;
  const someWord = several(
    any(
      [2, plain],
      [8, double],
      [2, apostrophes],
      [1, ansi],
      [4, tie("expansion")],
      [1, escapedHidden],
      [1, escaped],
      [1, harmless],
      [1, oneOf("{a,b}", "*", "~", '$"a"', "\\\n")],
    ),
  );
  const word = tie("word");
  const words = any([3, word], [1, of`${word} ${word}`]);
  const comment = oneOf("#", "#'", '# "', "a#");
  const simple = any(
    [6, of`echo ${words}`],
    [2, of`printf '%s\n' ${words}`],
    [2, of`: ${words}`],
    [3, of`cat ${here}`],
    [2, of`cat <<< ${word}`],
    [2, of`x=${word}`],
    [2, of`x=${word}; echo "$x"`],
    [1, of`x=${word} true`],
    [1, of`export x=${word}`],
    [1, of`${oneOf("declare", "readonly", "local", "typeset")} x=${word}`],
    [1, of`a=(${words})`],
    [1, of`a[${word}]=a`],
    [1, of`a+=(${word})`],
    [2, of`git commit -qm ${word}`],
    [2, of`git commit -qm "$(cat ${here})"`],
    [1, of`echo "$(cat ${here})"`],
    [1, of`echo $((1 + ${any([1, tie("expansion")], [1, oneOf("v", "2", "$v", "a[0]", "unset")])}))`],
    [1, of`((${any([1, tie("expansion")], [1, oneOf("v", "v = 1")])}))`],
    [2, of`[[ ${word} ${oneOf("==", "!=", "=~", "<", "-eq", "-nt")} ${word} ]]`],
    [1, of`[[ ${oneOf("-n", "-z", "-f", "-v", "!")} ${word} ]]`],
    [1, of`${oneOf("test", "[")} ${oneOf("-n", "-z", "-v", "-f")} ${word}`],
    [1, of`[ ${oneOf("-v", "-n")} ${word} ]`],
    [2, of`case ${word} in ${word}) echo a;; *) echo b;; esac`],
    [2, of`for i in ${words}; do echo "$i"; done`],
    [1, of`while read -r i; do echo "$i"; done <<< ${word}`],
    [1, of`if [ -n ${word} ]; then ${tie("line")}; fi`],
    [1, of`[[ a =~ ${any([1, word], [1, of`(${word})`], [1, of`[${apostrophes}]`])} ]]`],
    [1, of`[[ a ${oneOf("&&", "||", "<", ">")} ${any([1, canary], [1, word])} ]]`],
    [1, of`[[ a == ${oneOf("@", "!", "*")}(a|${word}) ]]`],
    [1, of`case a in ${oneOf("(", "")}${word}${oneOf("", "|b", " | b")}) echo a;; esac`],
    [1, of`echo {a,${word}}`],
    [1, of`echo ${word}#${word}`],
    [1, of`echo a ${comment}${without(tie("hidden"), /\n/g)}\necho ${word}`],
    [1, of`echo a > ${word}`],
    [1, of`cat < ${word}`],
    [1, of`grep -c ${word} README.md`],
    [1, of`${oneOf("printf -v", "let", "read", "unset", "eval")} ${word}`],
    [1, of`echo "\${${name}${operator}${tie("quoted")}}"`],
    [1, of`echo a # ${without(tie("quoted"), /\n/g)}`],
    [1, of`bash -c ${word}`],
    [1, of`sed -n ${word} README.md`],
    [1, of`find . -name ${word}`],
    [1, of`diff <(echo ${word}) README.md`],
  );
  const tied = tie("line");
  return {
    word: someWord,
    quoted,
    expansion,
    hidden,
    line: any(
      [12, simple],
      [2, of`${simple}${oneOf("; ", " && ", " || ", " | ", "\n")}${tied}`],
      [1, of`(${tied})`],
      [1, of`{ ${tied}; }`],
      [1, of`echo $(${tied})`],
      [1, of`echo "$(${tied})"`],
      [1, of`bash -c ${argument(tied)}`],
      [1, of`sh -c ${argument(tied)}`],
      [1, of`${oneOf("bash", "sh")} -c "${escapedIn(tied, /["$`\\]/g)}"`],
      [1, of`echo \`${escapedIn(tied, /[\\`]/g)}\``],
      [1, of`echo "\`${escapedIn(tied, /[\\`"]/g)}\`"`],
      [1, of`echo ${oneOf("", '"')}\`${without(tied, /`/g)}\`${oneOf("", '"')}`],
      [1, of`echo "${escapedIn(tie("hidden"), /["$`]/g)}"${blank}# ' ${word}`],
    ),
  };
});

/**
 * Lines that are mostly valid: quotes, operands of `${…}`, here-documents, arrays, arithmetic, tests and `case` in each
 * other, around commands that touch a canary if bash runs them.
 */
export const nestedLines: Text = line.filter((text) => text.includes("canary"));
