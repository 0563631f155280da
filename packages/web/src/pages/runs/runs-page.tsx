/** The page `/runs`. */
export default function RunsPage() {
  return <h1>runs</h1>;
}
