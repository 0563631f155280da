/** The page `/findings`. */
export default function FindingsPage() {
  return <h1>findings</h1>;
}
