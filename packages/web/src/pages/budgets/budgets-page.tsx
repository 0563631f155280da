/** The page `/budgets`. */
export default function BudgetsPage() {
  return <h1>budgets</h1>;
}
