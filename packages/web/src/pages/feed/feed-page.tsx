/** The page `/feed`. */
export default function FeedPage() {
  return <h1>feed</h1>;
}
