import { expect, test } from "vitest";
import { severities } from "./severity.ts";

test("the six events about problems of a run have the severities that Ryvos gives them", () => {
  const { GuardianHint, GuardianDoomLoop, GuardianStall, GuardianBudgetAlert, BudgetWarning, BudgetExceeded } =
    severities;
  expect({ GuardianHint, GuardianDoomLoop, GuardianStall, GuardianBudgetAlert, BudgetWarning, BudgetExceeded }).toEqual(
    {
      GuardianHint: "info",
      GuardianDoomLoop: "warning",
      GuardianStall: "warning",
      GuardianBudgetAlert: "warning",
      BudgetWarning: "warning",
      BudgetExceeded: "error",
    },
  );
});
