import type { ArithmeticExpression, ArithmeticFor } from "unbash";
import { isFreeVariable } from "../programs/free-variables.ts";

/** The variable of `for ((i = 0; i < 3; i++))`; undefined when the loop calculates with anything else. */
export function countingVariable({ initialize, test, update }: ArithmeticFor): string | undefined {
  const name = initialize?.type === "ArithmeticBinary" ? wordOf(initialize.left) : undefined;
  if (name === undefined || !/^[A-Za-z_]\w*$/.test(name) || !isFreeVariable(name)) return undefined;
  const isStart = initialize?.type === "ArithmeticBinary" && initialize.operator === "=" && isNumber(initialize.right);
  const isBounded =
    test?.type === "ArithmeticBinary" &&
    /^[<>]=?$|^!=$/.test(test.operator) &&
    wordOf(test.left) === name &&
    isNumber(test.right);
  const isCounting =
    (update?.type === "ArithmeticUnary" && /^(?:\+\+|--)$/.test(update.operator) && wordOf(update.operand) === name) ||
    (update?.type === "ArithmeticBinary" &&
      /^[+-]=$/.test(update.operator) &&
      wordOf(update.left) === name &&
      isNumber(update.right));
  return isStart && isBounded && isCounting ? name : undefined;
}

const wordOf = (expression: ArithmeticExpression | undefined): string | undefined =>
  expression?.type === "ArithmeticWord" ? expression.value : undefined;

const isNumber = (expression: ArithmeticExpression | undefined): boolean =>
  /^(?:0|[1-9]\d{0,8})$/.test(wordOf(expression) ?? "");
