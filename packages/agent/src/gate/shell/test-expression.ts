import type { TestExpression } from "unbash";
import { highestRisk, printable, type Risk, unclear } from "../risk/risk.ts";
import type { Shell } from "./shell.ts";
import { wordRisk } from "./word-risk.ts";

const comparesNumbers = /^-(?:eq|ne|lt|le|gt|ge)$/;
const isNumber = /^(?:-?\d+|"?\$[#?]"?|"?\$\{#\w+\}"?)$/;

/** The risk of `[[ … ]]`: some tests evaluate their operands as code. */
export function testRisk(expression: TestExpression, shell: Shell): Risk {
  switch (expression.type) {
    case "TestUnary":
      return /^-[abcdefghknprstuwxzGLNOS]$/.test(expression.operator)
        ? wordRisk(expression.operand, shell)
        : evaluates(expression.operator);
    case "TestBinary": {
      const { operator, left, right } = expression;
      // in "$(…)" bash expands what stands in $'…' between parentheses
      if (operator === "=~" && right.text.includes("(") && /\$['"]/.test(right.text))
        return unclear(`Uses a pattern that is not understood (${printable(right.text)}).`, "unsupported syntax");
      const isPlain = /^(?:=|==|!=|=~|<|>|-nt|-ot|-ef)$/.test(operator);
      const areNumbers = comparesNumbers.test(operator) && isNumber.test(left.text) && isNumber.test(right.text);
      return isPlain || areNumbers ? highestRisk([wordRisk(left, shell), wordRisk(right, shell)]) : evaluates(operator);
    }
    case "TestLogical":
      return highestRisk(expression.operands.map((operand) => testRisk(operand, shell)));
    case "TestNot":
      return testRisk(expression.operand, shell);
    case "TestGroup":
      return testRisk(expression.expression, shell);
    default:
      return expression satisfies never;
  }
}

function evaluates(operator: string): Risk {
  return unclear(`The test ${printable(operator)} can evaluate its operands as code.`, "arithmetic");
}
